import SystemKit

/// What of a person's data a backup holds: what cannot be had again. Games, firmware and pictures of games are not among
/// it, and nothing that says what this one machine is.
struct BackupContents {
    /// A file that goes into a backup.
    struct Item: Sendable, Equatable {
        /// Its name in the archive: a place's word, and the path below that place.
        let name: BytePath
        /// Where it is now.
        let path: BytePath
        let size: Int64
        /// Whether it is a database, which is copied through SQLite: somebody may be writing to it.
        let isDatabase: Bool
    }

    let places: DataPlaces
    let withScreenshots: Bool
    /// Files and folders that belong to a backup and cannot be read, or are no files: a sentence each.
    private(set) var skipped: [String] = []
    private(set) var items: [Item] = []

    /// Folders are not followed deeper than this: a loop of mounts must end.
    private static let deepest = 24
    static let databases = ["user.sqlite", "metadata.sqlite"]

    init(of places: DataPlaces, withScreenshots: Bool) {
        self.places = places
        self.withScreenshots = withScreenshots
        for name in BackupContents.databases {
            let path = places.state.appending(name)
            if let status = try? fileStatus(path), status.kind == .regular {
                items.append(Item(name: BytePath("state/\(name)"), path: path, size: status.size, isDatabase: true))
            }
        }
        file(places.state.appending("controllers/players.json"), "state/controllers/players.json")
        tree(places.configuration.appending("systems.d"), "configuration/systems.d")
        tree(places.configuration.appending("controllers"), "configuration/controllers")
        for name in names(places.configuration) where BackupContents.isEmulatorConfiguration(name) {
            file(places.configuration.appending(name), BytePath("configuration").appending(name))
        }
        for system in names(places.roms) {
            let name = system.appending("gamelist.xml")
            file(places.roms.appending(name), BytePath("roms").appending(name))
        }
        tree(places.root.appending("saves"), "saves")
        tree(places.root.appending("states"), "states")
        if withScreenshots { tree(places.root.appending("screenshots"), "screenshots") }
        items = items.filter { item in BackupName(item.name) != nil }
    }

    /// Bytes of all files, before they are packed.
    var bytes: Int64 { items.reduce(0) { $0 + $1.size } }

    private static func isEmulatorConfiguration(_ name: BytePath) -> Bool {
        guard let text = name.validUTF8 else { return false }
        return text == "retroarch.cfg" || text.hasPrefix("retroarch-") && text.hasSuffix(".cfg")
    }

    private mutating func names(_ folder: BytePath) -> [BytePath] {
        do throws(SystemError) {
            return try directoryNames(folder).sorted()
        } catch {
            if !error.isNotFound { skipped.append(error.description) }
            return []
        }
    }

    private mutating func file(_ path: BytePath, _ name: BytePath) {
        guard let status = try? fileStatus(path), status.kind == .regular else { return }
        items.append(Item(name: name, path: path, size: status.size, isDatabase: false))
    }

    private mutating func tree(_ folder: BytePath, _ name: BytePath, depth: Int = 0) {
        // The folder itself may be a link that the person made; what it leads to is theirs too.
        guard depth < BackupContents.deepest, fileExists(folder) else { return }
        // What a killed program left beside a save is no save.
        for entry in names(folder) where interruptedReplacement(entry) == nil {
            let path = folder.appending(entry)
            let inner = name.appending(entry)
            guard let status = try? fileStatus(path, followLinks: false) else { continue }
            switch status.kind {
            case .directory: tree(path, inner, depth: depth + 1)
            case .regular:
                items.append(Item(name: inner, path: path, size: status.size, isDatabase: false))
            case .symbolicLink: skipped.append("\(path) is a link, which a backup does not hold")
            case .other: skipped.append("\(path) is no file")
            }
        }
    }
}

/// The name of a file in a backup, checked: it leads into a place that a backup may write to, and nowhere else.
struct BackupName: Sendable, Equatable {
    /// The place's word.
    let place: String
    /// The path below it.
    let below: BytePath

    static let deepest = 40
    static let longest = 4096

    /// - Returns: `nil` for a name that no backup of ours has.
    init?(_ name: BytePath) {
        let parts = name.bytes.split(separator: 0x2F, omittingEmptySubsequences: false).map { Array($0) }
        guard name.bytes.count <= BackupName.longest, parts.count >= 2, parts.count <= BackupName.deepest,
            parts.allSatisfy({ !$0.isEmpty && $0 != [0x2E] && $0 != [0x2E, 0x2E] && $0.count <= 255 })
        else { return nil }
        place = String(decoding: parts[0], as: UTF8.self)
        below = BytePath(bytes: Array(parts.dropFirst().joined(separator: [0x2F])))
        let first = String(decoding: parts[1], as: UTF8.self)
        let isFine =
            switch place {
            case "state":
                parts.count == 2 && BackupContents.databases.contains(first)
                    || below == "controllers/players.json"
            case "configuration":
                parts.count > 2
                    ? first == "systems.d" || first == "controllers" && !below.isGenerated
                    : first == "retroarch.cfg" || first.hasPrefix("retroarch-") && first.hasSuffix(".cfg")
            case "roms": parts.count == 3 && BytePath(bytes: parts[2]) == "gamelist.xml"
            case "saves", "states", "screenshots": true
            default: false
            }
        if !isFine { return nil }
    }

    /// Where that place is on a machine.
    func folder(in places: DataPlaces) -> BytePath {
        switch place {
        case "state": places.state
        case "configuration": places.configuration
        case "roms": places.roms
        default: places.root.appending(place)
        }
    }

    func path(in places: DataPlaces) -> BytePath { folder(in: places).appending(below) }

    var isDatabase: Bool { place == "state" && BackupContents.databases.contains(below.displayString) }
}

extension BytePath {
    /// Below `controllers`, what is made anew at each start of a game, and what belongs to the state.
    fileprivate var isGenerated: Bool {
        bytes.starts(with: "controllers/retroarch/".utf8) || self == "controllers/players.json"
    }
}
