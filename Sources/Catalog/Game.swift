public import SystemKit

/// A game as lists and details show it.
public struct Game: Sendable, Equatable, Identifiable {
    /// The catalog's number of it; stable while its file stays where it is.
    public let id: Int64
    /// `SystemDefinition.name` of the system whose folder it is in.
    public let system: String
    /// The absolute path, exactly the bytes that the directory holds.
    public let path: BytePath
    /// The path below the system's folder: with `system`, the key of everything a person did to the game.
    public let relativePath: BytePath
    /// What a person reads: the edited title, else one made from the file name.
    public let title: String
    /// The same in the order that lists use.
    public let sortTitle: String
    /// Region, revision and the like, as the file name tells them: `USA`, `Rev 1`.
    public let tags: [String]
    /// How many discs belong to it; 1 for everything else.
    public let discs: Int
    /// Bytes on disk.
    public let size: Int64
    /// The file's modification time in nanoseconds since 1970.
    public let modifiedNanoseconds: Int64
    /// Whether the file is not there now; what the person did to the game is kept.
    public let isMissing: Bool
    /// Marked by the person.
    public let isFavourite: Bool
    /// Put out of sight by the person.
    public let isHidden: Bool
    /// How often it was started.
    public let playCount: Int
    /// How long it was played in all, by the monotonic clock.
    public let playSeconds: Double
    /// When it was last started, in seconds since 1970 of a clock that may have been wrong.
    public let lastPlayed: Double?
    /// The emulator the person chose for this game, by `EmulatorDefinition.name`.
    public let emulator: String?

    /// A game with all its parts.
    public init(
        id: Int64, system: String, path: BytePath, relativePath: BytePath, title: String, sortTitle: String,
        tags: [String] = [], discs: Int = 1, size: Int64 = 0, modifiedNanoseconds: Int64 = 0, isMissing: Bool = false,
        isFavourite: Bool = false, isHidden: Bool = false, playCount: Int = 0, playSeconds: Double = 0,
        lastPlayed: Double? = nil, emulator: String? = nil
    ) {
        self.id = id
        self.system = system
        self.path = path
        self.relativePath = relativePath
        self.title = title
        self.sortTitle = sortTitle
        self.tags = tags
        self.discs = discs
        self.size = size
        self.modifiedNanoseconds = modifiedNanoseconds
        self.isMissing = isMissing
        self.isFavourite = isFavourite
        self.isHidden = isHidden
        self.playCount = playCount
        self.playSeconds = playSeconds
        self.lastPlayed = lastPlayed
        self.emulator = emulator
    }
}

/// How many games a system has.
public struct SystemCount: Sendable, Equatable {
    /// `SystemDefinition.name`.
    public let system: String
    /// Games that are there and not hidden.
    public let games: Int

    /// A count.
    public init(system: String, games: Int) {
        self.system = system
        self.games = games
    }
}

/// Which games a list shows, and in which order.
public struct GameQuery: Sendable, Equatable, Hashable {
    /// A choice of games across systems.
    public enum Selection: Sendable, Equatable, Hashable {
        /// Every game.
        case all
        /// Marked by the person.
        case favourites
        /// Started before, the latest first.
        case recentlyPlayed
        /// Played longest, by all plays together.
        case mostPlayed
        /// Never started.
        case neverPlayed
        /// In a collection that the person made, by `GameCollection.id`.
        case collection(Int64)
    }

    /// Only this system's games; `nil` for all systems.
    public var system: String?
    /// Which of them.
    public var selection: Selection
    /// Words to look for in titles; empty for no search.
    public var text: String
    /// What the games must meet besides.
    public var filter: GameFilter
    /// Only games directly in this folder, a path below the system's (empty for the system's own); `nil` for all.
    public var folder: BytePath?
    /// Whether versions of a game that another one stands for are listed too.
    public var includesVersions: Bool
    /// Whether hidden games are listed too.
    public var includesHidden: Bool
    /// Whether games whose files are absent are listed: `false` leaves them out, `true` lists only them, `nil` both.
    public var missing: Bool?

    /// A query; without arguments: all games that are there and not hidden, by title.
    public init(
        system: String? = nil, selection: Selection = .all, text: String = "", filter: GameFilter = GameFilter(),
        folder: BytePath? = nil, includesVersions: Bool = false, includesHidden: Bool = false, missing: Bool? = false
    ) {
        self.system = system
        self.selection = selection
        self.text = text
        self.filter = filter
        self.folder = folder
        self.includesVersions = includesVersions
        self.includesHidden = includesHidden
        self.missing = missing
    }
}

/// Something in the catalog is different from before; what is shown of it must be read again.
public enum CatalogChange: Sendable, Equatable {
    /// Games of these systems came, went or changed their titles.
    case games(systems: Set<String>)
    /// One game's favourite mark, title, choice or play history changed.
    case game(id: Int64)
    /// A scan runs and has looked at so many entries so far.
    case scanning(entries: Int)
    /// A scan ended.
    case scanned(ScanReport)
    /// Collections were made, changed or deleted.
    case collections
    /// A source of games came, went, was added or removed.
    case sources
    /// Something that the person should know, as a sentence.
    case notice(String)
}

/// What a scan did.
public struct ScanReport: Sendable, Equatable {
    /// A place that could not be read, and why.
    public struct Problem: Sendable, Equatable {
        /// The place.
        public let path: BytePath
        /// A sentence.
        public let reason: String

        /// A problem at a place.
        public init(path: BytePath, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    /// Systems looked at.
    public var systems = 0
    /// Games there are now in those systems.
    public var games = 0
    /// Games that were not known before.
    public var added = 0
    /// Games whose file was deleted from a folder that was read completely.
    public var removed = 0
    /// Games whose size or time changed.
    public var changed = 0
    /// Games that are known but not there now.
    public var missing = 0
    /// Files that somebody is still writing: left for a later look.
    public var pending = 0
    /// What could not be read.
    public var problems: [Problem] = []
    /// How long it took, by the monotonic clock.
    public var seconds: Double = 0

    /// A report of nothing yet.
    public init() {}
}
