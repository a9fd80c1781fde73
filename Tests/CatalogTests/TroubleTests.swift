import Catalog
import Glibc
import SQLiteKit
import SystemKit
import Systems
import Testing

@Suite("Where nothing can be kept the games are there all the same, and one sentence says why")
struct TroubleTests {
    /// A library with a favourite, its state in a folder of its own.
    private func marked(state: BytePath) async throws -> (Library, DataRoot) {
        let library = try Library("trouble")
        try library.add(["nes/a.nes", "nes/b.nes"])
        let root = DataRoot(root: library.folder, state: state)
        let store = try CatalogStore.open(root: root, registry: library.registry)
        _ = try await store.scan()
        let game = try #require(try await store.game(path: root.roms.appending("nes/a.nes")))
        try await store.setFavourite(true, game: game.id)
        await store.close()
        return (library, root)
    }

    private func open(_ library: Library, _ root: DataRoot) throws -> CatalogStore {
        try CatalogStore.open(root: root, registry: library.registry, fallback: .temporary)
    }

    /// What a person can do with a store that keeps nothing.
    private func check(_ store: CatalogStore, _ kind: StartTrouble.Kind, favourites: [String]) async throws {
        let trouble = try #require(store.startTrouble)
        #expect(trouble.kind == kind)
        #expect(!trouble.sentence.isEmpty && trouble.sentence.hasSuffix("."))
        #expect(!trouble.advice.isEmpty && trouble.advice.hasSuffix("."))
        _ = try await store.scan()
        #expect(try await store.shown() == ["nes/a.nes", "nes/b.nes"])
        #expect(try await store.titles(GameQuery(selection: .favourites)) == favourites)
        let game = try #require(try await store.game(path: store.root.roms.appending("nes/b.nes")))
        // Each of these would seem to be kept.
        for change in [
            { @Sendable store in try await store.setFavourite(true, game: game.id) },
            { @Sendable store in try await store.setTitle("B", game: game.id) },
            { @Sendable store in try await store.setSetting("sound", "off") },
        ] as [@Sendable (CatalogStore) async throws -> Void] {
            await #expect(throws: CatalogError.notKept(trouble)) { try await change(store) }
        }
        #expect(try await store.titles(GameQuery(selection: .favourites)) == favourites)
        // A game starts, and its end is no error.
        let play = try await store.beginPlay(game: game.id)
        try await store.updatePlay(play, seconds: 5)
        try await store.endPlay(play, seconds: 9, outcome: "finished")
        let place = store.root.state
        #expect(fileExists(place))
        await store.close()
    }

    @Test("the person's file of a newer version stays as it is, to the byte (B092)")
    func newerVersion() async throws {
        let folder = try makeTemporaryFolder("newer")
        defer { removeTree(folder) }
        let (library, root) = try await marked(state: folder)
        let path = folder.appending("user.sqlite")
        try Connection(path).execute("PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE)")
        let before = try readFile(path)
        #expect(throws: CatalogError.newerSchema(file: path, found: 999, known: 2)) {
            try CatalogStore.open(root: root, registry: library.registry)
        }
        try await check(try open(library, root), .newerVersion, favourites: [])
        #expect(try readFile(path) == before)
        // The newer version finds all that it left.
        try Connection(path).execute("PRAGMA user_version = 2")
        let again = try open(library, root)
        #expect(again.startTrouble == nil)
        #expect(again.root == root)
        #expect(try await again.titles(GameQuery(selection: .favourites)) == ["a"])
    }

    @Test("who must write is told in a sentence that the device can only be read, or takes no more files")
    func sentences() throws {
        for (options, isReadOnly) in [("size=8m", true), ("size=8m,nr_inodes=12", false)] {
            guard let disk = try SmallDisk(options, for: "the sentences about a device") else { return }
            let library = try Library("sentences")
            if isReadOnly { try disk.makeReadOnly() } else { disk.exhaustFiles() }
            do throws(CatalogError) {
                let root = DataRoot(root: library.folder, state: disk.path)
                _ = try CatalogStore.open(root: root, registry: library.registry)
                Issue.record("opened")
            } catch {
                let reason = isReadOnly ? "its device can only be read." : "its device takes no more files."
                #expect(error.description.contains("cannot be written: \(reason)"))
            }
        }
    }

    @Test("a device that can only be read shows the games and the marks (B092)")
    func readOnly() async throws {
        guard let disk = try SmallDisk("size=8m", for: "a read-only device") else { return }
        let (library, root) = try await marked(state: disk.path)
        try disk.makeReadOnly()
        #expect(throws: CatalogError.self) { try CatalogStore.open(root: root, registry: library.registry) }
        try await check(try open(library, root), .readOnly, favourites: ["a"])
    }

    @Test("a first start without any room finds the games", arguments: [StartTrouble.Kind.full, .noMoreFiles])
    func firstStart(kind: StartTrouble.Kind) async throws {
        guard let disk = try SmallDisk("size=1m,nr_inodes=20", for: "a full device") else { return }
        kind == .full ? try disk.fill() : disk.exhaustFiles()
        let library = try Library("trouble")
        try library.add(["nes/a.nes", "nes/b.nes"])
        let root = DataRoot(root: library.folder, state: disk.path)
        try await check(try open(library, root), kind, favourites: [])
        // With room again all is well, without anything to mend.
        disk.empty()
        let again = try open(library, root)
        #expect(again.startTrouble == nil)
        _ = try await again.scan()
        #expect(try await again.total() == 2)
    }

    @Test("a device without room, or without files, says so and keeps what was kept", arguments: ["full", "files"])
    func later(what: String) async throws {
        guard let disk = try SmallDisk("size=2m,nr_inodes=24", for: "a full device") else { return }
        let (library, root) = try await marked(state: disk.path)
        what == "full" ? try disk.fill() : disk.exhaustFiles()
        let store = try open(library, root)
        #expect(store.startTrouble?.kind == (what == "full" ? .full : .noMoreFiles))
        #expect(try await store.shown() == ["nes/a.nes", "nes/b.nes"])
        #expect(try await store.titles(GameQuery(selection: .favourites)) == ["a"])
        await store.close()
        disk.empty()
        let again = try open(library, root)
        #expect(again.startTrouble == nil)
        #expect(try await again.titles(GameQuery(selection: .favourites)) == ["a"])
        #expect(try await again.integrityProblems().isEmpty)
        #expect(again.startNotice == nil)
    }

    @Test("the temporary folder goes with the store")
    func cleansUp() async throws {
        let folder = try makeTemporaryFolder("newer")
        defer { removeTree(folder) }
        let (library, root) = try await marked(state: folder)
        try Connection(folder.appending("user.sqlite")).execute("PRAGMA user_version = 999")
        var store: CatalogStore? = try open(library, root)
        let place = try #require(store?.root.state)
        #expect(place != folder)
        #expect(fileExists(place.appending("user.sqlite")))
        await store?.close()
        store = nil
        #expect(!fileExists(place))
    }
}
