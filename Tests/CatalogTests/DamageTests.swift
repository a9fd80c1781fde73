import Glibc
import SQLiteKit
import SystemKit
import Systems
import Testing

@testable import Catalog

/// What power cuts and bad cards make of a file.
enum Damage: String, CaseIterable, Sendable {
    case empty, oneByte, zeros, half, allButOne, secondPage, text, foreignLog, zeroLog, hugeLog

    func apply(to path: BytePath) throws {
        let contents = try readFile(path)
        let log = path.appendingSuffix("-wal")
        switch self {
        case .empty: try writeFile(path, [])
        case .oneByte: try writeFile(path, Array(contents.prefix(1)))
        case .zeros: try writeFile(path, Array(repeating: 0, count: 4096))
        case .half: try writeFile(path, Array(contents.prefix(contents.count / 2)))
        case .allButOne: try writeFile(path, Array(contents.dropLast()))
        case .secondPage:
            var damaged = contents
            damaged.replaceSubrange(4096..<8192, with: Array(repeating: 0, count: 4096))
            try writeFile(path, damaged)
        case .text: try writeFile(path, Array(repeating: 0x41, count: 5000))
        case .foreignLog: try writeFile(log, try Damage.foreignLog(beside: path))
        case .zeroLog: try writeFile(log, Array(repeating: 0, count: 4096))
        case .hugeLog: try writeFile(log, Array(repeating: 0xA5, count: 100_000))
        }
    }

    /// The log of another database, which SQLite takes for the file's own.
    private static func foreignLog(beside path: BytePath) throws -> [UInt8] {
        let other = path.appendingSuffix(".other")
        let connection = try Connection(other)
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(x); INSERT INTO t VALUES (randomblob(90000))")
        return try readFile(other.appendingSuffix("-wal"))
    }

    /// Whether the file itself is whole.
    var isInLog: Bool { [.foreignLog, .zeroLog, .hugeLog].contains(self) }
}

@Suite("Whatever happened to a database, the games are there, the person's marks too, and the next change is kept")
struct DamageTests {
    /// A library with a favourite, a list's record, backups of both, and one more change after these.
    private func library() async throws -> Library {
        let library = try Library("damage")
        try library.add(["nes/a.nes", "nes/b.nes", "nes/c.nes"])
        let store = try library.open()
        _ = try await store.scan()
        try await favour("a", store, library)
        await store.close()
        let metadata = try MetadataDatabase.open(in: library.root.state)
        try record("a.nes", metadata)
        metadata.backUp()
        // The first opening after a change makes the day's backup.
        let again = try library.open()
        try await favour("b", again, library)
        try record("b.nes", metadata)
        await again.close()
        metadata.connection.close()
        return library
    }

    private func favour(_ name: String, _ store: CatalogStore, _ library: Library) async throws {
        let game = try #require(try await store.game(path: library.root.roms.appending("nes/\(name).nes")))
        try await store.setFavourite(true, game: game.id)
    }

    private func record(_ path: String, _ metadata: MetadataDatabase) throws {
        try metadata.write { () throws(SQLiteError) in
            try metadata.store(MetadataDatabase.Record(system: "nes", path: Array(path.utf8)))
        }
    }

    private func records(_ library: Library) throws -> [String] {
        let metadata = try MetadataDatabase.open(in: library.root.state)
        return try metadata.records(since: 0).map { String(decoding: $0.path, as: UTF8.self) }
    }

