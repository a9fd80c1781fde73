import SQLiteKit
import SystemKit

/// Gives the game that stands for others what the person did to those, where nothing was done to itself: a set of discs
/// is another file as soon as a playlist comes or the first disc goes, and it is still the person's favourite.
///
/// It is written to `user.sqlite` and nothing is taken from there, so that each file has its own again when they part.
struct Inheritance {
    let catalog: CatalogDatabase
    let user: UserDatabase

    private struct Key: Hashable {
        var system: String
        var path: [UInt8]
    }

    /// Writes what is to be inherited.
    ///
    /// - Returns: whether there was anything.
    func run() throws(CatalogError) -> Bool {
        // What lasts only as long as the process is no inheritance.
        guard user.trouble == nil else { return false }
        let sequence = try user.state().sequence
        let changes = try catalog.guarded { () throws(SQLiteError) in
            let changes = try catalog.meta("changes")
            let (done, doneFacts) = (try catalog.meta("inherited"), try catalog.meta("inherited_facts"))
            return done == changes && doneFacts == sequence ? nil : changes
        }
        guard let changes else { return false }
        let left = try departed()
        var isAny = try hand(left.map { (from: $0.from, heir: $0.heir) })
        if try hand(members()) { isAny = true }
        let now = try user.state().sequence
        try catalog.guarded { () throws(SQLiteError) in
            try catalog.connection.transaction { () throws(SQLiteError) in
                for item in left { try catalog.connection.run("DELETE FROM meta WHERE key = ?", [.text(item.note)]) }
                try catalog.setMeta("inherited", changes)
                // What was set meanwhile is looked at the next time.
                try catalog.setMeta("inherited_facts", isAny ? now : sequence)
            }
        }
        return isAny
    }

    // MARK: - From whom to whom

    /// Members with facts, or in collections, and the games that stand for them; those that come first in a folder first.
    private func members() throws(CatalogError) -> [(from: Key, heir: Key)] {
        let collected = try user.collectedGames()
        return try catalog.guarded { () throws(SQLiteError) in
            var ids = try catalog.connection.rows(
                "SELECT id FROM games INDEXED BY games_with_facts WHERE facts = 1 AND state & 6 = 4"
            ) { $0.int64(0) }
            for game in collected {
                let path = BytePath(bytes: game.path)
                ids += try catalog.connection.rows(
                    """
                    SELECT g.id FROM systems s JOIN directories d ON d.system = s.id AND d.relative = ?
                    JOIN games g ON g.directory = d.id AND g.name = ? WHERE s.name = ? AND g.state & 6 = 4
                    """,
                    [
                        .blob(game.path.contains(0x2F) ? path.parent.bytes : []), .blob(path.name.bytes),
                        .text(game.system),
                    ]
                ) { $0.int64(0) }
            }
            var pairs: [(from: Key, heir: Key)] = []
            for id in Set(ids) {
                if let from = try key(id), let heir = try standing(for: id) { pairs.append((from, heir)) }
            }
            return pairs.sorted { $0.from.path.lexicographicallyPrecedes($1.from.path) }
        }
    }

    /// Games that stood for others and are gone, and those that stand for the same ones now.
    private func departed() throws(CatalogError) -> [(note: String, from: Key, heir: Key?)] {
        try catalog.guarded { () throws(SQLiteError) in
            let notes = try catalog.connection.rows(
                "SELECT key, value FROM meta WHERE key >= ? AND key < ? ORDER BY key",
                [.text(ScanWriter.departed), .text(ScanWriter.departed + "~")]
            ) { (note: $0.string(0) ?? "", value: $0.bytes(1)) }
            var found: [(note: String, from: Key, heir: Key?)] = []
            for (note, value) in notes {
                guard let member = note.split(separator: " ").last.flatMap({ Int64($0) }) else { continue }
                let heir = try standing(for: member)
                let from = Key(system: heir?.system ?? "", path: value)
                found.append((note, from, heir == from ? nil : heir))
            }
            // Where a playlist's games stand apart now, the first one is it.
            found.sort { left, right in
                (left.heir?.path ?? []).lexicographicallyPrecedes(right.heir?.path ?? [])
            }
            var given: Set<Key> = []
            for index in found.indices where found[index].heir != nil {
                if !given.insert(found[index].from).inserted { found[index].heir = nil }
            }
            return found
        }
    }

    /// The game that lists show in place of a game, or the game itself; `nil` where none is there.
    private func standing(for id: Int64) throws(SQLiteError) -> Key? {
        var id = id
        // The tracks of a disc of a set on a playlist; more would be a circle.
        for _ in 0..<4 {
            let row = try catalog.connection.first("SELECT state, hidden_by FROM games WHERE id = ?", [.integer(id)]) {
                (state: $0.int64(0), hiddenBy: $0.isNull(1) ? nil : $0.int64(1))
            }
            guard let row, row.state & CatalogSchema.State.missing == 0 else { return nil }
            guard row.state & CatalogSchema.State.member != 0, let next = row.hiddenBy else { return try key(id) }
            id = next
        }
        return nil
    }

