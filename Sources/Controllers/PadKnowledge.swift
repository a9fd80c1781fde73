internal import Synchronization
public import SystemKit

/// What is known about pads without asking: the person's own profiles, the database of game controllers, the kernel's
/// convention; the first that knows a pad has the word.
public final class PadKnowledge: Sendable {
    /// What is known about one device.
    public struct Answer: Sendable, Equatable {
        /// Which controls have which functions.
        public let mapping: PadMapping
        /// Who says so; where it is `none`, the mapping is a guess.
        public let source: MappingSource
        /// Which letters the buttons have.
        public let family: PadFamily

        /// An answer with all its parts.
        public init(mapping: PadMapping, source: MappingSource, family: PadFamily) {
            self.mapping = mapping
            self.source = source
            self.family = family
        }
    }

    private struct State {
        var profiles: ProfileFolder
        var database: GameControllerDatabase
        /// Why the person's database cannot be read.
        var unreadable: ProfileProblem?
        /// What could not be stored, for as long as the process lives.
        var kept: [PadProfile.Kind: PadProfile] = [:]

        func profile(for facts: DeviceFacts) -> PadProfile? { kept[facts.kind] ?? profiles.profile(for: facts) }
    }

    private let folder: BytePath
    private let log: Log?
    private let state: Mutex<State>

    /// Reads what the person has: `profiles` and `gamecontrollerdb.txt` below a folder. What is damaged there costs
    /// itself, and is told to the log and to `problems`.
    ///
    /// - Parameter folder: `PadKnowledge.folder(below:)`; it need not exist.
    public init(folder: BytePath, log: Log? = nil) {
        self.folder = folder
        self.log = log
        state = Mutex(PadKnowledge.read(folder))
        tellProblems()
    }

    /// Where a person's decisions about pads are, below the folder for configuration.
    public static func folder(below configuration: BytePath) -> BytePath { configuration.appending("controllers") }

    private static func read(_ folder: BytePath) -> State {
        var state = State(
            profiles: ProfileFolder(folder.appending("profiles")), database: GameControllerDatabase([]))
        let file = databaseFile(in: folder)
        do throws(SystemError) {
            state.database = try GameControllerDatabase(file: file)
        } catch {
            state.unreadable = ProfileProblem(file: file, reason: error.reason)
        }
        return state
    }

    /// A person's own database of game controllers.
    public static func databaseFile(in folder: BytePath) -> BytePath { folder.appending("gamecontrollerdb.txt") }

    /// A database is read when a pad asks, not at the start: what is wrong in one is told to those who ask.
    private func tellProblems() {
        guard let log else { return }
        let problems = state.withLock { $0.profiles.problems + ($0.unreadable.map { [$0] } ?? []) }
        for problem in problems { log.write(.warning, problem.description) }
    }

    /// Reads the files again: somebody else changed them.
    public func reload() {
        // Within the lock: what is stored meanwhile must not be forgotten again.
        state.withLock { state in
            let kept = state.kept
            state = PadKnowledge.read(folder)
            state.kept = kept
        }
        tellProblems()
    }

    /// What could not be used of the person's files; reads all of the database.
    public var problems: [ProfileProblem] {
        let current = state.withLock { $0 }
        return current.profiles.problems + (current.unreadable.map { [$0] } ?? [])
            + current.database.problems(in: PadKnowledge.databaseFile(in: folder))
    }

    /// The person's profile for a device, else what the database, else what the kernel's convention says, else a guess.
    public func answer(for facts: DeviceFacts) -> Answer {
        let family = PadFamily(identity: facts.identity, name: facts.name)
        let (profile, database) = state.withLock { ($0.profile(for: facts), $0.database) }
        if let profile {
            return Answer(mapping: profile.mapping, source: .user, family: profile.family ?? family)
        }
        let convention = PadMapping(convention: facts.capabilities, identity: facts.identity, name: facts.name)
        if let entry = database.entry(for: facts) ?? GameControllerDatabase.shipped.entry(for: facts) {
            // An adapter calls itself by a number, and the database knows for which pads it is.
            let family = PadFamily(identity: facts.identity, name: "\(facts.name) \(entry.name)")
            return Answer(mapping: entry.mapping.completed(by: convention), source: .database, family: family)
        }
        // A pad with nothing that accepts, or nothing that points, is known only by name.
        if let convention, convention.isUsable { return Answer(mapping: convention, source: .kernel, family: family) }
        let guess = PadMapping(guess: facts.capabilities, identity: facts.identity, name: facts.name)
        return Answer(mapping: guess, source: .none, family: family)
    }

    /// Whether the person has a profile for a device: then it is a pad, whatever it looks like.
    public func isWanted(_ facts: DeviceFacts) -> Bool {
        state.withLock { $0.profile(for: facts) != nil }
    }

