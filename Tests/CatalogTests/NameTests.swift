import Catalog
import SystemKit
import Systems
import Testing

@Suite("Names are bytes, and people see text")
struct NameTests {
    static let names: [[UInt8]] = [
        Array("really 'weird' %%ROM%% name%s%y%m.nes".utf8), Array("100%ROM% done.nes".utf8),
        Array("WarioWare, Inc. - Mega Microgame$! (USA).nes".utf8), Array("${HOME} `id` !!.nes".utf8),
        Array("Battletoads & Double Dragon (E).nes".utf8), Array("Mario's Picross.nes".utf8),
        [0x42, 0x72, 0xF8] + Array("derbund.nes".utf8), [0x83, 0x7D, 0x83, 0x8A, 0x83, 0x49] + Array(".nes".utf8),
        [0xFF, 0xFE] + Array(".nes".utf8), Array("x\u{B2} \u{BD} \u{D8} \u{1F468}\u{200D}\u{1F469} \u{130}.nes".utf8),
        Array("\u{5E9}\u{5DC}\u{5D5}\u{5DD}.nes".utf8), Array("a\(String(repeating: "\u{301}", count: 100)).nes".utf8),
        Array("Poke\u{301}mon.nes".utf8), Array("Pok\u{E9}mon.nes".utf8), Array("-L core.nes".utf8),
        Array("--help.nes".utf8), Array("$(touch PWNED).nes".utf8), Array("a\" -L b.so .nes".utf8),
        Array("line\nbreak\ttab.nes".utf8), Array("back\\slash.nes".utf8), Array("  blanks  .nes".utf8),
    ]

    @Test(
        "B011, B012, B014, B015, B017, B018, B020, B096: any name is listed, found by its bytes, marked, and kept")
    func keepsBytes() async throws {
        let library = try Library()
        for name in NameTests.names { try library.add(BytePath("nes").appending(BytePath(bytes: name))) }
        let store = try library.open()
        _ = try await store.scan()
        let games = try await store.games(GameQuery(), offset: 0, limit: 100)
        #expect(Set(games.map(\.relativePath.bytes)) == Set(NameTests.names))
        for game in games {
            #expect(game.path == library.root.roms.appending("nes").appending(game.relativePath))
            #expect(fileExists(game.path))
            #expect(!game.title.isEmpty)
            #expect(!game.title.unicodeScalars.contains { $0.value < 0x20 })
            #expect(try await store.game(path: game.path)?.id == game.id)
            try await store.setFavourite(true, game: game.id)
        }
        await store.close()
        let again = try library.open()
        #expect(try await again.favouriteCount() == NameTests.names.count)
        // A catalog made anew finds every mark again.
        removeTree(library.root.state.appending("catalog.sqlite"))
        removeTree(library.root.state.appending("catalog.sqlite-wal"))
        let anew = try library.open()
        _ = try await anew.scan()
        #expect(try await anew.favouriteCount() == NameTests.names.count)
        #expect(try await anew.letters(GameQuery()).count > 3)
    }

    @Test("composed and decomposed accents are two games with the same order and found by both spellings (B018)")
    func keepsBothForms() async throws {
        let library = try Library()
        try library.add(["nes/Poke\u{301}mon.nes", "nes/Pok\u{E9}mon.nes"])
        let store = try library.open()
        _ = try await store.scan()
        let games = try await store.games(GameQuery(), offset: 0, limit: 9)
        #expect(games.count == 2)
        #expect(Set(games.map(\.sortTitle)) == ["pokemon"])
        for text in ["pokemon", "Pok\u{E9}", "poke\u{301}m", "POK\u{C9}MON"] {
            #expect(try await store.count(GameQuery(text: text)) == 2)
        }
    }

    @Test(
        "titles come from file names",
        arguments: [
            ("Legend of Zelda, The (USA) (Rev 1).nes", "The Legend of Zelda", ["USA", "Rev 1"]),
            (
                "Legend of Zelda, The - A Link to the Past (Europe).nes", "The Legend of Zelda - A Link to the Past",
                ["Europe"]
            ),
            ("super_mario_bros_3.nes", "super mario bros 3", []),
            ("Sonic (USA, Europe) [!].nes", "Sonic", ["USA, Europe", "!"]),
            ("Aventure, L' (France).nes", "L'Aventure", ["France"]),
            ("[BIOS] Thing (World).nes", "Thing", ["BIOS", "World"]), ("(unknown).nes", "(unknown)", []),
            ("Die Hard (USA).nes", "Die Hard", ["USA"]), ("Smile :) (USA).nes", "Smile :)", ["USA"]),
            ("Open ( bracket.nes", "Open ( bracket", []), ("Dr. Mario.v1.2.nes", "Dr. Mario.v1.2", []),
        ])
    func makesTitles(name: String, title: String, tags: [String]) async throws {
        let library = try Library()
        try library.add("nes/".appendingPath(name))
        let store = try library.open()
        _ = try await store.scan()
        let game = try #require(try await store.games(GameQuery(), offset: 0, limit: 1).first)
        #expect(game.title == title)
        #expect(game.tags == tags)
    }

    @Test("lists are ordered as people count and spell")
    func ordersTitles() async throws {
        let library = try Library()
        let ordered = [
            "!.nes", "1942.nes", "The Addams Family.nes", "\u{C4}ffle.nes", "B-Wings.nes", "Mega Man.nes",
            "Mega Man 2 (Europe).nes",
            "Mega Man 2 (USA).nes", "Mega Man 10.nes", "Mega Man II.nes", "\u{D8}st.nes", "zebra.nes", "\u{416}uk.nes",
            "\u{3042}.nes", "\u{52C7}\u{8005}.nes", "\u{AC00}.nes",
        ]
        for name in ordered.reversed() { try library.add("nes/".appendingPath(name)) }
        let store = try library.open()
        try await store.setSetting("versions.collapse", "off")
        _ = try await store.scan()
        let games = try await store.games(GameQuery(), offset: 0, limit: 99)
        #expect(games.map { $0.relativePath.validUTF8 ?? "" } == ordered)
        let letters = try await store.letters(GameQuery())
        #expect(letters.map(\.letter) == ["#", "A", "B", "M", "O", "Z", "\u{416}", "\u{3042}", "\u{6F22}", "\u{AC00}"])
        #expect(letters.map(\.offset) == [0, 2, 4, 5, 10, 11, 12, 13, 14, 15])
        #expect(try await store.letters(GameQuery(includesHidden: true)).map(\.offset) == letters.map(\.offset))
    }
}

extension String {
    func appendingPath(_ name: String) -> BytePath { BytePath(self + name) }
}
