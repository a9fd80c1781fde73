import SystemKit

/// News of folders that is settling: which directory must be looked at, and when.
struct LibraryNews {
    /// A file is looked at so long after the last news of it.
    static let settleSeconds = 0.3
    private static let openSettleSeconds = 0.4
    private static let longestWaitSeconds = 5.0

    private struct File {
        var due: MonotonicInstant
        var isClosed: Bool
        var wait: Double
    }

    private var scanDue: MonotonicInstant?
    private var files: [BytePath: [[UInt8]: File]] = [:]
    private var folders: [BytePath: (due: MonotonicInstant, isDeep: Bool)] = [:]

    /// When something is ready to be looked at.
    var due: MonotonicInstant? {
        var earliest = scanDue
        for (_, folder) in folders where earliest.map({ folder.due < $0 }) ?? true { earliest = folder.due }
        for (_, names) in files {
            for (_, file) in names where earliest.map({ file.due < $0 }) ?? true { earliest = file.due }
        }
        return earliest
    }

    mutating func needsScan(at time: MonotonicInstant) {
        scanDue = max(scanDue ?? time, time)
    }

    mutating func takeScan(at now: MonotonicInstant) -> Bool {
        guard let scanDue, scanDue <= now else { return false }
        self.scanDue = nil
        return true
    }

    mutating func file(_ directory: BytePath, _ name: BytePath, _ kinds: FileWatch.Kinds, at now: MonotonicInstant) {
        let isClosed = !kinds.isDisjoint(with: [.closedAfterWriting, .movedHere, .movedAway, .deleted])
        waits[directory.appending(name)] = nil
        let wait = isClosed ? LibraryNews.settleSeconds : LibraryNews.openSettleSeconds
        files[directory, default: [:]][name.bytes] = File(
            due: now.advanced(bySeconds: wait), isClosed: isClosed, wait: LibraryNews.openSettleSeconds)
    }

    mutating func folder(_ directory: BytePath, _ name: BytePath, _ kinds: FileWatch.Kinds, at now: MonotonicInstant) {
        let due = now.advanced(bySeconds: LibraryNews.settleSeconds)
        folders[directory] = (due, folders[directory]?.isDeep ?? false)
        if !name.bytes.isEmpty, !kinds.isDisjoint(with: [.created, .movedHere, .attributes]) {
            folders[directory.appending(name)] = (due, true)
        }
    }

    /// A directory that was found a moment ago and is watched from now on.
    mutating func again(_ directory: BytePath, at now: MonotonicInstant) {
        folders[directory] = (now.advanced(bySeconds: LibraryNews.settleSeconds), true)
    }

    /// Files that were not whole at the last look: looked at again later and later, until there is news.
    mutating func leave(_ directory: BytePath, _ names: Set<[UInt8]>, at now: MonotonicInstant) {
        for name in names {
            let before = files[directory]?[name]
            if let before, before.due > now { continue }
            let wait = min(
                (before?.wait ?? waits[directory.appending(BytePath(bytes: name))] ?? 0.5) * 2,
                LibraryNews.longestWaitSeconds)
            waits[directory.appending(BytePath(bytes: name))] = wait
            files[directory, default: [:]][name] = File(due: now.advanced(bySeconds: wait), isClosed: false, wait: wait)
        }
    }

    private var waits: [BytePath: Double] = [:]

    /// Takes what is ready; names that are not ready yet are named as held.
    mutating func take(at now: MonotonicInstant) -> [LiveLook] {
        var looks: [BytePath: LiveLook] = [:]
        for (directory, folder) in folders where folder.due <= now {
            looks[directory] = LiveLook(path: directory, isDeep: folder.isDeep)
            folders[directory] = nil
        }
        for (directory, names) in files {
            let ready = names.filter { $0.value.due <= now }
            guard !ready.isEmpty || looks[directory] != nil else { continue }
            var look = looks[directory] ?? LiveLook(path: directory)
            look.ready = Set(ready.filter { $0.value.isClosed }.keys)
            look.held = Set(names.filter { $0.value.due > now }.keys)
            looks[directory] = look
            let rest = names.filter { $0.value.due > now }
            files[directory] = rest.isEmpty ? nil : rest
        }
        // Parents first: a folder that is new must be known before it is looked at itself.
        return looks.values.sorted { $0.path < $1.path }
    }
}
