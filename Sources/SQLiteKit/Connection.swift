internal import CSQLite
public import SystemKit

/// One connection to one database file.
///
/// It has no lock of its own: whoever makes it keeps it on one thread, as an actor with a `ThreadExecutor` does.
public final class Connection {
    /// How to open the file.
    public enum Access: Sendable {
        /// Only an existing file, for reading.
        case readOnly
        /// Only an existing file.
        case readWrite
        /// Makes the file where it is missing.
        case create
    }

    /// The file.
    public let path: BytePath
    /// SQLite counts the bytes of every allocation under one lock for all threads, and nobody asks for the sum.
    /// It can be told so before its first use only.
    private static let withoutMemoryStatistics: Void = { _ = retro_sqlite3_set_memory_statistics(0) }()
    let handle: ConnectionHandle
    private var cache: [String: Statement] = [:]

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - busySeconds: how long a lock of somebody else is waited for.
    /// - Throws: `SQLiteError`; an empty or damaged file may fail at the first statement only.
    public convenience init(
        _ path: BytePath, access: Access = .create, busySeconds: Double = 5
    ) throws(SQLiteError) {
        try self.init(path, access: access, busySeconds: busySeconds, system: nil)
    }

    /// Opens a file that may be on a full disk, or on one that takes no more files.
    ///
    /// The index of the write-ahead log is a file beside the database, made when the first one opens it. Where there
    /// is no room for it, the index is kept in this process: what is there can be read, and other processes are kept
    /// out as long as the connection lives.
    /// - Throws: `SQLiteError`; an empty or damaged file may fail at the first statement only.
    public static func openInSpiteOfFullDisk(_ path: BytePath) throws(SQLiteError) -> Connection {
        let shared = try Connection(path)
        do {
            _ = try shared.integer("SELECT count(*) FROM sqlite_schema")
            return shared
        } catch {
            // Other faults show again in what the caller asks for.
            guard error.isFull || error.cannotOpen else { return shared }
        }
        shared.close()
        return try Connection(path, access: .create, busySeconds: 5, system: "unix-excl")
    }

    /// - Parameter system: SQLite's name for a way to use the operating system; `nil` for the usual one.
    private init(
        _ path: BytePath, access: Access, busySeconds: Double, system: String?
    ) throws(SQLiteError) {
        self.path = path
        Connection.withoutMemoryStatistics
        let flags =
            switch access {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        var raw: OpaquePointer?
        // NOMUTEX: a connection stays on one thread, and a lock for every call costs more than many calls.
        let code = path.withCString { sqlite3_open_v2($0, &raw, flags | SQLITE_OPEN_NOMUTEX, system) }
        guard code == SQLITE_OK, let raw else {
            let error = SQLiteError(raw, fallback: code, sql: "")
            sqlite3_close_v2(raw)
            throw error
        }
        handle = ConnectionHandle(raw)
        sqlite3_extended_result_codes(raw, 1)
        sqlite3_busy_timeout(raw, Int32(busySeconds * 1000))
    }

    /// How long a lock of somebody else is waited for from now on.
    public func setBusyTimeout(seconds: Double) { sqlite3_busy_timeout(handle.raw, Int32(seconds * 1000)) }

    /// Whether the file can only be read, although more was asked for.
    public var isReadOnly: Bool { sqlite3_db_readonly(handle.raw, "main") == 1 }

    /// Whether the log is written into the file when the last connection to it closes, as it usually is.
    public func setCheckpointOnClose(_ on: Bool) { _ = retro_sqlite3_set_checkpoint_on_close(handle.raw, on ? 1 : 0) }

    /// The statement for this text, compiled once and kept.
    ///
    /// A kept statement that is in the middle of its rows is left alone, and a new one is made.
    public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        if let kept = cache[sql], !kept.isBusy {
            // One that ran to its end takes no bindings before this.
            kept.reset()
            return kept
        }
        let made = try Statement(sql, owner: handle, keep: true)
        if cache[sql] == nil { cache[sql] = made }
        return made
    }

