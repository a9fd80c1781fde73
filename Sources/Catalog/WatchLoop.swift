import SQLiteKit
import SystemKit
import Systems

/// The watcher's thread: follows the databases, the mounts and the list of sources, and has each source followed by a
/// thread of its own. It asks no disk but that of the databases.
final class WatchLoop {
    private static let pulseSeconds = 1.0
    private static let reopenSeconds = 5.0

    private let store: CatalogStore
    private let root: DataRoot
    private let registry: SystemRegistry
    private let log: Log
    private let bell: Wake
    private let errands: TaskThreads
    private let isStopping: () -> Bool
    private let commits = CommitCount()
    private let mounts = try? MountWatch()
    private var watch: StateWatch?
    private var catalog: CatalogDatabase?
    private var user: UserDatabase?
    private var reader: GameReader?
    private var sources: [Int64: Followed] = [:]
    private var databaseNews: MonotonicInstant?
    private var mountNews: MonotonicInstant?
    private var seenForeign: Int64 = 0

    private struct Followed {
        let control: SourceControl
        var watch: PulseWatch
        var isSilent = false
    }

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
            watch = try StateWatch(root.state)
        } catch {
            log.write(.error, "what other programs do to the catalog is not seen: \(error)")
        }
        follow(ScanTarget(root))
        followSources()
        while !isStopping() {
            wait()
            guard !isStopping() else { break }
            let now = MonotonicInstant.now
            if let time = databaseNews, time <= now {
                databaseNews = nil
                noteOtherWriters()
                followSources()
            }
            if let time = mountNews, time <= now {
                mountNews = nil
                followSources()
                // A disk that is no source may have games to offer.
                store.onChange?(.sources)
            }
            feelPulses(now)
        }
        for source in sources.values {
            source.control.give { $0.isOver = true }
            if source.isSilent { UnansweringPlaces.remove(source.control.target.path) }
        }
    }

    // MARK: - Waiting

    private func wait() {
        var times = [databaseNews, mountNews].compactMap { $0 }
        // Nobody wakes for it while no source is at work.
        if sources.values.contains(where: { !$0.control.pulse.isResting || $0.isSilent }) {
            times.append(MonotonicInstant.now.advanced(bySeconds: WatchLoop.pulseSeconds))
        }
        if catalog == nil { times.append(MonotonicInstant.now.advanced(bySeconds: WatchLoop.reopenSeconds)) }
        let seconds = times.min().map { max(0, $0.seconds(since: .now)) }
        let ready = waitForNews(
            [bell.rawDescriptor] + (watch.map { [$0.rawDescriptor] } ?? []), mounts: mounts, seconds: seconds)
        if ready.contains(bell.rawDescriptor) { bell.silence() }
        let now = MonotonicInstant.now
        if let mounts, ready.contains(mounts.rawDescriptor) {
            // A disk may cover a folder that is watched: the paths lead to other folders now.
            for source in sources.values {
                source.control.give {
                    $0.mustForget = true
                    $0.mustScan = true
                }
            }
            mountNews = now
        }
        switch watch?.news() {
        case .replaced?:
            reopen()
            for source in sources.values { source.control.give { $0.mustScan = true } }
            databaseNews = databaseNews ?? now.advanced(bySeconds: 0.3)
        case .written?: databaseNews = databaseNews ?? now.advanced(bySeconds: 0.1)
        case nil: break
        }
    }

    // MARK: - Sources

    /// Opens the databases where they are not, or no more the ones that the paths lead to.
    private func reopen() {
        if let catalog, catalog.isCurrent { return }
        catalog = try? CatalogDatabase(in: root.state)
        user = try? UserDatabase.openAgain(in: root.state)
        if let catalog, let user {
            reader = GameReader(catalog: catalog, user: user, rules: CatalogStore.rules(of: registry))
            seenForeign = ((try? catalog.meta("changes")) ?? 0) - commits.value
        }
    }

    /// Lets each source be followed where it is now, and no other.
    private func followSources() {
        reopen()
        guard let catalog, let user, let reader, let targets = try? SourceList(root: root).targets(user) else { return }
        let isChanged = (try? SourceList(root: root).settle(targets, catalog, reader)) ?? false
        for target in targets { follow(target) }
        for (id, source) in sources where !targets.contains(where: { $0.source == id }) {
            source.control.give { $0.isOver = true }
            if source.isSilent { UnansweringPlaces.remove(source.control.target.path) }
            sources[id] = nil
        }
        if isChanged {
            store.onChange?(.sources)
            store.onChange?(.games(systems: Set(registry.systems.map(\.name))))
        }
    }

    private func follow(_ target: ScanTarget) {
        if let source = sources[target.source] {
            let before = source.control.target
            guard before != target else { return }
            if source.isSilent, before.path != target.path {
                UnansweringPlaces.remove(before.path)
                UnansweringPlaces.add(target.path)
            }
            source.control.give {
                $0.target = target
                $0.mustScan = true
            }
            store.onChange?(.sources)
            return
        }
        guard let control = try? SourceControl(target) else {
            return log.write(.error, "\(target.path) is not followed: no descriptor is left")
        }
        sources[target.source] = Followed(control: control, watch: PulseWatch(control.pulse))
        let (store, root, registry, log, errands, commits) = (store, root, registry, log, errands, commits)
        let bell = bell
        startThread(name: "source-watch") {
            SourceLoop(
                store: store, root: root, registry: registry, log: log, errands: errands, control: control,
                commits: commits
            ) { bell.ring() }.run()
        }
    }

    /// Notes sources that do not answer, and those that do again.
    private func feelPulses(_ now: MonotonicInstant) {
        for (id, source) in sources {
            var source = source
            let isSilent = source.watch.isStill(at: now)
            guard isSilent != source.isSilent else {
                sources[id] = source
                continue
            }
            source.isSilent = isSilent
            sources[id] = source
            let path = source.control.target.path
            if isSilent {
                UnansweringPlaces.add(path)
                log.write(.warning, "\(path) does not answer; its games are listed as they were")
                store.onChange?(.notice("\(path.displayString) does not answer. Its games are listed as they were."))
            } else {
                UnansweringPlaces.remove(path)
                log.write(.info, "\(path) answers again")
                source.control.give { $0.mustScan = true }
            }
            try? catalog?.guarded { () throws(SQLiteError) in
                try catalog?.connection.run(
                    "UPDATE roots SET present = ? WHERE source = ?",
                    [.integer(isSilent ? SourcePresence.silent.rawValue : 1), .integer(id)])
            }
            store.onChange?(.sources)
        }
    }

    /// Something was written to a database; if it was another process, the screen must read again.
    private func noteOtherWriters() {
        reopen()
        let changes = (try? catalog?.meta("changes")) ?? 0
        let foreign = changes - commits.value
        let haveScanned = foreign > seenForeign
        if haveScanned { seenForeign = foreign }
        let store = store
        errands.start { await store.followOthers(haveScanned: haveScanned) }
    }
}
