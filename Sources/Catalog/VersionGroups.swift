import SQLiteKit
import SystemKit

/// Keeps `State.version` right: of games with the same title in a system all but the preferred one have it.
///
/// A group is what has the same sort key up to its tags. Few changes are settled in the transaction that makes them;
/// many only mark their systems in that transaction (`systems.versions`), and `settle` compares those systems behind
/// it. So the bit is never lost: a crash leaves the mark. Comparing is idempotent.
final class VersionGroups {
    private static let fewGroups = 64
    private static let groupsPerTransaction = 200
    static let version = CatalogSchema.State.version

    /// The titles of a system that may have another version in front now.
    private struct Touched {
        var keys: Set<[UInt8]> = []
        var isAll = false
    }

    let catalog: CatalogDatabase
    let reader: GameReader
    var choice: VersionChoice
    private var touched: [Int64: Touched] = [:]
    // A first scan asks a hundred thousand times for the same system.
    private var lastAll: Int64 = -1
    private var names: [Int64: String] = [:]

    init(catalog: CatalogDatabase, reader: GameReader, choice: VersionChoice) {
        self.catalog = catalog
        self.reader = reader
        self.choice = choice
    }

    convenience init(catalog: CatalogDatabase, reader: GameReader) throws(CatalogError) {
        self.init(catalog: catalog, reader: reader, choice: try VersionChoice(reader.user))
    }

    /// A state in which the bit means something: what is out of sight for another reason stands back for nothing.
    static func normal(_ state: Int64) -> Int64 { state & ~version == 0 ? state : state & ~version }

    // MARK: - Changes

    /// Notes that a game with this sort key came, went or changed.
    func touch(system: Int64, sort: UnsafeRawBufferPointer) {
        if system == lastAll || touched[system]?.isAll == true { return }
        touched[system, default: Touched()].keys.insert(Array(sort.prefix { $0 != 0x01 }))
        if touched[system, default: Touched()].keys.count > VersionGroups.fewGroups { touch(all: system) }
    }

    /// The same for a game by its number, before or after it changes.
    func touch(game id: Int64) throws(SQLiteError) {
        let row = try catalog.connection.first("SELECT system, sort FROM games WHERE id = ?", [.integer(id)]) {
            ($0.int64(0), $0.bytes(1))
        }
        if let (system, sort) = row { sort.withUnsafeBytes { touch(system: system, sort: $0) } }
    }

    /// Notes that any game of a system may have changed.
    func touch(all system: Int64) {
        touched[system, default: Touched()].isAll = true
        touched[system, default: Touched()].keys = []
        lastAll = system
    }

    /// Settles or marks what was touched; inside the transaction that made the changes, at its end.
    func resolve() throws(SQLiteError) {
        for (system, touched) in touched {
            if touched.isAll {
                try mark(system)
            } else {
                for key in touched.keys { try compare(system: system, key: key) }
            }
        }
        forget()
    }

    /// Lets go of what was touched: the transaction is over.
    func forget() {
        touched = [:]
        lastAll = -1
    }

    private func mark(_ system: Int64) throws(SQLiteError) {
        try catalog.connection.run("UPDATE systems SET versions = versions + 1 WHERE id = ?", [.integer(system)])
    }

    // MARK: - One group

    private struct Member {
        var id: Int64
        var state: Int64
        var rank: VersionRank
    }

    /// Gives the games of one title their states, in a transaction of the caller.
    private func compare(system: Int64, key: [UInt8]) throws(SQLiteError) {
        let members = try members(system: system, key: key)
        guard members.count > 1 || members.first?.state == VersionGroups.version else { return }
        var change: Int64 = 0
        for (member, state) in zip(members, wanted(members)) where member.state != state {
            try catalog.connection.run(
                "UPDATE games SET state = ? WHERE id = ?", [.integer(state), .integer(member.id)])
            change += state == 0 ? 1 : -1
        }
        if change != 0 {
            try catalog.connection.run(
                "UPDATE systems SET games = games + ? WHERE id = ?", [.integer(change), .integer(system)])
        }
    }

    private func wanted(_ members: [Member]) -> [Int64] {
        guard choice.collapses else { return members.map { _ in 0 } }
        return VersionRank.shown(members.map(\.rank)).map { $0 ? 0 : VersionGroups.version }
    }

    /// The games of one title that could stand in a list, in the order of the list.
    private func members(system: Int64, key: [UInt8]) throws(SQLiteError) -> [Member] {
        let name = try name(of: system)
        // Nothing else lies between a title and the same with a character more: characters begin at 0x20.
        let bounds: [Value] = [.integer(system), .blob(key), .blob(key + [0x02])]
        var rows: [(sort: [UInt8], member: Member)] = []
        for condition in ["state = 0", "state <> 0 AND state = 8"] {
            rows += try catalog.connection.rows(
                """
                SELECT id, name, favourite, discs, state, sort FROM games
                WHERE \(condition) AND system = ? AND sort >= ? AND sort < ?
                """, bounds
            ) { row in
                let tags = row.withBytes(1) { reader.tags(system: name, name: $0) }
                let rank = VersionRank(
                    tags, isFavourite: row.int(2) != 0, discs: row.int(3), choice: choice)
                return (row.bytes(5), Member(id: row.int64(0), state: row.int64(4), rank: rank))
            }
        }
        rows.sort { left, right in
            left.sort == right.sort
                ? left.member.id < right.member.id : left.sort.lexicographicallyPrecedes(right.sort)
        }
        return rows.map(\.member)
    }

