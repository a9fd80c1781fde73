import SQLiteKit
import SystemKit

/// A list that no index has in its order, read whole: what a person marked, played or put together, filters, folders,
/// and what is hidden or missing.
struct ListQuery {
    let query: GameQuery
    let reader: GameReader
    let choice: VersionChoice
    private var collection: GameCollection?
    private var connection: Connection { reader.catalog.connection }

    init(_ query: GameQuery, reader: GameReader, choice: VersionChoice) throws(CatalogError) {
        self.query = query
        self.reader = reader
        self.choice = choice
        if case .collection(let id) = query.selection { collection = try reader.user.collection(id) }
    }

    /// The numbers of its games, in order.
    func ids() throws(CatalogError) -> [UInt32] {
        var filters = query.filter.isEmpty ? [] : [query.filter]
        var chosen: [(system: String, path: [UInt8])]?
        if case .collection(let id) = query.selection {
            guard let collection else { return [] }
            if let filter = collection.filter {
                filters.append(filter)
            } else {
                chosen = try reader.user.members(of: id)
            }
        }
        if query.selection == .mostPlayed { chosen = try reader.user.longestPlayed() }
        return try reader.catalog.guarded { () throws(SQLiteError) in try ids(filters, chosen) }
    }

    private func ids(
        _ filters: [GameFilter], _ chosen: [(system: String, path: [UInt8])]?
    ) throws(SQLiteError) -> [UInt32] {
        var places: [Int64: Int]?
        if let chosen { places = try resolve(chosen) }
        if places?.isEmpty == true { return [] }
        var rows = try rows(filters, places)
        if collapses { rows = collapsed(rows) }
        if query.selection == .mostPlayed, let places {
            // The list is in the order of titles so far; sorting keeps that among equals.
            let order = rows.enumerated().sorted { left, right in
                let (one, other) = (places[left.element.id] ?? 0, places[right.element.id] ?? 0)
                return one == other ? left.offset < right.offset : one < other
            }
            return order.map { UInt32(truncatingIfNeeded: $0.element.id) }
        }
        return rows.map { UInt32(truncatingIfNeeded: $0.id) }
    }

    /// Whether versions collapse among the games of this list, instead of in their system: a folder or a filter may
    /// have other versions than the one that stands for all. What the person chose one by one is shown as chosen.
    private var collapses: Bool {
        guard choice.collapses, !query.includesVersions else { return false }
        switch query.selection {
        case .all, .neverPlayed: return query.folder != nil || !query.filter.isEmpty
        case .collection: return collection?.filter != nil
        case .favourites, .recentlyPlayed, .mostPlayed: return false
        }
    }

    // MARK: - Conditions

    /// States that are listed; `version` has a meaning for games in sight only.
    private var states: [Int64] {
        var takesVersions = query.includesVersions || collapses
        switch query.selection {
        case .favourites, .recentlyPlayed, .mostPlayed, .collection: takesVersions = true
        case .all, .neverPlayed: break
        }
        var states: [Int64] = []
        for missing in [false, true] where query.missing != !missing {
            for hidden in [false, true] where !hidden || query.includesHidden {
                let state =
                    (missing ? CatalogSchema.State.missing : 0) | (hidden ? CatalogSchema.State.hidden : 0)
                states.append(state)
                if takesVersions || state != 0 { states.append(state | CatalogSchema.State.version) }
            }
        }
        return states
    }

    private struct Conditions {
        var texts: [String] = []
        var values: [Value] = []
        var needsDetails = false
        var order = "g.sort, g.id"
        var index = ""

        mutating func add(_ text: String, _ value: Value...) {
            texts.append(text)
            values += value
        }
    }

