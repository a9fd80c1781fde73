import Catalog
import SystemKit
import Systems
import Testing

@Suite("A game on several files is one game")
struct SheetTests {
    @Test("sheets hide the tracks they name; what nobody names stays (B022)")
    func hidesTracks() async throws {
        let library = try Library()
        try library.add([
            "psx/G (Track 1).bin", "psx/G (Track 2).bin", "psx/lone.bin", "psx/C.img", "psx/C.ccd", "psx/M.mds",
            "psx/M.mdf",
            "psx/track01.bin", "psx/track 02.raw",
        ])
        try library.add(
            "psx/G.cue",
            contents: Array("FILE \"G (Track 1).bin\" BINARY\n  TRACK 01\nFILE \"G (Track 2).bin\" BINARY\n".utf8))
        try library.add(
            "psx/D.gdi", contents: Array("2\n1 0 4 2352 track01.bin 0\n2 450 0 2352 \"track 02.raw\" 0\n".utf8))
        #expect(try await library.listed() == ["psx/C.ccd", "psx/D.gdi", "psx/G.cue", "psx/M.mds", "psx/lone.bin"])
    }

    @Test(
        "names in sheets match as Windows would match them (B025)",
        arguments: [
            "FILE \"A.BIN\" BINARY", "FILE a.bin BINARY", "FILE \"C:\\x\\a.bin\" BINARY", "file \".\\A.bin\" binary",
            "\tFILE \"a.bin\"",
        ])
    func matchesLoosely(line: String) async throws {
        let library = try Library()
        try library.add(["psx/a.bin"])
        try library.add("psx/a.cue", contents: Array(line.utf8))
        #expect(try await library.listed() == ["psx/a.cue"])
    }

