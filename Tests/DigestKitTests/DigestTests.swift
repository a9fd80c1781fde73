import DigestKit
import Testing

@Suite("Checksums")
struct DigestTests {
    private static let text = Array("123456789".utf8)

    @Test("CRC-32 of the check value, of nothing, and in parts")
    func crc() {
        #expect(CRC32.of(Self.text) == 0xCBF4_3926)
        #expect(CRC32.of([]) == 0)
        var parts = CRC32()
        for byte in Self.text { [byte].withUnsafeBytes { parts.update($0) } }
        #expect(parts.value == 0xCBF4_3926)
    }

    @Test("SHA-1 of the standard's example, of nothing, and in parts")
    func sha1() {
        #expect(hex(SHA1.of(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(hex(SHA1.of([])) == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
        var parts = SHA1()
        Array("ab".utf8).withUnsafeBytes { parts.update($0) }
        _ = parts.digest
        Array("c".utf8).withUnsafeBytes { parts.update($0) }
        #expect(hex(parts.digest) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }

    @Test(
        "MD4 is that of RFC 1320's own examples",
        arguments: [
            ("", "31d6cfe0d16ae931b73c59d7e0c089c0"), ("a", "bde52cb31de33e46245e05fbdbd6fb24"),
            ("message digest", "d9130a8164549fe818874806e1c7014b"),
        ])
    func md4(_ text: String, _ digest: String) {
        let pairs = MD4.digest(of: Array(text.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        #expect(pairs.joined() == digest)
    }
}
