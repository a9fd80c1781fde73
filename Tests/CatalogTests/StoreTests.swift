import Catalog
import SystemKit
import Systems
import Testing

@Suite("Lists, search and what the person does")
struct StoreTests {
    private func store(_ count: Int) async throws -> (Library, CatalogStore) {
        let library = try Library()
        for number in 0..<count { try library.add(["nes/Game \(number) (USA).nes"]) }
        try library.add(["gba/Advance Game.gba", "gba/The Star.gba"])
        let store = try library.open()
        _ = try await store.scan()
        return (library, store)
    }

    @Test("pages join to the whole list, and each game is where its position says")
    func pages() async throws {
        let (library, store) = try await store(1300)
        _ = library
        for query in [GameQuery(), GameQuery(system: "nes"), GameQuery(text: "game"), GameQuery(missing: nil)] {
            let count = try await store.count(query)
            let all = try await store.games(query, offset: 0, limit: 5000)
            #expect(all.count == count)
            var joined: [Game] = []
            for offset in stride(from: 0, to: count, by: 97) {
                joined += try await store.games(query, offset: offset, limit: 97)
            }
            #expect(joined == all)
            for index in [0, 1, 511, 512, 513, 1024, count - 1] {
                #expect(try await store.position(of: all[index].id, in: query) == index)
            }
            #expect(try await store.games(query, offset: count, limit: 10).isEmpty)
            #expect(try await store.games(query, offset: -5, limit: 1) == [all[0]])
        }
        let numbers = try await store.games(GameQuery(system: "nes"), offset: 998, limit: 4).map(\.title)
        #expect(numbers == ["Game 998", "Game 999", "Game 1000", "Game 1001"])
    }

    @Test("search finds words by their beginnings, before the index is filled and after")
    func searches() async throws {
        let library = try Library()
        try library.add([
            "nes/Legend of Zelda, The (USA).nes", "nes/Zelda II - The Adventure of Link (USA).nes",
            "nes/Link's Game.nes",
            "gba/\u{DC}ber Zelda.gba", "gba/\u{52C7}\u{8005}\u{306E}\u{4F1D}\u{8AAC}.gba",
        ])
        let changes = Changes()
        let store = try library.open { changes.note($0) }
        _ = try await store.scan()
        func check() async throws {
            #expect(try await store.titles(GameQuery(text: "zel")).count == 3)
            #expect(try await store.titles(GameQuery(text: "leg ZEL")) == ["The Legend of Zelda"])
            #expect(try await store.titles(GameQuery(text: "links")) == ["Link's Game"])
            #expect(try await store.titles(GameQuery(text: "uber")) == ["\u{DC}ber Zelda"])
            #expect(try await store.titles(GameQuery(text: "\u{4F1D}\u{8AAC}")).count == 1)
            #expect(try await store.count(GameQuery(system: "gba", text: "zelda")) == 1)
            #expect(try await store.count(GameQuery(text: "elda")) == 0)
            #expect(try await store.count(GameQuery(text: "\" OR * ( NEAR")) == 0)
            #expect(try await store.count(GameQuery(text: "  ")) == 5)
        }
        try await check()
        let watcher = try LibraryWatcher(
            store: store, root: library.root, registry: library.registry, log: Log(minimum: .error))
        watcher.start()
        try await changes.wait { changes.scans > 1 }
        try await check()
        let game = try #require(try await store.games(GameQuery(text: "uber"), offset: 0, limit: 1).first)
        try await store.setTitle("Plain", game: game.id)
        // The file's name is a name still.
        for text in ["plai", "uber"] {
            #expect(try await store.titles(GameQuery(text: text)) == ["Plain"])
        }
        try await store.setHidden(true, game: game.id)
        #expect(try await store.count(GameQuery(text: "plain")) == 0)
        #expect(try await store.count(GameQuery(text: "plain", includesHidden: true)) == 1)
        watcher.stop()
    }

