internal import CSQLite

/// A call of SQLite that failed, with the text captured at the failing line.
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The primary result code, e.g. `SQLITE_BUSY` (5).
    public let code: Int32
    /// The extended result code, e.g. `SQLITE_IOERR_FSYNC`.
    public let extendedCode: Int32
    /// SQLite's sentence.
    public let message: String
    /// The statement it was about; empty where there was none.
    public let sql: String

    /// A failure with all its parts.
    public init(extendedCode: Int32, message: String, sql: String = "") {
        code = extendedCode & 0xFF
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
    }

    init(_ handle: OpaquePointer?, fallback: Int32, sql: String) {
        let code = handle.map { sqlite3_extended_errcode($0) } ?? fallback
        let text = handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(fallback)
        self.init(
            extendedCode: code == SQLITE_OK ? fallback : code, message: text.map { String(cString: $0) } ?? "", sql: sql
        )
    }

    /// `database disk image is malformed (11) in: SELECT ...`.
    public var description: String {
        sql.isEmpty ? "\(message) (\(extendedCode))" : "\(message) (\(extendedCode)) in: \(sql)"
    }

    /// The file is damaged or is no database at all.
    public var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
    /// Somebody else holds a lock for longer than the busy timeout.
    public var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
    /// No room left on the device.
    public var isFull: Bool { code == SQLITE_FULL || isSharedMemory }
    /// The index of the write-ahead log cannot be made, which is a file of its own.
    public var isSharedMemory: Bool {
        // SQLITE_IOERR_SHMOPEN, _SHMSIZE and _SHMMAP: macros that Swift cannot see.
        code == SQLITE_IOERR && [18, 19, 21].contains(extendedCode >> 8)
    }
    /// The file or its folder cannot be written.
    public var isReadOnly: Bool { code == SQLITE_READONLY || code == SQLITE_PERM }
    /// The device does not do what it is asked for.
    public var isDeviceFault: Bool { code == SQLITE_IOERR && !isSharedMemory }
    /// The file or its folder cannot be opened.
    public var cannotOpen: Bool { code == SQLITE_CANTOPEN }
}
