import SQLiteKit
import SystemKit

/// Copies what lists need of `user.sqlite` into the catalog: marks, hiding, titles and the order of playing.
///
/// The catalog remembers up to which sequence number it has copied, so that facts set while it was locked, absent or
/// in another process arrive with the next look; a restored user database is recognised by its identity or by a
/// sequence that went back, and everything is copied anew.
struct FactsCopy {
    let catalog: CatalogDatabase
    let user: UserDatabase
    let reader: GameReader

    /// Brings the catalog up to date.
    ///
    /// - Returns: the games whose rows changed.
    @discardableResult
    func run() throws(CatalogError) -> [Int64] {
        try MetadataCopy(catalog: catalog, user: user, reader: reader).run() + copyFacts()
    }

    private func copyFacts() throws(CatalogError) -> [Int64] {
        let state = try user.state()
        let (identity, sequence) = try catalog.guarded { () throws(SQLiteError) in
            (try catalog.meta("user_identity"), try catalog.meta("user_sequence"))
        }
        if identity == state.identity && sequence == state.sequence { return [] }
        let isOther = identity != state.identity || sequence > state.sequence
        let versions = try VersionGroups(catalog: catalog, reader: reader)
        reader.metadata.refresh()
        var copied = isOther ? 0 : sequence
        var changed: [Int64] = []
        if isOther {
            changed += try catalog.guarded { () throws(SQLiteError) in try clear(versions) }
        }
        while true {
            let facts = try user.facts(since: copied)
            let last = facts.last?.sequence ?? state.sequence
            changed += try catalog.guarded { () throws(SQLiteError) in
                try catalog.connection.transaction { () throws(SQLiteError) in
                    var changed: [Int64] = []
                    for fact in facts { changed += try apply(fact, versions) }
                    try versions.resolve()
                    try catalog.setMeta("user_identity", state.identity)
                    try catalog.setMeta("user_sequence", facts.isEmpty ? max(copied, state.sequence) : last)
                    return changed
                }
            }
            if facts.isEmpty { return changed }
            copied = last
        }
    }

    /// Takes all copied facts out, in one transaction.
    private func clear(_ versions: VersionGroups) throws(SQLiteError) -> [Int64] {
        try catalog.connection.transaction { () throws(SQLiteError) in
            let ids = try catalog.connection.rows("SELECT id FROM games WHERE facts = 1") { $0.int64(0) }
            for id in ids { try set(UserDatabase.Facts(), hasRow: false, game: id, versions) }
            try versions.resolve()
            return ids
        }
    }

    private func apply(_ facts: UserDatabase.Facts, _ versions: VersionGroups) throws(SQLiteError) -> [Int64] {
        let path = BytePath(bytes: facts.path)
        let folder = facts.path.contains(0x2F) ? path.parent.bytes : []
        let ids = try catalog.connection.rows(
            """
            SELECT g.id FROM systems s JOIN directories d ON d.system = s.id AND d.relative = ?
            JOIN games g ON g.directory = d.id AND g.name = ? WHERE s.name = ?
            """, [.blob(folder), .blob(path.name.bytes), .text(facts.system)]
        ) { $0.int64(0) }
        for id in ids { try set(facts, hasRow: true, game: id, versions) }
        return ids
    }

    private struct Row {
        var system: Int64
        var state: Int64
    }

    private func set(
        _ facts: UserDatabase.Facts, hasRow: Bool, game id: Int64, _ versions: VersionGroups
    ) throws(SQLiteError) {
        let row = try catalog.connection.first("SELECT system, state FROM games WHERE id = ?", [.integer(id)]) {
            Row(system: $0.int64(0), state: $0.int64(1))
        }
        guard let row else { return }
        // Under the old title and, at the end, under the new one.
        try versions.touch(game: id)
        let hidden = CatalogSchema.State.hidden
        let state = VersionGroups.normal(facts.isHidden ? row.state | hidden : row.state & ~hidden)
        try MetadataCopy(catalog: catalog, user: user, reader: reader).set(id)
        try catalog.connection.run(
            "UPDATE games SET state = ?, facts = ?, favourite = ?, played = ? WHERE id = ?",
            [
                .integer(state), .flag(hasRow), .flag(facts.isFavourite), .integer(facts.lastOrder), .integer(id),
            ])
        if (row.state == 0) != (state == 0) {
            try catalog.connection.run(
                "UPDATE systems SET games = games + ? WHERE id = ?",
                [.integer(state == 0 ? 1 : -1), .integer(row.system)])
        }
        try versions.touch(game: id)
    }
}
