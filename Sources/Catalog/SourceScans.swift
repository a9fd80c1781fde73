import SQLiteKit
import Synchronization
import SystemKit
import Systems

/// One scan of all sources: each on a thread of its own, so that one that does not answer keeps none of the others.
struct SourceScans {
    let root: DataRoot
    let registry: SystemRegistry
    let onChange: @Sendable (CatalogChange) -> Void

    init(root: DataRoot, registry: SystemRegistry, onChange: @escaping @Sendable (CatalogChange) -> Void) {
        self.root = root
        self.registry = registry
        self.onChange = onChange
    }

    private final class Job: Sendable {
        let target: ScanTarget
        let pulse = Pulse()
        let result = Mutex<Result<ScanReport, CatalogError>?>(nil)

        init(_ target: ScanTarget) { self.target = target }

        var isDone: Bool { result.withLock { $0 != nil } }
    }

    func run(systems: [String]?, full: Bool) throws(CatalogError) -> ScanReport {
        let began = MonotonicInstant.now
        let catalog = try CatalogDatabase(in: root.state)
        let user = try UserDatabase.openAgain(in: root.state)
        let list = SourceList(root: root)
        let targets = try list.targets(user)
        let reader = GameReader(catalog: catalog, user: user, rules: CatalogStore.rules(of: registry))
        try list.settle(targets, catalog, reader)
        let bell: Wake
        do { bell = try Wake() } catch { throw CatalogError.file(error) }
        let jobs = targets.map { Job($0) }
        for job in jobs { start(job, systems, full, bell) }
        let silent = wait(jobs, bell)
        var report = ScanReport()
        for job in jobs {
            if let result = job.result.withLock({ $0 }) {
                report.add(try result.get())
            } else if silent.contains(job.target.source) {
                report.problems.append(SourceScans.silence(job.target))
                try note(.silent, job.target, catalog, reader)
            }
        }
        let names = systems.map { names in Set(names.compactMap { registry.system(named: $0)?.name }) }
        try CatalogStore.count(in: catalog, names ?? Set(registry.systems.map(\.name)), into: &report)
        report.seconds = MonotonicInstant.now.seconds(since: began)
        return report
    }

    static func silence(_ target: ScanTarget) -> ScanReport.Problem {
        ScanReport.Problem(
            path: target.path, reason: "does not answer; its games are listed as they were, and it is tried again")
    }

    private func start(_ job: Job, _ systems: [String]?, _ full: Bool, _ bell: Wake) {
        let (root, registry, onChange) = (root, registry, onChange)
        let code = startThread(name: "source-scan") {
            do throws(CatalogError) {
                let scanner = try Scanner(
                    root: root, registry: registry, target: job.target, pulse: job.pulse, onChange: onChange)
                let report = try scanner.run(systems: systems, full: full)
                job.result.withLock { $0 = .success(report) }
            } catch {
                job.result.withLock { $0 = .failure(error) }
            }
            bell.ring()
        }
        if code != 0 {
            let error = SystemError(call: "pthread_create", subject: "source-scan", code: code)
            job.result.withLock { $0 = .failure(.file(error)) }
        }
    }

    /// Waits until each job is done or its disk does not answer.
    ///
    /// - Returns: the sources that do not answer.
    private func wait(_ jobs: [Job], _ bell: Wake) -> Set<Int64> {
        var watches = jobs.map { PulseWatch($0.pulse) }
        while true {
            let now = MonotonicInstant.now
            var silent: Set<Int64> = []
            var isWaiting = false
            for (index, job) in jobs.enumerated() where !job.isDone {
                if watches[index].isStill(at: now) { silent.insert(job.target.source) } else { isWaiting = true }
            }
            if !isWaiting { return silent }
            if bell.wait(seconds: 0.5) { bell.silence() }
        }
    }

    private func note(
        _ presence: SourcePresence, _ target: ScanTarget, _ catalog: CatalogDatabase, _ reader: GameReader
    ) throws(CatalogError) {
        try catalog.guarded { () throws(SQLiteError) in
            try catalog.connection.run(
                "UPDATE roots SET present = ? WHERE source = ?",
                [.integer(presence.rawValue), .integer(target.source)])
        }
    }
}

extension ScanReport {
    /// Adds what the scan of another source did.
    mutating func add(_ other: ScanReport) {
        systems = max(systems, other.systems)
        added += other.added
        removed += other.removed
        changed += other.changed
        pending += other.pending
        problems += other.problems
    }
}
