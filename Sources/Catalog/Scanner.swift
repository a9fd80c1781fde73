import SQLiteKit
import SystemKit
import Systems

/// Compares the disk with the catalog. Blocks; used on one thread, with connections of its own.
final class Scanner {
    let root: DataRoot
    let registry: SystemRegistry
    let rules: [String: SystemRules]
    let catalog: CatalogDatabase
    let user: UserDatabase
    let reader: GameReader
    let look = DirectoryLook()
    let parts = TitleParts()
    let keys = ByteBuffer(capacity: 1 << 16)
    let onChange: @Sendable (CatalogChange) -> Void
    var report = ScanReport()
    /// Seconds of all scans in which nothing was done but waiting for files to settle.
    private(set) var secondsWaited = 0.0
    var entries = 0
    var settling = Settling()
    // Set for the length of one scan.
    var writing: ScanWriter?
    var facts: [String: [[UInt8]: UserDatabase.Facts]] = [:]
    var leftForLater: [BytePath: (place: ScanPlace, system: ScannedSystem)] = [:]
    var outsideMembers: [ScanWriter.OutsideMember] = []
    var mayRemove = true
    private var lastNews = MonotonicInstant.now

    private static let manyGames = 20_000

    /// A system in a scan.
    struct ScannedSystem {
        var id: Int64
        var rules: SystemRules
        var isFull: Bool
    }

    init(
        root: DataRoot, registry: SystemRegistry, onChange: @escaping @Sendable (CatalogChange) -> Void
    ) throws(CatalogError) {
        self.root = root
        self.registry = registry
        self.onChange = onChange
        rules = CatalogStore.rules(of: registry)
        catalog = try CatalogDatabase(in: root.state)
        user = try UserDatabase.openAgain(in: root.state)
        reader = GameReader(catalog: catalog, user: user, rules: rules)
        catalog.connection.setBusyTimeout(seconds: 10)
        try catalog.guarded { () throws(SQLiteError) in
            try catalog.connection.execute("PRAGMA cache_size = -16000")
        }
    }

    var rootID: Int64 = 0

    /// Runs one scan under the lock that keeps scans of all processes apart.
    func run(systems names: [String]?, full: Bool) throws(CatalogError) -> ScanReport {
        let start = MonotonicInstant.now
        try underLock { () throws(CatalogError) in
            let firstLook = MonotonicInstant.now
            let selected = try self.selected(names)
            try scanAll(selected, full: full)
            if !settling.pending.isEmpty {
                // Files changed a moment ago: look again when they must have changed once more if somebody writes.
                let wait = Settling.freshSeconds - MonotonicInstant.now.seconds(since: firstLook)
                if wait > 0 { sleepThread(seconds: wait) }
                secondsWaited += max(0, wait)
                settling = settling.secondLook()
                let left = leftForLater.values
                leftForLater = [:]
                for (place, system) in left { try visitAlone(place, system) }
                try settleMembers()
            }
            try finish(selected)
            try write { writer throws(SQLiteError) in
                try writer.commit()
                // After a big first scan this follows behind, with the search index.
                guard report.added < Scanner.manyGames else { return }
                try catalog.connection.execute(CatalogSchema.orderOfAll)
            }
        }
        report.seconds = MonotonicInstant.now.seconds(since: start)
        announce(isEnd: true)
        onChange(.scanned(report))
        return report
    }

    /// Sets everything of one scan up, runs it, and commits or undoes.
    func underLock(_ body: () throws(CatalogError) -> Void) throws(CatalogError) {
        let lock: LockFile
        do {
            lock = try LockFile(root.state.appending("scan.lock"))
        } catch {
            throw CatalogError.file(error)
        }
        report = ScanReport()
        entries = 0
        settling = Settling()
        facts = [:]
        leftForLater = [:]
        outsideMembers = []
        mayRemove = true
        let writer = try catalog.guarded { () throws(SQLiteError) in
            try ScanWriter(catalog: catalog, reader: reader)
        }
        writer.versions.choice = try VersionChoice(user)
        writing = writer
        do {
            try body()
            try catalog.guarded { () throws(SQLiteError) in try writer.commit() }
            try settleVersions(writer)
        } catch {
            writer.rollBack()
            writing = nil
            throw error
        }
        lock.release()
        try FactsCopy(catalog: catalog, user: user, reader: reader).run()
    }

    /// Lets one version of each game stand for the others where that is to be found out anew.
    private func settleVersions(_ writer: ScanWriter) throws(CatalogError) {
        let changed = try catalog.guarded { () throws(SQLiteError) in
            try writer.versions.followSettings()
            return try writer.versions.settle()
        }
        if !changed.isEmpty { onChange(.games(systems: changed)) }
    }

    /// Writes through the scan's writer, with errors that name the file.
    func write<Result>(_ body: (ScanWriter) throws(SQLiteError) -> Result) throws(CatalogError) -> Result {
        guard let writing else { throw CatalogError.closed }
        return try catalog.guarded { () throws(SQLiteError) in try body(writing) }
    }

    private func selected(_ names: [String]?) throws(CatalogError) -> Set<String> {
        guard let names else { return Set(registry.systems.map(\.name)) }
        var selected: Set<String> = []
        for name in names {
            guard let system = registry.system(named: name) else { throw CatalogError.noSuchSystem(name: name) }
            selected.insert(system.name)
        }
        return selected
    }

    private func finish(_ selected: Set<String>) throws(CatalogError) {
        report.pending = settling.pending.values.reduce(0, +)
        let counts = try write { writer throws(SQLiteError) in
            try writer.commit()
            return try catalog.connection.rows(
                """
                SELECT s.name, s.games + (SELECT count(*) FROM games g
                    WHERE g.state <> 0 AND g.state = 8 AND g.system = s.id),
                    (SELECT count(*) FROM games g WHERE g.state <> 0 AND g.state IN (2, 3) AND g.system = s.id)
                FROM systems s
                """
            ) { ($0.string(0) ?? "", $0.int(1), $0.int(2)) }
        }
        for (name, games, missing) in counts where selected.contains(name) {
            report.games += games
            report.missing += missing
        }
    }

    func problem(_ path: BytePath, _ reason: String) {
        // A broken disk may fail in each place: a list that nobody reads to its end needs no more.
        if report.problems.count < 1000 { report.problems.append(ScanReport.Problem(path: path, reason: reason)) }
    }

    /// Tells what has changed so far, a few times a second.
    func announce(isEnd: Bool = false) {
        let now = MonotonicInstant.now
        guard isEnd || now.seconds(since: lastNews) >= 0.25 else { return }
        lastNews = now
        if !isEnd { onChange(.scanning(entries: entries)) }
        guard let writing, !writing.changedSystems.isEmpty else { return }
        if !isEnd, (try? catalog.guarded({ () throws(SQLiteError) in try writing.commit() })) == nil { return }
        var names: Set<String> = []
        for id in writing.changedSystems {
            let name = try? catalog.guarded { () throws(SQLiteError) in
                try catalog.connection.text("SELECT name FROM systems WHERE id = ?", [.integer(id)])
            }
            if let name { names.insert(name) }
        }
        writing.changedSystems = []
        onChange(.games(systems: names))
    }
}
