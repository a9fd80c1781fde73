import SQLiteKit
public import SystemKit

// Several files of one game: which of them lists show, and folders as a person made them.
extension CatalogStore {
    /// Whose change decides anew which version of a game stands for the others.
    static let versionSettings: Set<String> = ["versions.collapse", "versions.regions"]
    private static let fewGames = 20_000

    /// All versions of a game in its system, the preferred one first; a game alone gives itself.
    public func versions(of id: Int64) throws(CatalogError) -> [Game] {
        try withCatalog { store throws(CatalogError) in
            let groups = try VersionGroups(catalog: store.catalog, reader: store.reader)
            let ids = try store.catalog.guarded { () throws(SQLiteError) in try groups.versions(of: id) }
            var games: [Game] = []
            for id in ids {
                if let game = try store.reader.game(id: id) { games.append(game) }
            }
            return games
        }
    }

    /// What the brackets of a game's name say.
    public nonisolated func tags(of game: Game) -> NameTags { NameTags(of: game.tags) }

    /// The folders in a folder of a system (an empty path for the system's own), those of all sources together.
    public func folders(system: String, in folder: BytePath = BytePath("")) throws(CatalogError) -> [GameFolder] {
        try withCatalog { store throws(CatalogError) in try store.lists.folders(system: system, in: folder) }
    }

    /// Brings the versions in line with the settings: at once where there are few games, else behind.
    func followVersionSettings() {
        let isMarked = try? withCatalog { store throws(CatalogError) in
            let groups = try VersionGroups(catalog: store.catalog, reader: store.reader)
            return try store.catalog.guarded { () throws(SQLiteError) in
                try groups.followSettings()
                let marked = try store.catalog.connection.integer("SELECT 1 FROM systems WHERE versions <> 0 LIMIT 1")
                guard marked != nil else { return false }
                let games = try store.catalog.connection.integer("SELECT max(id) FROM games") ?? 0
                if games > CatalogStore.fewGames { return true }
                let changed = try groups.settle()
                if !changed.isEmpty { store.onChange?(.games(systems: changed)) }
                return false
            }
        }
        if isMarked == true { IndexFiller.start(root: root, registry: registry, onChange: onChange) }
    }
}