    private func key(_ id: Int64) throws(SQLiteError) -> Key? {
        try catalog.connection.first(
            """
            SELECT s.name, d.relative, g.name FROM games g JOIN directories d ON d.id = g.directory
            JOIN systems s ON s.id = g.system WHERE g.id = ?
            """, [.integer(id)]
        ) {
            let path = BytePath(bytes: $0.bytes(1)).appending(BytePath(bytes: $0.bytes(2)))
            return Key(system: $0.string(0) ?? "", path: path.bytes)
        }
    }

    // MARK: - Handing on

    private func hand(_ pairs: [(from: Key, heir: Key?)]) throws(CatalogError) -> Bool {
        var wanted: [(from: Key, heir: Key)] = []
        var seen: Set<Key> = []
        for pair in pairs {
            guard let heir = pair.heir, heir != pair.from, seen.insert(heir).inserted,
                try user.facts(system: heir.system, path: heir.path) == nil
            else { continue }
            wanted.append((pair.from, heir))
        }
        if wanted.isEmpty { return false }
        try user.write { () throws(SQLiteError) in
            for (from, heir) in wanted { try user.inherit(system: heir.system, from: from.path, to: heir.path) }
        }
        return true
    }

    private func hand(_ pairs: [(from: Key, heir: Key)]) throws(CatalogError) -> Bool {
        try hand(pairs.map { (from: $0.from, heir: Optional($0.heir)) })
    }
}

extension UserDatabase {
    /// Copies everything that the person did to one file to another, to which nothing was done.
    func inherit(system: String, from: [UInt8], to path: [UInt8]) throws(SQLiteError) {
        // Its row tells from now on that it is its own game, also where the other is only in collections.
        try touch(system: system, path: path)
        let key: [Value] = [.text(system), .blob(from), .blob(path)]
        try connection.run(
            """
            UPDATE games SET favourite = f.favourite, hidden = f.hidden, title = f.title, emulator = f.emulator,
                plays = f.plays, seconds = f.seconds, last_played = f.last_played, last_order = f.last_order
            FROM (SELECT * FROM games WHERE system = ?1 AND path = ?2) AS f
            WHERE games.system = ?1 AND games.path = ?3
            """, key)
        try connection.run(
            "INSERT OR IGNORE INTO edits SELECT system, ?3, key, value FROM edits WHERE system = ?1 AND path = ?2", key)
        try connection.run(
            """
            INSERT OR IGNORE INTO collection_games SELECT collection, system, ?3, position FROM collection_games
            WHERE system = ?1 AND path = ?2
            """, key)
    }

    /// The games of all lists.
    func collectedGames() throws(CatalogError) -> [(system: String, path: [UInt8])] {
        try guarded { () throws(SQLiteError) in
            try connection.rows("SELECT DISTINCT system, path FROM collection_games") {
                (system: $0.string(0) ?? "", path: $0.bytes(1))
            }
        }
    }
}

extension ScanWriter {
    /// How notes about games that stood for others begin in `meta`, which lives through a crash.
    static let departed = "departed "

    /// Notes who a game stood for, before it goes: one of them stands for the others then.
    func noteDeparture(_ game: KnownGame) throws(SQLiteError) {
        guard game.discs > 1 || game.kind == 1 else { return }
        let place = try catalog.connection.first(
            """
            SELECT g.facts, s.name, d.relative FROM games g JOIN directories d ON d.id = g.directory
            JOIN systems s ON s.id = g.system WHERE g.id = ?
            """, [.integer(game.id)]
        ) { (hasFacts: $0.int(0) != 0, system: $0.string(1) ?? "", relative: $0.bytes(2)) }
        guard let place else { return }
        let path = BytePath(bytes: place.relative).appending(BytePath(bytes: game.name))
        guard place.hasFacts || isCollected(BytePath(place.system).appending(path)) else { return }
        for directory in Set([game.directory] + (try targets(of: game.id))) {
            let members = try catalog.connection.rows(
                "SELECT id FROM games WHERE directory = ? AND hidden_by = ?",
                [.integer(directory), .integer(game.id)]
            ) { $0.int64(0) }
            for member in members {
                try catalog.connection.run(
                    "INSERT OR REPLACE INTO meta VALUES (?, ?)",
                    [.text("\(ScanWriter.departed)\(member)"), .blob(path.bytes)])
            }
        }
    }

    private func isCollected(_ path: BytePath) -> Bool {
        if collected == nil {
            let games = (try? reader.user.collectedGames()) ?? []
            collected = Set(games.map { BytePath($0.system).appending(BytePath(bytes: $0.path)) })
        }
        return collected?.contains(path) == true
    }
}
