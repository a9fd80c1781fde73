import DigestKit

/// The hash that Samba keeps of a password: MD4 of its UTF-16, as Windows NT had it.
///
/// It protects nothing here. It answers whether the password that the television shows is the one that Samba knows.
enum NTHash {
    /// The hash in capital hexadecimal digits, as `pdbedit` prints it.
    static func text(of password: String) -> String {
        let bytes = password.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        return MD4.digest(of: bytes).map { byte in
            let text = String(byte, radix: 16, uppercase: true)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
