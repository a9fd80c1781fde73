import SQLiteKit
import SystemKit

extension MetadataDatabase {
    private static let columns = """
        system, path, is_folder, name, sort_name, description, developer, publisher, genre, players, released, rating, \
        image, thumbnail, marquee, video, favorite, hidden, play_count, last_played, game_time, attributes, extra, sequence
        """
    private static let firstValue = 3

    private static func record(_ row: Statement) -> Record {
        var record = Record(system: row.string(0) ?? "", path: row.bytes(1), isFolder: row.int(2) != 0)
        let count = record.values.count
        for index in 0..<count { record.values[index] = row.string(firstValue + index) }
        record.attributes = row.string(firstValue + count)
        record.extra = row.string(firstValue + count + 1)
        record.sequence = row.int64(firstValue + count + 2)
        return record
    }

    /// Whether there is any record: without one no game needs to be looked up.
    func hasRecords() throws(CatalogError) -> Bool {
        try guarded { () throws(SQLiteError) in try connection.integer("SELECT 1 FROM records LIMIT 1") != nil }
    }

    func record(system: String, path: [UInt8]) throws(CatalogError) -> Record? {
        try guarded { () throws(SQLiteError) in try storedRecord(system: system, path: path) }
    }

    func storedRecord(system: String, path: [UInt8]) throws(SQLiteError) -> Record? {
        try connection.first(
            "SELECT \(MetadataDatabase.columns) FROM records WHERE system = ? AND path = ?",
            [.text(system), .blob(path)], MetadataDatabase.record)
    }

    /// Every record written after a sequence number, oldest first.
    func records(since sequence: Int64, limit: Int = 500) throws(CatalogError) -> [Record] {
        try guarded { () throws(SQLiteError) in
            try connection.rows(
                "SELECT \(MetadataDatabase.columns) FROM records WHERE sequence > ? ORDER BY sequence LIMIT ?",
                [.integer(sequence), .integer(limit)], MetadataDatabase.record)
        }
    }

    /// The records of a system behind a path, in the order of paths.
    func records(system: String, after path: [UInt8]?, limit: Int) throws(CatalogError) -> [Record] {
        try guarded { () throws(SQLiteError) in
            // An empty blob comes before every path.
            try connection.rows(
                "SELECT \(MetadataDatabase.columns) FROM records WHERE system = ? AND path > ? ORDER BY path LIMIT ?",
                [.text(system), .blob(path ?? []), .integer(limit)], MetadataDatabase.record)
        }
    }

    /// Writes a record with a new sequence number; inside a transaction of the caller.
    func store(_ record: Record) throws(SQLiteError) {
        let marks = Array(repeating: "?", count: MetadataDatabase.noValues.count + 6).joined(separator: ", ")
        let statement = try connection.prepare(
            "INSERT OR REPLACE INTO records(\(MetadataDatabase.columns)) VALUES (\(marks))")
        statement.bind(1, record.system)
        statement.bind(2, record.path)
        statement.bind(3, .flag(record.isFolder))
        for (index, value) in record.values.enumerated() { statement.bind(4 + index, .optional(value)) }
        let next = 4 + record.values.count
        statement.bind(next, .optional(record.attributes))
        statement.bind(next + 1, .optional(record.extra))
        statement.bind(next + 2, try nextSequence())
        try statement.run()
    }

    /// Takes all records of a system out.
    ///
    /// A new identity makes every catalog copy anew, since a row that is gone has no sequence number to be found by.
    func removeRecords(system: String) throws(CatalogError) {
        try write { () throws(SQLiteError) in
            try connection.run("DELETE FROM records WHERE system = ?", [.text(system)])
            try connection.run("DELETE FROM lists WHERE system = ?", [.text(system)])
            try connection.run("UPDATE state SET identity = abs(random()), sequence = sequence + 1")
        }
    }

    // MARK: - Files

    /// The file of a system that was read or written last.
    struct List: Equatable {
        var path: BytePath
        var size: Int64
        var modified: Int64
        var inode: UInt64
        /// What stands before the list and in it outside of records, as XML.
        var before: String?
        var inside: String?

        init(path: BytePath, status: FileStatus, before: String? = nil, inside: String? = nil) {
            self.path = path
            size = status.size
            modified = status.modifiedNanoseconds
            inode = status.inode
            self.before = before
            self.inside = inside
        }

        fileprivate init(_ row: Statement) {
            path = BytePath(bytes: row.bytes(0))
            size = row.int64(1)
            modified = row.int64(2)
            inode = UInt64(bitPattern: row.int64(3))
            before = row.string(4)
            inside = row.string(5)
        }

        /// Whether this is the file as it was.
        func isSame(_ path: BytePath, _ status: FileStatus) -> Bool {
            path == self.path && status.size == size && status.modifiedNanoseconds == modified && status.inode == inode
        }
    }

    func list(system: String) throws(CatalogError) -> List? {
        try guarded { () throws(SQLiteError) in
            try connection.first(
                "SELECT path, size, modified, inode, before, inside FROM lists WHERE system = ?", [.text(system)]
            ) { List($0) }
        }
    }

    func setList(_ list: List, system: String) throws(CatalogError) {
        try write { () throws(SQLiteError) in
            try connection.run(
                "INSERT OR REPLACE INTO lists VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    .text(system), .blob(list.path.bytes), .integer(list.size), .integer(list.modified),
                    .integer(Int64(bitPattern: list.inode)), .optional(list.before), .optional(list.inside),
                ])
        }
    }
}
