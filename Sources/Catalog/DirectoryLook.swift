import SystemKit

/// One directory as it is now: entries that may be games, and folders below.
///
/// Names lie in one buffer, so that a name costs no allocation; an instance may serve many directories in turn.
final class DirectoryLook {
    enum Role: UInt8 {
        case file = 0
        case sheet = 1
        case gameFolder = 2
        case folder = 3
    }

    struct Entry {
        var offset: Int
        var length: Int
        var stem: Int
        var role: Role
        var isLink: Bool
        /// Whether the entry is there but its target is not, or cannot be looked at.
        var isUnreachable = false
        /// Whether somebody may still be writing it.
        var isPending = false
        var size: Int64 = 0
        var modified: Int64 = 0
        var changed: Int64 = 0
    }

    /// What a sheet names.
    struct Sheet {
        var members: [[UInt8]]
    }

    /// What a game folder starts.
    struct Inner: Equatable {
        var launch: [UInt8]?
        var size: Int64 = 0
    }

    private let pulse: Pulse
    private(set) var status: FileStatus?
    private(set) var filesystem = FilesystemKind.unknown
    /// Games, then in no order.
    var games: ContiguousArray<Entry> = []
    private(set) var folders: ContiguousArray<Entry> = []
    /// New and changed sheets, by the entry's index.
    var sheets: [Int: Sheet] = [:]
    /// What game folders start, by the entry's index.
    private(set) var inner: [Int: Inner] = [:]
    /// Whether a `flatten.txt` asks for one list of everything below.
    private(set) var isFlat = false
    /// Entries of all kinds, also those of no interest.
    private(set) var count = 0
    private(set) var problems: [SystemError] = []
    private let names = ByteBuffer(capacity: 1 << 12)
    private var isSkipped = false
    private var isTop = false
    private var undecided: ContiguousArray<(Entry, EntryKind)> = []

    init(pulse: Pulse = Pulse()) { self.pulse = pulse }

    func name(_ entry: Entry) -> UnsafeBufferPointer<UInt8> { names[entry.offset..<entry.offset + entry.length] }
    func stem(_ entry: Entry) -> UnsafeBufferPointer<UInt8> { names[entry.offset..<entry.offset + entry.stem] }

    /// Lists a directory and looks at each entry that may be a game.
    ///
    /// - Parameter isTop: whether it is a system's own folder, beside whose games other programs put their media.
    /// - Throws: `SystemError` where it cannot be opened or not be read to its end; what was seen until then is kept.
    func read(
        _ path: BytePath, _ rules: SystemRules, isTop: Bool = false, settling: inout Settling
    ) throws(SystemError) {
        games.removeAll(keepingCapacity: true)
        folders.removeAll(keepingCapacity: true)
        undecided.removeAll(keepingCapacity: true)
        names.empty()
        problems = []
        sheets = [:]
        inner = [:]
        isFlat = false
        isSkipped = false
        self.isTop = isTop
        count = 0
        status = nil
        pulse.beat()
        let reader = try DirectoryReader(path)
        status = try reader.status()
        filesystem = reader.filesystem()
        var failure: SystemError?
        do {
            try reader.forEach { name, kind in
                count += 1
                pulse.beat()
                take(name, kind, rules)
            }
        } catch {
            failure = error
        }
        if isSkipped {
            games.removeAll(keepingCapacity: true)
            folders.removeAll(keepingCapacity: true)
            undecided.removeAll(keepingCapacity: true)
        }
        for (entry, _) in undecided { decide(entry, reader, rules) }
        for index in games.indices { inspect(&games[index], reader, path, &settling) }
        games.removeAll { $0.length == 0 }
        for index in games.indices where games[index].role == .gameFolder && !games[index].isUnreachable {
            pulse.beat()
            let found = Self.inner(of: path.appending(BytePath(bytes: name(games[index]))))
            inner[index] = found
            games[index].size = found.size
        }
        if let failure { throw failure }
    }

    private func take(_ name: UnsafeBufferPointer<UInt8>, _ kind: EntryKind, _ rules: SystemRules) {
        if NameRules.isPrivate(name) || kind == .other { return }
        if let marker = NameRules.marker(name) {
            switch marker {
            case .skip: isSkipped = true
            case .flatten: isFlat = true
            }
        }
        let stem = rules.stemLength(name)
        switch kind {
        case .regular:
            guard let stem else { return }
            addFile(name, stem: stem, isLink: false, rules)
        case .directory: addFolder(name, stem: stem, isLink: false, rules)
        case .symbolicLink, .unknown:
            undecided.append((store(name, stem: stem ?? 0, role: .file, isLink: kind == .symbolicLink), kind))
        case .other: break
        }
    }

