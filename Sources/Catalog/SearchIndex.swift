import SQLiteKit
import SystemKit

/// Keeps the search index (FTS5) in step with the games. It is filled behind a scan, in the order of the games'
/// numbers: `meta.indexed` is the highest one that it has.
struct SearchIndex {
    let catalog: CatalogDatabase
    let reader: GameReader

    /// The word that stands for a system; from a private area, so that nobody types it.
    static func token(system: Int64) -> String { "\u{E000}\(system)" }

    /// Adds some of the games that are not in it yet, in one transaction.
    ///
    /// - Returns: whether more are left.
    func fill(limit: Int) throws(SQLiteError) -> Bool {
        try catalog.connection.transaction { () throws(SQLiteError) in
            let indexed = try catalog.meta("indexed")
            let rows = try catalog.connection.prepare(
                """
                SELECT g.id, g.system, s.name, g.name, g.title FROM games g JOIN systems s ON s.id = g.system
                WHERE g.id > ? ORDER BY g.id LIMIT ?
                """)
            rows.bind(1, indexed)
            rows.bind(2, Int64(limit))
            defer { rows.reset() }
            let insert = try catalog.connection.prepare("INSERT INTO search(rowid, words) VALUES (?, ?)")
            let buffer = ByteBuffer()
            var last = indexed
            var count = 0
            while try rows.step() {
                last = rows.int64(0)
                count += 1
                insert.bind(1, last)
                insert.bind(2, words(rows, from: 1, into: buffer))
                try insert.run()
            }
            if last != indexed { try catalog.setMeta("indexed", last) }
            return count == limit
        }
    }

    /// Takes a game out, before its row is deleted or its title changed; inside a transaction of the caller.
    func remove(_ id: Int64) throws(SQLiteError) {
        guard id <= (try catalog.meta("indexed")) else { return }
        try command("INSERT INTO search(search, rowid, words) VALUES ('delete', ?, ?)", id)
    }

    /// Puts a game back after its title changed; inside a transaction of the caller.
    func add(_ id: Int64) throws(SQLiteError) {
        guard id <= (try catalog.meta("indexed")) else { return }
        try command("INSERT INTO search(rowid, words) VALUES (?, ?)", id)
    }

    private func command(_ sql: String, _ id: Int64) throws(SQLiteError) {
        let row = try catalog.connection.prepare(
            "SELECT g.system, s.name, g.name, g.title FROM games g JOIN systems s ON s.id = g.system WHERE g.id = ?")
        row.bind(1, id)
        defer { row.reset() }
        guard try row.step() else { return }
        let statement = try catalog.connection.prepare(sql)
        statement.bind(1, id)
        statement.bind(2, words(row, from: 0, into: ByteBuffer()))
        try statement.run()
    }

    /// The words of a row with system number, system name, name and title, as the index stores them.
    private func words(_ row: Statement, from column: Int, into buffer: ByteBuffer) -> String {
        buffer.empty()
        let system = row.string(column + 1) ?? ""
        let title = row.string(column + 3)
        row.withBytes(column + 2) { reader.words(system: system, name: $0, title: title, into: buffer) }
        return SearchIndex.token(system: row.int64(column)) + " " + String(decoding: buffer.bytes, as: UTF8.self)
    }
}
