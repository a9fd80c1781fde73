import SQLiteKit
import SystemKit

/// Lists by page: position to rows, row to position, letters to positions, in time that does not grow with the list.
///
/// The plain lists (all games, a system's games) are walked in an index; every so many rows the key is remembered,
/// so that a page deep inside needs no walk from the start. Other lists are kept as numbers of games, four bytes each,
/// until something changes.
final class GameLists {
    private static let keptLists = 8
    private static let keptGames = 400_000

    let catalog: CatalogDatabase
    let reader: GameReader
    private var version: Int64 = -1
    private var changes = -1
    private var userVersion: Int64 = -1
    private var userChanges = -1
    private var walks: [String?: IndexWalk] = [:]
    private var kept: [(query: GameQuery, ids: [UInt32])] = []
    private var searched: (query: GameQuery, list: SearchList)?
    private var vocabulary: Vocabulary?
    private var tree: [String: FolderTree] = [:]
    private var regions: [String?: UInt64] = [:]

    init(catalog: CatalogDatabase, reader: GameReader) {
        self.catalog = catalog
        self.reader = reader
    }

    func count(_ query: GameQuery) throws(CatalogError) -> Int {
        try refresh()
        if let list = try search(query) { return try guarded { () throws(SQLiteError) in try list.count() } }
        guard query.isPlain else { return try ids(query).count }
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
        return try games(try ids(query).dropFirst(offset).prefix(limit).map(Int64.init))
    }

    func position(of id: Int64, in query: GameQuery) throws(CatalogError) -> Int? {
        try refresh()
        if let list = try search(query) {
            return try guarded { () throws(SQLiteError) in try list.position(of: id) }
        }
        if let walk = try walk(query) {
            return try guarded { () throws(SQLiteError) in try walk.position(of: id) }
        }
        guard let number = UInt32(exactly: id) else { return nil }
        return try ids(query).firstIndex(of: number)
    }

    func letters(_ query: GameQuery) throws(CatalogError) -> [(letter: String, offset: Int)] {
        try refresh()
        // The latest first, or the longest: no letters lead anywhere.
        if query.selection == .recentlyPlayed || query.selection == .mostPlayed { return [] }
        if let list = try search(query) {
            return try guarded { () throws(SQLiteError) in
                // What comes close follows what was typed: two orders one after the other.
                list.isOneOrder ? try letters(of: try list.ids(offset: 0, limit: .max).map { UInt32($0) }) : []
            }
        }
        if let walk = try walk(query) { return try guarded { () throws(SQLiteError) in try walk.letters() } }
        let ids = try ids(query)
        return try guarded { () throws(SQLiteError) in try letters(of: ids) }
    }

    /// Finds where each letter begins by halving, since the list is in order.
    private func letters(of ids: [UInt32]) throws(SQLiteError) -> [(letter: String, offset: Int)] {
        var letters: [(letter: String, offset: Int)] = []
        var offset = 0
        while offset < ids.count {
            let letter = Letter(key: try key(of: ids[offset]))
            letters.append((letter.text, offset))
            guard let end = letter.end else { break }
            var low = offset + 1
            var high = ids.count
            while low < high {
                let middle = (low + high) / 2
                if try key(of: ids[middle]).lexicographicallyPrecedes(end) { low = middle + 1 } else { high = middle }
            }
            offset = low
        }
        return letters
    }

    private func key(of id: UInt32) throws(SQLiteError) -> [UInt8] {
        try catalog.connection.first("SELECT sort FROM games WHERE id = ?", [.integer(Int64(id))]) { $0.bytes(0) } ?? []
    }

    // MARK: - Folders, genres, regions

    func folders(system: String, in folder: BytePath) throws(CatalogError) -> [GameFolder] {
        try refresh()
        if tree.count > 4 { tree = [:] }
        if tree[system] == nil {
            tree[system] = try guarded { () throws(SQLiteError) in
                try FolderTree(system: system, reader: reader, choice: try self.choice())
            }
        }
        return tree[system]?.folders(in: folder, reader: reader) ?? []
    }

    /// The regions that names of games have, as bits.
    func regions(system: String?) throws(CatalogError) -> UInt64 {
        try refresh()
        if let known = regions[system] { return known }
        let found = try guarded { () throws(SQLiteError) in
            var found: UInt64 = 0
            let statement = try catalog.connection.prepare(
                "SELECT s.name, g.name FROM games g JOIN systems s ON s.id = g.system WHERE g.state IN (0, 8)"
                    + (system == nil ? "" : " AND s.name = ?"))
            statement.bind(system.map { [.text($0)] } ?? [])
            defer { statement.reset() }
            while try statement.step() {
                let name = statement.string(0) ?? ""
                found |= statement.withBytes(1) { reader.tags(system: name, name: $0).regions }
            }
            return found
        }
        regions[system] = found
        return found
    }

