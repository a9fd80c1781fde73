import SystemKit

/// One directory as it is now: entries that may be games, and folders below.
///
/// One instance serves all directories of a scan; names lie in one buffer, so that a name costs no allocation.
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

    private(set) var status: FileStatus?
    private(set) var filesystem = FilesystemKind.unknown
    /// Games, then in no order.
    var games: ContiguousArray<Entry> = []
    private(set) var folders: ContiguousArray<Entry> = []
    /// Entries of all kinds, also those of no interest.
    private(set) var count = 0
    private(set) var problems: [SystemError] = []
    private let names = ByteBuffer(capacity: 1 << 16)
    private var undecided: ContiguousArray<(Entry, EntryKind)> = []

    func name(_ entry: Entry) -> UnsafeBufferPointer<UInt8> { names[entry.offset..<entry.offset + entry.length] }
    func stem(_ entry: Entry) -> UnsafeBufferPointer<UInt8> { names[entry.offset..<entry.offset + entry.stem] }

    /// Lists a directory and looks at each entry that may be a game.
    ///
    /// - Throws: `SystemError` where it cannot be opened or not be read to its end; what was seen until then is kept.
    func read(_ path: BytePath, _ rules: SystemRules, settling: inout Settling) throws(SystemError) {
        games.removeAll(keepingCapacity: true)
        folders.removeAll(keepingCapacity: true)
        undecided.removeAll(keepingCapacity: true)
        names.empty()
        problems = []
        count = 0
        status = nil
        let reader = try DirectoryReader(path)
        status = try reader.status()
        filesystem = reader.filesystem()
        var failure: SystemError?
        do {
            try reader.forEach { name, kind in
                count += 1
                take(name, kind, rules)
            }
        } catch {
            failure = error
        }
        for (entry, _) in undecided { decide(entry, reader, rules) }
        for index in games.indices { inspect(&games[index], reader, path, &settling) }
        games.removeAll { $0.length == 0 }
        if let failure { throw failure }
    }

    private func take(_ name: UnsafeBufferPointer<UInt8>, _ kind: EntryKind, _ rules: SystemRules) {
        if NameRules.isPrivate(name) || kind == .other { return }
        let stem = rules.stemLength(name)
        switch kind {
        case .regular:
            guard let stem else { return }
            addFile(name, stem: stem, isLink: false, rules)
        case .directory: addFolder(name, stem: stem, isLink: false)
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

    private func addFolder(_ name: UnsafeBufferPointer<UInt8>, stem: Int?, isLink: Bool) {
        if NameRules.isJunkFolder(name) { return }
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
        switch reader.status(of: names.base + entry.offset) {
        case .success(let status):
            if status.kind == .directory {
                entry.role = entry.stem > 0 ? .gameFolder : .folder
                if NameRules.isJunkFolder(name) { return }
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
}
