import SQLiteKit

extension UserDatabase {
    // MARK: - Edits

    /// Whether the person wrote over anything.
    func hasEdits() throws(CatalogError) -> Bool {
        try guarded { () throws(SQLiteError) in try connection.integer("SELECT 1 FROM edits LIMIT 1") != nil }
    }

    func edits(system: String, path: [UInt8]) throws(CatalogError) -> [GamelistKey: String] {
        let rows = try guarded { () throws(SQLiteError) in
            try connection.rows(
                "SELECT key, value FROM edits WHERE system = ? AND path = ?", [.text(system), .blob(path)]
            ) { ($0.string(0) ?? "", $0.string(1) ?? "") }
        }
        var edits: [GamelistKey: String] = [:]
        for (key, value) in rows { if let key = GamelistKey(element: key) { edits[key] = value } }
        return edits
    }

    /// Writes over a game's metadata; the game's row gets a new number, so that the catalog hears of it.
    func setEdit(_ key: GamelistKey, _ value: String?, system: String, path: [UInt8]) throws(CatalogError) {
        try write { () throws(SQLiteError) in
            try touch(system: system, path: path)
            let place: [Value] = [.text(system), .blob(path), .text(key.element)]
            if let value {
                try connection.run("INSERT OR REPLACE INTO edits VALUES (?, ?, ?, ?)", place + [.text(value)])
            } else {
                try connection.run("DELETE FROM edits WHERE system = ? AND path = ? AND key = ?", place)
            }
        }
    }

    /// The paths of a system about which the person said anything, behind a path, in order.
    func paths(system: String, after path: [UInt8]?, limit: Int) throws(CatalogError) -> [[UInt8]] {
        try guarded { () throws(SQLiteError) in
            try connection.rows(
                """
                SELECT path FROM games WHERE system = ?1 AND path > ?2
                UNION SELECT path FROM edits WHERE system = ?1 AND path > ?2 ORDER BY path LIMIT ?3
                """, [.text(system), .blob(path ?? []), .integer(limit)]
            ) { $0.bytes(0) }
        }
    }

    // MARK: - Imported facts

    /// What a gamelist says that the person did, as far as it is to be taken over.
    struct Imported: Equatable {
        var system: String
        var path: [UInt8]
        var isFavourite: Bool?
        var isHidden: Bool?
        var plays: Int?
        var seconds: Double?
        var lastPlayed: Double?

        var isEmpty: Bool {
            isFavourite == nil && isHidden == nil && plays == nil && seconds == nil && lastPlayed == nil
        }
    }

    /// Takes over what an import found, in one transaction.
    func take(_ imported: [Imported]) throws(CatalogError) {
        if imported.isEmpty { return }
        try write { () throws(SQLiteError) in
            for item in imported {
                try touch(system: item.system, path: item.path)
                try connection.run(
                    """
                    UPDATE games SET favourite = coalesce(?, favourite), hidden = coalesce(?, hidden),
                        plays = coalesce(?, plays), seconds = coalesce(?, seconds),
                        last_played = coalesce(?, last_played)
                    WHERE system = ? AND path = ?
                    """,
                    [
                        item.isFavourite.map { .flag($0) } ?? .null, item.isHidden.map { .flag($0) } ?? .null,
                        .optional(item.plays.map(Int64.init)), .optional(item.seconds), .optional(item.lastPlayed),
                        .text(item.system), .blob(item.path),
                    ])
            }
        }
    }

    /// Gives games that were played before they came here their place among the last played: below all that were
    /// played here, by the moments that others noted.
    func orderImportedPlays() throws(CatalogError) {
        try write { () throws(SQLiteError) in
            let without = "last_order = 0 AND plays > 0 AND last_played IS NOT NULL"
            let count = try connection.integer("SELECT count(*) FROM games WHERE \(without)") ?? 0
            guard count > 0 else { return }
            // Every row that changes needs a number of its own: whoever copies them reads a page at a time.
            try connection.run(
                """
                UPDATE games SET last_order = last_order + ?1, sequence = (SELECT sequence FROM state) + ranked.rank
                FROM (SELECT system, path, row_number() OVER (ORDER BY last_order) AS rank FROM games
                    WHERE last_order > 0) AS ranked
                WHERE games.system = ranked.system AND games.path = ranked.path
                """, [.integer(count)])
            let advance = "sequence = max(sequence, coalesce((SELECT max(sequence) FROM games), 0))"
            try connection.run("UPDATE state SET \(advance), played = played + ?", [.integer(count)])
            try connection.run(
                """
                UPDATE games SET last_order = ranked.rank, sequence = (SELECT sequence FROM state) + ranked.rank
                FROM (SELECT system, path, row_number() OVER (ORDER BY last_played, system, path) AS rank FROM games
                    WHERE \(without)) AS ranked
                WHERE games.system = ranked.system AND games.path = ranked.path
                """)
            try connection.run("UPDATE state SET \(advance)")
        }
    }
}
