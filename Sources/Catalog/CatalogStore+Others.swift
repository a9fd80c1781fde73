import SQLiteKit
import SystemKit
import Systems

// What other processes, and the watcher in this one, did to the databases.
extension CatalogStore {
    private static let toldOneByOne = 50

    /// Opens the catalog anew where somebody put its file aside.
    func followReplacedCatalog() {
        if !isClosed, !catalog.isCurrent { try? reopenCatalog() }
    }

    /// Tells of commits of other connections.
    ///
    /// - Parameter haveScanned: whether the watcher saw games change by a scan that is not its own.
    func followOthers(haveScanned: Bool) {
        guard !isClosed else { return }
        followReplacedCatalog()
        let all = Set(registry.systems.map(\.name))
        if haveScanned { onChange?(.games(systems: all)) }
        // A connection's own commits do not change its data version: this one was somebody else's.
        guard let version = try? user.connection.dataVersion(), version != seenUser else { return }
        seenUser = version
        copyFacts()
        onChange?(.collections)
        let changed = (try? user.facts(since: seenSequence, limit: CatalogStore.toldOneByOne + 1)) ?? []
        seenSequence = (try? user.state().sequence) ?? seenSequence
        if changed.isEmpty || changed.count > CatalogStore.toldOneByOne {
            onChange?(.games(systems: all))
        } else {
            for facts in changed { tell(facts) }
        }
    }

    private func tell(_ facts: UserDatabase.Facts) {
        let folders = (try? catalog.connection.rows("SELECT path FROM roots") { BytePath(bytes: $0.bytes(0)) }) ?? []
        for folder in folders {
            let path = folder.appending(facts.system).appending(BytePath(bytes: facts.path))
            if let game = try? reader.game(path: path) { onChange?(.game(id: game.id)) }
        }
        onChange?(.games(systems: [facts.system]))
    }
}

extension CatalogStore {
    /// The newest version of each database's tables that this program can read, by the file's name.
    public static let newestSchemas = [
        "user.sqlite": UserSchema.migrations.count, "metadata.sqlite": MetadataSchema.migrations.count,
    ]
}
