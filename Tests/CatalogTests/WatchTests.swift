import Catalog
import Glibc
import SystemKit
import Systems
import Testing

@Suite("The library is followed live", .timeLimit(.minutes(1)))
struct WatchTests {
    @Test("a file that is copied in appears, one that is deleted goes")
    func followsFiles() async throws {
        let live = try await LiveLibrary { try $0.add(["nes/a.nes"]) }
        try live.library.add(["nes/b.nes"], isOld: false)
        try await live.shows(["nes/a.nes", "nes/b.nes"])
        try live.library.remove("nes/a.nes")
        try await live.shows(["nes/b.nes"])
        #expect(try await live.store.counts() == [SystemCount(system: "nes", games: 1)])
    }

    @Test("folders that are made, filled, moved in and moved away are followed")
    func followsFolders() async throws {
        let live = try await LiveLibrary { try $0.add(["nes/a.nes"]) }
        try live.library.add(["gba/deep/er/x.gba", "nes/new/b.nes"], isOld: false)
        try await live.shows(["gba/deep/er/x.gba", "nes/a.nes", "nes/new/b.nes"])
        try live.library.add(["nes/new/c.nes"], isOld: false)
        try await live.shows(["gba/deep/er/x.gba", "nes/a.nes", "nes/new/b.nes", "nes/new/c.nes"])
        let outside = live.library.folder.appending("outside")
        try renameFile(live.library.root.roms.appending("nes/new"), to: outside)
        try await live.shows(["gba/deep/er/x.gba", "nes/a.nes"])
        try renameFile(outside, to: live.library.root.roms.appending("nes/back"))
        try await live.shows(["gba/deep/er/x.gba", "nes/a.nes", "nes/back/b.nes", "nes/back/c.nes"])
    }

    @Test("what happens below a folder that was renamed is seen")
    func followsBelowRenamedFolders() async throws {
        let live = try await LiveLibrary { try $0.add(["nes/a.nes", "nes/d/deep/b.nes"]) }
        let roms = live.library.root.roms
        try renameFile(roms.appending("nes/d"), to: roms.appending("nes/e"))
        try await live.shows(["nes/a.nes", "nes/e/deep/b.nes"])
        try live.library.add(["nes/e/deep/c.nes"], isOld: false)
        try await live.shows(["nes/a.nes", "nes/e/deep/b.nes", "nes/e/deep/c.nes"])
        try live.library.remove("nes/e/deep/b.nes")
        try await live.shows(["nes/a.nes", "nes/e/deep/c.nes"])
    }

    @Test("a system's folder under another of its names keeps its games, also those in folders below")
    func followsRenamedSystems() async throws {
        let live = try await LiveLibrary { try $0.add(["megadrive/a.md", "megadrive/d/deep/b.md"]) }
        let roms = live.library.root.roms
        try renameFile(roms.appending("megadrive"), to: roms.appending("genesis"))
        try await live.showsPaths(["genesis/a.md", "genesis/d/deep/b.md"])
        try live.library.add(["genesis/d/deep/c.md"], isOld: false)
        try await live.showsPaths(["genesis/a.md", "genesis/d/deep/b.md", "genesis/d/deep/c.md"])
    }

    @Test("a file that grows becomes one game once, with its final size (B010)")
    func waitsForWriters() async throws {
        let live = try await LiveLibrary { try $0.add(["nes/a.nes"]) }
        let path = live.library.root.roms.appending("nes/big.zip")
        var file: Descriptor? = try Descriptor.open(path, flags: O_WRONLY | O_CREAT)
        for _ in 0..<4 {
            try file?.writeAll([UInt8](repeating: 7, count: 65536), subject: path)
            // Another file that is whole tells that the watcher has looked meanwhile.
            let other = "nes/other-\(try await live.store.total()).nes"
            try live.library.add([other], isOld: false)
            let store = live.store
            try await live.changes.wait { try await store.shown().contains(other) }
            #expect(try await live.store.game(path: path) == nil)
        }
        file = nil
        let store = live.store
        try await live.changes.wait { try await store.game(path: path) != nil }
        #expect(try await live.store.game(path: path)?.size == 4 * 65536)
    }

    @Test("an upload under a temporary name appears when it is renamed (B010)")
    func followsRenames() async throws {
        let live = try await LiveLibrary { try $0.add(["nes/a.nes"]) }
        let folder = live.library.root.roms.appending("nes")
        try writeFile(folder.appending(".b.nes.aB3dE9"), [1, 2])
        try renameFile(folder.appending(".b.nes.aB3dE9"), to: folder.appending("b.nes"))
        try await live.shows(["nes/a.nes", "nes/b.nes"])
    }

