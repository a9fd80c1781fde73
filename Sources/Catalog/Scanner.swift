import SQLiteKit
import SystemKit
import Systems

/// Compares one source's disk with the catalog. Blocks; used on one thread, with connections of its own.
///
/// Scanners of several sources work side by side: each asks its disk without holding anything that another waits for,
/// and writes what it found in short transactions.
final class Scanner {
    let root: DataRoot
    let registry: SystemRegistry
    let rules: [String: SystemRules]
    let catalog: CatalogDatabase
    let user: UserDatabase
    let reader: GameReader
    /// The source, and where it is now.
    var target: ScanTarget
    let pulse: Pulse
    let commits: CommitCount?
    let parts = TitleParts()
    let keys = ByteBuffer(capacity: 1 << 16)
    let onChange: @Sendable (CatalogChange) -> Void
    var report = ScanReport()
    /// Seconds of all scans in which nothing was done but waiting for files to settle.
    private(set) var secondsWaited = 0.0
    var entries = 0
    var settling = Settling()
    /// A test's way to stop a scan as a crash would.
    var fault: (() throws(SQLiteError) -> Void)?
    // Set for the length of one scan.
    var writing: ScanWriter?
    var queue = ScanQueue()
    var isFlushing = false
    var facts: [String: [[UInt8]: UserDatabase.Facts]] = [:]
    var factsState: UserDatabase.State?
    var leftForLater: [BytePath: (place: ScanPlace, system: ScannedSystem)] = [:]
    var outsideMembers: [ScanWriter.OutsideMember] = []
    var mayRemove = true
    var rootID: Int64 = 0
    /// The device that the source itself is on now.
    var ownDevice: UInt64?
    private var lastNews = MonotonicInstant.now

    private static let manyGames = 20_000

    /// A system in a scan.
    struct ScannedSystem {
        var id: Int64
        var rules: SystemRules
        var isFull: Bool
    }

