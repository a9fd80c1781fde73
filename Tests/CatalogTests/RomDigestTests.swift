import DigestKit
import Testing

@testable import Catalog

private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

private let knownHeaders: [(String, [UInt8])] = {
    let ines: [UInt8] = [0x4E, 0x45, 0x53, 0x1A, 2, 1] + zeros(10)
    let disk: [UInt8] = Array("FDS".utf8) + [0x1A] + zeros(12)
    let lynx: [UInt8] = Array("LYNX".utf8) + zeros(60)
    let atari: [UInt8] = [1] + Array("ATARI7800".utf8) + zeros(118)
    return [
        ("nes", ines), ("fds", disk), ("snes", zeros(512)), ("pcengine", zeros(512)), ("atarilynx", lynx),
        ("atari7800", atari),
    ]
}()

@Suite("Checksums as the sets take them")
struct RomDigestTests {
    private static let body = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) }

    private func results(_ system: String, _ bytes: [UInt8], chunk: Int = 1000) -> [RomDigest.Result] {
        var digest = RomDigest(system: system, size: Int64(bytes.count))
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            bytes[start..<min(start + chunk, bytes.count)].withUnsafeBytes { digest.update($0) }
        }
        return digest.finish()
    }

    @Test("headers are left out", arguments: knownHeaders)
    func headers(system: String, header: [UInt8]) {
        for chunk in [1, 3, 500, 513, 1 << 20] {
            let found = results(system, header + Self.body, chunk: chunk)
            #expect(found.map(\.header) == [0, header.count])
            #expect(found.first?.crc == CRC32.of(header + Self.body))
            #expect(found.last?.crc == CRC32.of(Self.body))
            #expect(found.last?.sha1 == SHA1.of(Self.body))
            #expect(found.last?.size == 4096)
        }
        #expect(RomDigest.hasOthers(system: system))
    }

    @Test("what has no header is taken as a whole", arguments: ["nes", "snes", "gba", "atarilynx", "megadrive", "n64"])
    func whole(system: String) {
        #expect(results(system, Self.body).map(\.crc) == [CRC32.of(Self.body)])
        #expect(results(system, []).map(\.crc) == [0])
        #expect(results(system, [1]).map(\.size) == [1])
    }

    @Test("cartridges of the Nintendo 64 are turned into their own order of bytes", arguments: [1, 3, 512, 4096])
    func order(chunk: Int) {
        let start: [UInt8] = [0x80, 0x37, 0x12, 0x40]
        let big = start + Self.body
        var swapped = big
        var reversed = big
        for index in stride(from: 0, to: big.count, by: 4) {
            swapped.swapAt(index, index + 1)
            swapped.swapAt(index + 2, index + 3)
            reversed.replaceSubrange(index..<index + 4, with: big[index..<index + 4].reversed())
        }
        #expect(results("n64", big, chunk: chunk).map(\.crc) == [CRC32.of(big)])
        #expect(results("n64", swapped, chunk: chunk).map(\.crc) == [CRC32.of(swapped), CRC32.of(big)])
        #expect(results("n64", reversed, chunk: chunk).last?.sha1 == SHA1.of(big))
    }

    @Test("a compressed disc tells its checksum")
    func disc() {
        let version: [UInt8] = [0, 0, 0, 124, 0, 0, 0, 5]
        var head = Array("MComprHD".utf8) + version + zeros(108)
        #expect(RomDigest.sha1(ofDisc: head) == nil)
        head.replaceSubrange(84..<104, with: 1...20)
        #expect(RomDigest.sha1(ofDisc: head) == Array(1...20))
        head[15] = 9
        #expect(RomDigest.sha1(ofDisc: head) == nil)
        #expect(RomDigest.sha1(ofDisc: Array(head.prefix(100))) == nil)
    }
}
