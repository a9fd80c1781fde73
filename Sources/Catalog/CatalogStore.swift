import SQLiteKit
internal import SystemKit
public import Systems

/// The games and what the person did with them, for everybody who shows or changes them.
///
/// Works on a thread of its own, because SQLite blocks. Several stores, also in several processes, may be open on the
/// same folder; each hears of the others' changes through `LibraryWatcher`.
public actor CatalogStore {
    /// The folders that the catalog is about; its folder of state is the one in use, which may be a temporary one.
    public nonisolated let root: DataRoot
    /// The systems that are known.
    public nonisolated let registry: SystemRegistry
    nonisolated let onChange: (@Sendable (CatalogChange) -> Void)?
    private let executor: ThreadExecutor
    let user: UserDatabase
    private let notices: [String]
    private let temporary: TemporaryState?
    /// Why nothing that the person does can be kept; `nil` where all is well.
    public nonisolated let startTrouble: StartTrouble?
    var catalog: CatalogDatabase
    var reader: GameReader
    var lists: GameLists
    var isClosed = false
    // Up to where commits of others have been told.
    var seenUser: Int64 = 0
    var seenSequence: Int64 = 0

    /// Its own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// What to do where the folder of state cannot be used.
    public enum Fallback: Sendable {
        /// Fail.
        case none
        /// Go on in memory with what can be read there: `startTrouble` says why, and `root.state` is another folder.
        case temporary
    }

    /// Opens the databases in `root.state`, making or mending what is missing or damaged.
    ///
    /// - Parameters:
    ///   - fallback: what to do where that folder is full, read-only, somebody else's or of a newer version.
    ///   - onChange: called from any thread after something changed through this store or its watcher.
    /// - Throws: `CatalogError.newerSchema` for the person's data of a newer version, which is left as it is;
    ///   `CatalogError.database` or `.file` where the folder cannot be used; with `.temporary` only where there is no
    ///   room for anything anywhere.
    public static func open(
        root: DataRoot, registry: SystemRegistry, fallback: Fallback = .none,
        onChange: (@Sendable (CatalogChange) -> Void)? = nil
    ) throws(CatalogError) -> CatalogStore {
        do throws(CatalogError) {
            return try CatalogStore(root: root, registry: registry, temporary: nil, onChange: onChange)
        } catch {
            guard case .temporary = fallback else { throw error }
            let trouble = StartTrouble(error, in: root.state)
            let temporary = try TemporaryState(of: root.state, trouble: trouble)
            let place = DataRoot(
                root: root.root, roms: root.roms, state: temporary.path, configuration: root.configuration)
            return try CatalogStore(root: place, registry: registry, temporary: temporary, onChange: onChange)
        }
    }

    private init(
        root: DataRoot, registry: SystemRegistry, temporary: TemporaryState?,
        onChange: (@Sendable (CatalogChange) -> Void)?
    ) throws(CatalogError) {
        self.root = root
        self.registry = registry
        self.temporary = temporary
        self.onChange = onChange
        do {
            try createDirectories(root.state)
            executor = try ThreadExecutor(name: "catalog")
        } catch {
            throw CatalogError.file(error)
        }
        let mended: [String]
        (user, catalog, mended) = try CatalogStore.openDatabases(in: root.state, keepsBackups: temporary == nil)
        // What was mended in a copy was not mended.
        notices = temporary == nil ? mended : []
        user.trouble = temporary?.trouble
        let readOnly = StartTrouble.ofFiles([user.connection, catalog.connection], in: root.state)
        startTrouble = temporary?.trouble ?? StartTrouble.ofSpace(in: root.state) ?? readOnly
        let rules = CatalogStore.rules(of: registry)
        reader = GameReader(catalog: catalog, user: user, rules: rules)
        lists = GameLists(catalog: catalog, reader: reader)
        do {
            try FactsCopy(catalog: catalog, user: user, reader: reader).run()
        } catch  where error.isFull {
            // Copied at the next start, or when something else is copied. The games can be played, and deleted.
        } catch {
            guard error.isDamage(of: catalog.path) else { throw error }
            _ = try putCatalogAside(catalog.path)
            catalog = try CatalogDatabase(in: root.state)
            reader = GameReader(catalog: catalog, user: user, rules: rules)
            lists = GameLists(catalog: catalog, reader: reader)
        }
        seenUser = (try? user.connection.dataVersion()) ?? 0
        seenSequence = try user.state().sequence
    }

    private static func openDatabases(
        in folder: BytePath, keepsBackups: Bool
    ) throws(CatalogError) -> (UserDatabase, CatalogDatabase, [String]) {
        // Two starts at once must not both mend a damaged file.
        let lock: LockFile
        do {
            lock = try LockFile(folder.appending("open.lock"))
        } catch {
            throw CatalogError.file(error)
        }
        let (user, notice) = try UserDatabase.open(in: folder, keepsBackups: keepsBackups)
        var notices = [notice?.sentence(about: "your favourites and settings")]
        let metadata = MetadataDatabase.file(in: folder)
        if fileExists(metadata.path) || metadata.backups.hasAny {
            let (_, notice) = try MetadataDatabase.openMended(in: folder)
            notices.append(notice?.sentence(about: "what lists say about your games"))
        }
        let catalog = try CatalogDatabase(in: folder)
        lock.release()
        return (user, catalog, notices.compactMap { $0 })
    }

    static func rules(of registry: SystemRegistry) -> [String: SystemRules] {
        Dictionary(registry.systems.map { ($0.name, SystemRules($0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// A sentence about something that had to be mended at the start, for the screen and the log.
    public nonisolated var startNotice: String? {
        notices.isEmpty ? nil : notices.joined(separator: " ")
    }

    /// What a check of the databases finds; empty when they are sound. Reads them completely.
    public func integrityProblems() throws(CatalogError) -> [String] {
        try ready()
        let inUser = try user.guarded { () throws(SQLiteError) in try user.connection.quickCheck() }
        let inCatalog = try catalog.guarded { () throws(SQLiteError) in try catalog.connection.quickCheck() }
        var problems = inUser.map { "\(user.path): \($0)" } + inCatalog.map { "\(catalog.path): \($0)" }
        let path = MetadataDatabase.file(in: root.state).path
        if fileExists(path) {
            let metadata = try MetadataDatabase.open(in: root.state)
            let found = try metadata.guarded { () throws(SQLiteError) in try metadata.connection.quickCheck() }
            problems += found.map { "\(path): \($0)" }
        }
        return problems
    }

    /// Lets go of the databases; every later call fails with `CatalogError.closed`.
    public func close() {
        isClosed = true
        stopIdentifying()
        user.connection.close()
        catalog.connection.close()
    }

    func ready() throws(CatalogError) {
        if isClosed { throw CatalogError.closed }
    }

    /// Runs something that reads or writes the catalog; a damaged catalog is put aside and made anew, and the same
    /// is tried once more.
    func withCatalog<Result>(
        _ body: (isolated CatalogStore) throws(CatalogError) -> Result
    ) throws(CatalogError) -> Result {
        try ready()
        do {
            return try body(self)
        } catch {
            guard error.isDamage(of: catalog.path) else { throw error }
            if catalog.isCurrent { _ = try putCatalogAside(catalog.path) }
            try reopenCatalog()
            onChange?(.games(systems: Set(registry.systems.map(\.name))))
            return try body(self)
        }
    }

    func reopenCatalog() throws(CatalogError) {
        catalog.connection.close()
        catalog = try CatalogDatabase(in: root.state)
        reader = GameReader(catalog: catalog, user: user, rules: reader.rules)
        lists = GameLists(catalog: catalog, reader: reader)
        try FactsCopy(catalog: catalog, user: user, reader: reader).run()
    }
}
