import SQLiteKit
import SystemKit

/// Lists by page: position to rows, row to position, letters to positions, in time that does not grow with the list.
///
/// The plain lists (all games, a system's games) are walked in an index; every so many rows the key is remembered,
/// so that a page deep inside needs no walk from the start. Other lists are short and kept as numbers of games.
final class GameLists {
    let catalog: CatalogDatabase
    let reader: GameReader
    private var version: Int64 = -1
    private var changes = -1
    private var walks: [String?: IndexWalk] = [:]
    private var kept: [(query: GameQuery, ids: [Int64])] = []
    private var searched: (query: GameQuery, list: SearchList)?

    init(catalog: CatalogDatabase, reader: GameReader) {
        self.catalog = catalog
        self.reader = reader
    }

    func count(_ query: GameQuery) throws(CatalogError) -> Int {
        try refresh()
        if let list = try search(query) { return try guarded { () throws(SQLiteError) in try list.count() } }
        guard isPlain(query) else { return try ids(query).count }
        return try guarded { () throws(SQLiteError) in
            let sql = "SELECT sum(games) FROM systems" + (query.system == nil ? "" : " WHERE name = ?")
            return Int(try catalog.connection.integer(sql, query.system.map { [.text($0)] } ?? []) ?? 0)
        }
    }

    func games(_ query: GameQuery, offset: Int, limit: Int) throws(CatalogError) -> [Game] {
        try refresh()
        let offset = max(0, offset)
        guard limit > 0 else { return [] }
        if let list = try search(query) {
            return try games(try guarded { () throws(SQLiteError) in try list.ids(offset: offset, limit: limit) })
        }
        if let walk = try walk(query) {
            return try games(try guarded { () throws(SQLiteError) in try walk.ids(offset: offset, limit: limit) })
        }
        return try games(try ids(query).dropFirst(offset).prefix(limit))
    }

    func position(of id: Int64, in query: GameQuery) throws(CatalogError) -> Int? {
        try refresh()
        if let list = try search(query) {
            return try guarded { () throws(SQLiteError) in try list.position(of: id) }
        }
        if let walk = try walk(query) {
            return try guarded { () throws(SQLiteError) in try walk.position(of: id) }
        }
        return try ids(query).firstIndex(of: id)
    }

    func letters(_ query: GameQuery) throws(CatalogError) -> [(letter: String, offset: Int)] {
        try refresh()
        // The latest first: no letters lead anywhere.
        if query.selection == .recentlyPlayed { return [] }
        if try search(query) == nil, let walk = try walk(query) {
            return try guarded { () throws(SQLiteError) in try walk.letters() }
        }
        let ids: [Int64]
        if let list = try search(query) {
            ids = try guarded { () throws(SQLiteError) in try list.ids(offset: 0, limit: .max) }
        } else {
            ids = try self.ids(query)
        }
        return try guarded { () throws(SQLiteError) in
            var letters: [(letter: String, offset: Int)] = []
            for (offset, id) in ids.enumerated() {
                let key = try catalog.connection.first("SELECT sort FROM games WHERE id = ?", [.integer(id)]) {
                    $0.bytes(0)
                }
                let letter = Letter(key: key ?? []).text
                if letters.last?.letter != letter { letters.append((letter, offset)) }
            }
            return letters
        }
    }

    // MARK: - Kinds of lists

    private func isPlain(_ query: GameQuery) -> Bool {
        query.selection == .all && !query.includesHidden && query.missing == false
    }

    /// The walk of a plain list; `nil` for other lists, and for all games as long as their index is not made.
    private func walk(_ query: GameQuery) throws(CatalogError) -> IndexWalk? {
        guard isPlain(query) else { return nil }
        if let walk = walks[query.system] { return walk }
        let walk = try guarded { () throws(SQLiteError) -> IndexWalk? in
            if let name = query.system {
                let id = try catalog.connection.integer("SELECT id FROM systems WHERE name = ?", [.text(name)])
                return IndexWalk(catalog.connection, system: id ?? 0)
            }
            let made = try catalog.connection.integer(
                "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = 'games_of_all'")
            return made == nil ? nil : IndexWalk(catalog.connection, system: nil)
        }
        if let walk { walks[query.system] = walk }
        return walk
    }

    private func search(_ query: GameQuery) throws(CatalogError) -> SearchList? {
        guard !query.text.isEmpty else { return nil }
        if let searched, searched.query == query { return searched.list }
        let words = reader.words(of: query.text)
        guard !words.isEmpty else { return nil }
        var base = query
        base.text = ""
        let walk = try walk(base)
        let ids = walk == nil ? try self.ids(base) : []
        let list = try guarded { () throws(SQLiteError) in
            try SearchList(words: words, system: query.system, walk: walk, base: ids, reader: reader)
        }
        searched = (query, list)
        return list
    }

    /// All numbers of a list that has no walk, in order.
    private func ids(_ query: GameQuery) throws(CatalogError) -> [Int64] {
        if let found = kept.first(where: { $0.query == query }) { return found.ids }
        var conditions = [GameLists.stateCondition(query)]
        var values: [Value] = []
        if let system = query.system {
            conditions.append("system = (SELECT id FROM systems WHERE name = ?)")
            values.append(.text(system))
        }
        var order = "sort, id"
        switch query.selection {
        case .all: break
        case .favourites: conditions.append("facts = 1 AND favourite = 1")
        case .recentlyPlayed:
            conditions.append("facts = 1 AND played > 0")
            order = "played DESC, id"
        case .mostPlayed, .neverPlayed, .collection: conditions.append("0")
        }
        // Without statistics the planner would walk all games of the partial index for state 0.
        let index = query.selection == .all ? "" : "INDEXED BY games_with_facts "
        let sql = "SELECT id FROM games \(index)WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order)"
        let ids = try guarded { () throws(SQLiteError) in
            try catalog.connection.rows(sql, values) { $0.int64(0) }
        }
        if kept.count >= 4 { kept.removeFirst() }
        kept.append((query, ids))
        return ids
    }

    private static func stateCondition(_ query: GameQuery) -> String {
        var states: [Int64] = []
        for missing in [false, true] where query.missing != !missing {
            for hidden in [false, true] where !hidden || query.includesHidden {
                states.append(
                    (missing ? CatalogSchema.State.missing : 0) | (hidden ? CatalogSchema.State.hidden : 0))
            }
        }
        // Literally "= 0" where possible: partial indexes are chosen by their condition's text.
        if states == [0] { return "state = 0" }
        let list = states.map(String.init).joined(separator: ", ")
        return states.contains(0) ? "state IN (\(list))" : "state <> 0 AND state IN (\(list))"
    }

    private func games(_ ids: some Sequence<Int64>) throws(CatalogError) -> [Game] {
        var games: [Game] = []
        for id in ids {
            if let game = try reader.game(id: id) { games.append(game) }
        }
        return games
    }

    /// Forgets what was remembered when anybody has changed the catalog.
    private func refresh() throws(CatalogError) {
        let version = try guarded { () throws(SQLiteError) in try catalog.connection.dataVersion() }
        let changes = catalog.connection.totalChanges
        if version == self.version && changes == self.changes { return }
        self.version = version
        self.changes = changes
        walks = [:]
        kept = []
        searched = nil
    }

    private func guarded<Result>(_ body: () throws(SQLiteError) -> Result) throws(CatalogError) -> Result {
        try catalog.guarded(body)
    }
}
