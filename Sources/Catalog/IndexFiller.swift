import SQLiteKit
import Synchronization
import SystemKit
import Systems

/// Fills the search index on a thread of its own, below everything a person waits for.
enum IndexFiller {
    private static let rowsPerTransaction = 250
    private static let running = Mutex<Set<BytePath>>([])

    /// Starts a thread where games are not in the index and none runs for this catalog.
    static func start(
        root: DataRoot, registry: SystemRegistry, onChange: (@Sendable (CatalogChange) -> Void)? = nil
    ) {
        let isFirst = running.withLock { $0.insert(root.state).inserted }
        guard isFirst else { return }
        startThread(name: "catalog-index") {
            lowerThreadToIdlePriority()
            _ = try? fill(root: root, registry: registry, onChange: onChange)
            running.withLock { _ = $0.remove(root.state) }
        }
    }

    /// Settles what versions stand for others where that is open, then fills the index to its end.
    static func fill(
        root: DataRoot, registry: SystemRegistry, onChange: (@Sendable (CatalogChange) -> Void)? = nil
    ) throws(CatalogError) {
        let catalog = try CatalogDatabase(in: root.state)
        let user = try UserDatabase.openAgain(in: root.state)
        let reader = GameReader(catalog: catalog, user: user, rules: CatalogStore.rules(of: registry))
        let index = SearchIndex(catalog: catalog, reader: reader)
        let versions = try VersionGroups(catalog: catalog, reader: reader)
        let changed = try catalog.guarded { () throws(SQLiteError) in try versions.settle() }
        if !changed.isEmpty { onChange?(.games(systems: changed)) }
        try catalog.guarded { () throws(SQLiteError) in
            try catalog.connection.execute(CatalogSchema.orderOfAll)
        }
        var isMore = true
        while isMore, catalog.isCurrent {
            isMore = try catalog.guarded { () throws(SQLiteError) in try index.fill(limit: rowsPerTransaction) }
            // Leaves the write lock to others in between.
            if isMore { sleepThread(seconds: 0.005) }
        }
        DailyCheck(catalog: catalog).run()
    }
}
