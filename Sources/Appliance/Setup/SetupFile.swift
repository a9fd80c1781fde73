import DigestKit
public import SystemKit

/// `retro-setup.txt` on the boot partition: how a machine without a screen or keyboard is set up, once.
public struct SetupFile: Sendable {
    /// What it is called. A second `.txt`, which editors on Windows add unseen, does no harm.
    public static let name = "retro-setup.txt"
    /// What happened is told in this file beside it.
    public static let reportName = "retro-setup-report.txt"

    /// What came of a line.
    public struct LineResult: Sendable, Equatable {
        /// What a line led to.
        public enum State: String, Sendable, Equatable {
            /// Done, or as it should be already.
            case done
            /// It would be done.
            case planned
            /// It says nothing that can be meant; it was not tried.
            case bad
            /// It could not be done; it is kept, and tried again at the next start.
            case failed
        }

        /// As an editor counts.
        public let number: Int
        /// What it is about; empty where that is not clear.
        public let key: String
        /// What came of it.
        public let state: State
        /// What is wrong: a sentence.
        public let reason: String?
    }

    /// What came of a file.
    public struct Outcome: Sendable, Equatable {
        /// The file.
        public let file: BytePath
        /// Its lines, without empty ones and comments.
        public let lines: [LineResult]
        /// What a person should know beside: sentences.
        public let notes: [String]
    }

    private let machine: Machine
    /// Where it is.
    public let path: BytePath

    /// More is no text that a person wrote.
    private static let limit = 64 << 10

    /// Finds the file; `nil` where there is none.
    public init?(_ machine: Machine) {
        for folder in SetupFile.folders(machine) {
            let paths = ((try? directoryNames(folder)) ?? []).sorted().filter(SetupFile.isName)
                .map { folder.appending($0) }
            let isFile = { (path: BytePath) in (try? fileStatus(path, followLinks: false))?.kind == .regular }
            guard let found = paths.first(where: isFile) ?? paths.first else { continue }
            self.machine = machine
            path = found
            return
        }
        return nil
    }

    /// Says which text was applied and could not be wiped, as on a card that is locked: it is not applied again, which
    /// would take back at each start what was changed since.
    private var appliedPath: BytePath { machine.state.appending("setup-applied") }

    private func read() throws(ApplianceError) -> [UInt8] {
        let status = try system { () throws(SystemError) in try fileStatus(path, followLinks: false) }
        guard status.kind == .regular else { throw .refused("\(path) is no file, but a folder or a link") }
        guard status.size <= SetupFile.limit else {
            throw .refused("\(path) is larger than \(SetupFile.limit >> 10) kB: it is no text with settings")
        }
        return try system { () throws(SystemError) in try readRegularFile(path, limit: SetupFile.limit) }
    }

    private static func folders(_ machine: Machine) -> [BytePath] {
        [BootPartition.find(machine)?.path].compactMap { $0 } + ["boot/firmware", "boot"].map { machine.path($0) }
    }

    private static func isName(_ name: BytePath) -> Bool {
        let lower = name.bytes.map(asciiLowercased)
        return lower == Array(SetupFile.name.utf8) || lower == Array((SetupFile.name + ".txt").utf8)
    }

    /// What its lines say, with nothing changed.
    public func preview() throws(ApplianceError) -> Outcome { try carryOut(isDryRun: true) { _ in } }

    /// Does what the lines say, tells about it in a file beside it, and leaves a copy without secrets in which every
    /// line that was dealt with is a comment. Interrupted anywhere it can be called again.
    ///
    /// - Parameter began: hears what is being done: a sentence a step.
    /// - Throws: `ApplianceError.system` where the file cannot be read or written. What is wrong with a line is a result.
    public func apply(_ began: (String) -> Void = { _ in }) throws(ApplianceError) -> Outcome {
        try carryOut(isDryRun: false, began)
    }

    private func carryOut(isDryRun: Bool, _ began: (String) -> Void) throws(ApplianceError) -> Outcome {
        let bytes = try read()
        let digest = Array(SHA256.of(bytes).utf8)
        let wasApplied = (try? readRegularFile(appliedPath, limit: 1024)) == digest
        let text = SetupText(bytes)
        let wishes = SetupWishes(text.lines)
        var reasons = wishes.faults.mapValues { (LineResult.State.bad, $0) }
        var notes: [String] = []
        if wishes.hasNetwork, !wishes.hasCountry, RegulatoryDomain.current(machine) == nil {
            notes.append("There is a network and no country: the radio may stay off. Add a line such as country=DE.")
        }
        for wish in wishes.wishes {
            do throws(ApplianceError) {
                let plan = try wish.change.plan(on: machine)
                if !isDryRun, !wasApplied {
                    try plan.apply { if case .began(_, let summary) = $0 { began(summary) } }
                }
                notes += plan.notes
            } catch {
                for line in wish.lines { reasons[line.number] = (SetupFile.state(error), error.description) }
            }
        }
        let lines = text.lines.map { line in
            let (state, reason) =
                reasons[line.number].map { ($0.0, $0.1 as String?) } ?? (isDryRun ? .planned : .done, nil)
            // A word that is not known may be a password that somebody wrote without its key.
            let key = SetupWishes.words.contains(line.word) ? line.key : ""
            return LineResult(number: line.number, key: key, state: state, reason: reason)
        }
        let outcome = Outcome(file: path, lines: lines, notes: notes)
        if isDryRun || lines.isEmpty { return outcome }
        if !lines.contains(where: { $0.state == .failed }) {
            try system { () throws(SystemError) in
                try createDirectories(machine.state)
                try replaceFile(at: appliedPath, with: digest, permissions: 0o600)
            }
        }
        try finish(bytes, text, outcome)
        // The same text written once more is meant once more.
        try? removeFile(appliedPath)
        return outcome
    }

    /// Whether it is the line that is wrong, or the machine that could not do it now.
    private static func state(_ error: ApplianceError) -> LineResult.State {
        switch error {
        case .badValue, .refused, .notFound, .denied: .bad
        case .missingProgram, .unavailable, .cannotCreate, .failed, .unverified, .busy, .needsRoot, .system: .failed
        }
    }

    /// The report first, so that it is there whatever happens next. Then the old content is overwritten where it lies,
    /// with comments of the same length, and the copy takes its place.
    private func finish(_ original: [UInt8], _ text: SetupText, _ outcome: Outcome) throws(ApplianceError) {
        let report = path.parent.appending(SetupFile.reportName)
        let copy = SetupReport.copy(text, outcome)
        let blank = SetupReport.blanked(original, outcome)
        let write = { () throws(ApplianceError) in
            var failure: SystemError?
            // Overwriting needs no room, so that secrets go from a full card, too.
            do throws(SystemError) { try FATFiles.replace(report, with: SetupReport.report(outcome)) } catch {
                failure = error
            }
            try system { () throws(SystemError) in try overwriteFile(path, with: blank) }
            do throws(SystemError) { try FATFiles.replace(path, with: copy) } catch { failure = failure ?? error }
            if let failure { throw .system(failure) }
        }
        guard let partition = BootPartition.find(machine), partition.path == path.parent else { return try write() }
        try BootFiles(partition, machine).writing(write)
    }
}