    @Test("hard links and symbolic links appear without a writer")
    func followsLinks() async throws {
        let live = try await LiveLibrary { try $0.add(["nes/a.nes"]) }
        let folder = live.library.root.roms.appending("nes")
        let linked = folder.appending("a.nes").withCString { from in
            folder.appending("b.nes").withCString { to in link(from, to) }
        }
        #expect(linked == 0)
        try makeLink(folder.appending("c.nes"), to: "a.nes")
        try await live.shows(["nes/a.nes", "nes/b.nes", "nes/c.nes"])
    }

    @Test("a library that appears later is found without a restart (B006)")
    func followsLateRoot() async throws {
        let live = try await LiveLibrary { library in
            try library.add(["nes/a.nes"])
            try renameFile(library.root.roms, to: library.folder.appending("later"))
        }
        #expect(try await live.store.total() == 0)
        try renameFile(live.library.folder.appending("later"), to: live.library.root.roms)
        try await live.shows(["nes/a.nes"])
        try renameFile(live.library.root.roms, to: live.library.folder.appending("later"))
        try await live.shows([])
        #expect(try await live.store.count(GameQuery(missing: true)) == 1)
        try renameFile(live.library.folder.appending("later"), to: live.library.root.roms)
        try await live.shows(["nes/a.nes"])
    }

    @Test("thousands of files at once all appear, in few batches")
    func followsFloods() async throws {
        let live = try await LiveLibrary { try $0.add(["nes/a.nes"]) }
        let folder = live.library.root.roms.appending("nes")
        for number in 0..<3000 { try writeFile(folder.appending("game \(number).nes"), [1]) }
        let store = live.store
        try await live.changes.wait { try await store.total() == 3001 }
        #expect(live.changes.news(of: "nes") < 60)
    }

    @Test("ten thousand files that are copied appear while the copy goes on, and are told in few batches")
    func neitherFloodsNorStarves() async throws {
        let live = try await LiveLibrary { try $0.add(["nes/a.nes"]) }
        let (store, roms) = (live.store, live.library.root.roms)
        try createDirectories(roms.appending("nes/many"))
        var count = 0
        func copy(_ more: Int) throws {
            for _ in 0..<more {
                let folder = count % 2 == 0 ? "nes" : "nes/many"
                try writeFile(roms.appending("\(folder)/game \(count).nes"), [1])
                count += 1
            }
        }
        try copy(9000)
        // The copy goes on for as long as nothing of it is seen: a wait for its end would be one without end.
        while try await store.total() < 2 { try copy(20) }
        try copy(1000)
        let all = count + 1
        try await live.changes.wait { try await store.total() == all }
        #expect(live.changes.news(of: "nes") < 200)
    }

    @Test("changes that another process commits are told (B032)")
    func followsOthers() async throws {
        let live = try await LiveLibrary { try $0.add(["nes/a.nes", "nes/b.nes"]) }
        // Another store has connections of its own, as another process has.
        let other = try live.library.open()
        let game = try #require(try await other.game(path: live.library.root.roms.appending("nes/a.nes")))
        try await other.setTitle("Theirs", game: game.id)
        let (store, changes) = (live.store, live.changes)
        try await changes.wait { changes.all.contains(.game(id: game.id)) }
        #expect(try await store.game(id: game.id)?.title == "Theirs")
        let second = try #require(try await store.game(path: live.library.root.roms.appending("nes/b.nes")))
        try await store.setTitle("Ours", game: second.id)
        #expect(try await other.titles() == ["Ours", "Theirs"])
        await store.close()
        #expect(try await live.library.open().titles() == ["Ours", "Theirs"])
    }

    @Test("a catalog that somebody deletes is made anew")
    func followsDeletedCatalog() async throws {
        let live = try await LiveLibrary { try $0.add(["nes/a.nes"]) }
        let scans = live.changes.scans
        for suffix in ["-wal", "-shm", ""] {
            try removeFile(BytePath("\(live.library.root.state)/catalog.sqlite\(suffix)"))
        }
        let changes = live.changes
        try await changes.wait { changes.scans > scans }
        let store = live.store
        try await changes.wait { try await store.shown() == ["nes/a.nes"] }
        #expect(fileExists(live.library.root.state.appending("catalog.sqlite")))
    }

    @Test("an edited sheet hides other files at once")
    func followsSheets() async throws {
        let live = try await LiveLibrary { library in
            try library.add(["psx/a.bin", "psx/b.bin"])
            try library.add("psx/g.cue", contents: Array("FILE \"a.bin\" BINARY\n".utf8))
        }
        #expect(try await live.store.shown() == ["psx/b.bin", "psx/g.cue"])
        try live.library.add("psx/g.cue", contents: Array("FILE \"b.bin\" BINARY\n".utf8), isOld: false)
        try await live.shows(["psx/a.bin", "psx/g.cue"])
    }
}
