import Catalog
import SystemKit
import Systems
import Testing

@Suite("What was set on a game stays on it when another file stands for it")
struct InheritanceTests {
    private let playlist = Array("Fin (Disc 1).chd\nFin (Disc 2).chd\nFin (Disc 3).chd\n".utf8)

    /// A set of three discs that the person marked, renamed, played and put in a list.
    private func marked() async throws -> (Library, CatalogStore, list: Int64) {
        let library = try Library("heirs")
        try library.add((1...3).map { "psx/Fin (Disc \($0)).chd" })
        let store = try library.open()
        _ = try await store.scan()
        let game = try #require(try await store.games(GameQuery(), offset: 0, limit: 9).first)
        let list = try await store.createCollection(name: "List").id
        try await store.setFavourite(true, game: game.id)
        try await store.setTitle("Mine", game: game.id)
        try await store.setMember(true, game: game.id, collection: list)
        try await store.endPlay(try await store.beginPlay(game: game.id), seconds: 5, outcome: "finished")
        return (library, store, list)
    }

    private func expectMarked(
        _ store: CatalogStore, _ list: Int64, as path: String, plays: Int = 1,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        _ = try await store.scan()
        let games = try await store.games(GameQuery(), offset: 0, limit: 9)
        #expect(games.map(\.relativePath.displayString) == [path], sourceLocation: location)
        #expect(games.map(\.title) == ["Mine"], sourceLocation: location)
        #expect(games.map(\.isFavourite) == [true], sourceLocation: location)
        #expect(games.map(\.playCount) == [plays], sourceLocation: location)
        #expect(try await store.favouriteCount() == 1, sourceLocation: location)
        let query = GameQuery(selection: .collection(list))
        #expect(try await store.shown(query) == ["psx/\(path)"], sourceLocation: location)
        #expect(
            try await store.shown(GameQuery(selection: .recentlyPlayed)) == ["psx/\(path)"], sourceLocation: location)
    }

    @Test("a playlist comes, is played, and goes")
    func playlistComes() async throws {
        let (library, store, list) = try await marked()
        try library.add("psx/Fin.m3u", contents: playlist)
        try await expectMarked(store, list, as: "Fin.m3u")
        try library.remove("psx/Fin.m3u")
        try await expectMarked(store, list, as: "Fin (Disc 1).chd")
    }

    @Test("the first disc goes, and one before it comes")
    func firstDiscChanges() async throws {
        let (library, store, list) = try await marked()
        try library.remove("psx/Fin (Disc 1).chd")
        try await expectMarked(store, list, as: "Fin (Disc 2).chd")
        try library.add(["psx/Fin (Disc 0).chd"])
        try await expectMarked(store, list, as: "Fin (Disc 0).chd")
    }

    @Test("a playlist that was marked goes: the set is marked")
    func playlistGoes() async throws {
        let library = try Library("heirs")
        try library.add((1...3).map { "psx/Fin (Disc \($0)).chd" })
        try library.add("psx/Fin.m3u", contents: playlist)
        let store = try library.open()
        _ = try await store.scan()
        let game = try #require(try await store.games(GameQuery(), offset: 0, limit: 9).first)
        let list = try await store.createCollection(name: "List").id
        try await store.setMember(true, game: game.id, collection: list)
        try library.remove("psx/Fin.m3u")
        _ = try await store.scan()
        #expect(try await store.shown(GameQuery(selection: .collection(list))) == ["psx/Fin (Disc 1).chd"])
    }

    @Test("the sheet of tracks comes later, and what is hidden stays hidden")
    func sheetComes() async throws {
        let library = try Library("heirs")
        try library.add(["psx/C.bin", "psx/D.bin"])
        let store = try library.open()
        _ = try await store.scan()
        for game in try await store.games(GameQuery(), offset: 0, limit: 9) {
            if game.title == "C" { try await store.setHidden(true, game: game.id) }
            if game.title == "D" { try await store.setTitle("Mine", game: game.id) }
        }
        for name in ["C", "D"] {
            try library.add(BytePath("psx/\(name).cue"), contents: Array("FILE \"\(name).bin\" BINARY\n".utf8))
        }
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/D.cue"])
        #expect(try await store.titles() == ["Mine"])
        #expect(try await store.count(GameQuery(includesHidden: true)) == 2)
    }

    @Test("what the person does to the game afterwards is its own: a mark that was taken away does not come back")
    func staysOwn() async throws {
        let (library, store, list) = try await marked()
        try library.add("psx/Fin.m3u", contents: playlist)
        _ = try await store.scan()
        let game = try #require(try await store.games(GameQuery(), offset: 0, limit: 9).first)
        try await store.setFavourite(false, game: game.id)
        try await store.setMember(false, game: game.id, collection: list)
        _ = try await store.scan(full: true)
        #expect(try await store.favouriteCount() == 0)
        #expect(try await store.count(GameQuery(selection: .collection(list))) == 0)
    }
}
