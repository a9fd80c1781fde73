import FoundationEssentials
public import SystemKit

/// What was begun for a stick, and how far it came: a file in the state folder, replaced as a whole.
///
/// The list of files is not in it. What is to be done is found by looking at both sides again, whatever happened.
public struct StickJournal: Sendable, Equatable, Codable {
    /// Where a copy stands.
    public enum State: String, Sendable, Codable {
        /// Somebody wants it.
        case wanted
        /// It runs, or its process died.
        case copying
        /// The stick was taken away.
        case waiting
        /// It was asked to end.
        case stopped
        /// There is no room.
        case full
        /// All was done that can be.
        case done
        /// It cannot go on.
        case failed
    }

    /// A file that was not copied, and why.
    public struct Problem: Sendable, Equatable, Codable {
        /// Its path on the stick, for people.
        public let path: String
        /// A sentence.
        public let reason: String
    }

    /// A large file that is half copied.
    struct Current: Sendable, Equatable, Codable {
        let source: Data
        let temporary: Data
        let size: Int64
        let modifiedNanoseconds: Int64
        /// Bytes that are on the disk for good.
        var durable: Int64
    }

    /// The stick's identity.
    public let identity: String
    /// What a person calls it.
    public let label: String
    /// Where it stands.
    public var state: State
    /// Why it does not go on: a sentence.
    public var reason: String?
    /// Files that were not here when it was begun.
    public var files = 0
    /// Those of them that count as games.
    public var games = 0
    /// Their bytes.
    public var bytes: Int64 = 0
    /// Files that are here now.
    public var doneFiles = 0
    /// Games among them.
    public var doneGames = 0
    /// Bytes that are here now.
    public var doneBytes: Int64 = 0
    /// Files that are here under the same name with other contents.
    public var clashes = 0
    /// Files that could not be copied, without those.
    public var failures = 0
    /// The first of both.
    public var problems: [Problem] = []
    /// The process that copies, or did.
    public var process: Int32 = 0
    var current: Current?

    /// The beginning.
    init(_ stick: Stick, state: State = .wanted) {
        identity = stick.identity
        label = stick.label
        self.state = state
    }

    /// Whether there is something to go on with.
    public var isUnfinished: Bool { state != .done && state != .failed }

    /// What its files are called.
    public var tag: String { Stick.tag(of: identity) }

    mutating func note(_ path: BytePath, _ reason: String) {
        if problems.count < 100 { problems.append(Problem(path: path.displayString, reason: reason)) }
    }
}

/// The journals of all sticks.
public struct StickJournals: Sendable {
    /// Their folder.
    public let folder: BytePath

    /// Those of a machine's data.
    public init(_ data: DataPlaces) { folder = data.state.appending("sticks") }

    private func path(_ tag: String) -> BytePath { folder.appending(tag + ".json") }
    func wish(_ tag: String) -> BytePath { folder.appending(tag + ".wanted") }
    private func stop(_ tag: String) -> BytePath { folder.appending(tag + ".stop") }

    /// All of them, in the order of their labels. One that cannot be read is as none.
    public func all() -> [StickJournal] {
        let names = ((try? directoryNames(folder)) ?? []).filter { $0.fileExtension == Array("json".utf8) }
        return names.compactMap { read(folder.appending($0)) }
            .sorted { ($0.label, $0.identity) < ($1.label, $1.identity) }
    }

    /// A stick's own.
    public func journal(of identity: String) -> StickJournal? {
        read(path(Stick.tag(of: identity))).flatMap { $0.identity == identity ? $0 : nil }
    }

    private func read(_ path: BytePath) -> StickJournal? {
        guard let bytes = try? readRegularFile(path, limit: 4 << 20) else { return nil }
        return try? JSONDecoder().decode(StickJournal.self, from: Data(decodableJSON(bytes)))
    }

    func write(_ journal: StickJournal) throws(SystemError) {
        try createDirectories(folder)
        guard let data = try? JSONEncoder().encode(journal) else { return }
        try replaceFile(at: path(journal.tag), with: Array(data), permissions: 0o644)
    }