    /// Runs statements without values, one after another, separated by semicolons.
    public func execute(_ script: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle.raw, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(handle.raw, fallback: code, sql: script) }
    }

    /// Runs one statement to its end.
    public func run(_ sql: String, _ values: [Value] = []) throws(SQLiteError) {
        let statement = try prepare(sql)
        statement.bind(values)
        try statement.run()
    }

    /// Reads all rows of a statement.
    public func rows<Row>(
        _ sql: String, _ values: [Value] = [], _ row: (Statement) -> Row
    ) throws(SQLiteError) -> [Row] {
        let statement = try prepare(sql)
        statement.bind(values)
        defer { statement.reset() }
        var rows: [Row] = []
        while try statement.step() { rows.append(row(statement)) }
        return rows
    }

    /// Reads the first row of a statement, when there is one.
    public func first<Row>(
        _ sql: String, _ values: [Value] = [], _ row: (Statement) -> Row
    ) throws(SQLiteError) -> Row? {
        let statement = try prepare(sql)
        statement.bind(values)
        defer { statement.reset() }
        return try statement.step() ? row(statement) : nil
    }

    /// The first column of the first row as a whole number; `nil` without a row or for NULL.
    public func integer(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> Int64? {
        try first(sql, values) { $0.isNull(0) ? nil : $0.int64(0) } ?? nil
    }

    /// The first column of the first row as text; `nil` without a row or for NULL.
    public func text(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> String? {
        try first(sql, values) { $0.string(0) } ?? nil
    }

    /// Runs `body` in a transaction that takes the write lock at its start, so that it cannot fail half-way for
    /// somebody else's write; whatever `body` throws undoes it.
    public func transaction<Result>(
        _ body: () throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // Some failures (a full disk) have ended the transaction already.
            if isInTransaction { try? run("ROLLBACK") }
            throw error
        }
    }

    /// Whether a transaction is open.
    public var isInTransaction: Bool { sqlite3_get_autocommit(handle.raw) == 0 }

    /// Rows changed by the last statement.
    public var changes: Int { Int(sqlite3_changes(handle.raw)) }

    /// Rows changed since the connection was opened.
    public var totalChanges: Int { Int(sqlite3_total_changes(handle.raw)) }

    /// The number of the last row inserted.
    public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle.raw) }

    /// A number that differs after another connection, also of another process, committed something.
    public func dataVersion() throws(SQLiteError) -> Int64 {
        try integer("PRAGMA data_version") ?? 0
    }

    /// What `PRAGMA quick_check` finds; empty when the file is sound.
    public func quickCheck(limit: Int = 20) throws(SQLiteError) -> [String] {
        try rows("PRAGMA quick_check(\(limit))") { $0.string(0) ?? "" }.filter { $0 != "ok" }
    }

    /// Copies the whole database, as it is at one instant, to a file that must not be in use.
    ///
    /// - Throws: `SQLiteError`; a half-made copy may be left.
    public func backUp(to path: BytePath) throws(SQLiteError) {
        let target = try Connection(path, access: .create)
        guard let backup = sqlite3_backup_init(target.handle.raw, "main", handle.raw, "main") else {
            throw SQLiteError(target.handle.raw, fallback: SQLITE_ERROR, sql: "")
        }
        let step = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        guard step == SQLITE_DONE, end == SQLITE_OK else {
            throw SQLiteError(target.handle.raw, fallback: step == SQLITE_DONE ? end : step, sql: "")
        }
        // The copy says "WAL" in its header; a file that stands alone needs no side files.
        try target.execute("PRAGMA journal_mode = DELETE")
    }

    /// Lets go of kept statements; the file is closed with the last statement in use.
    public func close() { cache = [:] }
}

/// Owns SQLite's handle; statements hold it too, so that it is closed after the last of them.
final class ConnectionHandle {
    let raw: OpaquePointer

    init(_ raw: OpaquePointer) { self.raw = raw }

    deinit { sqlite3_close_v2(raw) }
}
