import SQLiteKit
import SystemKit

/// Writes what a scan finds, in transactions of some hundred rows: short enough that nobody waits for the lock, long
/// enough that a hundred thousand games cost little. A crash leaves whole transactions; the directory that was in
/// work has no time stored yet and is read again.
final class ScanWriter {
    private static let rowsPerTransaction = 1000
    private static let secondsPerTransaction = 0.1

    let catalog: CatalogDatabase
    let reader: GameReader
    private let index: SearchIndex
    private let insert: Statement
    private var rows = 0
    private var began: MonotonicInstant?
    private var hasChanges = false
    private var visible: [Int64: Int] = [:]
    private var nextGame: Int64
    private var nextDirectory: Int64
    /// Systems whose games changed since somebody last took the set.
    var changedSystems: Set<Int64> = []
    /// Directories whose games must be compared with what sheets name.
    var memberTargets: Set<Int64> = []

    /// Only one writer at a time, of all processes: the numbers it gives are remembered here (the scan's lock file).
    init(catalog: CatalogDatabase, reader: GameReader) throws(SQLiteError) {
        self.catalog = catalog
        self.reader = reader
        index = SearchIndex(catalog: catalog, reader: reader)
        nextGame = try catalog.meta("next_game")
        nextDirectory = (try catalog.connection.integer("SELECT max(id) FROM directories") ?? 0) + 1
        insert = try catalog.connection.prepare(
            """
            INSERT INTO games(id, directory, system, name, sort, size, modified, kind, state, facts, favourite, played,
                discs, hidden_by, launch, title) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
            """)
    }

    // MARK: - Transactions

    /// Opens a transaction where none is open.
    func begin() throws(SQLiteError) {
        rows += 1
        if began != nil { return }
        try catalog.connection.run("BEGIN IMMEDIATE")
        began = .now
    }

    /// Commits when enough has gathered, or when the caller is about to wait for something slow.
    func pause(isSlowAhead: Bool) throws(SQLiteError) {
        guard let began else { return }
        if isSlowAhead || rows >= ScanWriter.rowsPerTransaction
            || MonotonicInstant.now.seconds(since: began) > ScanWriter.secondsPerTransaction
        {
            try commit()
        }
    }

    func commit() throws(SQLiteError) {
        guard began != nil else { return }
        for (system, change) in visible where change != 0 {
            try catalog.connection.run(
                "UPDATE systems SET games = games + ? WHERE id = ?", [.integer(change), .integer(system)])
        }
        try catalog.setMeta("next_game", nextGame)
        // Tells watchers in other processes that they must read again.
        if hasChanges {
            try catalog.connection.run("UPDATE meta SET value = value + 1 WHERE key = 'changes'")
            hasChanges = false
        }
        try catalog.connection.run("COMMIT")
        visible = [:]
        rows = 0
        began = nil
    }

    func rollBack() {
        if catalog.connection.isInTransaction { try? catalog.connection.run("ROLLBACK") }
        began = nil
    }

    // MARK: - Games

    func newGame() -> Int64 {
        defer { nextGame += 1 }
        return nextGame
    }

    /// The columns of a new game; names and keys are lent.
    struct NewGame {
        var id: Int64
        var directory: Int64
        var system: Int64
        var name: UnsafeRawBufferPointer
        var sort: UnsafeRawBufferPointer
        var size: Int64
        var modified: Int64
        var kind: Int64
        var state: Int64
        var discs = 1
        var hiddenBy: Int64?
        var launch: [UInt8]?
        var facts: UserDatabase.Facts?
        var facets: GameFacets?
    }

    func add(_ game: NewGame) throws(SQLiteError) {
        try begin()
        insert.bind(1, game.id)
        insert.bind(2, game.directory)
        insert.bind(3, game.system)
        insert.bindBorrowed(4, game.name)
        insert.bindBorrowed(5, game.sort)
        insert.bind(6, game.size)
        insert.bind(7, game.modified)
        insert.bind(8, game.kind)
        insert.bind(9, game.state)
        insert.bind(13, Int64(game.discs))
        if let facts = game.facts {
            insert.bind(10, Int64(1))
            insert.bind(11, Int64(facts.isFavourite ? 1 : 0))
            insert.bind(12, facts.lastOrder)
        } else {
            insert.bind(10, Int64(0))
            insert.bind(11, Int64(0))
            insert.bind(12, Int64(0))
        }
        insert.bind(16, .optional(game.facets?.title.title))
        insert.bind(14, .optional(game.hiddenBy))
        if let launch = game.launch { insert.bind(15, launch) } else { insert.bindNull(15) }
        try insert.run()
        if let facets = game.facets, !facets.isPlain {
            _ = try MetadataCopy.setDetails(facets, game: game.id, catalog)
        }
        if game.state == 0 { visible[game.system, default: 0] += 1 }
        changed(game.system)
    }

