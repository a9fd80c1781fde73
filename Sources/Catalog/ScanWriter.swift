import SQLiteKit
import SystemKit

/// Writes what a scan finds, in transactions of a tenth of a second: short enough that nobody waits for the lock, long
/// enough that a page which many rows change is written once. A crash leaves whole transactions; the directory that was in
/// work has no time stored yet and is read again.
///
/// The disk is never asked while a transaction is open: one that does not answer would keep everybody waiting.
final class ScanWriter {
    private static let rowsPerTransaction = 10_000
    private static let secondsPerTransaction = 0.1

    let catalog: CatalogDatabase
    let reader: GameReader
    let versions: VersionGroups
    private let index: SearchIndex
    private let insert: Statement
    private let commits: CommitCount?
    private var rows = 0
    private var began: MonotonicInstant?
    private var hasChanges = false
    private var visible: [Int64: Int] = [:]
    private var nextGame: Int64 = 0
    private var nextDirectory: Int64 = 0
    var shadows = ShadowNotes()
    /// Games in collections, as far as somebody asked.
    var collected: Set<BytePath>?
    /// Systems whose games changed since somebody last took the set.
    var changedSystems: Set<Int64> = []
    /// Directories whose games must be compared with what sheets name.
    var memberTargets: Set<Int64> = []
    /// Called as each transaction begins and ends; a test stops the scan there as a crash would.
    var fault: (() throws(SQLiteError) -> Void)?

    /// Several writers may work at the same time: each takes its numbers from the catalog as its transaction begins.
    init(catalog: CatalogDatabase, reader: GameReader, commits: CommitCount? = nil) throws(SQLiteError) {
        self.catalog = catalog
        self.reader = reader
        self.commits = commits
        versions = VersionGroups(catalog: catalog, reader: reader, choice: VersionChoice())
        index = SearchIndex(catalog: catalog, reader: reader)
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
        if let fault { try fault() }
        nextGame = try catalog.meta("next_game")
        nextDirectory = (try catalog.connection.integer("SELECT max(id) FROM directories") ?? 0) + 1
        shadows.isNeeded = (try catalog.connection.integer("SELECT count(*) FROM roots") ?? 0) > 1
    }

    /// Commits when enough has gathered.
    func pause() throws(SQLiteError) {
        guard let began else { return }
        if rows >= ScanWriter.rowsPerTransaction
            || MonotonicInstant.now.seconds(since: began) > ScanWriter.secondsPerTransaction
        {
            try commit()
            try begin()
        }
    }

    func commit() throws(SQLiteError) {
        guard began != nil else { return }
        try settleShadows()
        for (system, change) in visible where change != 0 {
            try catalog.connection.run(
                "UPDATE systems SET games = games + ? WHERE id = ?", [.integer(change), .integer(system)])
        }
        try versions.resolve()
        try catalog.setMeta("next_game", nextGame)
        // Tells watchers in other processes that they must read again.
        if hasChanges {
            try catalog.connection.run("UPDATE meta SET value = value + 1 WHERE key = 'changes'")
            // Before the commit: who reads in between must not take our change for another's.
            commits?.add()
        }
        do {
            if let fault { try fault() }
            try catalog.connection.run("COMMIT")
        } catch {
            if hasChanges { commits?.takeBack() }
            throw error
        }
        hasChanges = false
        visible = [:]
        rows = 0
        began = nil
    }

    func rollBack() {
        if catalog.connection.isInTransaction { try? catalog.connection.run("ROLLBACK") }
        versions.forget()
        began = nil
        rows = 0
        hasChanges = false
        visible = [:]
        shadows = ShadowNotes()
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
        shadows.note(game.directory, name: game.name)
        versions.touch(system: game.system, sort: game.sort)
        changed(game.system)
    }

