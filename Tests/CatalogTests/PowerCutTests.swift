import CFaultyVFS
import SQLiteKit
import SystemKit
import Systems
import Testing

@testable import Catalog

// One at a time: the device that fails watches one folder.
@Suite("A power cut or a failing device costs nothing that was acknowledged", .serialized)
struct PowerCutTests {
    private static let games = 6

    init() throws { #expect(faulty_register() == 0) }

    private func library() async throws -> Library {
        let library = try Library("cut")
        try library.add((0..<PowerCutTests.games).map(Deed.path))
        let store = try library.open()
        _ = try await store.scan()
        _ = try await store.createCollection(name: Deed.list)
        await store.close()
        return library
    }

    private func watch(_ folder: BytePath?) {
        guard let folder else { return faulty_watch(nil) }
        folder.withCString { faulty_watch($0) }
    }

    /// Asks for what a power cut leaves before each of these operations.
    private func cut(at operations: [Int], into folder: BytePath, seed: UInt64) {
        folder.withCString {
            faulty_cut_at(operations, CInt(operations.count), $0, CUnsignedInt(truncatingIfNeeded: seed))
        }
    }

    /// The folders that the cuts left, with the number of deeds that were acknowledged before each.
    private func cuts(in folder: BytePath) throws -> [(folder: BytePath, mark: Int)] {
        try directoryNames(folder).map { name in
            (folder.appending(name), Int(name.displayString.split(separator: "-").last ?? "") ?? -1)
        }
    }

    /// Opens a folder of state as the menu does, and checks it.
    private func check(_ state: BytePath, _ truth: Truth, _ library: Library, _ what: String) async throws {
        let root = DataRoot(root: library.folder, state: state)
        let store = try CatalogStore.open(root: root, registry: library.registry)
        #expect(store.startNotice == nil, "\(what)")
        _ = try await store.scan()
        #expect(try await truth.faults(store, library, games: PowerCutTests.games) == [], "\(what)")
        #expect(try await store.integrityProblems() == [], "\(what)")
        await store.close()
    }

    @Test(
        "after a cut at any moment all that was acknowledged is there (B028, B092)",
        arguments: 1...3 as ClosedRange<UInt64>)
    func survivesCuts(seed: UInt64) async throws {
        var chance = SeededChance(seed)
        let library = try await library()
        let remains = library.folder.appending("remains")
        try createDirectories(remains)
        watch(library.root.state)
        defer { watch(nil) }
        cut(at: (0..<40).map { _ in Int.random(in: 1...1200, using: &chance) }, into: remains, seed: seed)
        // truths[n]: after n deeds, when the next one had begun.
        var truths: [Truth] = []
        var truth = Truth()
        var store = try library.open()
        for number in 0..<120 {
            let deed = Deed.random(games: PowerCutTests.games, number: number, using: &chance)
            var begun = truth
            begun.attempt(deed)
            truths.append(begun)
            try await deed.run(store, library)
            truth.acknowledge(deed)
            faulty_mark(number + 1)
            // The end of a process, which writes the log into the file, and the beginning of the next.
            if number % 30 == 29 {
                await store.close()
                truths.append(truth)
                store = try library.open()
                truths.removeLast()
            }
        }
        truths.append(truth)
        await store.close()
        watch(nil)
        let cuts = try cuts(in: remains)
        #expect(cuts.count >= 15, "the device did only \(cuts.count) of the operations that were to be cut")
        for (folder, mark) in cuts {
            try await check(folder, truths[mark], library, "seed \(seed), \(folder.name)")
        }
    }

    @Test(
        "when the device fails at any moment, what failed says so and nothing else is lost",
        arguments: [(FAULTY_WRITE, 778, 0), (FAULTY_WRITE, 13, 100), (FAULTY_SYNC, 1034, 0), (FAULTY_ALL, 10, 7)])
    func survivesFaults(kinds: Int, code: Int, torn: Int) async throws {
        var failures = 0
        for first in stride(from: 1, to: 90, by: 7) {
            var chance = SeededChance(UInt64(first))
            let library = try await library()
            watch(library.root.state)
            defer { watch(nil) }
            let store = try library.open()
            var truth = Truth()
            // A fault that lasts for some operations, then the device is well again.
            faulty_fail(faulty_operations() + first, 1 + first % 9, CInt(kinds), CInt(code), CInt(torn))
            for number in 0..<16 {
                let deed = Deed.random(games: PowerCutTests.games, number: number, using: &chance)
                do {
                    try await deed.run(store, library)
                    truth.acknowledge(deed)
                } catch {
                    truth.attempt(deed)
                    let error = try #require(error as? CatalogError)
                    #expect(error.description.hasSuffix("."))
                }
            }
            failures += faulty_failures()
            faulty_fail(0, 0, 0, 0, 0)
            await store.close()
            watch(nil)
            try await check(library.root.state, truth, library, "the fault was at \(first)")
        }
        #expect(failures > 0)
    }

    @Test(
        "an opening that fails at any moment leaves all that was kept",
        arguments: [FAULTY_WRITE, FAULTY_OPEN, FAULTY_SYNC])
    func survivesOpening(kinds: Int) async throws {
        let library = try await library()
        var truth = Truth()
        let store = try library.open()
        for game in 0..<3 {
            let deed = Deed.favourite(game, true)
            try await deed.run(store, library)
            truth.acknowledge(deed)
        }
        await store.close()
        for first in 1...12 {
            watch(library.root.state)
            faulty_fail(first, 3, CInt(kinds), 778, 0)
            let opened = try? CatalogStore.open(root: library.root, registry: library.registry, fallback: .temporary)
            #expect(opened != nil, "operation \(first)")
            await opened?.close()
            watch(nil)
            try await check(library.root.state, truth, library, "operation \(first)")
        }
    }

    @Test("a migration that is cut anywhere is done whole or not at all")
    func survivesMigration() async throws {
        let library = try await library()
        let golden = library.folder.appending("golden")
        try createDirectories(golden)
        let path = golden.appending("user.sqlite")
        try makeFirstVersion(path)
        let remains = library.folder.appending("remains")
        try createDirectories(remains)
        watch(golden)
        cut(at: Array(stride(from: 1, to: 200, by: 2)), into: remains, seed: 7)
        let root = DataRoot(root: library.folder, state: golden)
        await (try CatalogStore.open(root: root, registry: library.registry)).close()
        watch(nil)
        let cuts = try cuts(in: remains)
        #expect(cuts.count >= 10)
        var versions: Set<Int> = []
        for (folder, _) in cuts {
            let file = folder.appending("user.sqlite")
            versions.insert(try Connection(file).schemaVersion())
            let root = DataRoot(root: library.folder, state: folder)
            let store = try CatalogStore.open(root: root, registry: library.registry)
            #expect(store.startNotice == nil)
            #expect(try await store.settings() == ["sound": "off"], "\(folder.name)")
            _ = try await store.scan()
            #expect(try await store.titles(GameQuery(selection: .favourites)) == ["game 1"], "\(folder.name)")
            await store.close()
        }
        #expect(versions == [1, UserSchema.migrations.count])
    }
}