    private func conditions(_ filters: [GameFilter]) -> Conditions {
        var conditions = Conditions()
        let states = states
        // Literally "= 0" where possible: partial indexes are chosen by their condition's text.
        let list = states.map(String.init).joined(separator: ", ")
        conditions.add(
            states == [0]
                ? "g.state = 0"
                : states.contains(0) ? "g.state IN (\(list))" : "g.state <> 0 AND g.state IN (\(list))")
        if let system = query.system {
            conditions.add("g.system = (SELECT id FROM systems WHERE name = ?)", .text(system))
        }
        if let folder = query.folder {
            conditions.add(
                query.system == nil
                    ? "g.directory IN (SELECT id FROM directories WHERE relative = ?)"
                    : """
                    g.directory IN (SELECT d.id FROM systems s JOIN directories d ON d.system = s.id
                        WHERE s.name = ? AND d.relative = ?)
                    """)
            if let system = query.system { conditions.values.append(.text(system)) }
            conditions.values.append(.blob(folder.bytes))
        }
        switch query.selection {
        // Without statistics the planner would walk all games of the partial index for state 0.
        case .favourites:
            conditions.add("g.facts = 1 AND g.favourite = 1")
            conditions.index = " INDEXED BY games_with_facts"
        case .recentlyPlayed:
            conditions.add("g.facts = 1 AND g.played > 0")
            conditions.order = "g.played DESC, g.id"
            conditions.index = " INDEXED BY games_with_facts"
        case .neverPlayed: conditions.add("g.played = 0")
        case .all, .mostPlayed, .collection: break
        }
        for filter in filters { add(filter, to: &conditions) }
        return conditions
    }

    private func add(_ filter: GameFilter, to conditions: inout Conditions) {
        if !filter.systems.isEmpty {
            let marks = Array(repeating: "?", count: filter.systems.count).joined(separator: ", ")
            conditions.add("g.system IN (SELECT id FROM systems WHERE name IN (\(marks)))")
            conditions.values += filter.systems.map { .text($0) }
        }
        if let players = filter.players { conditions.add("d.players >= ?", .integer(players)) }
        if let year = filter.firstYear { conditions.add("d.year >= ?", .integer(year)) }
        if let year = filter.lastYear { conditions.add("d.year <= ?", .integer(year)) }
        if let rating = filter.rating { conditions.add("d.rating >= ?", .real(rating - 1e-9)) }
        if filter.asksDetails { conditions.needsDetails = true }
    }

    // MARK: - Rows

    private struct Row {
        var id: Int64
        var system: Int64
        var state: Int64
        var title: [UInt8]
        var rank: VersionRank?
    }

    private func rows(_ filters: [GameFilter], _ places: [Int64: Int]?) throws(SQLiteError) -> [Row] {
        let conditions = conditions(filters)
        let regions = filters.map { $0.regions.reduce(UInt64(0)) { $0 | (TitleTagWords.bits(named: $1) ?? 0) } }
        let asksRegions = filters.contains { !$0.regions.isEmpty }
        var genres = GenreTest(filters.map(\.genres))
        var texts: [IDSet] = []
        for filter in filters {
            let words = reader.words(of: filter.text)
            if !words.isEmpty { texts.append(try SearchMatch.exact(words, system: nil, reader: reader)) }
        }
        let names = Dictionary(
            try connection.rows("SELECT id, name FROM systems") { ($0.int64(0), $0.string(1) ?? "") },
            uniquingKeysWith: { first, _ in first })
        let collapses = collapses
        let genre = conditions.needsDetails ? "d.genre" : "NULL"
        let details = conditions.needsDetails ? " JOIN details d ON d.game = g.id" : ""
        let sql = """
            SELECT g.id, g.system, g.state, g.sort, g.name, g.favourite, g.discs, \(genre)
            FROM games g\(conditions.index)\(details) WHERE \(conditions.texts.joined(separator: " AND "))
            """
        var rows: [Row] = []
        func take(_ row: Statement) {
            let id = row.int64(0)
            guard texts.allSatisfy({ $0.contains(id) }), genres.accepts(row.string(7)) else { return }
            var made = Row(id: id, system: row.int64(1), state: row.int64(2), title: [])
            if asksRegions || collapses {
                let tags = row.withBytes(4) { reader.tags(system: names[made.system] ?? "", name: $0) }
                for (wanted, filter) in zip(regions, filters)
                where !filter.regions.isEmpty && wanted & tags.regions == 0 {
                    return
                }
                if collapses {
                    made.title = row.withBytes(3) { Array($0.prefix { $0 != 0x01 }) }
                    made.rank = VersionRank(
                        tags, isFavourite: row.int(5) != 0, discs: row.int(6), choice: choice)
                }
            }
            rows.append(made)
        }
        guard let places else {
            let statement = try connection.prepare(sql + " ORDER BY \(conditions.order)")
            statement.bind(conditions.values)
            defer { statement.reset() }
            while try statement.step() { take(statement) }
            return rows
        }
        // Few games, one by one, and put in order here.
        var keyed: [(key: IndexWalk.Key, row: Row)] = []
        let statement = try connection.prepare(sql + " AND g.id = ?")
        for id in places.keys {
            statement.bind(conditions.values + [.integer(id)])
            defer { statement.reset() }
            guard try statement.step() else { continue }
            let before = rows.count
            take(statement)
            if rows.count > before { keyed.append((IndexWalk.Key(sort: statement.bytes(3), id: id), rows[before])) }
        }
        keyed.sort { $0.key < $1.key }
        return keyed.map(\.row)
    }