    /// What is known of a game in a directory.
    struct KnownGame: Equatable {
        var id: Int64
        var name: [UInt8]
        var size: Int64
        var modified: Int64
        var kind: Int64
        var state: Int64
        var hiddenBy: Int64?
        var launch: [UInt8]?
        var discs: Int
    }

    /// The games of a directory in the order of their names' bytes; of the special kinds only, in no order.
    func known(in directory: Int64, special: Bool = false) throws(SQLiteError) -> [KnownGame] {
        try catalog.connection.rows(
            """
            SELECT id, name, size, modified, kind, state, hidden_by, launch, discs FROM games
            \(special ? "INDEXED BY games_special WHERE directory = ? AND kind <> 0" : "WHERE directory = ? ORDER BY name")
            """, [.integer(directory)]
        ) {
            KnownGame(
                id: $0.int64(0), name: $0.bytes(1), size: $0.int64(2), modified: $0.int64(3), kind: $0.int64(4),
                state: $0.int64(5), hiddenBy: $0.isNull(6) ? nil : $0.int64(6),
                launch: $0.isNull(7) ? nil : $0.bytes(7), discs: $0.int(8))
        }
    }

    func update(_ game: KnownGame, from old: KnownGame, system: Int64) throws(SQLiteError) {
        try begin()
        try catalog.connection.run(
            """
            UPDATE games SET size = ?, modified = ?, kind = ?, state = ?, hidden_by = ?, launch = ?, discs = ?
            WHERE id = ?
            """,
            [
                .integer(game.size), .integer(game.modified), .integer(game.kind), .integer(game.state),
                .optional(game.hiddenBy), game.launch.map { .blob($0) } ?? .null, .integer(game.discs),
                .integer(game.id),
            ])
        noteChange(system, from: old.state, to: game.state)
    }

    func remove(_ game: KnownGame, system: Int64) throws(SQLiteError) {
        try begin()
        try index.remove(game.id)
        try forgetSheet(game.id)
        try catalog.connection.run("DELETE FROM games WHERE id = ?", [.integer(game.id)])
        try catalog.connection.run("DELETE FROM details WHERE game = ?", [.integer(game.id)])
        noteChange(system, from: game.state, to: -1)
    }

    private func noteChange(_ system: Int64, from old: Int64, to new: Int64) {
        visible[system, default: 0] += (new == 0 ? 1 : 0) - (old == 0 ? 1 : 0)
        changed(system)
    }

    private func changed(_ system: Int64) {
        changedSystems.insert(system)
        hasChanges = true
    }

    // MARK: - What sheets name

    /// Takes back what a sheet named; its members show again when their directories are compared.
    func forgetSheet(_ id: Int64) throws(SQLiteError) {
        let targets = try catalog.connection.rows(
            "SELECT DISTINCT directory FROM members WHERE sheet = ?", [.integer(id)]
        ) { $0.int64(0) }
        if !targets.isEmpty {
            try begin()
            memberTargets.formUnion(targets)
            try catalog.connection.run("DELETE FROM members WHERE sheet = ?", [.integer(id)])
        }
        if try catalog.connection.integer("SELECT 1 FROM outside WHERE sheet = ? LIMIT 1", [.integer(id)]) != nil {
            try begin()
            try catalog.connection.run("DELETE FROM outside WHERE sheet = ?", [.integer(id)])
        }
    }

    func addMember(_ hider: Hider, directory: Int64, name: [UInt8]) throws(SQLiteError) {
        try begin()
        try catalog.connection.run(
            "INSERT OR IGNORE INTO members VALUES (?, ?, ?, ?)",
            [.integer(hider.sheet), .integer(directory), .blob(name), .flag(hider.isPlaylist)])
    }

    /// A file in another folder than the sheet's that names it; the folder may be there or not.
    struct OutsideMember {
        var hider: Hider
        /// The system's folder.
        var folder: [UInt8]
        /// The folder's path below it, as the sheet has it.
        var relative: [UInt8]
        /// Folded.
        var name: [UInt8]
    }