    private func name(of system: Int64) throws(SQLiteError) -> String {
        if let name = names[system] { return name }
        let name = try catalog.connection.text("SELECT name FROM systems WHERE id = ?", [.integer(system)]) ?? ""
        names[system] = name
        return name
    }

    /// All versions of a game, the preferred one first; a game that lists do not show stands alone.
    func versions(of id: Int64) throws(SQLiteError) -> [Int64] {
        let row = try catalog.connection.first("SELECT system, sort, state FROM games WHERE id = ?", [.integer(id)]) {
            (system: $0.int64(0), sort: $0.bytes(1), state: $0.int64(2))
        }
        guard let row else { return [] }
        guard row.state & ~VersionGroups.version == 0 else { return [id] }
        let members = try members(system: row.system, key: Array(row.sort.prefix { $0 != 0x01 }))
        guard let part = members.first(where: { $0.id == id })?.rank.part else { return [id] }
        let order = members.enumerated().filter { $0.element.rank.part == part }.sorted { left, right in
            left.element.rank == right.element.rank
                ? left.offset < right.offset : left.element.rank < right.element.rank
        }
        return order.map(\.element.id)
    }
}

// MARK: - Whole systems

extension VersionGroups {
    /// Marks all systems when the settings are not those that the catalog was made with.
    func followSettings() throws(SQLiteError) {
        let fingerprint = choice.fingerprint
        if try catalog.meta("versions") == fingerprint { return }
        try catalog.connection.transaction { () throws(SQLiteError) in
            try catalog.connection.run("UPDATE systems SET versions = versions + 1")
            try catalog.setMeta("versions", fingerprint)
        }
    }

    /// Compares all games of the systems that were marked.
    ///
    /// - Returns: the systems in which something changed.
    func settle() throws(SQLiteError) -> Set<String> {
        let marked = try catalog.connection.rows("SELECT id, versions, name FROM systems WHERE versions <> 0") {
            (id: $0.int64(0), mark: $0.int64(1), name: $0.string(2) ?? "")
        }
        var changed: Set<String> = []
        for system in marked {
            if try settle(system.id) { changed.insert(system.name) }
            // Marked again meanwhile: with other settings perhaps, so it stays marked.
            try catalog.connection.run(
                "UPDATE systems SET versions = 0 WHERE id = ? AND versions = ?",
                [.integer(system.id), .integer(system.mark)])
        }
        return changed
    }

    private func settle(_ system: Int64) throws(SQLiteError) -> Bool {
        var changed = false
        try transaction { () throws(SQLiteError) in
            // The bit means nothing beside another one.
            for state in 9...31 as ClosedRange<Int64> where state & VersionGroups.version != 0 {
                try catalog.connection.run(
                    "UPDATE games SET state = state & ~8 WHERE state <> 0 AND state = ? AND system = ?",
                    [.integer(state), .integer(system)])
            }
        }
        var walk = GroupWalk(connection: catalog.connection, system: system)
        while true {
            let keys = try walk.next(limit: VersionGroups.groupsPerTransaction)
            if keys.isEmpty { return changed }
            let before = catalog.connection.totalChanges
            try transaction { () throws(SQLiteError) in
                for key in keys { try compare(system: system, key: key) }
            }
            if catalog.connection.totalChanges != before { changed = true }
        }
    }

    /// Takes the write lock only where something is written.
    private func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try catalog.connection.transaction(body)
    }
}

/// Finds the titles of a system that more than one game has, or one that should not stand back.
private struct GroupWalk {
    private static let rows = 4000
    let connection: Connection
    let system: Int64
    private var key: [UInt8] = []
    private var isAtEnd = false
    private var found: [[UInt8]] = []

    init(connection: Connection, system: Int64) {
        self.connection = connection
        self.system = system
    }

    mutating func next(limit: Int) throws(SQLiteError) -> [[UInt8]] {
        while found.count < limit, !isAtEnd { try read() }
        let keys = Array(found.prefix(limit))
        found.removeFirst(keys.count)
        return keys
    }

    /// Some rows on: titles with games out of sight all count, the others where two neighbours have the same.
    private mutating func read() throws(SQLiteError) {
        let shown = try connection.prepare(
            "SELECT sort FROM games WHERE state = 0 AND system = ? AND sort >= ? ORDER BY sort LIMIT ?")
        shown.bind([.integer(system), .blob(key), .integer(GroupWalk.rows)])
        defer { shown.reset() }
        var last: [UInt8] = key
        var isGiven = false
        var count = 0
        while try shown.step() {
            count += 1
            shown.withBytes(0) { bytes in
                let title = bytes.prefix { $0 != 0x01 }
                if title.elementsEqual(last) {
                    if !isGiven, !last.isEmpty, count > 1 { found.append(last) }
                    isGiven = count > 1
                } else {
                    last = Array(title)
                    isGiven = false
                }
            }
        }
        try readHidden(from: key, to: count < GroupWalk.rows ? nil : last)
        if count < GroupWalk.rows {
            isAtEnd = true
        } else if last == key {
            // More games with one title than are read at once.
            key = last + [0x02]
        } else {
            key = last
        }
    }

    private mutating func readHidden(from: [UInt8], to: [UInt8]?) throws(SQLiteError) {
        let known = Set(found)
        let rows = try connection.rows(
            "SELECT sort FROM games WHERE state <> 0 AND state = 8 AND system = ? AND sort >= ?"
                + (to == nil ? "" : " AND sort < ?"),
            [.integer(system), .blob(from)] + (to.map { [.blob($0)] } ?? [])
        ) { Array($0.withBytes(0) { $0.prefix { $0 != 0x01 } }) }
        for title in Set(rows).subtracting(known) { found.append(title) }
    }
}