    private func choice() throws(SQLiteError) -> VersionChoice {
        do {
            return try VersionChoice(reader.user)
        } catch {
            // The person's file may be in trouble; a list with the usual order is better than none.
            return VersionChoice()
        }
    }

    // MARK: - Kinds of lists

    /// The walk of a plain list; `nil` for other lists, and for all games as long as their index is not made.
    private func walk(_ query: GameQuery) throws(CatalogError) -> IndexWalk? {
        guard query.isPlain else { return nil }
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
            try SearchList(words: words, system: query.system, walk: walk, base: ids, reader: reader) {
                () throws(SQLiteError) in try knownWords()
            }
        }
        searched = (query, list)
        return list
    }

    /// Reads what the first letters of a search would read, so that they need not wait for it.
    func prepareSearch() throws(CatalogError) {
        let walk = try walk(GameQuery())
        try guarded { () throws(SQLiteError) in
            _ = try walk?.order()
            _ = try knownWords()
        }
    }

    /// The words of all titles. Kept until many games came: a word more or less only matters to who mistypes it.
    private func knownWords() throws(SQLiteError) -> Vocabulary {
        let indexed = try catalog.meta("indexed")
        if let vocabulary, abs(vocabulary.indexed - indexed) < max(100, indexed / 20) { return vocabulary }
        let made = try Vocabulary(catalog.connection, indexed: indexed)
        vocabulary = made
        return made
    }

    /// All numbers of a list that has no walk, in order.
    private func ids(_ query: GameQuery) throws(CatalogError) -> [UInt32] {
        if let found = kept.first(where: { $0.query == query }) { return found.ids }
        let ids = try read(query)
        kept.append((query, ids))
        while kept.count > 1,
            kept.count > GameLists.keptLists || kept.reduce(0, { $0 + $1.ids.count }) > GameLists.keptGames
        {
            kept.removeFirst()
        }
        return ids
    }

    private func read(_ query: GameQuery) throws(CatalogError) -> [UInt32] {
        var plain = query
        plain.selection = .all
        if query.selection == .neverPlayed, let walk = try walk(plain) {
            return try guarded { () throws(SQLiteError) in
                var played = IDSet()
                let rows = try catalog.connection.rows(
                    "SELECT id FROM games INDEXED BY games_with_facts WHERE facts = 1 AND played > 0"
                ) { $0.int64(0) }
                for id in rows { played.insert(id) }
                return try walk.order().filter { !played.contains(Int64($0)) }
            }
        }
        return try ListQuery(query, reader: reader, choice: try guarded(choice)).ids()
    }

    private func games(_ ids: some Sequence<Int64>) throws(CatalogError) -> [Game] {
        var games: [Game] = []
        for id in ids {
            if let game = try reader.game(id: id) { games.append(game) }
        }
        return games
    }

    /// Forgets what was remembered when anybody has changed the databases.
    private func refresh() throws(CatalogError) {
        let version = try guarded { () throws(SQLiteError) in try catalog.connection.dataVersion() }
        let changes = catalog.connection.totalChanges
        if version != self.version || changes != self.changes {
            self.version = version
            self.changes = changes
            walks = [:]
            kept = []
            searched = nil
            tree = [:]
            regions = [:]
        }
        // Collections, and how long games were played, are in the person's file only.
        let user = reader.user
        let userVersion = try user.guarded { () throws(SQLiteError) in try user.connection.dataVersion() }
        let userChanges = user.connection.totalChanges
        if userVersion != self.userVersion || userChanges != self.userChanges {
            self.userVersion = userVersion
            self.userChanges = userChanges
            kept = []
            if searched?.query.isPlainButText == false { searched = nil }
        }
    }

    private func guarded<Result>(_ body: () throws(SQLiteError) -> Result) throws(CatalogError) -> Result {
        try catalog.guarded(body)
    }
}

extension GameQuery {
    /// Whether it is a list that an index has in its order.
    var isPlain: Bool { text.isEmpty && isPlainButText }

    var isPlainButText: Bool {
        selection == .all && !includesHidden && missing == false && !includesVersions && folder == nil && filter.isEmpty
    }
}