    private func store(_ name: UnsafeBufferPointer<UInt8>, stem: Int, role: Role, isLink: Bool) -> Entry {
        let offset = names.count
        names.append(name)
        names.append(0)
        return Entry(offset: offset, length: name.count, stem: stem, role: role, isLink: isLink)
    }

    private func addFile(_ name: UnsafeBufferPointer<UInt8>, stem: Int, isLink: Bool, _ rules: SystemRules) {
        guard let role = fileRole(name, stem: stem, rules) else { return }
        games.append(store(name, stem: stem, role: role, isLink: isLink))
    }

    private func fileRole(_ name: UnsafeBufferPointer<UInt8>, stem: Int, _ rules: SystemRules) -> Role? {
        if rules.mayMatchJunk, NameRules.isJunkFile(name) { return nil }
        if rules.isArcade, NameRules.isArcadeSupport(UnsafeBufferPointer(rebasing: name[0..<stem])) { return nil }
        return NameRules.sheet(name) == nil ? .file : .sheet
    }

    private func isJunkFolder(_ name: UnsafeBufferPointer<UInt8>, _ rules: SystemRules) -> Bool {
        NameRules.isJunkFolder(name) || isTop && NameRules.isMediaFolder(name, takesPictures: rules.takesPictures)
    }

    private func addFolder(_ name: UnsafeBufferPointer<UInt8>, stem: Int?, isLink: Bool, _ rules: SystemRules) {
        if isJunkFolder(name, rules) { return }
        if let stem {
            games.append(store(name, stem: stem, role: .gameFolder, isLink: isLink))
        } else {
            folders.append(store(name, stem: name.count, role: .folder, isLink: isLink))
        }
    }

    /// A link, or an entry of a filesystem that does not tell kinds.
    private func decide(_ entry: Entry, _ reader: borrowing DirectoryReader, _ rules: SystemRules) {
        let name = self.name(entry)
        var entry = entry
        pulse.beat()
        switch reader.status(of: names.base + entry.offset) {
        case .success(let status):
            if status.kind == .directory {
                entry.role = entry.stem > 0 ? .gameFolder : .folder
                if isJunkFolder(name, rules) { return }
                if entry.role == .folder { folders.append(entry) } else { games.append(entry) }
            } else if status.kind == .regular, entry.stem > 0, let role = fileRole(name, stem: entry.stem, rules) {
                entry.role = role
                games.append(entry)
            }
        case .failure(let error):
            // A link to a place that is not there now, e.g. on a stick that was pulled.
            guard error.isNotFound ? entry.isLink : true else { return }
            entry.isUnreachable = true
            entry.role = entry.stem > 0 ? .file : .folder
            if entry.stem > 0 { games.append(entry) }
            folders.append(entry)
            if !error.isNotFound { problems.append(error) }
        }
    }

    private func inspect(
        _ entry: inout Entry, _ reader: borrowing DirectoryReader, _ path: BytePath, _ settling: inout Settling
    ) {
        if entry.isUnreachable { return }
        let pointer = UnsafePointer(names.base + entry.offset)
        pulse.beat()
        switch reader.status(of: pointer) {
        case .success(let status):
            entry.size = status.kind == .directory ? 0 : status.size
            entry.modified = status.modifiedNanoseconds
            entry.changed = status.changedNanoseconds
            if entry.role != .gameFolder {
                entry.isPending = !settling.isSettled(
                    name(entry), status, in: path, writer: { reader.writer(of: pointer) })
            }
        case .failure(let error):
            if error.isNotFound {
                // Gone between the listing and the look.
                entry.length = 0
            } else {
                entry.isUnreachable = true
                problems.append(error)
            }
        }
    }

    /// The file in a game folder that has the folder's own name; without one the folder itself is the game.
    static func inner(of folder: BytePath) -> Inner {
        guard let status = try? fileStatus(folder.appending(folder.name)), status.kind == .regular else {
            return Inner()
        }
        return Inner(launch: folder.name.bytes, size: status.size)
    }
}
