import FoundationEssentials
import SQLiteKit
import SystemKit

// Collections hold games by system and path: they outlive files that are absent for a while.
extension UserDatabase {
    func collections() throws(CatalogError) -> [GameCollection] {
        try guarded { () throws(SQLiteError) in
            try connection.rows("SELECT id, name, filter FROM collections ORDER BY position, id", [], collection)
        }
    }

    func collection(_ id: Int64) throws(CatalogError) -> GameCollection? {
        try guarded { () throws(SQLiteError) in
            try connection.first("SELECT id, name, filter FROM collections WHERE id = ?", [.integer(id)], collection)
        }
    }

    private func collection(_ row: Statement) -> GameCollection {
        GameCollection(id: row.int64(0), name: row.string(1) ?? "", filter: row.string(2).map(GameFilter.init(json:)))
    }

    func createCollection(name: String, filter: GameFilter?) throws(CatalogError) -> GameCollection {
        let name = try freeName(name, for: nil)
        return try write { () throws(SQLiteError) in
            try connection.run(
                """
                INSERT INTO collections(name, filter, position)
                VALUES (?, ?, (SELECT coalesce(max(position), 0) + 1 FROM collections))
                """, [.text(name), .optional(filter?.json)])
            return GameCollection(id: connection.lastInsertedRow, name: name, filter: filter)
        }
    }

    func renameCollection(_ id: Int64, to name: String) throws(CatalogError) {
        let name = try freeName(name, for: id)
        try update(id, "name = ?", [.text(name)])
    }

    func setFilter(_ filter: GameFilter?, collection id: Int64) throws(CatalogError) {
        try update(id, "filter = ?", [.optional(filter?.json)])
    }

    private func update(_ id: Int64, _ assignment: String, _ values: [Value]) throws(CatalogError) {
        let isThere = try write { () throws(SQLiteError) in
            try connection.run("UPDATE collections SET \(assignment) WHERE id = ?", values + [.integer(id)])
            return connection.changes > 0
        }
        guard isThere else { throw CatalogError.noSuchCollection(id: id) }
    }

    func deleteCollection(_ id: Int64) throws(CatalogError) {
        guard try collection(id) != nil else { throw CatalogError.noSuchCollection(id: id) }
        try write { () throws(SQLiteError) in
            try connection.run("DELETE FROM collection_games WHERE collection = ?", [.integer(id)])
            try connection.run("DELETE FROM collections WHERE id = ?", [.integer(id)])
        }
    }

    /// A name as it is stored.
    private func freeName(_ name: String, for id: Int64?) throws(CatalogError) -> String {
        let name = name.trimmedBlanks
        // An emoji may be many scalars, but not without end.
        guard !name.isEmpty, name.count <= 100, name.utf8.count <= 2000,
            !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else {
            throw CatalogError.badCollectionName(name)
        }
        // Not by SQLite: it knows neither that accents are spelled in two ways nor the case of other letters than ASCII's.
        let wanted = name.lowercased()
        if try collections().contains(where: { $0.id != id && $0.name.lowercased() == wanted }) {
            throw CatalogError.collectionExists(name: name)
        }
        return name
    }

    // MARK: - Members

    func setMember(_ on: Bool, system: String, path: [UInt8], collection id: Int64) throws(CatalogError) {
        guard let collection = try collection(id) else { throw CatalogError.noSuchCollection(id: id) }
        guard collection.filter == nil else { throw CatalogError.collectionIsFilter(name: collection.name) }
        try write { () throws(SQLiteError) in
            if on {
                try insert(system: system, path: path, collection: id)
            } else {
                try connection.run(
                    "DELETE FROM collection_games WHERE collection = ? AND system = ? AND path = ?",
                    [.integer(id), .text(system), .blob(path)])
            }
        }
    }

    /// Adds many games in one commit.
    ///
    /// - Returns: how many were not in it yet.
    func addMembers(_ members: [(system: String, path: [UInt8])], collection id: Int64) throws(CatalogError) -> Int {
        try write { () throws(SQLiteError) in
            var added = 0
            for member in members {
                try insert(system: member.system, path: member.path, collection: id)
                added += connection.changes
            }
            return added
        }
    }

    private func insert(system: String, path: [UInt8], collection id: Int64) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO collection_games(collection, system, path, position)
            VALUES (?1, ?2, ?3, (SELECT count(*) FROM collection_games WHERE collection = ?1)) ON CONFLICT DO NOTHING
            """, [.integer(id), .text(system), .blob(path)])
    }

    func members(of id: Int64) throws(CatalogError) -> [(system: String, path: [UInt8])] {
        try guarded { () throws(SQLiteError) in
            try connection.rows(
                "SELECT system, path FROM collection_games WHERE collection = ?", [.integer(id)]
            ) { (system: $0.string(0) ?? "", path: $0.bytes(1)) }
        }
    }

    func collections(system: String, path: [UInt8]) throws(CatalogError) -> Set<Int64> {
        let ids = try guarded { () throws(SQLiteError) in
            try connection.rows(
                """
                SELECT c.id FROM collections c JOIN collection_games g ON g.collection = c.id
                WHERE g.system = ? AND g.path = ? AND c.filter IS NULL
                """, [.text(system), .blob(path)]
            ) { $0.int64(0) }
        }
        return Set(ids)
    }

    /// The games that were played, those with the most time first.
    func longestPlayed() throws(CatalogError) -> [(system: String, path: [UInt8])] {
        try guarded { () throws(SQLiteError) in
            try connection.rows("SELECT system, path FROM games WHERE seconds > 0 ORDER BY seconds DESC") {
                (system: $0.string(0) ?? "", path: $0.bytes(1))
            }
        }
    }
}

extension GameFilter {
    /// What the database holds of it.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Reads what another version may have written: what is not understood asks nothing.
    init(json: String) {
        self = (try? JSONDecoder().decode(GameFilter.self, from: Data(decodableJSON(json.utf8)))) ?? GameFilter()
    }
}
