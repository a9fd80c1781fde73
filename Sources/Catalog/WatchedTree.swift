import SystemKit

/// The kernel's watches on the folders of a source.
final class WatchedTree {
    /// What an event means.
    enum Event {
        /// Events were lost.
        case lost
        /// The folder of all systems changed: a system's folder came or went, or the whole did.
        case library
        /// A folder came, went or changed its permissions.
        case folder(BytePath, name: BytePath, FileWatch.Kinds)
        /// A file did.
        case file(BytePath, name: BytePath, FileWatch.Kinds)
    }

    private enum Meaning {
        case library
        case above
        case directory(BytePath, looks: BytePath)
    }

    private let library: BytePath
    private let log: Log
    private let watch: FileWatch
    private var meanings: [Int32: Meaning] = [:]
    private var watched: [BytePath: Int32] = [:]
    /// Whether the kernel refused watches, so that a part must be looked at now and then.
    private(set) var isIncomplete = false

    init(library: BytePath, log: Log) throws(SystemError) {
        self.library = library
        self.log = log
        watch = try FileWatch()
        watchRoot()
    }

    var rawDescriptor: Int32 { watch.rawDescriptor }

    /// Watches the folder of all systems, or the nearest folder above it that is there.
    private func watchRoot() {
        var path = library
        var meaning = Meaning.library
        while watched[path] == nil {
            do {
                let number = try watch.add(
                    path, [.created, .movedHere, .movedAway, .deleted, .selfDeleted, .selfMoved])
                meanings[number] = meaning
                watched[path] = number
                if path == library { dropWatchesAbove() }
                return
            } catch {
                if error.isNotFound, path.parent != path {
                    path = path.parent
                    meaning = .above
                } else {
                    return note(error)
                }
            }
        }
    }

    /// The folders above mattered only as long as the library was not there.
    private func dropWatchesAbove() {
        for (path, number) in watched {
            guard case .above? = meanings[number] else { continue }
            watch.remove(number)
            meanings[number] = nil
            watched[path] = nil
        }
    }

    /// Lets the paths be watched anew, as they may lead elsewhere now.
    func forget() {
        for (path, number) in watched {
            watch.remove(number)
            meanings[number] = nil
            watched[path] = nil
        }
        watchRoot()
    }

    /// Watches directories.
    ///
    /// - Returns: those that were not watched before.
    func watch(_ directories: [(path: BytePath, looks: BytePath)], pulse: Pulse) -> [BytePath] {
        watchRoot()
        var fresh: [BytePath] = []
        for directory in directories where watched[directory.path] == nil {
            pulse.beat()
            do {
                let number = try watch.add(directory.path, FileWatch.Kinds.contents)
                // Two paths to one folder share a watch; the first has it.
                if meanings[number] == nil { meanings[number] = .directory(directory.path, looks: directory.looks) }
                watched[directory.path] = number
                fresh.append(directory.looks)
            } catch {
                if !error.isNotFound, !error.isPermission { note(error) }
            }
        }
        return fresh
    }

    private func note(_ error: SystemError) {
        if !isIncomplete {
            log.write(
                .warning,
                "the kernel watches no more folders (\(error)); a part of the games is looked at every few seconds instead"
            )
        }
        isIncomplete = true
    }

    /// What happened since the last call.
    func events() -> [Event] {
        var events: [Event] = []
        for event in watch.events() {
            if event.kinds.contains(.overflow) {
                events.append(.lost)
                continue
            }
            guard let meaning = meanings[event.watch] else { continue }
            let isEnd = !event.kinds.isDisjoint(with: [.ended, .selfDeleted, .selfMoved, .unmounted])
            switch meaning {
            case .library, .above:
                events.append(.library)
                if event.kinds.contains(.selfMoved) {
                    forget()
                } else if isEnd {
                    end(event.watch)
                }
            case .directory(let path, let looks):
                if isEnd {
                    end(event.watch)
                    if event.kinds.contains(.selfMoved) { endAll(below: path) }
                    events.append(.folder(looks, name: BytePath(""), event.kinds))
                } else if path != looks || event.kinds.contains(.directory) || event.name.bytes.isEmpty {
                    // Inside a game folder everything may matter for the game.
                    events.append(.folder(looks, name: path == looks ? event.name : BytePath(""), event.kinds))
                } else {
                    events.append(.file(path, name: event.name, event.kinds))
                }
            }
        }
        return events
    }

    private func end(_ number: Int32) {
        watch.remove(number)
        meanings[number] = nil
        watched = watched.filter { $0.value != number }
    }

    /// A folder was moved: what is below it has other paths now, and the watches would tell of the old ones.
    private func endAll(below path: BytePath) {
        let prefix = path.bytes + [0x2F]
        for number in watched.filter({ $0.key.bytes.starts(with: prefix) }).values { end(number) }
    }
}
