public import SystemKit

/// A file on a stick that belongs to a system.
public struct StickFile: Sendable, Equatable {
    /// Its path from the stick's top.
    public let source: BytePath
    /// The system's folder on this machine.
    public let system: String
    /// The name of the system's folder on the stick, which may be another name of it.
    public let folder: BytePath
    /// Its path from the system's folder.
    public let rest: BytePath
    /// Bytes.
    public let size: Int64
    /// Its time in nanoseconds since 1970.
    public let modifiedNanoseconds: Int64
    /// Whether it counts as a game, and not as a part of one or as something beside it.
    public let isGame: Bool
}

/// What a stick holds for the systems of this machine: `roms/<system>/...`, the same below the folders of RetroPie and
/// others, and folders named as systems at its top.
public struct StickFacts: Sendable, Equatable {
    /// Files in the order of their paths' bytes, place by place.
    public private(set) var files: [StickFile] = []
    /// Links, devices and pipes, which are left alone.
    public private(set) var skipped = 0
    /// What could not be looked at: sentences, the first few.
    public private(set) var problems: [String] = []
    /// Whether there is more than what is looked at.
    public private(set) var isCut = false

    /// Files that count as games.
    public var games: Int { files.count { $0.isGame } }
    /// Bytes of all files.
    public var bytes: Int64 { files.reduce(0) { $0 + $1.size } }

    private static let deepest = 24

    /// Looks at a stick. It may take a while.
    ///
    /// - Parameter limit: how many entries of folders are looked at.
    /// - Throws: `ApplianceError.system` where its top cannot be read.
    public static func read(
        _ point: BytePath, rules: StickRules, limit: Int = 200_000
    ) throws(ApplianceError) -> StickFacts {
        var walk = Walk(rules: rules, left: limit)
        try system { () throws(SystemError) in
            let top = try StrangerFolder(point)
            _ = try top.entries(limit: 1)
            for place in StickRules.places { walk.look(for: place[...], in: top, path: "") }
        }
        return walk.facts
    }

    fileprivate mutating func note(_ error: SystemError) {
        if problems.count < 20 { problems.append(error.description) }
    }

    private struct Walk {
        let rules: StickRules
        var left: Int
        var facts = StickFacts()
        private var seen: Set<FolderNumber> = []

        private struct FolderNumber: Hashable {
            let device: UInt64
            let inode: UInt64
        }

        init(rules: StickRules, left: Int) {
            self.rules = rules
            self.left = left
        }

        /// Goes down to a place, whatever the case of its names.
        mutating func look(for place: ArraySlice<String>, in folder: borrowing StrangerFolder, path: BytePath) {
            guard let name = place.first else { return lookAtSystems(in: folder, path) }
            for entry in list(folder)
            where entry.status.kind == .directory && entry.name.bytes.map(asciiLowercased) == Array(name.utf8) {
                do throws(SystemError) {
                    look(for: place.dropFirst(), in: try folder.folder(entry.name), path: joined(path, entry.name))
                } catch { facts.note(error) }
            }
        }

        private mutating func lookAtSystems(in folder: borrowing StrangerFolder, _ path: BytePath) {
            for entry in list(folder) where entry.status.kind == .directory && !StickRules.isJunkFolder(entry.name) {
                guard let system = rules.system(entry.name.bytes) else { continue }
                let before = facts.files.count
                do throws(SystemError) {
                    let inner = try folder.folder(entry.name)
                    take(inner, joined(path, entry.name), system, entry.name, rest: "", depth: 0)
                } catch { facts.note(error) }
                // A folder may be called as a system and be something else.
                if !facts.files[before...].contains(where: \.isGame) { facts.files.removeSubrange(before...) }
            }
        }

        private mutating func take(
            _ folder: borrowing StrangerFolder, _ path: BytePath, _ system: String, _ name: BytePath, rest: BytePath,
            depth: Int
        ) {
            let number = FolderNumber(device: folder.status.device, inode: folder.status.inode)
            // A damaged filesystem may have a folder in itself.
            guard seen.insert(number).inserted else { return }
            guard depth < StickFacts.deepest else {
                facts.isCut = true
                return
            }
            let entries = list(folder)
            let hasSheet = entries.contains { StickRules.isSheet($0.name) }
            for entry in entries {
                switch entry.status.kind {
                case .directory where !StickRules.isJunkFolder(entry.name):
                    do throws(SystemError) {
                        take(
                            try folder.folder(entry.name), path.appending(entry.name), system, name,
                            rest: joined(rest, entry.name), depth: depth + 1)
                    } catch { facts.note(error) }
                case .regular where !StickRules.isJunkFile(entry.name):
                    let isGame =
                        rules.isGame(system, entry.name) && !(hasSheet && StickRules.isTrack(entry.name))
                    facts.files.append(
                        StickFile(
                            source: path.appending(entry.name), system: system, folder: name,
                            rest: joined(rest, entry.name), size: entry.status.size,
                            modifiedNanoseconds: entry.status.modifiedNanoseconds, isGame: isGame))
                case .symbolicLink, .other: facts.skipped += 1
                case .directory, .regular: break
                }
            }
        }

        private mutating func list(_ folder: borrowing StrangerFolder) -> [StrangerFolder.Entry] {
            do throws(SystemError) {
                var failures: [SystemError] = []
                let (entries, isCut) = try folder.entries(limit: left) { failures.append($0) }
                failures.forEach { facts.note($0) }
                left -= entries.count
                if isCut { facts.isCut = true }
                return entries
            } catch {
                facts.note(error)
                return []
            }
        }

        private func joined(_ folder: BytePath, _ name: BytePath) -> BytePath {
            folder.bytes.isEmpty ? name : folder.appending(name)
        }
    }
}
