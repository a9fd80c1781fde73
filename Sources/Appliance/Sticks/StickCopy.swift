import SystemKit

/// Copies what is new on a stick into the folders of games.
///
/// A file has another name, which no scan takes for a game, until it is complete and on the disk. Nothing is ever
/// replaced. Killed, unplugged or switched off at any moment, it goes on where it was: what is to be done is found by
/// looking at both sides again, and a large file that is half here is continued.
public final class StickCopy {
    private let machine: Machine
    private let stick: Stick
    private let rules: StickRules
    private let shouldStop: () -> Bool
    private let tell: (StickJournal) -> Void
    let journals: StickJournals
    let leftovers: StickLeftovers
    var journal: StickJournal
    private var written = MonotonicInstant(nanoseconds: 0)
    private var told = MonotonicInstant(nanoseconds: 0)
    private var failuresInARow = 0
    /// A folder with names that are not on the disk for sure.
    private var unflushed: BytePath?

    /// Why it ends before its end.
    enum Halt: Error {
        case stopped
        case gone
        case full
        case forgotten
        case failed(SystemError)
    }

    /// What happened to one file.
    enum Outcome {
        case copied
        case clash
        case problem(String)
    }

    private static let patienceSeconds = 1.5
    private static let failuresOfABadStick = 12

    /// A copy of a stick.
    ///
    /// - Parameters:
    ///   - shouldStop: asked again and again; what is here stays, and the next copy goes on.
    ///   - tell: hears how far it is, a few times a second.
    public init(
        _ stick: Stick, on machine: Machine, rules: StickRules, shouldStop: @escaping () -> Bool = { false },
        tell: @escaping (StickJournal) -> Void = { _ in }
    ) {
        self.machine = machine
        self.stick = stick
        self.rules = rules
        self.shouldStop = shouldStop
        self.tell = tell
        journals = StickJournals(machine.data)
        leftovers = StickLeftovers(tag: stick.tag)
        journal = StickJournal(stick, state: .copying)
    }

    /// Copies; blocks until it is done or cannot go on.
    ///
    /// - Returns: where it stands. That the stick is gone, that there is no room or that it was asked to end are results.
    /// - Throws: `ApplianceError.busy` where another copy runs; `.notFound` where the folder of games is not there;
    ///   `.system` where this machine's disk cannot be written.
    public func run() throws(ApplianceError) -> StickJournal {
        let lock = try journals.lock()
        try? removeFile(journals.wish(stick.tag))
        let result: Result<StickJournal, ApplianceError>
        do throws(ApplianceError) { result = .success(try copy()) } catch { result = .failure(error) }
        lock.release()
        return try result.get()
    }

    private func copy() throws(ApplianceError) -> StickJournal {
        let old = journals.journal(of: stick.identity).flatMap { $0.isUnfinished ? $0 : nil }
        let facts: StickFacts
        do throws(ApplianceError) { facts = try StickFacts.read(stick.point, rules: rules) } catch {
            if hasLeft() { return try end(old ?? journal, .gone) }
            throw error
        }
        // What was seen of it while it was pulled out is not all of it.
        if !facts.problems.isEmpty, hasLeft() { return try end(old ?? journal, .gone) }
        let plan = try StickPlan(facts, data: machine.data, rules: rules)
        begin(plan, old)
        if old != nil {
            leftovers.sweep(machine.data.roms, but: journal.current.map { BytePath(bytes: $0.temporary) })
        }
        if let shortage = plan.shortage(of: machine.data.roms, saved: journal.current?.durable ?? 0) {
            journal.reason = shortage
            return try end(journal, .full)
        }
        do throws(Halt) {
            try write(force: true)
            for item in plan.new { try take(item) }
            for item in plan.doubtful { try compare(item) }
            try flushFolder()
        } catch {
            return try end(journal, error)
        }
        // What was half here of files that are not on the stick any more.
        if old != nil { leftovers.sweep(machine.data.roms) }
        journal.state = .done
        journal.current = nil
        try system { () throws(SystemError) in try journals.write(journal) }
        return journal
    }

