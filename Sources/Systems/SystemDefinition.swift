/// One console, computer or engine: data, not code (`Resources/*.json`, and `systems.d` of the person).
public struct SystemDefinition: Sendable, Equatable, Identifiable {
    /// What the thing is, which decides the picture that stands for it.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Plugged into a television.
        case console
        /// Carried in a pocket.
        case handheld
        /// With a keyboard.
        case computer
        /// A coin-operated cabinet.
        case arcade
        /// A program that runs game files of its own.
        case engine
    }

    /// What its games came on.
    public enum Medium: String, Sendable, Codable, CaseIterable {
        /// A ROM in a case.
        case cartridge
        /// A compact disc, DVD or the like.
        case disc
        /// A floppy disk.
        case floppy
        /// A tape cassette.
        case cassette
        /// A circuit board.
        case board
        /// A flat card with a chip.
        case card
        /// Plain files.
        case file
    }

    /// The folder's name under `roms`, lower-case ASCII; also its id everywhere.
    public let name: String
    /// Other folder names that mean the same system.
    public let aliases: [String]
    /// What a person calls it.
    public let fullName: String
    /// Who made it.
    public let maker: String
    /// First sold in this year.
    public let year: Int?
    /// Its accent colour as 0xRRGGBB.
    public let color: UInt32
    /// What it is.
    public let kind: Kind
    /// What its games came on.
    public let medium: Medium
    /// File extensions of games, lower-case, without the first dot (`atr.gz` is possible).
    public let extensions: [String]
    /// How many folder levels below the system's own are searched; `nil` for the common bound.
    public let depth: Int?
    /// Emulators that run it, the preferred one first.
    public let emulators: [EmulatorDefinition]

    /// `name`.
    public var id: String { name }

    /// A definition with all its parts.
    public init(
        name: String, aliases: [String] = [], fullName: String, maker: String = "", year: Int? = nil,
        color: UInt32 = 0x808080, kind: Kind = .console, medium: Medium = .cartridge, extensions: [String],
        depth: Int? = nil, emulators: [EmulatorDefinition]
    ) {
        self.name = name
        self.aliases = aliases
        self.fullName = fullName
        self.maker = maker
        self.year = year
        self.color = color
        self.kind = kind
        self.medium = medium
        self.extensions = extensions
        self.depth = depth
        self.emulators = emulators
    }
}

/// One way to run a system's games.
public struct EmulatorDefinition: Sendable, Equatable {
    /// How it is started.
    public enum Method: Sendable, Equatable {
        /// RetroArch with a core, named by its file, e.g. `nestopia_libretro.so`.
        case libretro(core: String)
        /// A program of its own: argv with tokens such as `{rom}` inside the elements.
        case program(arguments: [String])
    }

    /// Short id, unique within a system, e.g. `nestopia` or `stella`.
    public let name: String
    /// What a person calls it.
    public let title: String
    /// How it is started.
    public let method: Method
    /// Debian packages that bring it, for telling a person how to get it.
    public let packages: [String]
    /// Extensions of archives that the program reads by itself; others are unpacked for it. `nil` where nobody knows:
    /// it gets archives as they are. RetroArch unpacks for its cores.
    public let archives: [String]?

    /// An emulator with all its parts.
    public init(name: String, title: String, method: Method, packages: [String] = [], archives: [String]? = nil) {
        self.name = name
        self.title = title
        self.method = method
        self.packages = packages
        self.archives = archives
    }
}
