import Catalog
import Glibc
import SQLiteKit
import SystemKit
import Systems
import Testing

@Suite("The databases survive what happens to files")
struct DurabilityTests {
    private func marked() async throws -> Library {
        let library = try Library()
        try library.add(["nes/a.nes", "nes/b.nes"])
        let store = try library.open()
        _ = try await store.scan()
        let game = try #require(try await store.game(path: library.root.roms.appending("nes/a.nes")))
        try await store.setFavourite(true, game: game.id)
        await store.close()
        return library
    }

    private func favourites(_ library: Library) async throws -> [String] {
        let store = try library.open()
        _ = try await store.scan()
        return try await store.titles(GameQuery(selection: .favourites))
    }

    /// Overwrites part of a file.
    private func damage(_ path: BytePath, at offset: Int, count: Int) throws {
        let file = try Descriptor.open(path, flags: O_WRONLY)
        _ = lseek(file.rawValue, off_t(offset), SEEK_SET)
        try file.writeAll([UInt8](repeating: 0, count: count), subject: path)
    }

    @Test("a change is committed when its call returns: another store sees it at once (B028)")
    func commitsAtOnce() async throws {
        let library = try await marked()
        let store = try library.open()
        let game = try #require(try await store.game(path: library.root.roms.appending("nes/b.nes")))
        try await store.setTitle("Edited", game: game.id)
        try await store.setSetting("sound", "off")
        // The first store is still open, as if it were about to be killed.
        let other = try library.open()
        #expect(try await other.game(id: game.id)?.title == "Edited")
        #expect(try await other.setting("sound") == "off")
    }

    @Test("a deleted catalog is rebuilt by a scan, and the person's data is in it again")
    func rebuildsDeletedCatalog() async throws {
        let library = try await marked()
        for suffix in ["", "-wal", "-shm"] {
            try removeFile(BytePath("\(library.root.state)/catalog.sqlite\(suffix)"))
        }
        #expect(try await favourites(library) == ["a"])
    }

    @Test("a damaged catalog is put aside and rebuilt (B092)", arguments: ["zeros", "page", "text", "empty"])
    func rebuildsDamagedCatalog(kind: String) async throws {
        let library = try await marked()
        let path = library.root.state.appending("catalog.sqlite")
        switch kind {
        case "zeros": try damage(path, at: 0, count: 8192)
        case "page": try damage(path, at: 4096, count: 4096 * 8)
        case "text": try writeFile(path, Array(repeating: 0x41, count: 5000))
        default: try writeFile(path, [])
        }
        #expect(try await favourites(library) == ["a"])
        let store = try library.open()
        #expect(try await store.integrityProblems().isEmpty)
        let aside = try directoryNames(library.root.state).filter {
            $0.displayString.contains("catalog.sqlite.damaged")
        }
        #expect(aside.isEmpty == (kind == "empty"))
    }

    @Test(
        "a damaged file of the person is put aside and the backup restored (B092)",
        arguments: ["page", "text", "empty"])
    func restoresBackup(kind: String) async throws {
        let library = try await marked()
        // The first opening after a change makes the day's backup.
        await (try library.open()).close()
        let path = library.root.state.appending("user.sqlite")
        switch kind {
        case "page": try damage(path, at: 4096, count: 4096)
        case "text": try writeFile(path, Array(repeating: 0x41, count: 5000))
        default:
            try writeFile(path, [])
            try removeFile(BytePath("\(path)-wal"))
        }
        let store = try library.open()
        #expect(store.startNotice?.contains("backup") == true)
        #expect(try await store.favouriteCount() == 1)
        let aside = try directoryNames(library.root.state).filter { $0.displayString.contains("user.sqlite.damaged") }
        #expect(aside.count >= 1)
        #expect(try await store.integrityProblems().isEmpty)
    }

    @Test("without a backup a damaged file is put aside, never deleted, and the games are there (B092)")
    func startsAnew() async throws {
        let library = try await marked()
        removeTree(library.root.state.appending("backups"))
        try writeFile(library.root.state.appending("user.sqlite"), Array(repeating: 0x41, count: 5000))
        let store = try library.open()
        #expect(store.startNotice != nil)
        #expect(try await store.total() == 2)
        #expect(try await store.favouriteCount() == 0)
        #expect(try readFile(library.root.state.appending("user.sqlite.damaged-1")).count == 5000)
    }

    /// What may stand where a database was.
    private func replace(_ path: BytePath, by kind: String) throws {
        for suffix in ["", "-wal", "-shm"] { try removeFile(BytePath("\(path)\(suffix)")) }
        switch kind {
        case "folder": try createDirectories(path.appending("inner"))
        case "pipe": try makePipe(path)
        default: try Connection(path).execute("CREATE TABLE other(x); PRAGMA user_version = \(kind)")
        }
    }

    @Test(
        "what is no database of ours is put aside whole, and the games are there (B092)", .timeLimit(.minutes(1)),
        arguments: [("user", "folder"), ("user", "pipe"), ("user", "1")] + [
            ("catalog", "folder"), ("catalog", "pipe"), ("catalog", "2"),
        ])
    func putsForeignThingsAside(name: String, kind: String) async throws {
        let library = try await marked()
        // Makes a backup.
        await (try library.open()).close()
        let path = library.root.state.appending("\(name).sqlite")
        try replace(path, by: kind)
        #expect(try await favourites(library) == ["a"])
        #expect(fileExists(BytePath("\(path).damaged-1")))
        #expect(try fileStatus(path).kind == .regular)
        removeTree(BytePath("\(path).damaged-1"))
    }