    init(
        root: DataRoot, registry: SystemRegistry, target: ScanTarget? = nil, pulse: Pulse = Pulse(),
        commits: CommitCount? = nil, onChange: @escaping @Sendable (CatalogChange) -> Void
    ) throws(CatalogError) {
        self.root = root
        self.registry = registry
        self.target = target ?? ScanTarget(root)
        self.pulse = pulse
        self.commits = commits
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

    /// The folder of the systems' folders.
    var roms: BytePath { target.path }

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
                pulse.rest()
                if wait > 0 { sleepThread(seconds: wait) }
                pulse.wake()
                secondsWaited += max(0, wait)
                settling = settling.secondLook()
                let left = leftForLater.values
                leftForLater = [:]
                for (place, system) in left { try visitAlone(place, system) }
                try flush()
                try settleMembers()
            }
            pulse.rest()
            try finish(selected, isComplete: names == nil)
            // After a big first scan this follows behind, with the search index.
            if report.added < Scanner.manyGames {
                try read { () throws(SQLiteError) in try catalog.connection.execute(CatalogSchema.orderOfAll) }
            }
        }
        report.seconds = MonotonicInstant.now.seconds(since: start)
        announce(isEnd: true)
        onChange(.scanned(report))
        return report
    }

    /// Sets everything of one scan up, runs it, and commits or undoes.
    func underLock(_ body: () throws(CatalogError) -> Void) throws(CatalogError) {
        pulse.rest()
        let lock = try takeLock()
        report = ScanReport()
        entries = 0
        settling = Settling()
        facts = [:]
        factsState = nil
        queue = ScanQueue()
        leftForLater = [:]
        outsideMembers = []
        mayRemove = true
        ownDevice = nil
        let writer = try catalog.guarded { () throws(SQLiteError) in
            try ScanWriter(catalog: catalog, reader: reader, commits: commits)
        }
        writer.fault = fault
        writer.versions.choice = try VersionChoice(user)
        writing = writer
        defer {
            pulse.rest()
            isFlushing = false
        }
        pulse.wake()
        do {
            try body()
            try flush()
            pulse.rest()
            try catalog.guarded { () throws(SQLiteError) in try writer.commit() }
            try settleVersions(writer)
        } catch {
            writer.rollBack()
            writing = nil
            throw error
        }
        lock.release()
        let copy = FactsCopy(catalog: catalog, user: user, reader: reader)
        try copy.run()
        // A disk that is full for what the person did is not for a scan.
        if (try? Inheritance(catalog: catalog, user: user).run()) == true { try copy.run() }
    }

    private static let lockPatience = 120.0

    /// Waits for the scan of another process, but not for one that waits for a disk itself.
    private func takeLock() throws(CatalogError) -> LockFile {
        let path = root.state.appending(target.source == 0 ? "scan.lock" : "scan-\(target.source).lock")
        let start = MonotonicInstant.now
        var wait = 0.002
        while true {
            do throws(SystemError) {
                return try LockFile(path, waits: false)
            } catch {
                guard error.isBusy else { throw CatalogError.file(error) }
            }
            let waited = MonotonicInstant.now.seconds(since: start)
            let isStill = waited > 1 && (try? presence()) == SourcePresence.silent.rawValue
            if isStill || waited > Scanner.lockPatience {
                throw CatalogError.file(SystemError(call: "flock", path: target.path, code: SystemError.timedOutCode))
            }
            sleepThread(seconds: wait)
            wait = min(wait * 1.5, 0.2)
        }
    }

    private func presence() throws(SQLiteError) -> Int64? {
        try catalog.connection.integer("SELECT present FROM roots WHERE source = ?", [.integer(target.source)])
    }

    // MARK: - Reading and writing the catalog

    /// Reads the catalog, with errors that name the file.
    func read<Result>(_ body: () throws(SQLiteError) -> Result) throws(CatalogError) -> Result {
        try catalog.guarded(body)
    }

    /// Lets one version of each game stand for the others where that is to be found out anew.
    private func settleVersions(_ writer: ScanWriter) throws(CatalogError) {
        let changed = try catalog.guarded { () throws(SQLiteError) in
            try writer.versions.followSettings()
            return try writer.versions.settle()
        }
        if !changed.isEmpty { onChange(.games(systems: changed)) }
    }

    /// Writes through the scan's writer; outside of a flush the transaction ends with the call.
    func write<Result>(_ body: (ScanWriter) throws(SQLiteError) -> Result) throws(CatalogError) -> Result {
        guard let writing else { throw CatalogError.closed }
        if isFlushing { return try catalog.guarded { () throws(SQLiteError) in try body(writing) } }
        pulse.rest()
        defer { pulse.wake() }
        return try catalog.guarded { () throws(SQLiteError) in
            let result = try body(writing)
            try writing.commit()
            return result
        }
    }

    /// Queues something to be written together with more of its kind, when no disk is asked.
    func later(entries: Int = 1, look: DirectoryLook? = nil, _ body: @escaping () throws(CatalogError) -> Void) {
        queue.add(ScanQueue.Item(entries: entries, look: look, write: body))
    }

    /// Writes what was queued.
    func flush() throws(CatalogError) {
        guard let writing, !queue.items.isEmpty else { return }
        pulse.rest()
        isFlushing = true
        defer {
            isFlushing = false
            pulse.wake()
        }
        try catalog.guarded { () throws(SQLiteError) in try writing.begin() }
        // Facts that were set since they were read would be missed by the copy that was made of them meanwhile.
        let state = try user.state()
        if state != factsState {
            facts = [:]
            factsState = state
        }
        for item in queue.take() {
            try item.write()
            if let look = item.look { queue.giveBack(look) }
            try catalog.guarded { () throws(SQLiteError) in try writing.pause() }
        }
        // What was set while a large folder was written in several transactions is copied once more.
        if let factsState, try user.state() != factsState {
            try catalog.guarded { () throws(SQLiteError) in
                try writing.begin()
                try catalog.setMeta(
                    "user_sequence", min(try catalog.meta("user_sequence"), factsState.sequence))
            }
        }
        try catalog.guarded { () throws(SQLiteError) in try writing.commit() }
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

    private func finish(_ selected: Set<String>, isComplete: Bool) throws(CatalogError) {
        report.pending = settling.pending.values.reduce(0, +)
        try write { writer throws(SQLiteError) in
            if isComplete { try writer.keepProblems(report.problems, root: rootID) }
        }
        try CatalogStore.count(in: catalog, selected, into: &report)
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

extension CatalogStore {
    /// Counts the games of some systems, of all sources together.
    static func count(
        in catalog: CatalogDatabase, _ selected: Set<String>, into report: inout ScanReport
    ) throws(CatalogError) {
        let counts = try catalog.guarded { () throws(SQLiteError) in
            try catalog.connection.rows(
                """
                SELECT s.name, s.games + (SELECT count(*) FROM games g
                    WHERE g.state <> 0 AND g.state = 8 AND g.system = s.id),
                    (SELECT count(*) FROM games g WHERE g.state <> 0 AND g.state IN (2, 3) AND g.system = s.id)
                FROM systems s
                """
            ) { ($0.string(0) ?? "", $0.int(1), $0.int(2)) }
        }
        report.games = 0
        report.missing = 0
        for (name, games, missing) in counts where selected.contains(name) {
            report.games += games
            report.missing += missing
        }
    }
}
