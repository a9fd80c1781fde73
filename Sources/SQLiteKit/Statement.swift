internal import CSQLite

/// A compiled statement of a connection; used on the connection's thread only.
public final class Statement {
    private let handle: OpaquePointer
    private let database: OpaquePointer
    // Keeps the handle above open for as long as a statement of it lives.
    private let owner: ConnectionHandle
    /// The text it was made from.
    public let sql: String

    init(_ sql: String, owner: ConnectionHandle, keep: Bool) throws(SQLiteError) {
        self.sql = sql
        self.owner = owner
        database = owner.raw
        var made: OpaquePointer?
        let flags = keep ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = sqlite3_prepare_v3(database, sql, -1, flags, &made, nil)
        guard code == SQLITE_OK, let made else {
            throw SQLiteError(database, fallback: code == SQLITE_OK ? SQLITE_MISUSE : code, sql: sql)
        }
        handle = made
    }

    deinit { sqlite3_finalize(handle) }

    /// Whether it has been stepped and neither ended nor been reset.
    public var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// Steps to the next row.
    ///
    /// - Returns: whether there is one.
    public func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let error = SQLiteError(database, fallback: code, sql: sql)
            sqlite3_reset(handle)
            throw error
        }
    }

    /// Makes it ready to run again; bindings stay.
    public func reset() { sqlite3_reset(handle) }

    /// Sets all bindings to NULL.
    public func clear() { sqlite3_clear_bindings(handle) }

    /// Runs it to its end and makes it ready again.
    public func run() throws(SQLiteError) {
        while try step() {}
        sqlite3_reset(handle)
    }

    /// Binds a whole number; indexes start at 1.
    public func bind(_ index: Int, _ value: Int64) { sqlite3_bind_int64(handle, Int32(index), value) }

    /// Binds a floating-point number.
    public func bind(_ index: Int, _ value: Double) { sqlite3_bind_double(handle, Int32(index), value) }

    /// Binds text, which is copied.
    public func bind(_ index: Int, _ value: String) {
        var value = value
        value.withUTF8 { buffer in
            guard let base = buffer.baseAddress else {
                sqlite3_bind_text(handle, Int32(index), "", 0, nil)
                return
            }
            base.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
                _ = sqlite3_bind_text(handle, Int32(index), $0, Int32(buffer.count), copied)
            }
        }
    }

    /// Binds bytes, which are copied.
    public func bind(_ index: Int, _ value: [UInt8]) {
        value.withUnsafeBytes { bind($0, at: index, destructor: copied) }
    }

    /// Binds bytes that are not copied: they must stay where they are until the statement is reset or bound again.
    public func bindBorrowed(_ index: Int, _ value: UnsafeRawBufferPointer) {
        bind(value, at: index, destructor: nil)
    }

    /// Binds NULL.
    public func bindNull(_ index: Int) { sqlite3_bind_null(handle, Int32(index)) }

    /// Binds a value of any type.
    public func bind(_ index: Int, _ value: Value) {
        switch value {
        case .null: bindNull(index)
        case .integer(let number): bind(index, number)
        case .real(let number): bind(index, number)
        case .text(let text): bind(index, text)
        case .blob(let bytes): bind(index, bytes)
        }
    }

    /// Binds values to the first indexes.
    public func bind(_ values: [Value]) {
        for (offset, value) in values.enumerated() { bind(offset + 1, value) }
    }

    private func bind(
        _ bytes: UnsafeRawBufferPointer, at index: Int, destructor: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    ) {
        // A null pointer would bind NULL; an empty blob is not NULL.
        guard let base = bytes.baseAddress, bytes.count > 0 else {
            sqlite3_bind_zeroblob(handle, Int32(index), 0)
            return
        }
        sqlite3_bind_blob(handle, Int32(index), base, Int32(bytes.count), destructor)
    }

    /// Whether a column of the current row is NULL; columns start at 0.
    public func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }

    /// A column as a whole number; 0 for NULL.
    public func int64(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

    /// A column as a whole number; 0 for NULL.
    public func int(_ column: Int) -> Int { Int(int64(column)) }

    /// A column as a floating-point number; 0 for NULL.
    public func double(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

    /// A column as text; `nil` for NULL.
    public func string(_ column: Int) -> String? {
        guard let text = sqlite3_column_text(handle, Int32(column)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// A column as bytes; empty for NULL.
    public func bytes(_ column: Int) -> [UInt8] { withBytes(column) { Array($0) } }

    /// Lends a column's bytes without copying them.
    public func withBytes<Result>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let pointer = sqlite3_column_blob(handle, Int32(column))
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return body(
            UnsafeBufferPointer(start: pointer?.assumingMemoryBound(to: UInt8.self), count: pointer == nil ? 0 : count))
    }
}

// SQLITE_TRANSIENT is a cast that Swift cannot import: SQLite copies what is bound with it.
private let copied = unsafeBitCast(-1, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)
