import Catalog
import SQLiteKit
import SystemKit
import Systems
import Testing

@Suite("Collections and filters")
struct CollectionTests {
    private func library() async throws -> (Library, CatalogStore) {
        let library = try Library("collections")
        try library.add([
            "nes/Alpha (USA).nes", "nes/Beta (Europe).nes", "nes/sub/Gamma (Japan).nes", "gba/Delta (Japan).gba",
            "gba/Epsilon.gba",
        ])
        let store = try library.open()
        _ = try await store.scan()
        return (library, store)
    }

    private func game(_ title: String, _ store: CatalogStore) async throws -> Game {
        try #require(try await store.games(GameQuery(text: title), offset: 0, limit: 1).first)
    }

    @Test("a list keeps its games over restarts, absent files and a catalog made anew; deleting it deletes no game")
    func keepsMembers() async throws {
        let (library, store) = try await library()
        let list = try await store.createCollection(name: "  Evening ")
        #expect(list.name == "Evening")
        let query = GameQuery(selection: .collection(list.id))
        for title in ["gamma", "alpha", "delta"] {
            try await store.setMember(true, game: try await game(title, store).id, collection: list.id)
        }
        #expect(try await store.titles(query) == ["Alpha", "Delta", "Gamma"])
        #expect(try await store.collections(of: try await game("gamma", store).id) == [list.id])
        try await store.setMember(false, game: try await game("delta", store).id, collection: list.id)
        try library.remove("nes/Alpha (USA).nes")
        _ = try await store.scan()
        #expect(try await store.titles(query) == ["Gamma"])
        await store.close()
        removeTree(library.root.state.appending("catalog.sqlite"))
        let again = try library.open()
        try library.add(["nes/Alpha (USA).nes"])
        _ = try await again.scan()
        #expect(try await again.titles(query) == ["Alpha", "Gamma"])
        #expect(try await again.titles(GameQuery(system: "gba", selection: .collection(list.id))).isEmpty)
        try await again.renameCollection(list.id, to: "Night")
        #expect(try await again.collections() == [GameCollection(id: list.id, name: "Night")])
        try await again.deleteCollection(list.id)
        #expect(try await again.collections().isEmpty)
        #expect(try await again.count(query) == 0)
        #expect(try await again.total() == 5)
    }

