import SQLiteKit
import Synchronization
public import SystemKit
import Systems

/// What came of a run through the files.
public struct IdentifyReport: Sendable, Equatable {
    /// Files that were not known yet.
    public internal(set) var looked = 0
    /// Of which checksums were taken.
    public internal(set) var read = 0
    /// That a DAT file names.
    public internal(set) var identified = 0
    /// With something wrong with them.
    public internal(set) var problems = 0
    /// Left for the next run: still changing, or not there.
    public internal(set) var skipped = 0
}

/// What is known of a file's contents.
public struct Identification: Sendable, Equatable {
    /// The full name in a DAT file.
    public var name: String?
    /// The checksum, as eight hexadecimal digits.
    public var crc: String?
    /// The file in an archive that is the game.
    public var member: BytePath?
    /// What is wrong with the file, as a sentence.
    public var problem: String?

    init(_ finding: MetadataDatabase.Finding) {
        name = finding.game
        crc = finding.crc.map { value in
            let digits = String(value, radix: 16, uppercase: true)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
        member = finding.member.map { BytePath(bytes: $0) }
        problem = finding.reason.map { "\(BytePath(bytes: finding.path).name.displayString) \($0)." }
    }
}

private struct RunningIdentifier {
    var gate: BackgroundGate
    /// Whether there was something new since the run began.
    var again = false
}

private let running = Mutex<[BytePath: RunningIdentifier]>([:])

extension CatalogStore {
    /// Takes a DAT file in, in place of an older one of the same name.
    ///
    /// Works beside the store, which answers meanwhile.
    /// - Parameter progress: hears how many bytes were read, from another thread.
    /// - Throws: `CatalogError.noSuchSystem`, or a failure of the file or the database.
    public func importDAT(
        from file: BytePath, system name: String, progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws(CatalogError) -> DATReport {
        try ready()
        guard let system = registry.system(named: name) else { throw CatalogError.noSuchSystem(name: name) }
        let (root, registry) = (root, registry)
        let report = try await besides { () throws(CatalogError) -> DATReport in
            let lock = try CatalogStore.lock(root.state, "dat.lock")
            let metadata = try MetadataDatabase.open(in: root.state)
            metadata.connection.setBusyTimeout(seconds: 20)
            var report = try metadata.importDAT(
                file, system: system.name, setsOnly: system.kind == .arcade, progress: progress ?? { _ in })
            let matcher = DatMatcher(metadata: metadata, rules: CatalogStore.rules(of: registry))
            report.renamed = try metadata.matchAgain(systems: matcher.dependents(of: system.name), matcher)
            lock.release()
            return report
        }
        if report.renamed > 0 {
            copyFacts()
            onChange?(.games(systems: [system.name]))
        }
        startIdentifyingAgain()
        return report
    }

    /// The DAT files that were imported.
    public func dats() throws(CatalogError) -> [DATFile] {
        try ready()
        return try MetadataDatabase.open(in: root.state).dats()
    }

    /// Forgets a DAT file; games that it named have the names of their files again.
    ///
    /// - Returns: whether there was one with this number.
    public func removeDAT(_ id: Int64) throws(CatalogError) -> Bool {
        try ready()
        let metadata = try MetadataDatabase.open(in: root.state)
        guard let system = try metadata.removeDAT(id) else { return false }
        let matcher = DatMatcher(metadata: metadata, rules: reader.rules)
        if try metadata.matchAgain(systems: matcher.dependents(of: system), matcher) > 0 {
            copyFacts()
            onChange?(.games(systems: [system]))
        }
        return true
    }

    /// What is known of a game's contents; `nil` before it was looked at, and after it changed.
    public func identification(of id: Int64) throws(CatalogError) -> Identification? {
        guard let game = try game(id: id) else { throw CatalogError.noSuchGame(id: id) }
        let metadata = try MetadataDatabase.open(in: root.state)
        let finding = try metadata.guarded { () throws(SQLiteError) in
            try metadata.finding(system: game.system, path: game.relativePath.bytes)
        }
        guard let finding, finding.size == game.size, finding.modified == game.modifiedNanoseconds else { return nil }
        return Identification(finding)
    }

    /// Looks into files and takes checksums now, once.
    ///
    /// - Parameters:
    ///   - systems: only these, by name or alias; `nil` for all.
    ///   - all: also where no DAT file could name them.
    ///   - progress: hears of each file, from another thread; `false` ends the run.
    public func identify(
        systems names: [String]? = nil, all: Bool = false,
        progress: (@Sendable (IdentifyReport) -> Bool)? = nil
    ) async throws(CatalogError) -> IdentifyReport {
        try ready()
        var systems: Set<String>?
        for name in names ?? [] {
            guard let system = registry.system(named: name) else { throw CatalogError.noSuchSystem(name: name) }
            systems = (systems ?? []).union([system.name])
        }
        let (root, registry) = (root, registry)
        let wanted = systems
        let (report, renamed) = try await besides { () throws(CatalogError) -> (IdentifyReport, Set<String>) in
            let gate = BackgroundGate()
            let identifier = try Identifier(root: root, registry: registry, gate: gate) { report in
                if progress?(report) == false { gate.stop() }
            }
            try identifier.run(systems: wanted, all: all)
            return (identifier.report, identifier.renamed)
        }
        if !renamed.isEmpty {
            copyFacts()
            onChange?(.games(systems: renamed))
        }
        return report
    }

    // MARK: - In the background

    /// Looks into files and takes checksums on a thread below everything a person waits for; one for each library.
    ///
    /// Ends when everything is known; called again when games came. A run that is under way makes another round.
    public nonisolated func startIdentifying() {
        let (state, root, registry, onChange) = (root.state, root, registry, onChange)
        let gate = running.withLock { running -> BackgroundGate? in
            if running[state] != nil {
                running[state]?.again = true
                return nil
            }
            let gate = BackgroundGate()
            running[state] = RunningIdentifier(gate: gate)
            return gate
        }
        guard let gate else { return }
        startThread(name: "identify") {
            lowerThreadToIdlePriority()
            var goesOn = true
            while goesOn {
                let identifier = try? Identifier(
                    root: root, registry: registry, gate: gate,
                    onNames: { systems in
                        try? CatalogStore.copyNames(root, registry)
                        onChange?(.games(systems: systems))
                    })
                try? identifier?.run()
                // What came a moment ago is settled soon; nobody would tell of it again.
                let isFresh = identifier?.hasFresh == true && !gate.isStopped
                if isFresh { sleepThread(seconds: Identifier.settledSeconds + 1) }
                goesOn = running.withLock { running in
                    if isFresh || running[state]?.again == true, !gate.isStopped {
                        running[state]?.again = false
                        return true
                    }
                    running[state] = nil
                    return false
                }
            }
        }
    }

    /// Ends the work in the background; it goes on where it was when it is started again.
    public nonisolated func stopIdentifying() {
        running.withLock { $0[root.state]?.gate.stop() }
    }

    /// Lets the work in the background wait while a game runs.
    ///
    /// - Parameter play: what `resumeBackgroundWork` will be told.
    public nonisolated func pauseBackgroundWork(play: Int64) {
        running.withLock { $0[root.state]?.gate.hold(play) }
    }

    /// The game has ended.
    public nonisolated func resumeBackgroundWork(play: Int64) {
        running.withLock { $0[root.state]?.gate.release(play) }
    }

    // MARK: - Parts

    /// Starts a run where the work in the background is under way already; who only imports a list starts none.
    private nonisolated func startIdentifyingAgain() {
        running.withLock { $0[root.state]?.again = true }
    }

    /// Brings the names of files into the catalog, with connections of the calling thread's own.
    private nonisolated static func copyNames(_ root: DataRoot, _ registry: SystemRegistry) throws(CatalogError) {
        let catalog = try CatalogDatabase(in: root.state)
        let user = try UserDatabase.openAgain(in: root.state)
        let reader = GameReader(catalog: catalog, user: user, rules: rules(of: registry))
        try FactsCopy(catalog: catalog, user: user, reader: reader).run()
    }

    private nonisolated static func lock(_ folder: BytePath, _ name: String) throws(CatalogError) -> LockFile {
        do {
            return try LockFile(folder.appending(name))
        } catch {
            throw CatalogError.file(error)
        }
    }

    /// Runs something that takes long on a thread of its own.
    private func besides<Answer: Sendable>(
        _ body: @escaping @Sendable () throws(CatalogError) -> Answer
    ) async throws(CatalogError) -> Answer {
        let result: Result<Answer, CatalogError> = await withCheckedContinuation { continuation in
            let code = startThread(name: "identify") {
                do throws(CatalogError) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if code != 0 {
                let error = SystemError(call: "pthread_create", subject: "identify", code: code)
                continuation.resume(returning: .failure(.file(error)))
            }
        }
        return try result.get()
    }
}

extension DatMatcher {
    /// The systems whose names may change with the DAT files of a system.
    func dependents(of system: String) -> [String] {
        rules[system]?.isArcade == true ? sources(of: system) : [system]
    }
}
