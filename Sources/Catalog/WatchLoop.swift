import SQLiteKit
import SystemKit
import Systems

/// The watcher's thread: waits for news of the kernel, lets it settle, and has the scanner look.
final class WatchLoop {
    private static let pollSeconds = 15.0
    private static let retrySeconds = 5.0

    private let store: CatalogStore
    private let root: DataRoot
    private let registry: SystemRegistry
    private let log: Log
    private let bell: Wake
    private let errands: TaskThreads
    private let isStopping: () -> Bool
    private var scanner: Scanner?
    private var news = LibraryNews()
    private var tree: WatchedTree?
    private let mounts = try? MountWatch()
    private var nextBatch = MonotonicInstant.now
    private var nextPoll: MonotonicInstant?
    private var databaseNews: MonotonicInstant?
    private var seenChanges: Int64 = 0

    init(
        store: CatalogStore, root: DataRoot, registry: SystemRegistry, log: Log, bell: Wake,
        errands: TaskThreads, isStopping: @escaping () -> Bool
    ) {
        self.store = store
        self.root = root
        self.registry = registry
        self.log = log
        self.bell = bell
        self.errands = errands
        self.isStopping = isStopping
    }

    func run() {
        do {
            tree = try WatchedTree(root: root, log: log)
        } catch {
            log.write(.error, "live updates of the games are off, the folders are looked at now and then: \(error)")
        }
        news.needsScan(at: .now)
        while !isStopping() {
            step()
            wait()
            if !isStopping() { collect() }
        }
    }

    // MARK: - Waiting

    private func wait() {
        var times = [news.due.map { max($0, nextBatch) }, nextPoll, databaseNews].compactMap { $0 }
        if tree == nil { times.append(MonotonicInstant.now.advanced(bySeconds: WatchLoop.pollSeconds)) }
        let seconds = times.min().map { max(0, $0.seconds(since: .now)) }
        let ready = waitForNews(
            [bell.rawDescriptor] + (tree.map { [$0.rawDescriptor] } ?? []), mounts: mounts, seconds: seconds)
        if ready.contains(bell.rawDescriptor) { bell.silence() }
        if let mounts, ready.contains(mounts.rawDescriptor) {
            // A disk may cover a folder that is watched: the paths lead to other folders now.
            tree?.forget()
            news.needsScan(at: MonotonicInstant.now.advanced(bySeconds: LibraryNews.settleSeconds))
        }
        if tree == nil, ready.isEmpty { news.needsScan(at: .now) }
    }

    /// Sorts the kernel's events.
    private func collect() {
        guard let tree else { return }
        let now = MonotonicInstant.now
        for event in tree.events() {
            switch event {
            case .lost: news.needsScan(at: now.advanced(bySeconds: LibraryNews.settleSeconds))
            case .library: news.needsScan(at: now.advanced(bySeconds: LibraryNews.settleSeconds))
            case .database(let isReplaced):
                if isReplaced { scanner = nil }
                if databaseNews == nil { databaseNews = now.advanced(bySeconds: isReplaced ? 0.3 : 0.1) }
            case .folder(let directory, let name, let kinds):
                news.folder(directory, name, kinds, at: now)
            case .file(let directory, let name, let kinds):
                if scanner?.mayBeGame(name, in: directory) ?? true { news.file(directory, name, kinds, at: now) }
            }
        }
    }

    // MARK: - Working

    private func step() {
        let now = MonotonicInstant.now
        if let time = databaseNews, time <= now {
            databaseNews = nil
            noteOtherWriters()
        }
        if let time = nextPoll, time <= now {
            nextPoll = nil
            news.needsScan(at: now)
        }
        guard now >= nextBatch, let due = news.due, due <= now else { return }
        let waited = scanner?.secondsWaited ?? 0
        do {
            if news.takeScan(at: now) {
                try scanAll()
            } else {
                try lookAtNews(now)
            }
        } catch {
            log.write(.error, "the games could not be looked at: \(error)")
            let path = root.state.appending("catalog.sqlite")
            let isDamaged = error.isDamage(of: path)
            if isDamaged, scanner?.catalog.isCurrent != false { _ = try? putCatalogAside(path) }
            scanner = nil
            news.needsScan(at: MonotonicInstant.now.advanced(bySeconds: isDamaged ? 0 : WatchLoop.retrySeconds))
        }
        // A folder of many files costs more to look at: rest in proportion, so that a copy of thousands goes on.
        let cost = MonotonicInstant.now.seconds(since: now) - max(0, (scanner?.secondsWaited ?? 0) - waited)
        nextBatch = MonotonicInstant.now.advanced(bySeconds: max(0.25 - cost, cost * 3))
        if tree?.isIncomplete == true, nextPoll == nil {
            nextPoll = MonotonicInstant.now.advanced(bySeconds: WatchLoop.pollSeconds)
        }
    }

    private func ready() throws(CatalogError) -> Scanner {
        if let scanner, scanner.catalog.isCurrent { return scanner }
        let onChange = store.onChange
        let made = try Scanner(root: root, registry: registry) { onChange?($0) }
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
        afterWork(scanner)
    }

    private func lookAtNews(_ now: MonotonicInstant) throws(CatalogError) {
        let looks = news.take(at: now)
        guard !looks.isEmpty else { return }
        let scanner = try ready()
        let left = try scanner.look(at: looks)
        for (directory, names) in left { news.leave(directory, names, at: .now) }
        for fresh in try followNew(scanner) { news.again(fresh, at: .now) }
        afterWork(scanner)
    }

    private func afterWork(_ scanner: Scanner) {
        seenChanges = (try? scanner.catalog.meta("changes")) ?? 0
        IndexFiller.start(root: root, registry: registry, onChange: store.onChange)
        let store = store
        errands.start { await store.followReplacedCatalog() }
    }

    /// Watches all known directories.
    ///
    /// - Returns: those that were not watched before.
    private func followNew(_ scanner: Scanner) throws(CatalogError) -> [BytePath] {
        guard let tree else { return [] }
        return tree.watch(try scanner.directories())
    }

    /// Something was written to a database; if it was another process, the screen must read again.
    private func noteOtherWriters() {
        let changes = scanner.flatMap { try? $0.catalog.meta("changes") }
        let haveScanned = changes != nil && changes != seenChanges
        if let changes { seenChanges = changes }
        if scanner == nil { news.needsScan(at: .now) }
        let store = store
        errands.start { await store.followOthers(haveScanned: haveScanned) }
    }
}
