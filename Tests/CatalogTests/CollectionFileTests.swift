import SystemKit
import Testing

@testable import Catalog

@Suite("EmulationStation's own lists")
struct CollectionFileTests {
    private let roms: BytePath = "/srv/retro/roms"

    private func paths(_ text: [UInt8]) -> [String] {
        CollectionFile(name: "x", contents: text).resolved(roms: roms, home: "/home/pi").map(\.displayString)
    }

    @Test("a path a line, in every encoding and with every line end")
    func lines() {
        let text = "%ROMPATH%/nes/a b.nes\n\n  ~/RetroPie/roms/gba/é.gba  \n./snes/c.sfc\nC.nes"
        let expected = [
            "\(roms)/nes/a b.nes", "/home/pi/RetroPie/roms/gba/é.gba", "\(roms)/snes/c.sfc", "\(roms)/C.nes",
        ]
        for end in ["\n", "\r\n", "\r"] {
            let text = text.replacing("\n", with: end)
            let little = text.utf16.flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
            let big = text.utf16.flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
            let marked: [[UInt8]] = [
                [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + little, [0xFE, 0xFF] + big,
            ]
            for bytes in marked + [Array(text.utf8)] {
                #expect(paths(bytes) == expected)
            }
        }
    }

    @Test("bytes that are no text stay as they are, and what is no path is passed over")
    func bytes() {
        let name: [UInt8] = Array("/r/nes/Br".utf8) + [0xF8, 0x2E, 0x6E, 0x65, 0x73]
        let file = CollectionFile(name: "x", contents: name + [0x0A, 0, 0, 0x0A] + Array(repeating: 0x61, count: 5000))
        #expect(file.paths == [BytePath(bytes: name)])
        #expect(paths(Array("%ROMPATH%\\nes\\a.nes".utf8)) == ["\(roms)/nes/a.nes"])
        #expect(paths([]) == [])
    }

    @Test("the name is that of the file, and what is written is read again")
    func names() {
        #expect(CollectionFile.name(ofFile: "/x/custom-Best of.cfg") == "Best of")
        #expect(CollectionFile.name(ofFile: "custom-.cfg") == nil)
        #expect(CollectionFile.name(ofFile: "es_systems.cfg") == nil)
        let file = CollectionFile(name: "x", paths: ["/srv/retro/roms/nes/a.nes", "/else/b.gba", "/no\n/line"])
        let text = file.contents(roms: roms)
        #expect(String(decoding: text, as: UTF8.self) == "%ROMPATH%/nes/a.nes\n/else/b.gba\n")
        #expect(paths(text) == ["/srv/retro/roms/nes/a.nes", "/else/b.gba"])
    }
}