    /// Notes that a stick is to be copied. The service is started by the file that this makes.
    ///
    /// - Throws: `ApplianceError.system` where it cannot be written.
    public func want(_ stick: Stick) throws(ApplianceError) {
        try system { () throws(SystemError) in
            let old = journal(of: stick.identity)
            if old?.isUnfinished != true { try write(StickJournal(stick)) }
            try replaceFile(at: wish(stick.tag), with: [], permissions: 0o644)
        }
    }

    /// Removes what starts the service, after all wishes were seen: it would be started again and again.
    public func dropWishes() {
        for name in (try? directoryNames(folder)) ?? [] where name.fileExtension == Array("wanted".utf8) {
            try? removeFile(folder.appending(name))
        }
    }

    func isStopWanted(_ tag: String) -> Bool { fileExists(stop(tag)) }

    /// Whether a copy runs now.
    public var isCopying: Bool {
        guard fileExists(folder.appending("lock")) else { return false }
        do throws(SystemError) {
            _ = try LockFile(folder.appending("lock"), waits: false)
            return false
        } catch { return error.isBusy }
    }

    /// The only copy that there is at a time.
    func lock() throws(ApplianceError) -> LockFile {
        let deadline = MonotonicInstant.now.advanced(bySeconds: 1)
        while true {
            do throws(SystemError) {
                try createDirectories(folder)
                return try LockFile(folder.appending("lock"), waits: false)
            } catch {
                guard error.isBusy else { throw .system(error) }
                // Who asks whether a copy runs holds it for a moment.
                guard deadline > .now else { throw .busy("another stick is being copied; try again when that is done") }
            }
            sleepThread(seconds: 0.05)
        }
    }

    /// Gives a copy up: what is copied stays, half files go, and nothing goes on by itself any more. A copy that runs
    /// ends within a moment.
    ///
    /// - Throws: `ApplianceError.busy` where it does not end.
    public func forget(_ journal: StickJournal, roms: BytePath) throws(ApplianceError) {
        try system { () throws(SystemError) in
            try createDirectories(folder)
            try replaceFile(at: stop(journal.tag), with: [], permissions: 0o644)
        }
        defer { try? removeFile(stop(journal.tag)) }
        var tries = 0
        while isCopying, read(path(journal.tag))?.state == .copying {
            tries += 1
            guard tries < 200 else { throw .busy("the copy does not end; try again in a moment") }
            sleepThread(seconds: 0.05)
        }
        StickLeftovers(tag: journal.tag).sweep(roms)
        try system { () throws(SystemError) in
            try removeFile(wish(journal.tag))
            try removeFile(path(journal.tag))
            try synchronizeDirectory(folder)
        }
    }
}

/// Half files, which have names that no scan takes for games.
struct StickLeftovers {
    private let prefix: [UInt8]

    init(tag: String) { prefix = Array(".retro-stick-\(tag)-".utf8) }

    /// The name of a file while it is copied. The same file has the same one again.
    func name(of file: StickFile) -> BytePath {
        BytePath(bytes: prefix + Array(hexDigits(fingerprint(file.source.bytes)).utf8) + Array(".part".utf8))
    }

    /// Removes those of a folder.
    func remove(from folder: BytePath, but kept: BytePath? = nil) {
        for name in (try? directoryNames(folder)) ?? [] where name.bytes.starts(with: prefix) {
            let path = folder.appending(name)
            if path != kept { try? removeFile(path) }
        }
    }

    /// Removes those of all folders below the folder of games.
    func sweep(_ folder: BytePath, but kept: BytePath? = nil, depth: Int = 0) {
        guard depth < 32 else { return }
        var folders: [BytePath] = []
        guard let reader = try? StrangerFolder(folder), let list = try? reader.entries(limit: 1_000_000) else { return }
        for entry in list.entries {
            let path = folder.appending(entry.name)
            switch entry.status.kind {
            case .directory: folders.append(path)
            // A system's folder may be a link to another disk.
            case .symbolicLink where depth == 0: folders.append(path)
            case .regular where entry.name.bytes.starts(with: prefix) && path != kept: try? removeFile(path)
            default: break
            }
        }
        for inner in folders { sweep(inner, but: kept, depth: depth + 1) }
    }
}
