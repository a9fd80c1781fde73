import Catalog
import SystemKit
import Systems
import Testing

@Suite("Nothing that a person did is lost by a scan")
struct MissingTests {
    private func library() throws -> Library {
        let library = try Library()
        try library.add(["nes/a.nes", "nes/sub/b.nes", "gba/c.gba"])
        return library
    }

    /// Marks all games and hides none.
    private func markAll(_ store: CatalogStore) async throws {
        for game in try await store.games(GameQuery(), offset: 0, limit: 100) {
            try await store.setFavourite(true, game: game.id)
        }
    }

    @Test("an absent root makes everything missing, and it comes back whole (B006)")
    func absentRoot() async throws {
        let library = try library()
        let store = try library.open()
        _ = try await store.scan()
        try await markAll(store)
        let ids = try await store.games(GameQuery(), offset: 0, limit: 9).map(\.id)
        let aside = library.folder.appending("aside")
        try renameFile(library.root.roms, to: aside)
        let report = try await store.scan()
        #expect(report.missing == 3)
        #expect(report.removed == 0)
        #expect(report.problems.map(\.path) == [library.root.roms])
        #expect(try await store.total() == 0)
        #expect(try await store.count(GameQuery(missing: true)) == 3)
        #expect(try await store.count(GameQuery(missing: nil)) == 3)
        try renameFile(aside, to: library.root.roms)
        #expect(try await store.scan().missing == 0)
        #expect(try await store.favouriteCount() == 3)
        #expect(try await store.games(GameQuery(), offset: 0, limit: 9).map(\.id) == ids)
    }

    @Test("an empty folder in the place of the root is a mount point without its disk (B006)")
    func emptyRoot() async throws {
        let library = try library()
        let store = try library.open()
        _ = try await store.scan()
        let aside = library.folder.appending("aside")
        try renameFile(library.root.roms, to: aside)
        try createDirectories(library.root.roms)
        let report = try await store.scan()
        #expect(report.missing == 3)
        #expect(report.problems.count == 1)
        removeTree(library.root.roms)
        try renameFile(aside, to: library.root.roms)
        _ = try await store.scan()
        #expect(try await store.total() == 3)
    }

    @Test("an empty folder in the place of a system's is a mount point without its disk (B007)")
    func emptySystem() async throws {
        let library = try library()
        let store = try library.open()
        _ = try await store.scan()
        let folder = library.root.roms.appending("nes")
        try renameFile(folder, to: library.folder.appending("aside"))
        try createDirectories(folder)
        let report = try await store.scan()
        #expect([report.missing, report.removed] == [2, 0])
        removeTree(folder)
        _ = try await store.scan()
        #expect(try await store.count(GameQuery(missing: true)) == 2)
        try renameFile(library.folder.appending("aside"), to: folder)
        _ = try await store.scan()
        #expect(try await store.total() == 3)
    }

    @Test("files deleted from a folder and copied back have their marks, titles and plays (B007)")
    func deletedAndBack() async throws {
        let library = try Library()
        let names = (0..<100).map { "nes/game \($0).nes" }
        try library.add(names)
        let store = try library.open()
        _ = try await store.scan()
        try await markAll(store)
        let first = try #require(try await store.games(GameQuery(), offset: 0, limit: 1).first)
        try await store.setTitle("My Game", game: first.id)
        let play = try await store.beginPlay(game: first.id)
        try await store.endPlay(play, seconds: 12.5, outcome: "finished")
        for name in names { try library.remove(BytePath(name)) }
        let report = try await store.scan()
        #expect(report.removed + report.missing == 100)
        #expect(try await store.total() == 0)
        try library.add(names)
        _ = try await store.scan()
        #expect(try await store.favouriteCount() == 100)
        let back = try #require(try await store.game(path: first.path))
        #expect(back.title == "My Game")
        #expect(back.playCount == 1)
        #expect(back.playSeconds == 12.5)
        #expect(try await store.titles(GameQuery(text: "my ga")) == ["My Game"])
    }

    @Test("a link to a disk that was pulled makes its games missing")
    func danglingLinks() async throws {
        let library = try library()
        let stick = library.folder.appending("stick")
        try createDirectories(stick)
        for name in ["x.nes", "y.nes"] {
            try writeFile(stick.appending(name), [1])
            age(stick.appending(name))
        }
        try makeLink(library.root.roms.appending("nes/stick"), to: stick)
        try makeLink(library.root.roms.appending("nes/one.nes"), to: stick.appending("y.nes"))
        let store = try library.open()
        _ = try await store.scan()
        #expect(try await store.total() == 6)
        try renameFile(stick, to: library.folder.appending("pulled"))
        let report = try await store.scan(full: true)
        #expect([report.missing, report.removed] == [3, 0])
        try renameFile(library.folder.appending("pulled"), to: stick)
        _ = try await store.scan()
        #expect(try await store.total() == 6)
    }

    @Test("only games whose files are absent can be forgotten, and only a person does it")
    func forgets() async throws {
        let library = try library()
        let store = try library.open()
        _ = try await store.scan()
        try await markAll(store)
        let game = try #require(try await store.game(path: library.root.roms.appending("gba/c.gba")))
        await #expect(throws: CatalogError.notMissing(id: game.id)) { try await store.forget(game: game.id) }
        try renameFile(library.root.roms.appending("gba"), to: library.folder.appending("aside"))
        _ = try await store.scan()
        try await store.forget(game: game.id)
        #expect(try await store.game(id: game.id) == nil)
        try renameFile(library.folder.appending("aside"), to: library.root.roms.appending("gba"))
        _ = try await store.scan()
        #expect(try await store.total() == 3)
        #expect(try await store.favouriteCount() == 2)
    }

    @Test("a missing game is listed as such and can be opened (B033)")
    func showsMissing() async throws {
        let library = try library()
        let store = try library.open()
        _ = try await store.scan()
        let game = try #require(try await store.game(path: library.root.roms.appending("nes/sub/b.nes")))
        try renameFile(library.root.roms.appending("nes"), to: library.folder.appending("aside"))
        _ = try await store.scan()
        let missing = try #require(try await store.game(id: game.id))
        #expect(missing.isMissing)
        #expect(try await store.position(of: game.id, in: GameQuery()) == nil)
        #expect(try await store.games(GameQuery(system: "nes"), offset: 0, limit: 9).isEmpty)
        #expect(try await store.letters(GameQuery(system: "nes")).isEmpty)
        _ = try await store.beginPlay(game: game.id)
    }
}