    @Test("a playlist hides its discs, in all encodings and line ends (B023, B024)", arguments: 0..<8)
    func readsEncodings(number: Int) async throws {
        let library = try Library()
        let lines = ["# discs", "Spi\u{EB}l (Disc 1).chd", "sub\\Spi\u{EB}l (Disc 2).chd ", ""]
        try library.add(["psx/Spi\u{EB}l (Disc 1).chd", "psx/sub/Spi\u{EB}l (Disc 2).chd"])
        let unix = lines.joined(separator: "\n")
        let windows = lines.joined(separator: "\r\n")
        let units = Array(windows.utf16)
        let contents: [[UInt8]] = [
            Array(unix.utf8), Array(windows.utf8), Array(lines.joined(separator: "\r").utf8),
            [0xEF, 0xBB, 0xBF] + Array(windows.utf8),
            [0xFF, 0xFE] + units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
            [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] },
            units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
            windows.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) },
        ]
        try library.add("psx/Spiel.m3u", contents: contents[number])
        let store = try library.open()
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/Spiel.m3u"])
        #expect(try await store.counts() == [SystemCount(system: "psx", games: 1)])
    }

    @Test("odd playlists are games and hide nothing that is not theirs (B023)")
    func survivesOddPlaylists() async throws {
        let library = try Library()
        try library.add(["psx/a.chd", "gba/x.gba"])
        try library.add("psx/self.m3u", contents: Array("self.m3u\n".utf8))
        try library.add("psx/first.m3u", contents: Array("second.m3u\n".utf8))
        try library.add("psx/second.m3u", contents: Array("first.m3u\n".utf8))
        try library.add("psx/empty.m3u", contents: [])
        try library.add("psx/out.m3u", contents: Array("../gba/x.gba\n../../../../etc/passwd\n/etc/hosts\n".utf8))
        try library.add("psx/absent.m3u", contents: Array("gone (Disc 1).chd\ngone (Disc 2).chd\n".utf8))
        try library.add("psx/binary.m3u", contents: (0..<4096).map { (number: Int) in UInt8(number * 37 & 255) })
        #expect(
            try await library.listed() == [
                "gba/x.gba", "psx/a.chd", "psx/absent.m3u", "psx/binary.m3u", "psx/empty.m3u", "psx/first.m3u",
                "psx/out.m3u", "psx/second.m3u", "psx/self.m3u",
            ])
    }

    @Test("a playlist of sheets hides the sheets, which hide their tracks; a removed one gives them back (B023)")
    func givesMembersBack() async throws {
        let library = try Library()
        for disc in 1...2 {
            try library.add(["psx/g\(disc).bin"])
            try library.add(BytePath("psx/g\(disc).cue"), contents: Array("FILE g\(disc).bin BINARY".utf8))
        }
        let store = try library.open()
        _ = try await store.scan()
        let disc = try #require(try await store.game(path: library.root.roms.appending("psx/g1.cue")))
        try await store.endPlay(try await store.beginPlay(game: disc.id), seconds: 60, outcome: "finished")
        try library.add("psx/g.m3u", contents: Array("g1.cue\ng2.cue\n".utf8))
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/g.m3u"])
        #expect(try await store.game(path: library.root.roms.appending("psx/g.m3u"))?.discs == 2)
        try library.remove("psx/g.m3u")
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/g1.cue", "psx/g2.cue"])
        #expect(try await store.game(path: disc.path)?.playCount == 1)
        // Edited in place: the folder's time does not tell.
        try library.add("psx/g1.cue", contents: Array("FILE other.bin BINARY ".utf8))
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/g1.bin", "psx/g1.cue", "psx/g2.cue"])
    }

    @Test("a folder with a game's extension is one game, started with the file of its name inside (B023)")
    func resolvesGameFolders() async throws {
        let library = try Library()
        try library.add(["psx/FF7.m3u/FF7.m3u", "psx/FF7.m3u/FF7 (Disc 1).chd", "scummvm/Odd.svm/data.000"])
        let store = try library.open()
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/FF7.m3u", "scummvm/Odd.svm"])
        let roms = library.root.roms
        let folder = try #require(try await store.games(GameQuery(system: "psx"), offset: 0, limit: 1).first)
        #expect(folder.path == roms.appending("psx/FF7.m3u/FF7.m3u"))
        #expect(folder.title == "FF7")
        #expect(try await store.game(path: roms.appending("psx/FF7.m3u/FF7.m3u"))?.id == folder.id)
        #expect(try await store.game(path: roms.appending("scummvm/Odd.svm")) != nil)
    }

    @Test("any zip is one game of its folder's system, whatever is inside (B027)")
    func showsAllArchives() async throws {
        let library = try Library()
        try library.add("nes/cut.zip", contents: [0x50, 0x4B, 3, 4])
        try library.add("nes/empty.zip", contents: [])
        #expect(try await library.listed() == ["nes/cut.zip", "nes/empty.zip"])
    }

    @Test(
        "sheets that nobody wrote by hand cost little and hide nothing",
        arguments: [
            ("./", 400_000, ""), ("a\n", 500_000, ""), ("sub/", 250_000, ""), ("../", 300_000, "x.chd"),
            ("\"", 500_000, ""),
        ])
    func boundsHugeSheets(piece: String, count: Int, end: String) async throws {
        let text = String(repeating: piece, count: count) + end
        let library = try Library()
        try library.add(["psx/x.chd"])
        for name in ["big.m3u", "big.cue", "big.gdi"] {
            try library.add(BytePath("psx/\(name)"), contents: Array(text.utf8))
        }
        #expect(try await library.listed() == ["psx/big.cue", "psx/big.gdi", "psx/big.m3u", "psx/x.chd"])
    }

    @Test("a name without quotes may have blanks, also where its type is not written")
    func readsUnquotedNames() async throws {
        let library = try Library()
        try library.add(["psx/My Game 1.bin", "psx/My Game 2.bin"])
        try library.add("psx/g.cue", contents: Array("FILE My Game 1.bin BINARY\nFILE My Game 2.bin\n".utf8))
        #expect(try await library.listed() == ["psx/g.cue"])
    }

    @Test("discs in a folder of their own are hidden, whichever came first, and again when the folder is back (B023)")
    func hidesDiscsThatComeLater() async throws {
        let library = try Library()
        try library.add(["psx/lone.chd"])
        try library.add("psx/Game.m3u", contents: Array("Discs\\one.chd\nDiscs\\In\\two.chd\n".utf8))
        let store = try library.open()
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/Game.m3u", "psx/lone.chd"])
        for _ in 0..<2 {
            try library.add(["psx/discs/One.chd", "psx/discs/in/two.chd", "psx/discs/other.chd"])
            _ = try await store.scan()
            #expect(try await store.shown() == ["psx/Game.m3u", "psx/discs/other.chd", "psx/lone.chd"])
            try library.remove("psx/discs")
            _ = try await store.scan()
            #expect(try await store.shown() == ["psx/Game.m3u", "psx/lone.chd"])
        }
        try library.remove("psx/Game.m3u")
        try library.add(["psx/discs/One.chd"])
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/discs/One.chd", "psx/lone.chd"])
    }
}