    /// What is known of a game in a directory.
    struct KnownGame: Equatable {
        var id: Int64
        var directory: Int64
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
                id: $0.int64(0), directory: directory, name: $0.bytes(1), size: $0.int64(2), modified: $0.int64(3),
                kind: $0.int64(4),
                state: $0.int64(5), hiddenBy: $0.isNull(6) ? nil : $0.int64(6),
                launch: $0.isNull(7) ? nil : $0.bytes(7), discs: $0.int(8))
        }
    }

    func update(_ game: KnownGame, from old: KnownGame, system: Int64) throws(SQLiteError) {
        try begin()
        var game = game
        game.state = VersionGroups.normal(game.state)
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
        if (game.state ^ old.state) & CatalogSchema.State.missing != 0 {
            noteShadow(game)
            if game.state & CatalogSchema.State.missing != 0 { try noteDeparture(old) }
            if game.kind == 1 { memberTargets.formUnion(try targets(of: game.id)) }
        }
        if game.state != old.state || game.discs != old.discs { try versions.touch(game: game.id) }
        noteChange(system, from: old.state, to: game.state)
    }

    func remove(_ game: KnownGame, system: Int64) throws(SQLiteError) {
        try begin()
        try index.remove(game.id)
        try versions.touch(game: game.id)
        try noteDeparture(game)
        try forgetSheet(game.id)
        try catalog.connection.run("DELETE FROM games WHERE id = ?", [.integer(game.id)])
        try catalog.connection.run("DELETE FROM details WHERE game = ?", [.integer(game.id)])
        noteShadow(game)
        noteChange(system, from: game.state, to: -1)
    }

    private func noteShadow(_ game: KnownGame) {
        game.name.withUnsafeBytes { shadows.note(game.directory, name: $0) }
    }

    /// Removes a missing game, with the rows that other sources have of it: they are missing as well.
    func forget(_ id: Int64) throws(SQLiteError) {
        try begin()
        let place = try catalog.connection.first(
            """
            SELECT d.system, d.relative, g.name FROM games g JOIN directories d ON d.id = g.directory WHERE g.id = ?
            """, [.integer(id)]
        ) { (system: $0.int64(0), relative: $0.bytes(1), name: $0.bytes(2)) }
        guard let place else { return }
        let directories = try catalog.connection.rows(
            "SELECT id FROM directories WHERE system = ? AND relative = ?",
            [.integer(place.system), .blob(place.relative)]
        ) { $0.int64(0) }
        for directory in directories {
            for game in try known(in: directory)
            where game.name == place.name && game.state & CatalogSchema.State.missing != 0 {
                try remove(game, system: place.system)
            }
        }
    }

    func noteChange(_ system: Int64, from old: Int64, to new: Int64) {
        visible[system, default: 0] += (new == 0 ? 1 : 0) - (old == 0 ? 1 : 0)
        changed(system)
    }

    private func changed(_ system: Int64) {
        changedSystems.insert(system)
        hasChanges = true
    }

    // MARK: - Directories

    /// Remembers whether a system's games are to be one list.
    func setFlat(_ isFlat: Bool, directory: Int64, system: Int64) throws(SQLiteError) {
        let before = try catalog.connection.integer("SELECT flat FROM directories WHERE id = ?", [.integer(directory)])
        if before == (isFlat ? 1 : 0) { return }
        try begin()
        try catalog.connection.run(
            "UPDATE directories SET flat = ? WHERE id = ?", [.flag(isFlat), .integer(directory)])
        try catalog.connection.run(
            """
            UPDATE systems SET flat = (SELECT coalesce(max(flat), 0) FROM directories
                WHERE system = ?1 AND relative = x'') WHERE id = ?1
            """, [.integer(system)])
        changed(system)
    }

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
            "\(ScanWriter.tree) UPDATE games SET state = (state | ?) & ~8 WHERE directory IN tree AND state & ? = 0",
            [.integer(directory), .integer(missing), .integer(missing)])
        if shadows.isNeeded {
            shadows.places.formUnion(
                try places("\(ScanWriter.tree) SELECT system, relative FROM directories WHERE id IN tree", directory))
        }
        // What sheets in it name elsewhere is hidden by nobody now.
        memberTargets.formUnion(
            try catalog.connection.rows(
                """
                \(ScanWriter.tree) SELECT DISTINCT m.directory FROM games g INDEXED BY games_special
                JOIN members m ON m.sheet = g.id
                WHERE g.directory IN tree AND g.kind <> 0 AND m.directory NOT IN tree
                """, [.integer(directory)]
            ) { $0.int64(0) })
        // They must be read when they come back.
        try catalog.connection.run(
            "\(ScanWriter.tree) UPDATE directories SET modified = 0 WHERE id IN tree", [.integer(directory)])
        if !present.isEmpty { versions.touch(all: system) }
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
        if shadows.isNeeded {
            shadows.places.formUnion(
                try places("\(ScanWriter.tree) SELECT system, relative FROM directories WHERE id IN tree", directory))
        }
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

    private func places(_ sql: String, _ directory: Int64) throws(SQLiteError) -> [ShadowNotes.Place] {
        try catalog.connection.rows(sql, [.integer(directory)]) {
            ShadowNotes.Place(system: $0.int64(0), relative: $0.bytes(1))
        }
    }

    private static let tree = """
        WITH RECURSIVE tree(id) AS (VALUES (?1) UNION SELECT d.id FROM directories d JOIN tree t ON d.parent = t.id)
        """
}
