import Glibc
import SQLiteKit
import SystemKit
import Testing

/// A folder of its own that goes with it.
private final class Folder {
    let path: BytePath

    init() throws {
        var template = Array("/tmp/retro-sqlite-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemError(call: "mkdtemp", subject: "", code: errno) }
        path = BytePath(cString: made)
    }

    deinit {
        for name in (try? directoryNames(path)) ?? [] { try? removeFile(path.appending(name)) }
        _ = path.withCString { rmdir($0) }
    }

    func file(_ name: String = "test.sqlite") -> BytePath { path.appending(name) }
}

@Suite("Connections to real files")
struct ConnectionTests {
    @Test("values come back as they went in")
    func keepsValues() throws {
        let folder = try Folder()
        let connection = try Connection(folder.file())
        try connection.execute("CREATE TABLE t(a, b, c, d, e)")
        let bytes: [UInt8] = [0, 255, 0, 128]
        try connection.run(
            "INSERT INTO t VALUES (?, ?, ?, ?, ?)",
            [.integer(Int64.min), .real(0.1), .text("h\u{E9}\u{0}llo"), .blob(bytes), .null])
        let row = try #require(
            try connection.first("SELECT a, b, c, d, e FROM t") { row in
                (row.int64(0), row.double(1), row.string(2), row.bytes(3), row.isNull(4), row.string(4))
            })
        #expect(row.0 == Int64.min)
        #expect(row.1 == 0.1)
        #expect(row.2 == "h\u{E9}\u{0}llo")
        #expect(row.3 == bytes)
        #expect(row.4)
        #expect(row.5 == nil)
    }

    @Test("empty text and empty bytes are not NULL")
    func keepsEmpty() throws {
        let folder = try Folder()
        let connection = try Connection(folder.file())
        try connection.execute("CREATE TABLE t(a, b)")
        try connection.run("INSERT INTO t VALUES (?, ?)", [.text(""), .blob([])])
        let types = try connection.text("SELECT typeof(a) || ' ' || typeof(b) FROM t")
        #expect(types == "text blob")
        let equal = try connection.integer("SELECT count(*) FROM t WHERE b = x'' AND b = ?", [.blob([])])
        #expect(equal == 1)
    }

    @Test("a kept statement takes new values after it ran to its end or threw")
    func reusesStatements() throws {
        let folder = try Folder()
        let connection = try Connection(folder.file())
        try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY)")
        for number in 1...3 { try connection.run("INSERT INTO t VALUES (?)", [.integer(number)]) }
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (?)", [.integer(3)]) }
        try connection.run("INSERT INTO t VALUES (?)", [.integer(4)])
        let statement = try connection.prepare("SELECT a FROM t WHERE a = ?")
        statement.bind(1, Int64(9))
        #expect(try !statement.step())
        let again = try connection.prepare("SELECT a FROM t WHERE a = ?")
        again.bind(1, Int64(4))
        #expect(try again.step())
        // In the middle of its rows it is left alone.
        let other = try connection.prepare("SELECT a FROM t WHERE a = ?")
        #expect(other !== again)
    }

    @Test("an error says which statement failed and why")
    func explainsErrors() throws {
        let folder = try Folder()
        let connection = try Connection(folder.file())
        #expect(throws: SQLiteError(extendedCode: 1, message: "no such table: t", sql: "SELECT * FROM t")) {
            try connection.run("SELECT * FROM t")
        }
        try connection.execute("CREATE TABLE t(a UNIQUE)")
        try connection.run("INSERT INTO t VALUES (1)")
        do {
            try connection.run("INSERT INTO t VALUES (1)")
        } catch {
            #expect(error.code == 19)
            #expect(error.extendedCode == 2067)
        }
    }

    @Test("a transaction is undone when its body throws")
    func rollsBack() throws {
        let folder = try Folder()
        let connection = try Connection(folder.file())
        try connection.execute("CREATE TABLE t(a)")
        #expect(throws: SQLiteError.self) {
            try connection.transaction { () throws(SQLiteError) in
                try connection.run("INSERT INTO t VALUES (1)")
                try connection.run("INSERT INTO nothing VALUES (1)")
            }
        }
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
        #expect(!connection.isInTransaction)
    }

    @Test("a lock of another connection is an error that says so, and its commit is noticed")
    func seesOthers() throws {
        let folder = try Folder()
        let one = try Connection(folder.file(), busySeconds: 0)
        let two = try Connection(folder.file(), busySeconds: 0)
        try one.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a)")
        let before = try two.dataVersion()
        try one.transaction { () throws(SQLiteError) in
            try one.run("INSERT INTO t VALUES (1)")
            do throws(SQLiteError) {
                try two.run("INSERT INTO t VALUES (2)")
                Issue.record("two writers at once")
            } catch {
                #expect(error.isBusy)
            }
        }
        #expect(try two.dataVersion() != before)
        #expect(try two.integer("SELECT count(*) FROM t") == 1)
        let own = try one.dataVersion()
        try one.run("INSERT INTO t VALUES (3)")
        #expect(try one.dataVersion() == own)
    }

    @Test("a backup is a whole database that stands alone")
    func backsUp() throws {
        let folder = try Folder()
        let connection = try Connection(folder.file())
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a); INSERT INTO t VALUES (7)")
        try connection.backUp(to: folder.file("copy.sqlite"))
        let copy = try Connection(folder.file("copy.sqlite"), access: .readOnly)
        #expect(try copy.integer("SELECT a FROM t") == 7)
        #expect(try copy.quickCheck().isEmpty)
        #expect(!fileExists(folder.file("copy.sqlite-wal")))
    }

    @Test("a file that is no database, or a missing one, is an error of its kind")
    func recognisesDamage() throws {
        let folder = try Folder()
        let file = try Descriptor.open(folder.file("text"), flags: O_WRONLY | O_CREAT)
        try file.writeAll(Array(repeating: 0x41, count: 4096), subject: folder.file("text"))
        do {
            _ = try Connection(folder.file("text")).integer("SELECT count(*) FROM sqlite_schema")
            Issue.record("text was read as a database")
        } catch {
            #expect(error.isDamage)
        }
        do {
            _ = try Connection(folder.file("absent"), access: .readWrite)
            Issue.record("an absent file was opened")
        } catch {
            #expect(error.cannotOpen)
        }
    }
}
