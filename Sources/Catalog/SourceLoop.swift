import SQLiteKit
import SystemKit
import Systems

/// The thread that follows one source: waits for news of the kernel, lets it settle, and has the scanner look. It may be
/// kept waiting by its disk for ever; nobody waits for it.
final class SourceLoop {
    private static let pollSeconds = 15.0
    private static let retrySeconds = 5.0

    private let store: CatalogStore
    private let root: DataRoot
    private let registry: SystemRegistry
    private let log: Log
    private let errands: TaskThreads
    private let control: SourceControl
    private let commits: CommitCount
    private let onWork: () -> Void
    private var target: ScanTarget
    private var scanner: Scanner?
    private var news = LibraryNews()
    private var tree: WatchedTree?
    private var nextBatch = MonotonicInstant.now
    private var nextPoll: MonotonicInstant?

    init(
        store: CatalogStore, root: DataRoot, registry: SystemRegistry, log: Log, errands: TaskThreads,
        control: SourceControl, commits: CommitCount, onWork: @escaping () -> Void
    ) {
        self.store = store
        self.root = root
        self.registry = registry
        self.log = log
        self.errands = errands
        self.control = control
        self.commits = commits
        self.onWork = onWork
        target = control.target
    }

    func run() {
        while obey() {
            step()
            control.pulse.rest()
            wait()
            control.pulse.wake()
            collect()
        }
        control.pulse.rest()
    }

    /// Takes orders.
    ///
    /// - Returns: whether to go on.
    private func obey() -> Bool {
        let orders = control.take()
        if orders.isOver { return false }
        if orders.target != target {
            if orders.target.path != target.path || !orders.target.isThere { tree = nil }
            target = orders.target
            scanner?.target = target
        }
        if orders.mustForget || tree == nil && target.isThere {
            // Both ask the disk.
            control.pulse.wake()
            onWork()
        }
        if orders.mustForget { tree?.forget() }
        if orders.mustScan {
            let wait = orders.mustForget ? LibraryNews.settleSeconds : 0
            news.needsScan(at: MonotonicInstant.now.advanced(bySeconds: wait))
        }
        if tree == nil, target.isThere {
            do {
                tree = try WatchedTree(library: target.path, log: log)
            } catch {
                log.write(
                    .error, "live updates of \(target.path) are off, its folders are looked at now and then: \(error)")
            }
        }
        return true
    }

    // MARK: - Waiting

    private func wait() {
        var times = [news.due.map { max($0, nextBatch) }, nextPoll].compactMap { $0 }
        let mustPoll = tree == nil && target.isThere
        if mustPoll { times.append(MonotonicInstant.now.advanced(bySeconds: SourceLoop.pollSeconds)) }
        let seconds = times.min().map { max(0, $0.seconds(since: .now)) }
        let ready = waitForNews(
            [control.bell.rawDescriptor] + (tree.map { [$0.rawDescriptor] } ?? []), mounts: nil, seconds: seconds)
        if ready.contains(control.bell.rawDescriptor) { control.bell.silence() }
        if mustPoll, ready.isEmpty { news.needsScan(at: .now) }
    }

    /// Sorts the kernel's events.
    private func collect() {
        guard let tree else { return }
        let now = MonotonicInstant.now
        for event in tree.events() {
            switch event {
            case .lost, .library: news.needsScan(at: now.advanced(bySeconds: LibraryNews.settleSeconds))
            case .folder(let directory, let name, let kinds): news.folder(directory, name, kinds, at: now)
            case .file(let directory, let name, let kinds):
                if scanner?.mayBeGame(name, in: directory) ?? true { news.file(directory, name, kinds, at: now) }
            }
        }
    }

    // MARK: - Working

    private func step() {
        let now = MonotonicInstant.now
        if let time = nextPoll, time <= now {
            nextPoll = nil
            news.needsScan(at: now)
        }
        guard now >= nextBatch, let due = news.due, due <= now else { return }
        control.pulse.wake()
        onWork()
        let waited = scanner?.secondsWaited ?? 0
        do {
            if news.takeScan(at: now) {
                try scanAll()
            } else {
                try lookAtNews(now)
            }
        } catch {
            log.write(.error, "the games in \(target.path) could not be looked at: \(error)")
            let path = root.state.appending("catalog.sqlite")
            let isDamaged = error.isDamage(of: path)
            if isDamaged, scanner?.catalog.isCurrent != false { _ = try? putCatalogAside(path) }
            scanner = nil
            news.needsScan(at: MonotonicInstant.now.advanced(bySeconds: isDamaged ? 0 : SourceLoop.retrySeconds))
        }
        // A folder of many files costs more to look at: rest in proportion, so that a copy of thousands goes on.
        let cost = MonotonicInstant.now.seconds(since: now) - max(0, (scanner?.secondsWaited ?? 0) - waited)
        nextBatch = MonotonicInstant.now.advanced(bySeconds: max(0.25 - cost, cost * 3))
        if tree?.isIncomplete == true, nextPoll == nil {
            nextPoll = MonotonicInstant.now.advanced(bySeconds: SourceLoop.pollSeconds)
        }
    }

    private func ready() throws(CatalogError) -> Scanner {
        if let scanner, scanner.catalog.isCurrent { return scanner }
        let onChange = store.onChange
        let made = try Scanner(
            root: root, registry: registry, target: target, pulse: control.pulse, commits: commits
        ) { onChange?($0) }
        scanner = made
        return made
    }

    private func scanAll() throws(CatalogError) {
        let scanner = try ready()
        // Watches first: what comes after the look at a folder is then heard of.
        _ = try followNew(scanner)
        let report = try scanner.run(systems: nil, full: false)
        for problem in report.problems { log.write(.warning, "\(problem.path): \(problem.reason)") }
        if !(try followNew(scanner)).isEmpty {
            // Folders that were found by this scan were not watched while it looked at them.
            news.needsScan(at: MonotonicInstant.now.advanced(bySeconds: LibraryNews.settleSeconds))
        }
        for (directory, names) in scanner.settling.names { news.leave(directory, names, at: .now) }
        afterWork()
    }

    private func lookAtNews(_ now: MonotonicInstant) throws(CatalogError) {
        let looks = news.take(at: now)
        guard !looks.isEmpty else { return }
        let scanner = try ready()
        let left = try scanner.look(at: looks)
        for (directory, names) in left { news.leave(directory, names, at: .now) }
        for fresh in try followNew(scanner) { news.again(fresh, at: .now) }
        afterWork()
    }

    private func afterWork() {
        IndexFiller.start(root: root, registry: registry, onChange: store.onChange)
        store.startIdentifying()
        let store = store
        errands.start { await store.followReplacedCatalog() }
    }

    /// Watches all known directories.
    ///
    /// - Returns: those that were not watched before.
    private func followNew(_ scanner: Scanner) throws(CatalogError) -> [BytePath] {
        guard let tree, target.isThere else { return [] }
        let directories = try scanner.directories()
        control.pulse.wake()
        defer { control.pulse.rest() }
        return tree.watch(directories, pulse: control.pulse)
    }
}