    private func begin(_ plan: StickPlan, _ old: StickJournal?) {
        let known = old.map { $0.files > 0 ? $0 : nil } ?? nil
        journal.doneFiles = max(0, (known?.files ?? 0) - plan.new.count)
        journal.doneGames = max(0, (known?.games ?? 0) - plan.games)
        journal.doneBytes = max(0, (known?.bytes ?? 0) - plan.bytes)
        journal.files = journal.doneFiles + plan.new.count
        journal.games = journal.doneGames + plan.games
        journal.bytes = journal.doneBytes + plan.bytes
        journal.current = old?.current
        journal.process = currentProcessID
        journal.clashes = plan.clashing.count
        journal.failures = plan.problems.count
        for item in plan.clashing { noteClash(item) }
        for problem in plan.problems { journal.note(stick.point, problem) }
    }

    private func noteClash(_ item: StickPlan.Item) {
        journal.note(item.file.source, "another file of this name is here; it stays as it is")
    }

    private func end(_ journal: StickJournal, _ halt: Halt) throws(ApplianceError) -> StickJournal {
        var journal = journal
        var failure: SystemError?
        switch halt {
        case .stopped:
            (journal.state, journal.reason) = (.stopped, "it was asked to end, and goes on at the next start")
        case .gone:
            (journal.state, journal.reason) = (.waiting, "the stick is gone; it goes on when it is back")
        case .full:
            journal.state = .full
            journal.reason = journal.reason ?? "the disk is full; delete something and try again"
        case .forgotten:
            leftovers.sweep(machine.data.roms)
            (journal.state, journal.reason, journal.current) = (.failed, "it was given up", nil)
        case .failed(let error):
            (journal.state, journal.reason) = (.failed, error.description)
            failure = error
        }
        if let unflushed { try? synchronizeDirectory(unflushed) }
        do throws(SystemError) { try journals.write(journal) } catch {
            // A full disk may have no room for this either; what is there says that it is unfinished.
            if !error.isNoSpace { throw .system(error) }
        }
        tell(journal)
        if let failure { throw .system(failure) }
        return journal
    }

    // MARK: One file

    private func take(_ item: StickPlan.Item) throws(Halt) {
        try pause()
        let before = journal.doneBytes
        do throws(Halt) {
            switch try copy(item) {
            case .copied:
                failuresInARow = 0
                journal.doneFiles += 1
                if item.file.isGame { journal.doneGames += 1 }
                journal.doneBytes = before + item.file.size
            case .clash:
                journal.clashes += 1
                noteClash(item)
            case .problem(let reason):
                journal.failures += 1
                journal.note(item.file.source, reason)
                journal.doneBytes = before
            }
        } catch {
            journal.doneBytes = before
            throw error
        }
        try write()
    }

    private func compare(_ item: StickPlan.Item) throws(Halt) {
        try pause()
        do throws(CopyFault) {
            if try !isSame(item, onChunk: pauseWithin) {
                journal.clashes += 1
                noteClash(item)
            }
        } catch {
            switch try judge(error) {
            case .copied: break
            case .clash: journal.clashes += 1
            case .problem(let reason):
                journal.failures += 1
                journal.note(item.file.source, reason)
            }
        }
        try write()
    }

    private func copy(_ item: StickPlan.Item) throws(Halt) -> Outcome {
        let folder = item.target.parent
        do throws(CopyFault) {
            if unflushed != folder { try CopyFault.here { () throws(SystemError) in try flushNames() } }
            try CopyFault.here { () throws(SystemError) in try makeFolder(folder) }
            try transfer(item)
            unflushed = folder
            return .copied
        } catch {
            let outcome = try judge(error)
            // Only this file failed: nothing of it is gone on with.
            journal.current = nil
            try? removeFile(folder.appending(leftovers.name(of: item.file)))
            return outcome
        }
    }