    /// Whether the person has a profile for any device of this make.
    func hasProfile(_ identity: PadIdentity) -> Bool {
        state.withLock { state in
            state.profiles.knows(identity) || state.kept.keys.contains { $0.identity == identity }
        }
    }

    /// Uses what the person decided until the process ends, where it could not be stored.
    public func keep(_ mapping: PadMapping, for facts: DeviceFacts, family: PadFamily? = nil) {
        guard !mapping.isEmpty else { return }
        let profile = PadProfile(for: facts, mapping: mapping, family: family, onlyThisUnit: false)
        state.withLock { $0.kept[profile.kind] = profile }
    }

    /// Stores what the person decided, durably; a profile for the same pad or kind is replaced.
    ///
    /// - Parameter onlyThisUnit: whether other pads of its kind are left alone; without effect where nothing tells this
    ///   one from them (`DeviceFacts.profileUnit`).
    public func save(
        _ mapping: PadMapping, for facts: DeviceFacts, family: PadFamily? = nil, onlyThisUnit: Bool = false
    ) throws(ControllerError) {
        guard !mapping.isEmpty else { throw .emptyMapping(name: facts.name) }
        let profile = PadProfile(for: facts, mapping: mapping, family: family, onlyThisUnit: onlyThisUnit)
        try change { profiles throws(SystemError) in try profiles.save(profile, for: facts) }
        state.withLock { $0.kept[profile.kind] = nil }
    }

    /// Removes the person's profiles for a device and for its kind.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func forget(_ facts: DeviceFacts) throws(ControllerError) -> Bool {
        let wasKept = state.withLock { $0.kept.removeValue(forKey: facts.kind) != nil }
        return try change { profiles throws(SystemError) in try profiles.remove(facts) } || wasKept
    }

    /// Takes over what somebody brings along.
    ///
    /// - Parameter connected: the pads that are plugged in: for them it becomes a profile.
    public func adopt(
        _ file: ControllerImport, connected: [DeviceFacts]
    ) throws(ControllerError) -> ControllerImport.Outcome {
        var result = ControllerImport.Outcome()
        var lines: [String] = []
        for record in file.records {
            switch record {
            case .profile(let profile):
                try change { profiles throws(SystemError) in try profiles.save(profile, for: nil) }
                result.profiles += 1
            case .numbers(let numbers):
                let mine = connected.filter { ControllerGUID(for: $0) == numbers.guid }
                let mappings = mine.map { ($0, numbers.mapping(for: $0.capabilities)) }.filter { !$0.1.isEmpty }
                for (facts, mapping) in mappings { try save(mapping, for: facts) }
                // What means nothing for the pad at hand may be meant for another of its kind.
                if mappings.isEmpty { lines.append(numbers.text) } else { result.profiles += 1 }
            case .line(let line): lines.append(line)
            case .retroArch(let retroArch):
                let mine = connected.filter(retroArch.isAbout)
                let mappings = mine.map { ($0, retroArch.mapping(for: $0.capabilities)) }.filter { !$0.1.isEmpty }
                for (facts, mapping) in mappings { try save(mapping, for: facts) }
                if mappings.isEmpty { result.waiting += 1 } else { result.profiles += 1 }
            }
        }
        if !lines.isEmpty { try addToDatabase(lines) }
        result.lines = lines.count
        return result
    }

    /// Adds lines to the person's database in place of those for the same devices.
    private func addToDatabase(_ lines: [String]) throws(ControllerError) {
        let file = PadKnowledge.databaseFile(in: folder)
        let outcome = state.withLock { state -> Result<Void, SystemError> in
            do throws(SystemError) {
                let database = try GameControllerDatabase(file: file).replacing(lines)
                try createDirectories(folder)
                try replaceFile(at: file, with: database.contents)
                state.database = database
                state.unreadable = nil
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        if case .failure(let error) = outcome { throw .file(error) }
    }

    private func change<Result: Sendable>(
        _ body: (inout ProfileFolder) throws(SystemError) -> Result
    ) throws(ControllerError) -> Result {
        // Typed errors do not pass through the lock's closure on all compilers.
        let result = state.withLock { state -> Swift.Result<Result, SystemError> in
            do throws(SystemError) {
                return .success(try body(&state.profiles))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let value): return value
        case .failure(let error): throw .file(error)
        }
    }
}

extension PadMapping {
    /// This mapping, and where another one contradicts it in nothing, what only the other knows: the database's lines
    /// have one control a function, and pads may have two.
    func completed(by other: PadMapping?) -> PadMapping {
        guard let other else { return self }
        for (function, list) in controls {
            guard let known = other.controls[function] else { continue }
            if !Set(list).isSubset(of: known) { return self }
        }
        let used = Set(controls.values.joined())
        var result = self
        for (function, list) in other.controls {
            for control in list where !used.contains(control) { result.add(control, for: function) }
        }
        result.travels.merge(other.travels) { mine, _ in mine }
        return result
    }
}