    func addOutside(_ member: OutsideMember, root: Int64) throws(SQLiteError) {
        try begin()
        try catalog.connection.run(
            "INSERT OR IGNORE INTO outside VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(member.hider.sheet), .integer(root), .blob(member.folder),
                .blob(member.relative.map(asciiLowercased)), .blob(member.name), .flag(member.hider.isPlaylist),
            ])
    }

    /// Gives a new directory what sheets elsewhere name in it.
    func adoptOutside(directory: Int64, root: Int64, folder: [UInt8], relative: [UInt8]) throws(SQLiteError) {
        let members = try catalog.connection.rows(
            "SELECT sheet, playlist, name FROM outside WHERE root = ? AND folder = ? AND relative = ?",
            [.integer(root), .blob(folder), .blob(relative.map(asciiLowercased))]
        ) { (hider: Hider(sheet: $0.int64(0), isPlaylist: $0.int(1) != 0), name: $0.bytes(2)) }
        for member in members { try addMember(member.hider, directory: directory, name: member.name) }
    }

    /// Who hides which folded name of a directory.
    func hiders(in directory: Int64) throws(SQLiteError) -> [[UInt8]: [Hider]] {
        let rows = try catalog.connection.rows(
            "SELECT name, sheet, playlist FROM members WHERE directory = ?", [.integer(directory)]
        ) { ($0.bytes(0), Hider(sheet: $0.int64(1), isPlaylist: $0.int(2) != 0)) }
        return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1).sorted { $0.sheet < $1.sheet } }
    }

    func hasMembers(_ directory: Int64) -> Bool {
        let found = try? catalog.connection.integer(
            "SELECT 1 FROM members WHERE directory = ? LIMIT 1", [.integer(directory)])
        return found != nil
    }

    struct Hider: Equatable {
        var sheet: Int64
        var isPlaylist: Bool
    }

    // MARK: - Directories

    func newDirectory() -> Int64 {
        defer { nextDirectory += 1 }
        return nextDirectory
    }

    /// Marks all games of a directory and below as not there.
    ///
    /// - Returns: how many were there until now.
    func markMissing(tree directory: Int64, system: Int64) throws(SQLiteError) -> Int {
        let missing = CatalogSchema.State.missing
        let present = try catalog.connection.rows(
            "\(ScanWriter.tree) SELECT state, count(*) FROM games WHERE directory IN tree AND state & ? = 0 GROUP BY 1",
            [.integer(directory), .integer(missing)]
        ) { ($0.int64(0), $0.int(1)) }
        let unread = try catalog.connection.integer(
            "\(ScanWriter.tree) SELECT 1 FROM directories WHERE id IN tree AND modified <> 0", [.integer(directory)])
        if present.isEmpty && unread == nil { return 0 }
        try begin()
        try catalog.connection.run(
            "\(ScanWriter.tree) UPDATE games SET state = state | ? WHERE directory IN tree AND state & ? = 0",
            [.integer(directory), .integer(missing), .integer(missing)])
        // They must be read when they come back.
        try catalog.connection.run(
            "\(ScanWriter.tree) UPDATE directories SET modified = 0 WHERE id IN tree", [.integer(directory)])
        for (state, count) in present where state == 0 { visible[system, default: 0] -= count }
        if !present.isEmpty { changed(system) }
        return present.reduce(0) { $0 + $1.1 }
    }

    /// Removes a directory and everything below it from the catalog.
    ///
    /// - Returns: how many games went.
    func removeTree(_ directory: Int64, system: Int64) throws(SQLiteError) -> Int {
        let directories = try catalog.connection.rows(
            "\(ScanWriter.tree) SELECT id FROM tree", [.integer(directory)]
        ) { $0.int64(0) }
        var count = 0
        try begin()
        for id in directories {
            for game in try known(in: id) {
                try remove(game, system: system)
                count += 1
            }
            try catalog.connection.run("DELETE FROM members WHERE directory = ?", [.integer(id)])
            try catalog.connection.run("DELETE FROM directories WHERE id = ?", [.integer(id)])
        }
        return count
    }

    private static let tree = """
        WITH RECURSIVE tree(id) AS (VALUES (?1) UNION SELECT d.id FROM directories d JOIN tree t ON d.parent = t.id)
        """
}
