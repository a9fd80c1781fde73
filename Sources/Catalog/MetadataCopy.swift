import SQLiteKit
import SystemKit

/// Copies titles and what filters ask from `metadata.sqlite` into the catalog, by sequence numbers, as `FactsCopy` does
/// with the person's facts.
struct MetadataCopy {
    private static let rowsPerTransaction = 500

    let catalog: CatalogDatabase
    let user: UserDatabase
    let reader: GameReader

    /// Brings the catalog up to date.
    ///
    /// - Returns: the games whose rows changed.
    @discardableResult
    func run() throws(CatalogError) -> [Int64] {
        guard let metadata = reader.metadata.database, let state = try? metadata.state() else { return [] }
        let (identity, sequence) = try catalog.guarded { () throws(SQLiteError) in
            (try catalog.meta("metadata_identity"), try catalog.meta("metadata_sequence"))
        }
        if identity == state.identity && sequence == state.sequence { return [] }
        reader.metadata.refresh()
        let versions = try VersionGroups(catalog: catalog, reader: reader)
        var changed: [Int64] = []
        var copied = sequence
        if identity != state.identity || sequence > state.sequence {
            copied = 0
            changed = try recopy(versions)
        }
        while let places = try? metadata.places(since: copied, limit: MetadataCopy.rowsPerTransaction) {
            let last = places.last?.sequence ?? max(copied, state.sequence)
            changed += try catalog.guarded { () throws(SQLiteError) in
                try catalog.connection.transaction { () throws(SQLiteError) in
                    var changed: [Int64] = []
                    for place in places {
                        for id in try games(system: place.system, path: place.path) where try set(id, versions) {
                            changed.append(id)
                        }
                    }
                    try versions.resolve()
                    try catalog.setMeta("metadata_identity", state.identity)
                    try catalog.setMeta("metadata_sequence", last)
                    if !changed.isEmpty {
                        try catalog.connection.run("UPDATE meta SET value = value + 1 WHERE key = 'changes'")
                    }
                    return changed
                }
            }
            copied = last
            if places.isEmpty { break }
        }
        return changed
    }

    /// Judges all games anew that have anything of another file.
    private func recopy(_ versions: VersionGroups) throws(CatalogError) -> [Int64] {
        try catalog.guarded { () throws(SQLiteError) in
            try catalog.connection.transaction { () throws(SQLiteError) in
                let ids = try catalog.connection.rows(
                    "SELECT id FROM games WHERE title IS NOT NULL UNION SELECT game FROM details"
                ) { $0.int64(0) }
                var changed: [Int64] = []
                for id in ids where try set(id, versions) { changed.append(id) }
                try versions.resolve()
                return changed
            }
        }
    }

    private func games(system: String, path: [UInt8]) throws(SQLiteError) -> [Int64] {
        let path = BytePath(bytes: path)
        let folder = path.bytes.contains(0x2F) ? path.parent.bytes : []
        return try catalog.connection.rows(
            """
            SELECT g.id FROM systems s JOIN directories d ON d.system = s.id AND d.relative = ?
            JOIN games g ON g.directory = d.id AND g.name = ? WHERE s.name = ?
            """, [.blob(folder), .blob(path.name.bytes), .text(system)]
        ) { $0.int64(0) }
    }

    private struct Row {
        var system: String
        var relative: [UInt8]
        var name: [UInt8]
        var title: String?
        var sort: [UInt8]
    }

    /// The same as `set`; a title that changes leaves versions behind and meets others.
    private func set(_ id: Int64, _ versions: VersionGroups) throws(SQLiteError) -> Bool {
        try versions.touch(game: id)
        let isChanged = try set(id)
        try versions.touch(game: id)
        return isChanged
    }

    /// Gives a game the title and the details that it has by all that is known; inside a transaction of the caller.
    ///
    /// - Returns: whether anything changed.
    @discardableResult
    func set(_ id: Int64) throws(SQLiteError) -> Bool {
        let row = try catalog.connection.first(
            """
            SELECT s.name, d.relative, g.name, g.title, g.sort FROM games g JOIN systems s ON s.id = g.system
            JOIN directories d ON d.id = g.directory WHERE g.id = ?
            """, [.integer(id)]
        ) {
            Row(
                system: $0.string(0) ?? "", relative: $0.bytes(1), name: $0.bytes(2), title: $0.string(3),
                sort: $0.bytes(4))
        }
        guard let row else { return false }
        let path = row.relative.isEmpty ? row.name : row.relative + [0x2F] + row.name
        // The person's database cannot be the reason why the catalog would be judged damaged.
        let person = (try? user.facts(system: row.system, path: path))?.title
        let facets = reader.metadata.facets(system: row.system, path: path, person: person)
        let sort = reader.sortKey(
            system: row.system, name: row.name, title: facets.title.sort ?? facets.title.title)
        var isChanged = try MetadataCopy.setDetails(facets, game: id, catalog)
        if facets.title.title != row.title || sort != row.sort {
            let index = SearchIndex(catalog: catalog, reader: reader)
            try index.remove(id)
            try catalog.connection.run(
                "UPDATE games SET title = ?, sort = ? WHERE id = ?",
                [.optional(facets.title.title), .blob(sort), .integer(id)])
            try index.add(id)
            isChanged = true
        }
        return isChanged
    }

    /// Stores what filters ask of a game.
    ///
    /// - Returns: whether that is new.
    static func setDetails(
        _ facets: GameFacets, game id: Int64, _ catalog: CatalogDatabase
    ) throws(SQLiteError) -> Bool {
        if facets.isPlain {
            try catalog.connection.run("DELETE FROM details WHERE game = ?", [.integer(id)])
            return catalog.connection.changes > 0
        }
        let genre = facets.genres.isEmpty ? nil : facets.genres.joined(separator: "\n")
        try catalog.connection.run(
            """
            INSERT INTO details(game, genre, players, year, rating) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT DO UPDATE SET genre = ?2, players = ?3, year = ?4, rating = ?5
            WHERE genre IS NOT ?2 OR players IS NOT ?3 OR year IS NOT ?4 OR rating IS NOT ?5
            """,
            [
                .integer(id), .optional(genre), .optional(facets.players.map(Int64.init)),
                .optional(facets.year.map(Int64.init)), .optional(facets.rating),
            ])
        return catalog.connection.changes > 0
    }
}

extension MetadataDatabase {
    /// A path about which something was written.
    struct Place {
        var system: String
        var path: [UInt8]
        var sequence: Int64
    }

    /// Every path about which something was written after a sequence number, oldest first.
    func places(since sequence: Int64, limit: Int) throws(CatalogError) -> [Place] {
        try guarded { () throws(SQLiteError) in
            try connection.rows(
                """
                SELECT system, path, sequence FROM records WHERE sequence > ?1
                UNION ALL SELECT system, path, sequence FROM hashes WHERE sequence > ?1 ORDER BY sequence LIMIT ?2
                """, [.integer(sequence), .integer(limit)]
            ) { Place(system: $0.string(0) ?? "", path: $0.bytes(1), sequence: $0.int64(2)) }
        }
    }
}
