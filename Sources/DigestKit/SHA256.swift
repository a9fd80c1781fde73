internal import CNettle

/// SHA-256, by Nettle: tells whether a file is the one that was written.
public struct SHA256: Sendable {
    private var context = sha256_ctx()

    /// A digest of nothing yet.
    public init() { retro_sha256_init(&context) }

    /// Takes more bytes in.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        retro_sha256_update(&context, bytes.count, base.assumingMemoryBound(to: UInt8.self))
    }

    /// The digest of what came so far as 64 hexadecimal digits in lower case; more may come after it.
    public var hexadecimal: String {
        // Asking for the digest begins anew: a copy is asked.
        var context = context
        let bytes = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            retro_sha256_digest(&context, buffer.baseAddress)
            count = 32
        }
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The digest of these bytes.
    public static func of(_ bytes: [UInt8]) -> String {
        var digest = SHA256()
        bytes.withUnsafeBytes { digest.update($0) }
        return digest.hexadecimal
    }
}
