import SQLiteKit
import SystemKit
import Systems

/// Makes `Game` values from rows of both databases.
final class GameReader {
    let catalog: CatalogDatabase
    let user: UserDatabase
    let rules: [String: SystemRules]
    let metadata: MetadataLookup
    let parts = TitleParts()

    init(catalog: CatalogDatabase, user: UserDatabase, rules: [String: SystemRules]) {
        self.catalog = catalog
        self.user = user
        metadata = MetadataLookup(folder: catalog.path.parent, user: user)
        self.rules = rules
    }

    static let columns = """
        g.id, s.name, r.path, d.folder, d.relative, g.name, g.launch, g.title, g.sort, g.discs, g.size, g.modified, \
        g.state, g.favourite, g.facts
        """
    static let tables = """
        games g JOIN directories d ON d.id = g.directory JOIN systems s ON s.id = g.system \
        JOIN roots r ON r.id = d.root
        """

    /// The game of a row that has `columns`.
    func game(_ row: Statement) throws(CatalogError) -> Game {
        let system = row.string(1) ?? ""
        let folder = BytePath(bytes: row.bytes(2)).appending(BytePath(bytes: row.bytes(3)))
        let name = row.bytes(5)
        let relative = BytePath(bytes: row.bytes(4)).appending(BytePath(bytes: name))
        var path = folder.appending(relative)
        if !row.isNull(6) { path = path.appending(BytePath(bytes: row.bytes(6))) }
        let state = row.int64(12)
        var facts: UserDatabase.Facts?
        if row.int(14) != 0 { facts = try user.facts(system: system, path: relative.bytes) }
        let (title, tags) = self.title(system: system, name: name)
        return Game(
            id: row.int64(0), system: system, path: path, relativePath: relative,
            title: facts?.title ?? row.string(7) ?? title,
            sortTitle: row.withBytes(8) { Catalog.sortTitle(of: $0) }, tags: tags, discs: row.int(9),
            size: row.int64(10), modifiedNanoseconds: row.int64(11),
            isMissing: state & CatalogSchema.State.missing != 0,
            isFavourite: facts?.isFavourite ?? (row.int(13) != 0),
            isHidden: state & CatalogSchema.State.hidden != 0, playCount: facts?.plays ?? 0,
            playSeconds: facts?.seconds ?? 0, lastPlayed: facts?.lastPlayed, emulator: facts?.emulator)
    }

    /// What the file name says.
    func title(system: String, name: [UInt8]) -> (title: String, tags: [String]) {
        name.withUnsafeBufferPointer { name in
            parts.parse(stem(system: system, name: name))
            return (parts.title, parts.tags)
        }
    }

    func stem(system: String, name: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        if let rules = rules[system] { return rules.stem(name) }
        return UnsafeBufferPointer(rebasing: name[0..<SystemRules.plainStemLength(name)])
    }

    /// The sort key of a game, with the person's title where there is one.
    func sortKey(system: String, name: [UInt8], title: String?) -> [UInt8] {
        name.withUnsafeBufferPointer { name in
            parts.parse(stem(system: system, name: name))
            if let title { parts.parse(title: title) }
            return Array(parts.sortKey().bytes)
        }
    }

    /// The words a search finds a game by, as the index has them: those of its title, and those of its file's name too,
    /// which is what somebody remembers who copied it here.
    func words(system: String, name: UnsafeBufferPointer<UInt8>, title: String?, into out: ByteBuffer) {
        if let title {
            parts.parse(title: title)
            parts.words(into: out)
            out.append(0x20)
        }
        parts.parse(stem(system: system, name: name))
        parts.words(into: out)
    }

    func words(of text: String) -> [[UInt8]] { parts.words(of: text) }

    func game(id: Int64) throws(CatalogError) -> Game? {
        try one("WHERE g.id = ?", [.integer(id)])
    }

    func one(_ condition: String, _ values: [Value]) throws(CatalogError) -> Game? {
        let sql = "SELECT \(GameReader.columns) FROM \(GameReader.tables) \(condition)"
        let statement = try catalog.guarded { () throws(SQLiteError) in
            let statement = try catalog.connection.prepare(sql)
            statement.bind(values)
            return try statement.step() ? statement : nil
        }
        guard let statement else { return nil }
        defer { statement.reset() }
        return try game(statement)
    }

    func games(_ condition: String, _ values: [Value]) throws(CatalogError) -> [Game] {
        let sql = "SELECT \(GameReader.columns) FROM \(GameReader.tables) \(condition)"
        let statement = try catalog.guarded { () throws(SQLiteError) in try catalog.connection.prepare(sql) }
        statement.bind(values)
        defer { statement.reset() }
        var games: [Game] = []
        while try catalog.guarded({ () throws(SQLiteError) in try statement.step() }) {
            games.append(try game(statement))
        }
        return games
    }

    /// The game at an absolute path: its entry, or the file inside that it is started with.
    func game(path: BytePath) throws(CatalogError) -> Game? {
        if let game = try entry(path) { return game }
        guard let outer = try entry(path.parent), outer.path == path else { return nil }
        return outer
    }

    private func entry(_ path: BytePath) throws(CatalogError) -> Game? {
        let roots = try catalog.guarded { () throws(SQLiteError) in
            // Where one disk was, another may be now.
            try catalog.connection.rows("SELECT id, path FROM roots ORDER BY present = 0, position") {
                ($0.int64(0), BytePath(bytes: $0.bytes(1)))
            }
        }
        for (id, root) in roots {
            guard let relative = path.relative(to: root)?.bytes, let slash = relative.firstIndex(of: 0x2F) else {
                continue
            }
            let below = BytePath(bytes: relative[(slash + 1)...])
            let folder = below.bytes.contains(0x2F) ? below.parent : BytePath("")
            let found = try one(
                "WHERE d.root = ? AND d.folder = ? AND d.relative = ? AND g.name = ?",
                [
                    .integer(id), .blob(Array(relative[..<slash])), .blob(folder.bytes), .blob(below.name.bytes),
                ])
            if let found { return found }
        }
        return nil
    }
}
