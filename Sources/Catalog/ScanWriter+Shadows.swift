import SQLiteKit
import SystemKit

/// Games whose presence changed in a transaction, where several sources may have them.
struct ShadowNotes {
    /// A folder, whatever source it is in.
    struct Place: Hashable {
        var system: Int64
        var relative: [UInt8]
    }

    /// Whether there is more than one source at all.
    var isNeeded = false
    var names: [Int64: Set<[UInt8]>] = [:]
    /// Whole folders.
    var places: Set<Place> = []

    mutating func note(_ directory: Int64, name: UnsafeRawBufferPointer) {
        guard isNeeded else { return }
        names[directory, default: []].insert(Array(name))
    }
}

// A game that several sources have is one row: that of the first source in which it is there.
extension ScanWriter {
    private static let namesOneByOne = 2000

    /// Finds out anew which rows stand for the games that were noted.
    func settleShadows() throws(SQLiteError) {
        guard shadows.isNeeded else { return }
        let names = shadows.names
        var places = shadows.places
        shadows.names = [:]
        shadows.places = []
        for (directory, names) in names {
            guard let place = try place(of: directory), !places.contains(place), try isShared(place) else { continue }
            if names.count > ScanWriter.namesOneByOne {
                places.insert(place)
            } else {
                for name in names { try settle(place, name: name) }
            }
        }
        for place in places { try settle(place, name: nil) }
    }

    /// The same for all games, after the order of the sources changed.
    func settleAllShadows() throws(SQLiteError) {
        try begin()
        let all = try catalog.connection.rows(
            "SELECT system, relative FROM directories GROUP BY 1, 2 HAVING count(DISTINCT root) > 1"
        ) { ShadowNotes.Place(system: $0.int64(0), relative: $0.bytes(1)) }
        for place in all { try settle(place, name: nil) }
    }

    private func place(of directory: Int64) throws(SQLiteError) -> ShadowNotes.Place? {
        try catalog.connection.first("SELECT system, relative FROM directories WHERE id = ?", [.integer(directory)]) {
            ShadowNotes.Place(system: $0.int64(0), relative: $0.bytes(1))
        }
    }

    private func isShared(_ place: ShadowNotes.Place) throws(SQLiteError) -> Bool {
        let roots = try catalog.connection.integer(
            "SELECT count(DISTINCT root) FROM directories WHERE system = ? AND relative = ?",
            [.integer(place.system), .blob(place.relative)])
        return roots ?? 0 > 1
    }

    private struct Row {
        var id: Int64
        var name: [UInt8]
        var root: Int64
        var state: Int64
        var rank: (Int, Int64, Int64)
    }

    private func settle(_ place: ShadowNotes.Place, name: [UInt8]?) throws(SQLiteError) {
        let missing = CatalogSchema.State.missing
        let shadowed = CatalogSchema.State.shadowed
        let rows = try catalog.connection.rows(
            """
            SELECT g.id, g.name, d.root, g.state, r.position FROM directories d JOIN roots r ON r.id = d.root
            JOIN games g ON g.directory = d.id \(name == nil ? "" : "AND g.name = ?3")
            WHERE d.system = ?1 AND d.relative = ?2
            """, [.integer(place.system), .blob(place.relative)] + (name.map { [.blob($0)] } ?? [])
        ) {
            let state = $0.int64(3)
            return Row(
                id: $0.int64(0), name: $0.bytes(1), root: $0.int64(2), state: state,
                rank: (state & missing != 0 ? 1 : 0, $0.int64(4), $0.int64(2)))
        }
        var first: [[UInt8]: Row] = [:]
        for row in rows {
            if let other = first[row.name], other.rank <= row.rank { continue }
            first[row.name] = row
        }
        for row in rows {
            // Two folders of one source for one system both show: the source itself has the file twice.
            let isBehind = first[row.name].map { $0.root != row.root } ?? false
            let state = VersionGroups.normal(isBehind ? row.state | shadowed : row.state & ~shadowed)
            if state == row.state { continue }
            try catalog.connection.run(
                "UPDATE games SET state = ? WHERE id = ?", [.integer(state), .integer(row.id)])
            try versions.touch(game: row.id)
            noteChange(place.system, from: row.state, to: state)
        }
    }
}