    @Test(
        "damage of every kind to every file is mended (B029, B089, B092)", arguments: ["user", "metadata", "catalog"],
        Damage.allCases)
    func mends(name: String, damage: Damage) async throws {
        let library = try await library()
        let path = library.root.state.appending("\(name).sqlite")
        #expect(!fileExists(path.appendingSuffix("-wal")))
        try damage.apply(to: path)
        let store = try library.open()
        _ = try await store.scan()
        #expect(try await store.shown() == ["nes/a.nes", "nes/b.nes", "nes/c.nes"])
        // The day's backup knows no more than the first mark.
        let mayBeOld = !damage.isInLog && store.startNotice != nil
        let favourites = try await store.titles(GameQuery(selection: .favourites))
        #expect(favourites == ["a", "b"] || name == "user" && mayBeOld && favourites == ["a"])
        let records = try records(library)
        #expect(records == ["a.nes", "b.nes"] || name == "metadata" && mayBeOld && records == ["a.nes"])
        if name == "catalog" { #expect(store.startNotice == nil) }
        try await favour("c", store, library)
        await store.close()
        let again = try library.open()
        #expect(again.startNotice == nil)
        #expect(try await again.titles(GameQuery(selection: .favourites)).contains("c"))
        #expect(try await again.integrityProblems().isEmpty)
    }

    @Test("a log of another database costs nothing: the file itself is sound", arguments: ["user", "metadata"])
    func foreignLog(name: String) async throws {
        let library = try await library()
        let path = library.root.state.appending("\(name).sqlite")
        try Damage.foreignLog.apply(to: path)
        let store = try library.open()
        #expect(store.startNotice?.contains("last changes") == true)
        #expect(try await store.titles(GameQuery(selection: .favourites)) == ["a", "b"])
        #expect(try records(library) == ["a.nes", "b.nes"])
        #expect(fileExists(BytePath("\(path).damaged-1-wal")))
    }

    /// What leaves no file although there are backups.
    enum Loss: String, CaseIterable, Sendable {
        case removed, emptied, putAside
    }

    @Test(
        "a file that is gone is restored from its backup, and that is told", arguments: ["user", "metadata"],
        Loss.allCases)
    func absent(name: String, loss: Loss) async throws {
        let library = try await library()
        let path = library.root.state.appending("\(name).sqlite")
        switch loss {
        case .removed: for suffix in ["", "-wal", "-shm"] { try removeFile(path.appendingSuffix(suffix)) }
        case .emptied: try writeFile(path, [])
        // What a start leaves whose power went after it had put the damaged file aside.
        case .putAside: try renameFile(path, to: path.appendingSuffix(".damaged-1"))
        }
        let store = try library.open()
        #expect(store.startNotice?.contains("backup \(name)-1.sqlite took its place") == true)
        _ = try await store.scan()
        let favourites = try await store.titles(GameQuery(selection: .favourites))
        #expect(favourites == (name == "user" ? ["a"] : ["a", "b"]))
        #expect(try records(library) == (name == "metadata" ? ["a.nes"] : ["a.nes", "b.nes"]))
        await store.close()
        #expect(try library.open().startNotice == nil)
        if loss == .putAside { #expect(fileExists(path.appendingSuffix(".damaged-1"))) }
    }

    @Test("without room for the backup's copy all stays as it was, and is mended when there is room")
    func noRoomToMend() throws {
        guard let disk = try SmallDisk("size=1m", for: "mending on a full disk") else { return }
        let file = UserDatabase.file(in: disk.path)
        let database = try UserDatabase.open(in: disk.path).0
        try database.change(system: "nes", path: [0x61], set: "title = ?", [.text("A")])
        file.backups.backUp(database.connection)
        try database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.connection.close()
        try Damage.secondPage.apply(to: file.path)
        let damaged = try readFile(file.path)
        try disk.fill()
        let before = try directoryNames(disk.path).sorted()
        do throws(CatalogError) {
            _ = try UserDatabase.open(in: disk.path)
            Issue.record("opened")
        } catch { #expect(error.description.hasPrefix("No room is left on the device that holds")) }
        #expect(try directoryNames(disk.path).sorted() == before)
        #expect(try readFile(file.path) == damaged)
        #expect(file.backups.numbers() == [1])
        disk.empty()
        let (mended, notice) = try UserDatabase.open(in: disk.path)
        #expect(notice == .restored(damaged: BytePath("\(file.path).damaged-1"), backup: file.backups.file(1)))
        #expect(try mended.connection.text("SELECT title FROM games") == "A")
    }

    @Test("once a day the catalog is read from end to end beside the menu, and made anew where it is damaged")
    func checksDaily() async throws {
        let library = try await library()
        let path = library.root.state.appending("catalog.sqlite")
        let catalog = try CatalogDatabase(in: library.root.state)
        try catalog.setMeta("checked", 0)
        // A page that no start reads.
        try catalog.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let root = try #require(
            try catalog.connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'games_out_of_sight'"))
        let file = try Descriptor.open(path, flags: O_WRONLY)
        _ = lseek(file.rawValue, off_t((root - 1) * 4096), SEEK_SET)
        try file.writeAll(Array(repeating: 0xEE, count: 4096), subject: path)
        DailyCheck(catalog: try CatalogDatabase(in: library.root.state)).run()
        #expect(fileExists(BytePath("\(path).damaged-1")))
        let store = try library.open()
        _ = try await store.scan()
        #expect(try await store.titles(GameQuery(selection: .favourites)) == ["a", "b"])
    }

    @Test("a sound catalog is not read again on the same day; a clock that was set back does not end the checks")
    func checksOnce() async throws {
        let library = try await library()
        let catalog = try CatalogDatabase(in: library.root.state)
        let now = Int64(wallClockSeconds())
        for (last, isDue) in [(0, true), (now - 100, false), (now - 90_000, true), (now + 1_600_000_000, true)] {
            try catalog.setMeta("checked", last)
            DailyCheck(catalog: catalog).run()
            #expect(try (catalog.meta("checked") != last) == isDue)
        }
    }

    @Test("what lists say, found damaged beside the menu, is mended by the next start")
    func mendsSuspect() async throws {
        let library = try await library()
        let catalog = try CatalogDatabase(in: library.root.state)
        try catalog.setMeta("checked", 0)
        try Damage.secondPage.apply(to: library.root.state.appending("metadata.sqlite"))
        DailyCheck(catalog: catalog).run()
        #expect(fileExists(MetadataDatabase.suspicion(in: library.root.state)))
        let store = try library.open()
        #expect(store.startNotice?.contains("metadata-1.sqlite") == true)
        #expect(try records(library) == ["a.nes"])
        #expect(!fileExists(MetadataDatabase.suspicion(in: library.root.state)))
    }
}

@Suite("There is a backup of what the person did, whatever the clock says")
struct BackupTests {
    private let folder: BytePath
    private let database: UserDatabase
    private let backups: BackupFolder

    init() throws {
        folder = try makeTemporaryFolder("backups")
        database = try UserDatabase.open(in: folder).0
        backups = UserDatabase.file(in: folder).backups
    }

    private func change(_ number: Int = 0) throws {
        try database.change(system: "nes", path: [0x61], set: "title = ?", [.text("\(number)")])
    }

    @Test("a copy is made when the last one is a day old, and seven are kept (B100)")
    func daily() throws {
        defer { removeTree(folder) }
        backups.backUpDaily(database.connection)
        #expect(backups.numbers() == [])
        try change()
        for day in 1...10 {
            backups.backUpDaily(database.connection)
            backups.backUpDaily(database.connection)
            #expect(backups.numbers().first == day)
            age(backups.file(day), seconds: 90_000)
        }
        #expect(backups.numbers() == Array((4...10).reversed()))
    }

    @Test(
        "after a copy from fifty years ahead the next follows by changes, and the newest by number is restored (B100)")
    func clockAhead() throws {
        defer { removeTree(folder) }
        try change()
        backups.backUpDaily(database.connection)
        age(backups.file(1), seconds: -50 * 365 * 86_400)
        for number in 0..<99 {
            try change(number)
            backups.backUpDaily(database.connection)
        }
        #expect(backups.numbers() == [1])
        try change(100)
        backups.backUpDaily(database.connection)
        #expect(backups.numbers() == [2, 1])
        #expect(backups.newestGood() == backups.file(2))
    }

    @Test("a copy from 1970 does not stand in the way of the next, nor does its time make it the older one (B100)")
    func clockBehind() throws {
        defer { removeTree(folder) }
        try change()
        backups.backUpDaily(database.connection)
        setTime(backups.file(1), seconds: 5)
        backups.backUpDaily(database.connection)
        #expect(backups.numbers() == [2, 1])
        setTime(backups.file(2), seconds: 1)
        #expect(backups.newestGood() == backups.file(2))
    }

    @Test("a damaged copy is passed over, and so is one of a newer version and what is no file")
    func passesOver() throws {
        defer { removeTree(folder) }
        for day in 1...4 {
            try change(day)
            backups.backUpDaily(database.connection)
            age(backups.file(day), seconds: 90_000)
        }
        try Damage.secondPage.apply(to: backups.file(4))
        try Connection(backups.file(3)).execute("PRAGMA user_version = 999")
        try createDirectories(backups.file(9))
        #expect(backups.newestGood() == backups.file(2))
        // The next one is the newest again.
        backups.backUp(database.connection)
        #expect(backups.newestGood() == backups.file(10))
    }

    @Test("a copy has what was committed a moment ago and is not in the file itself yet")
    func copiesLog() throws {
        defer { removeTree(folder) }
        try change(77)
        #expect(try #require(try? fileStatus(database.path.appendingSuffix("-wal"))).size > 0)
        backups.backUpDaily(database.connection)
        let copy = try Connection(backups.file(1), access: .readOnly)
        #expect(try copy.text("SELECT title FROM games") == "77")
        #expect(!fileExists(backups.file(1).appendingSuffix("-wal")))
    }

    @Test("a disk that fills up while the copy is made keeps the old copies and leaves nothing half-made")
    func fullDisk() throws {
        defer { removeTree(folder) }
        guard let disk = try SmallDisk("size=256k", for: "a copy on a full disk") else { return }
        let backups = BackupFolder(disk.path)
        try change()
        backups.backUp(database.connection)
        #expect(backups.numbers() == [1])
        try database.setSetting("large", String(repeating: "x", count: 400_000))
        backups.backUp(database.connection)
        #expect(try directoryNames(disk.path) == ["user-1.sqlite"])
        #expect(backups.newestGood() == backups.file(1))
    }
}