    @Test("marks, hiding, titles and emulators are kept and undone")
    func changesGames() async throws {
        let (library, store) = try await store(3)
        let game = try #require(try await store.games(GameQuery(system: "nes"), offset: 1, limit: 1).first)
        try await store.setFavourite(true, game: game.id)
        try await store.setEmulator("nestopia", game: game.id)
        try await store.setEmulator("fceumm", system: "nes")
        try await store.setTitle("Aaa", game: game.id)
        #expect(try await store.titles(GameQuery(system: "nes")) == ["Aaa", "Game 0", "Game 2"])
        try await store.setHidden(true, game: game.id)
        #expect(try await store.counts().contains(SystemCount(system: "nes", games: 2)))
        #expect(try await store.favouriteCount() == 0)
        #expect(try await store.count(GameQuery(selection: .favourites, includesHidden: true)) == 1)
        await store.close()
        let again = try library.open()
        let kept = try #require(try await again.game(id: game.id))
        #expect(kept.isHidden && kept.isFavourite)
        #expect(kept.title == "Aaa")
        #expect(kept.emulator == "nestopia")
        #expect(try await again.emulator(system: "nes") == "fceumm")
        try await again.setHidden(false, game: game.id)
        try await again.setTitle(nil, game: game.id)
        try await again.setFavourite(false, game: game.id)
        try await again.setEmulator(nil, game: game.id)
        #expect(try await again.titles(GameQuery(system: "nes")) == ["Game 0", "Game 1", "Game 2"])
        #expect(try await again.favouriteCount() == 0)
        await #expect(throws: CatalogError.noSuchGame(id: 999)) { try await again.setFavourite(true, game: 999) }
        await #expect(throws: CatalogError.closed) { try await store.total() }
    }

    @Test("plays are counted, added up and ordered by a counter, not by the clock (B100)")
    func plays() async throws {
        let (library, store) = try await store(3)
        let games = try await store.games(GameQuery(system: "nes"), offset: 0, limit: 3)
        for game in [games[2], games[0], games[2], games[1]] {
            let play = try await store.beginPlay(game: game.id)
            try await store.updatePlay(play, seconds: 10)
            try await store.updatePlay(play, seconds: 20.5)
            try await store.endPlay(play, seconds: 21, outcome: "finished")
        }
        #expect(try await store.playedCount() == 3)
        let recent = try await store.games(GameQuery(selection: .recentlyPlayed), offset: 0, limit: 9)
        #expect(recent.map(\.id) == [games[1].id, games[2].id, games[0].id])
        #expect(recent.map(\.playCount) == [1, 2, 1])
        #expect(recent.map(\.playSeconds) == [21, 42, 21])
        #expect(recent[0].lastPlayed != nil)
        // A play that never ended keeps what was last told of it.
        let play = try await store.beginPlay(game: games[0].id)
        try await store.updatePlay(play, seconds: 5)
        await store.close()
        let again = try library.open()
        #expect(try await again.game(id: games[0].id)?.playSeconds == 26)
        #expect(try await again.game(id: games[0].id)?.playCount == 2)
    }

    @Test("settings are kept")
    func settings() async throws {
        let (library, store) = try await store(0)
        try await store.setSetting("language", "de")
        try await store.setSetting("sound", "on")
        try await store.setSetting("sound", nil)
        await store.close()
        #expect(try await library.open().settings() == ["language": "de"])
    }

    @Test("a file that was written a moment ago is found by one scan; one that is open for writing is left (B010)")
    func settles() async throws {
        let library = try Library()
        try library.add(["nes/old.nes"])
        try library.add(["nes/fresh.nes"], isOld: false)
        let path = library.root.roms.appending("nes/open.nes")
        let file = try Descriptor.open(path, flags: 0o101)
        try file.writeAll([1, 2, 3], subject: path)
        let store = try library.open()
        let report = try await store.scan()
        #expect(try await store.shown() == ["nes/fresh.nes", "nes/old.nes"])
        #expect(report.pending == 1)
        try file.writeAll([4], subject: path)
        _ = consume file
        let second = try await store.scan()
        #expect(second.pending == 0)
        #expect(try await store.game(path: path)?.size == 4)
    }

    @Test("a system whose last game goes while it is looked at is empty, not broken (B033)")
    func emptiesSystem() async throws {
        let (library, store) = try await store(1)
        let query = GameQuery(system: "nes")
        let game = try #require(try await store.games(query, offset: 0, limit: 1).first)
        try library.remove("nes/Game 0 (USA).nes")
        _ = try await store.scan()
        #expect(try await store.count(query) == 0)
        #expect(try await store.games(query, offset: 0, limit: 10).isEmpty)
        #expect(try await store.position(of: game.id, in: query) == nil)
        #expect(try await store.letters(query).isEmpty)
        #expect(try await store.game(id: game.id) == nil)
        #expect(try await store.games(GameQuery(system: "nothing"), offset: 0, limit: 10).isEmpty)
    }
}