    /// What a failure means: for this file, or for all.
    private func judge(_ fault: CopyFault) throws(Halt) -> Outcome {
        switch fault {
        case .halt(let halt): throw halt
        case .changed: return .problem("it changed while it was copied")
        case .here(let error):
            if error.isTaken { return .clash }
            if error.isNoSpace { throw .full }
            if error.isAboutOneFile { return .problem("it cannot be kept here: \(error.reason)") }
            throw .failed(error)
        case .stick(let error):
            if isGone(error) { throw .gone }
            failuresInARow += 1
            if failuresInARow >= StickCopy.failuresOfABadStick {
                journal.reason = "the stick cannot be read any more"
                throw .gone
            }
            return .problem("it cannot be read: \(error.reason)")
        }
    }

    /// Whether an error means the whole stick. The kernel says so a moment after the first reads failed.
    private func isGone(_ error: SystemError) -> Bool {
        if error.isDiskGone && error.call != "open" || !stick.isPlugged(in: machine) { return true }
        guard error.isDeviceFault || error.isNotFound || error.isDiskGone else { return false }
        if hasLeft() { return true }
        do throws(SystemError) {
            _ = try StrangerFolder(stick.point).entries(limit: 16)
            return false
        } catch { return true }
    }

    /// Whether the stick is gone, or goes within a moment.
    private func hasLeft() -> Bool {
        let deadline = MonotonicInstant.now.advanced(bySeconds: StickCopy.patienceSeconds)
        while stick.isPlugged(in: machine) {
            guard deadline > .now else { return false }
            sleepThread(seconds: 0.1)
        }
        return true
    }

    // MARK: In between

    private func pause() throws(Halt) {
        if shouldStop() { throw .stopped }
    }

    func pauseWithin() throws(Halt) {
        try pause()
        try write()
    }

    /// Counts what is here of a file that is being copied.
    func count(_ bytes: Int) { journal.doneBytes += Int64(bytes) }

    /// Tells how far it is, and writes it down when that was done a second ago or more.
    func write(force: Bool = false) throws(Halt) {
        let now = MonotonicInstant.now
        if force || now.seconds(since: told) >= 0.2 {
            told = now
            tell(journal)
        }
        guard force || now.seconds(since: written) >= 1 else { return }
        written = now
        if journals.isStopWanted(stick.tag) { throw .forgotten }
        do throws(SystemError) { try journals.write(journal) } catch { throw error.isNoSpace ? .full : .failed(error) }
    }

    private func flushFolder() throws(Halt) {
        do throws(SystemError) { try flushNames() } catch { throw .failed(error) }
    }

    private func flushNames() throws(SystemError) {
        guard let folder = unflushed else { return }
        try synchronizeDirectory(folder)
        unflushed = nil
    }

    func openStick() throws(CopyFault) -> StrangerFolder {
        do throws(SystemError) { return try StrangerFolder(stick.point) } catch { throw .stick(error) }
    }

    private func makeFolder(_ folder: BytePath) throws(SystemError) {
        if let status = try? fileStatus(folder) {
            if status.kind == .directory { return }
            throw SystemError.notAFolder(folder)
        }
        try makeFolder(folder.parent)
        try createDirectories(folder, permissions: 0o775)
        // The mask may have taken rights away; what the folder above gives, such as its group, stays.
        let inherited = (try? fileStatus(folder))?.permissions ?? 0
        try? setPermissions(folder, inherited & 0o7000 | 0o775)
        try synchronizeDirectory(folder.parent)
    }
}

/// A failure with the side that it is on.
enum CopyFault: Error {
    case stick(SystemError)
    case here(SystemError)
    case changed
    case halt(StickCopy.Halt)

    static func here<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(CopyFault) -> Value {
        do throws(SystemError) { return try body() } catch { throw .here(error) }
    }

    static func stick<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(CopyFault) -> Value {
        do throws(SystemError) { return try body() } catch { throw .stick(error) }
    }
}