    @Test("names that look the same are the same, and a name has an end")
    func comparesNames() async throws {
        let (library, store) = try await library()
        try await store.createCollection(name: "Pok\u{E9}mon")
        await #expect(throws: CatalogError.self) { try await store.createCollection(name: "Poke\u{301}mon") }
        await #expect(throws: CatalogError.self) { try await store.createCollection(name: "POK\u{C9}MON") }
        try await store.createCollection(name: String(repeating: "é", count: 100))
        await #expect(throws: CatalogError.self) {
            try await store.createCollection(name: String(repeating: "e", count: 101))
        }
        await #expect(throws: CatalogError.self) {
            try await store.createCollection(name: "e" + String(repeating: "\u{301}", count: 5000))
        }
        #expect(try await store.collections().count == 2)
        _ = library
    }

    @Test("names are taken once, whatever their case, and a filter takes no games")
    func refuses() async throws {
        let (library, store) = try await library()
        let list = try await store.createCollection(name: "One")
        await #expect(throws: CatalogError.collectionExists(name: "ONE")) {
            try await store.createCollection(name: "ONE")
        }
        await #expect(throws: CatalogError.badCollectionName("")) { try await store.createCollection(name: " ") }
        let filter = try await store.createCollection(name: "Two", filter: GameFilter(regions: ["Japan"]))
        await #expect(throws: CatalogError.collectionExists(name: "one")) {
            try await store.renameCollection(filter.id, to: "one")
        }
        try await store.renameCollection(list.id, to: "ONE")
        let id = try await game("alpha", store).id
        await #expect(throws: CatalogError.collectionIsFilter(name: "Two")) {
            try await store.setMember(true, game: id, collection: filter.id)
        }
        await #expect(throws: CatalogError.noSuchCollection(id: 99)) { try await store.deleteCollection(99) }
        _ = library
    }

    @Test("a saved filter follows the games, and is read again as it was written, also by a version that knows less")
    func filters() async throws {
        let (library, store) = try await library()
        let wanted = GameFilter(systems: ["nes", "gba"], regions: ["Japan"], text: "")
        let filter = try await store.createCollection(name: "Japan", filter: wanted)
        let query = GameQuery(selection: .collection(filter.id))
        #expect(try await store.titles(query) == ["Delta", "Gamma"])
        try library.add(["nes/Theta (Japan).nes"])
        _ = try await store.scan()
        #expect(try await store.titles(query) == ["Delta", "Gamma", "Theta"])
        try await store.setFilter(GameFilter(systems: ["gba"], regions: ["Japan"]), collection: filter.id)
        #expect(try await store.titles(query) == ["Delta"])
        #expect(try await store.regions() == ["Europe", "Japan", "USA"])
        #expect(try await store.regions(system: "gba") == ["Japan"])
        await store.close()
        let user = try Connection(library.root.state.appending("user.sqlite"), access: .readWrite)
        try user.run("UPDATE collections SET filter = '{\"regions\":[\"USA\"],\"moon\":\"full\"}'")
        user.close()
        let again = try library.open()
        #expect(try await again.collections().first?.filter == GameFilter(regions: ["USA"]))
        #expect(try await again.titles(query) == ["Alpha"])
    }

    @Test("details narrow a filter, and genres are named once")
    func details() async throws {
        let (library, store) = try await library()
        let catalog = try Connection(library.root.state.appending("catalog.sqlite"), access: .readWrite)
        for (title, genre, players, year, rating) in [
            ("alpha", "Platform\nAction", 2, 1988, 0.9), ("beta", "Role Playing", 1, 1992, 0.4),
            ("gamma", "R\u{F4}le playing", 4, 1995, 0.7),
        ] {
            try catalog.run(
                "INSERT INTO details(game, genre, players, year, rating) VALUES (?, ?, ?, ?, ?)",
                [
                    .integer(try await game(title, store).id), .text(genre), .integer(players), .integer(year),
                    .real(rating),
                ])
        }
        #expect(try await store.genres() == ["Action", "Platform", "Role Playing"])
        func titles(_ filter: GameFilter) async throws -> [String] { try await store.titles(GameQuery(filter: filter)) }
        #expect(try await titles(GameFilter(genres: ["role playing"])) == ["Beta", "Gamma"])
        #expect(try await titles(GameFilter(genres: ["ACTION", "nothing"])) == ["Alpha"])
        #expect(try await titles(GameFilter(players: 2)) == ["Alpha", "Gamma"])
        #expect(try await titles(GameFilter(firstYear: 1989, lastYear: 1992)) == ["Beta"])
        #expect(try await titles(GameFilter(rating: 0.7)) == ["Alpha", "Gamma"])
        #expect(try await titles(GameFilter(players: 2, regions: ["Japan"])) == ["Gamma"])
        #expect(try await titles(GameFilter(text: "gam")) == ["Gamma"])
    }

    @Test("lists of other programs are recognised by what follows the system's folder")
    func imports() async throws {
        let (library, store) = try await library()
        let result = try await store.importCollection(
            name: "Party",
            paths: [
                "/home/pi/RetroPie/roms/nes/Alpha (USA).nes", "./gba/Epsilon.gba",
                library.root.roms.appending("nes/sub/Gamma (Japan).nes"), "/roms/genesis/Late.md", "/nowhere/x.nes",
            ])
        #expect(result.added == 3)
        #expect(result.unknown == ["/roms/genesis/Late.md", "/nowhere/x.nes"])
        let list = try #require(try await store.collections().first)
        let query = GameQuery(selection: .collection(list.id))
        #expect(try await store.titles(query) == ["Alpha", "Epsilon", "Gamma"])
        try library.add(["megadrive/Late.md"])
        _ = try await store.scan()
        #expect(try await store.titles(query) == ["Alpha", "Epsilon", "Gamma", "Late"])
        let again = try await store.importCollection(
            name: "PARTY", paths: ["nes/Beta (Europe).nes", "gba/Epsilon.gba"])
        #expect(again.added == 1)
        #expect(try await store.collections().count == 1)
    }

    @Test("most played is by time, never played is the rest")
    func played() async throws {
        let (library, store) = try await library()
        for (title, seconds) in [("beta", 10.0), ("epsilon", 500), ("alpha", 20)] {
            let play = try await store.beginPlay(game: try await game(title, store).id)
            try await store.endPlay(play, seconds: seconds, outcome: "finished")
        }
        #expect(try await store.titles(GameQuery(selection: .mostPlayed)) == ["Epsilon", "Alpha", "Beta"])
        #expect(try await store.letters(GameQuery(selection: .mostPlayed)).isEmpty)
        #expect(try await store.titles(GameQuery(selection: .neverPlayed)) == ["Delta", "Gamma"])
        #expect(try await store.titles(GameQuery(system: "gba", selection: .neverPlayed)) == ["Delta"])
        _ = library
    }
}
