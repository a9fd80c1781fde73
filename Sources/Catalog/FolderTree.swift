import SQLiteKit
import SystemKit

/// The folders of a system with the games in them, those of the same path in several sources as one.
struct FolderTree {
    // Games to show directly in a folder.
    private var games: [[UInt8]: Int] = [:]

    /// Reads all games of the system once: a folder shows its games as `GameQuery.folder` lists them, each title once.
    init(system: String, reader: GameReader, choice: VersionChoice) throws(SQLiteError) {
        let connection = reader.catalog.connection
        let folders = try connection.rows(
            "SELECT d.id, d.relative FROM systems s JOIN directories d ON d.system = s.id WHERE s.name = ?",
            [.text(system)]
        ) { (id: $0.int64(0), path: $0.bytes(1)) }
        var paths: [[UInt8]] = []
        var numbers: [[UInt8]: Int] = [:]
        var places: [Int64: Int] = [:]
        for folder in folders {
            if numbers[folder.path] == nil {
                numbers[folder.path] = paths.count
                paths.append(folder.path)
            }
            places[folder.id] = numbers[folder.path]
        }
        var counts = Array(repeating: 0, count: paths.count)
        let statement = try connection.prepare(
            """
            SELECT g.directory, g.sort, g.name, g.favourite, g.discs FROM games g
            WHERE g.state IN (0, 8) AND g.system = (SELECT id FROM systems WHERE name = ?) ORDER BY g.sort
            """)
        statement.bind(1, system)
        defer { statement.reset() }
        var title: [UInt8] = []
        var versions: [(place: Int64, rank: VersionRank)] = []
        func count() {
            let shown = VersionRank.shown(versions.map(\.rank), places: versions.map(\.place))
            for (version, isShown) in zip(versions, shown) where isShown { counts[Int(version.place)] += 1 }
            versions.removeAll(keepingCapacity: true)
        }
        while try statement.step() {
            guard let place = places[statement.int64(0)] else { continue }
            guard choice.collapses else {
                counts[place] += 1
                continue
            }
            if !statement.withBytes(1, { $0.prefix { $0 != 0x01 }.elementsEqual(title) }) {
                count()
                title = statement.withBytes(1) { Array($0.prefix { $0 != 0x01 }) }
            }
            let tags = statement.withBytes(2) { reader.tags(system: system, name: $0) }
            let rank = VersionRank(
                tags, isFavourite: statement.int(3) != 0, discs: statement.int(4), choice: choice)
            versions.append((Int64(place), rank))
        }
        count()
        for (path, count) in zip(paths, counts) { games[path] = count }
    }

    /// The folders directly in one that have games, in the order of their names.
    func folders(in folder: BytePath, reader: GameReader) -> [GameFolder] {
        let above = folder.bytes.isEmpty ? [] : folder.bytes + [0x2F]
        var found: [[UInt8]: Int] = [:]
        for (path, count) in games where count > 0 && path.count > above.count && path.starts(with: above) {
            let name = Array(path[above.count...].prefix { $0 != 0x2F })
            found[name, default: 0] += count
        }
        return found.map { name, count in
            let path = BytePath(bytes: above + name)
            return (
                key: reader.sortKey(of: BytePath.displayString(of: name)), name: name,
                folder: GameFolder(name: path.name.displayString, path: path, games: count)
            )
        }.sorted { left, right in
            left.key == right.key
                ? left.name.lexicographicallyPrecedes(right.name) : left.key.lexicographicallyPrecedes(right.key)
        }.map(\.folder)
    }
}

extension GameReader {
    /// The sort key of a title that stands for itself.
    func sortKey(of title: String) -> [UInt8] {
        parts.parse(title: title)
        return Array(parts.sortKey().bytes)
    }
}
