import Catalog
import SQLiteKit
import SystemKit

/// What lists should show, found without an index, a stored bit or a cache: every game is looked at for every question.
struct ListModel {
    struct Row {
        var game: Game
        var key: [UInt8]
        var folder: BytePath
        var details: Details?
        var title: [UInt8] { Array(key.prefix { $0 != 0x01 }) }
    }

    struct Details: Equatable {
        var genre: String?
        var players: Int?
        var year: Int?
        var rating: Double?
    }

    var rows: [Row]
    var collections: [Int64: (filter: GameFilter?, members: Set<Int64>)] = [:]
    var collapses = true
    var wanted = ["USA", "World", "Europe", "Japan"]

    init(_ store: CatalogStore, root: DataRootPaths) async throws {
        let connection = try Connection(root.catalog, access: .readOnly)
        let keys = try connection.rows("SELECT id, sort FROM games") { ($0.int64(0), $0.bytes(1)) }
        let known = Dictionary(uniqueKeysWithValues: keys)
        let details = try connection.rows("SELECT game, genre, players, year, rating FROM details") {
            (
                $0.int64(0),
                Details(
                    genre: $0.string(1), players: $0.isNull(2) ? nil : $0.int(2), year: $0.isNull(3) ? nil : $0.int(3),
                    rating: $0.isNull(4) ? nil : $0.double(4))
            )
        }
        let known2 = Dictionary(uniqueKeysWithValues: details)
        let all = GameQuery(includesVersions: true, includesHidden: true, missing: nil)
        rows = try await store.games(all, offset: 0, limit: 100_000).map { game in
            let path = game.relativePath
            return Row(
                game: game, key: known[game.id] ?? [],
                folder: path.bytes.contains(0x2F) ? path.parent : BytePath(""), details: known2[game.id])
        }
        for collection in try await store.collections() {
            collections[collection.id] = (collection.filter, [])
        }
        for row in rows {
            for id in try await store.collections(of: row.game.id) { collections[id]?.members.insert(row.game.id) }
        }
    }

    func ids(_ query: GameQuery) -> [Int64] {
        var found = rows.filter { row in
            let game = row.game
            if let system = query.system, game.system != system { return false }
            if let folder = query.folder, row.folder != folder { return false }
            if game.isHidden && !query.includesHidden { return false }
            if let missing = query.missing, game.isMissing != missing { return false }
            if !meets(row, query.filter) { return false }
            switch query.selection {
            case .all: return true
            case .favourites: return game.isFavourite
            case .recentlyPlayed: return game.playCount > 0
            case .mostPlayed: return game.playSeconds > 0
            case .neverPlayed: return game.playCount == 0
            case .collection(let id):
                guard let collection = collections[id] else { return false }
                if let filter = collection.filter { return meets(row, filter) }
                return collection.members.contains(game.id)
            }
        }
        if collapses, !query.includesVersions {
            switch query.selection {
            case .all, .neverPlayed:
                let isNarrow = query.folder != nil || !query.filter.isEmpty
                found = standing(among: isNarrow ? found : rows, of: found)
            case .collection(let id) where collections[id]?.filter != nil: found = standing(among: found, of: found)
            default: break
            }
        }
        found = found.filter { isFound($0, query.text) }
        found.sort { left, right in
            if query.selection == .mostPlayed, left.game.playSeconds != right.game.playSeconds {
                return left.game.playSeconds > right.game.playSeconds
            }
            return left.key == right.key
                ? left.game.id < right.game.id : left.key.lexicographicallyPrecedes(right.key)
        }
        return found.map(\.game.id)
    }

    private func isFound(_ row: Row, _ text: String) -> Bool {
        // A renamed game is still found by the name of its file.
        let name = row.game.relativePath.name.displayString
        let stem = name.prefix { $0 != "(" && $0 != "[" && $0 != "." }
        let words = (row.game.title + " " + stem).lowercased().split(separator: " ")
        return text.split(separator: " ").allSatisfy { word in words.contains { $0.hasPrefix(word.lowercased()) } }
    }

    private func meets(_ row: Row, _ filter: GameFilter) -> Bool {
        if !filter.systems.isEmpty, !filter.systems.contains(row.game.system) { return false }
        let details = row.details
        if !filter.genres.isEmpty {
            let genres = (details?.genre ?? "").lowercased().split(separator: "\n").map(String.init)
            guard filter.genres.contains(where: { genres.contains($0.lowercased()) }) else { return false }
        }
        if let least = filter.players, (details?.players ?? 0) < least { return false }
        if let first = filter.firstYear, (details?.year ?? Int.min) < first { return false }
        if let last = filter.lastYear, (details?.year ?? Int.max) > last { return false }
        if let least = filter.rating, (details?.rating ?? -1) < least { return false }
        if !filter.regions.isEmpty, Set(filter.regions).isDisjoint(with: NameTags(of: row.game.tags).regions) {
            return false
        }
        return isFound(row, filter.text)
    }

    // MARK: - Versions

    /// Of some rows those before which no version of the same title among the candidates comes.
    private func standing(among candidates: [Row], of rows: [Row]) -> [Row] {
        let seen = candidates.filter { !$0.game.isHidden && !$0.game.isMissing }
        return rows.filter { row in
            if row.game.isHidden || row.game.isMissing { return true }
            let group = seen.filter {
                $0.game.system == row.game.system && $0.title == row.title && part($0) == part(row)
            }
            let best = group.min { order($0).lexicographicallyPrecedes(order($1)) }
            return best.map { $0.game.tags == row.game.tags } ?? true
        }
    }

    private func part(_ row: Row) -> Int { row.game.discs > 1 ? 1 : NameTags(of: row.game.tags).disc ?? 1 }

    private func order(_ row: Row) -> [Int] {
        let tags = NameTags(of: row.game.tags)
        let region = wanted.firstIndex { tags.regions.contains($0) }
        return [
            row.game.isFavourite ? 0 : 1, tags.isIrregular ? 1 : 0,
            region ?? (tags.regions.isEmpty ? wanted.count : wanted.count + 1), tags.isVerified ? 0 : 1,
            -(tags.revision.flatMap { Int($0) } ?? -1), tags.others.count,
        ]
    }
}

/// Where a test finds the databases.
struct DataRootPaths {
    var catalog: BytePath
}