    /// The games of paths, with the place of each in the order they came.
    private func resolve(_ chosen: [(system: String, path: [UInt8])]) throws(SQLiteError) -> [Int64: Int] {
        var places: [Int64: Int] = [:]
        for (place, member) in chosen.enumerated() {
            if let system = query.system, member.system != system { continue }
            for id in try reader.ids(system: member.system, path: member.path) { places[id] = places[id] ?? place }
        }
        return places
    }

    /// Leaves of each title's versions the preferred one; rows in the order of titles.
    private func collapsed(_ rows: [Row]) -> [Row] {
        var kept: [Row] = []
        var start = 0
        while start < rows.count {
            var end = start + 1
            while end < rows.count, rows[end].title == rows[start].title { end += 1 }
            kept += end == start + 1 ? rows[start..<end] : best(of: rows[start..<end])[...]
            start = end
        }
        return kept
    }

    private func best(of rows: ArraySlice<Row>) -> [Row] {
        // Hidden and missing games are no versions of anything.
        let candidates = rows.filter { $0.state & ~VersionGroups.version == 0 }
        let shown = VersionRank.shown(candidates.compactMap(\.rank), places: candidates.map(\.system))
        let out = Set(zip(candidates, shown).filter { !$0.1 }.map(\.0.id))
        return rows.filter { !out.contains($0.id) }
    }
}

extension GameFilter {
    /// Whether a game without metadata cannot meet it.
    var asksDetails: Bool {
        !genres.isEmpty || players != nil || firstYear != nil || lastYear != nil || rating != nil
    }
}

/// Whether genres of games are among those asked for; the same few texts come again and again.
private struct GenreTest {
    private let wanted: [Set<[UInt8]>]
    private var known: [String: Bool] = [:]

    init(_ lists: [[String]]) {
        wanted = lists.filter { !$0.isEmpty }.map { Set($0.map(foldedName)) }
    }

    mutating func accepts(_ text: String?) -> Bool {
        if wanted.isEmpty { return true }
        guard let text else { return false }
        if let answer = known[text] { return answer }
        let genres = text.split(separator: "\n").map { foldedName(String($0)) }
        let answer = wanted.allSatisfy { list in genres.contains { list.contains($0) } }
        known[text] = answer
        return answer
    }
}

/// A name in a form that is the same for all its spellings.
func foldedName(_ name: String) -> [UInt8] {
    let buffer = ByteBuffer(capacity: 64)
    var name = name
    let folding = Folding()
    name.withUTF8 { folding.fold($0, into: buffer, numbers: false) }
    return Array(buffer.bytes)
}

extension GameReader {
    /// The games at a path below a system's folder: one in each source that has it.
    func ids(system: String, path: [UInt8]) throws(SQLiteError) -> [Int64] {
        let place = BytePath(bytes: path)
        let folder = path.contains(0x2F) ? place.parent.bytes : []
        return try catalog.connection.rows(
            """
            SELECT g.id FROM systems s JOIN directories d ON d.system = s.id AND d.relative = ?
            JOIN games g ON g.directory = d.id AND g.name = ? WHERE s.name = ?
            """, [.blob(folder), .blob(place.name.bytes), .text(system)]
        ) { $0.int64(0) }
    }
}
