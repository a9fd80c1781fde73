internal import CNettle
internal import CZlib

/// The checksum of ZIP, PNG and the lists of games: CRC-32, by zlib, which uses what the processor has for it.
public struct CRC32: Sendable, Equatable {
    /// The checksum of what came so far.
    public private(set) var value: UInt32 = 0

    /// A checksum of nothing yet.
    public init() {}

    /// Takes more bytes in.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        value = UInt32(
            truncatingIfNeeded: crc32_z(uLong(value), base.assumingMemoryBound(to: UInt8.self), bytes.count))
    }

    /// The checksum of these bytes.
    public static func of(_ bytes: [UInt8]) -> UInt32 {
        var crc = CRC32()
        bytes.withUnsafeBytes { crc.update($0) }
        return crc.value
    }
}

/// SHA-1, by Nettle, which libarchive needs in any case; for telling files apart, not against forgery.
public struct SHA1: Sendable {
    /// Bytes of a digest.
    public static let length = 20

    private var context = sha1_ctx()

    /// A digest of nothing yet.
    public init() { retro_sha1_init(&context) }

    /// Takes more bytes in.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        retro_sha1_update(&context, bytes.count, base.assumingMemoryBound(to: UInt8.self))
    }

    /// The digest of what came so far; more may come after it.
    public var digest: [UInt8] {
        // Asking for the digest begins anew: a copy is asked.
        var context = context
        return [UInt8](unsafeUninitializedCapacity: SHA1.length) { buffer, count in
            retro_sha1_digest(&context, buffer.baseAddress)
            count = SHA1.length
        }
    }

    /// The digest of these bytes.
    public static func of(_ bytes: [UInt8]) -> [UInt8] {
        var sha1 = SHA1()
        bytes.withUnsafeBytes { sha1.update($0) }
        return sha1.digest
    }
}
