internal import Synchronization
public import SystemKit
public import Systems

/// Keeps the catalog up to date while the menu runs: scans once, then follows the disk and what other processes commit.
///
/// Sleeps in the kernel while nothing happens. Changes are told through the store's `onChange`.
public final class LibraryWatcher: Sendable {
    private let store: CatalogStore
    private let root: DataRoot
    private let registry: SystemRegistry
    private let log: Log
    private let bell: Wake
    private let errands: TaskThreads
    private let isRunning = Mutex(false)
    private let isStopping = Atomic(false)

    /// A watcher that does nothing before `start`.
    ///
    /// - Throws: `CatalogError.file` where the kernel has no descriptor left.
    public init(store: CatalogStore, root: DataRoot, registry: SystemRegistry, log: Log) throws(CatalogError) {
        self.store = store
        self.root = root
        self.registry = registry
        self.log = log
        do {
            bell = try Wake()
            errands = try TaskThreads(name: "library-news", count: 1)
        } catch {
            throw CatalogError.file(error)
        }
    }

    /// Starts its thread, once.
    public func start() {
        let isFirst = isRunning.withLock { running in
            defer { running = true }
            return !running
        }
        guard isFirst else { return }
        let (store, root, registry, log, bell, errands) = (store, root, registry, log, bell, errands)
        startThread(name: "library-watch") { [weak self] in
            let loop = WatchLoop(
                store: store, root: root, registry: registry, log: log, bell: bell, errands: errands
            ) {
                self?.isStopping.load(ordering: .relaxed) ?? true
            }
            loop.run()
        }
    }

    /// Ends its thread, after the transaction it is in.
    public func stop() {
        isStopping.store(true, ordering: .relaxed)
        bell.ring()
    }

    deinit { stop() }
}