    @Test("only the last damaged catalog is kept: it can be made anew, and the card is small")
    func keepsOneDamagedCatalog() async throws {
        let library = try await marked()
        for number in 1...3 {
            try writeFile(library.root.state.appending("catalog.sqlite"), Array(repeating: 0x41, count: number * 1000))
            #expect(try await favourites(library) == ["a"])
        }
        let names = try directoryNames(library.root.state).filter { $0.displayString.contains("damaged") }
        #expect(names == ["catalog.sqlite.damaged-1"])
        #expect(try readFile(library.root.state.appending("catalog.sqlite.damaged-1")).count == 3000)
    }

    @Test("on a full disk what is known can be read, and a change is refused with a sentence")
    func readsOnFullDisk() async throws {
        let disk = try makeTemporaryFolder("full")
        // MNT_DETACH, which is an enumerator in one version of the headers and a macro in another.
        let lazily: Int32 = 2
        defer { _ = disk.withCString { rmdir($0) } }
        let isMounted = disk.withCString { mount("tmpfs", $0, "tmpfs", 0, "size=1m") } == 0
        if !isMounted {
            print("not tested: a full disk needs a user who may mount one")
            return
        }
        defer { _ = disk.withCString { umount2($0, lazily) } }
        let library = try await marked()
        let root = DataRoot(root: library.folder, state: disk)
        for name in ["user.sqlite", "catalog.sqlite"] as [BytePath] {
            try replaceFile(at: disk.appending(name), with: try readFile(library.root.state.appending(name)))
        }
        let first = try CatalogStore.open(root: root, registry: library.registry)
        _ = try await first.scan()
        await first.close()
        let filler = try Descriptor.open(disk.appending("filler"), flags: O_WRONLY | O_CREAT)
        while (try? filler.writeAll(Array(repeating: 0, count: 4096), subject: disk)) != nil {}

        let store = try CatalogStore.open(root: root, registry: library.registry)
        #expect(try await store.shown() == ["nes/a.nes", "nes/b.nes"])
        let game = try #require(try await store.game(path: root.roms.appending("nes/b.nes")))
        do {
            try await store.setFavourite(true, game: game.id)
            Issue.record("a full disk took a change")
        } catch {
            #expect(error.description.hasPrefix("No room is left"))
        }
        #expect(try await store.titles(GameQuery(selection: .favourites)) == ["a"])
    }

    @Test("a database that cannot be opened is told with the kernel's reason")
    func saysWhyNotOpened() async throws {
        let library = try await marked()
        let path = library.root.state.appending("user.sqlite")
        try removeFile(path)
        try makeLink(path, to: "user.sqlite")
        #expect(throws: CatalogError.file(SystemError(call: "open", path: path, code: ELOOP))) { try library.open() }
    }

    @Test("a log of another database beside the person's file does no harm that stays (B092)")
    func survivesForeignLog() async throws {
        let library = try await marked()
        await (try library.open()).close()
        let other = library.folder.appending("other.sqlite")
        let connection = try Connection(other)
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(x); INSERT INTO t VALUES (randomblob(9000))")
        let log = try readFile(BytePath("\(other)-wal"))
        try writeFile(BytePath("\(library.root.state)/user.sqlite-wal"), log)
        #expect(try await favourites(library) == ["a"])
    }

    @Test("a newer schema is refused and left as it is (B092)")
    func refusesNewerSchema() async throws {
        let library = try await marked()
        let path = library.root.state.appending("user.sqlite")
        try Connection(path).execute("PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE)")
        let before = try readFile(path)
        #expect(throws: CatalogError.newerSchema(file: path, found: 999, known: 2)) { try library.open() }
        #expect(try readFile(path) == before)
        #expect(try directoryNames(library.root.state).allSatisfy { !$0.displayString.contains("damaged") })
    }

    @Test(
        "a folder that cannot be written gives a sentence", .enabled(if: !isSuperuser, "needs a user who is not root"))
    func saysReadOnly() async throws {
        let library = try Library()
        changePermissions(library.folder, 0o555)
        defer { changePermissions(library.folder, 0o755) }
        #expect(throws: CatalogError.self) { try library.open() }
    }

    @Test("a file where the state folder should be gives a sentence")
    func saysNotADirectory() throws {
        let library = try Library()
        try writeFile(library.root.state, [1])
        #expect(throws: CatalogError.file(SystemError(call: "mkdir", path: library.root.state, code: ENOTDIR))) {
            try library.open()
        }
    }

    @Test("backups are kept for seven days at most, and one a day is made")
    func keepsSevenBackups() async throws {
        let library = try await marked()
        let folder = library.root.state.appending("backups")
        for _ in 0..<10 {
            await (try library.open()).close()
            for name in (try? directoryNames(folder)) ?? [] { age(folder.appending(name), seconds: 90_000) }
        }
        #expect(try directoryNames(folder).count == 7)
        await (try library.open()).close()
        let before = try directoryNames(folder).sorted()
        await (try library.open()).close()
        #expect(try directoryNames(folder).sorted() == before)
    }

    @Test("the same file is found by a second scan at once: the lock of a scan that died is free")
    func scansTogether() async throws {
        let library = try Library()
        try library.add((0..<300).map { "nes/\($0).nes" })
        let (one, two) = (try library.open(), try library.open())
        async let first = one.scan()
        async let second = two.scan()
        let added = try await [first.added, second.added].sorted()
        #expect(added == [0, 300])
        #expect(try await one.total() == 300)
        #expect(try await two.total() == 300)
    }
}
