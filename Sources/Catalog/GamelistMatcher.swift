import SQLiteKit
import SystemKit

/// Finds the games of a system that records are about: by the exact bytes, then by the same text in other bytes, then
/// without regard to capitals.
final class GamelistMatcher {
    private static let most = 400_000

    private let catalog: CatalogDatabase
    private let system: Int64
    // From the folded path to the game; 0 for several. Made when the first record is not found as it is.
    private var folded: [Int: Int64]?

    /// - Returns: `nil` where the catalog has no such system.
    init?(catalog: CatalogDatabase, system: String) throws(CatalogError) {
        self.catalog = catalog
        let id = try catalog.guarded { () throws(SQLiteError) in
            try catalog.connection.integer("SELECT id FROM systems WHERE name = ?", [.text(system)])
        }
        guard let id else { return nil }
        self.system = id
    }

    /// The path below the system's folder of the game that a record's path means; `nil` where there is none.
    func game(_ path: [UInt8]) throws(CatalogError) -> [UInt8]? {
        if try exists(path) { return path }
        // A directory that is a game, named with the file in it that is started.
        let split = BytePath(bytes: path)
        if path.contains(0x2F), split.parent.name.fileExtension != nil, try exists(split.parent.bytes) {
            return split.parent.bytes
        }
        if let text = split.validUTF8, let bytes = LenientUTF8.asWindows1252(text), bytes != path, try exists(bytes) {
            return bytes
        }
        return try equivalent(split)
    }

    private func exists(_ path: [UInt8]) throws(CatalogError) -> Bool {
        let path = BytePath(bytes: path)
        let folder = path.bytes.contains(0x2F) ? path.parent.bytes : []
        return try catalog.guarded { () throws(SQLiteError) in
            try catalog.connection.integer(
                """
                SELECT 1 FROM directories d JOIN games g ON g.directory = d.id AND g.name = ?
                WHERE d.system = ? AND d.relative = ?
                """, [.blob(path.name.bytes), .integer(system), .blob(folder)]) != nil
        }
    }

    private func equivalent(_ path: BytePath) throws(CatalogError) -> [UInt8]? {
        if folded == nil { folded = try fold() }
        guard let text = path.validUTF8, let id = folded?[GamelistMatcher.key(text)] else { return nil }
        let lower = text.lowercased()
        let found = try catalog.guarded { () throws(SQLiteError) in
            if id != 0 {
                return try catalog.connection.rows(
                    "\(GamelistMatcher.select) WHERE g.id = ?", [.integer(id)], GamelistMatcher.path)
            }
            // Several: those in a folder of any spelling.
            return try catalog.connection.rows(
                "\(GamelistMatcher.select) WHERE g.system = ?", [.integer(system)], GamelistMatcher.path)
        }
        let alike = found.filter { BytePath(bytes: $0).validUTF8?.lowercased() == lower }
        // The same text in other bytes before another spelling; two that are alike are not guessed between.
        let same = alike.filter { BytePath(bytes: $0).validUTF8 == text }
        if Set(same).count == 1 { return same.first }
        return Set(alike).count == 1 ? alike.first : nil
    }

    private static let select = "SELECT d.relative, g.name FROM games g JOIN directories d ON d.id = g.directory"

    private static func path(_ row: Statement) -> [UInt8] {
        let folder = row.bytes(0)
        return folder.isEmpty ? row.bytes(1) : folder + [0x2F] + row.bytes(1)
    }

    private func fold() throws(CatalogError) -> [Int: Int64] {
        try catalog.guarded { () throws(SQLiteError) in
            var table: [Int: Int64] = [:]
            let rows = try catalog.connection.prepare(
                """
                SELECT d.relative, g.name, g.id FROM games g JOIN directories d ON d.id = g.directory
                WHERE g.system = ?
                """)
            rows.bind(1, system)
            defer { rows.reset() }
            while try rows.step(), table.count < GamelistMatcher.most {
                guard let text = BytePath(bytes: GamelistMatcher.path(rows)).validUTF8 else { continue }
                let key = GamelistMatcher.key(text)
                table[key] = table[key] == nil ? rows.int64(2) : 0
            }
            return table
        }
    }

    /// Equal for texts that differ in capitals or in how their accents are made only.
    private static func key(_ text: String) -> Int {
        var hasher = Hasher()
        hasher.combine(text.lowercased())
        return hasher.finalize()
    }
}
