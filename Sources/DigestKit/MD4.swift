internal import CNettle

/// MD4 (RFC 1320), by Nettle. It protects nothing; Windows' hash of a password is made with it.
public enum MD4 {
    /// The sixteen bytes of a message's digest.
    public static func digest(of message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            retro_md4(message.count, message, buffer.baseAddress)
            count = 16
        }
    }
}
