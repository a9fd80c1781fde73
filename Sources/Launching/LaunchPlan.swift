public import Catalog
public import SystemKit
public import Systems

/// A file that is written just before a launch.
public struct GeneratedFile: Sendable, Equatable {
    /// Where it goes, absolute.
    public let path: BytePath
    /// What it holds.
    public let contents: [UInt8]

    /// A file with its contents.
    public init(path: BytePath, contents: [UInt8]) {
        self.path = path
        self.contents = contents
    }
}

/// Everything there is to know about a launch before it happens. A value: making one changes nothing.
public struct LaunchPlan: Sendable, Equatable {
    /// The game.
    public let game: Game
    /// What runs it.
    public let emulator: InstalledEmulator
    /// The whole argv; the first element is the program's absolute path.
    public let arguments: [BytePath]
    /// What is added to, or replaced in, the environment.
    public let environment: [String: String]
    /// What is taken out of the environment.
    public let removedEnvironment: [String]
    /// The working directory.
    public let directory: BytePath
    /// Folders that must be there, made where they are missing.
    public let folders: [BytePath]
    /// A folder for what an emulator unpacks; whatever a run that was killed left in it is deleted before the start.
    public let scratch: BytePath?
    /// A game that is unpacked into `scratch` before the start; `nil` where the emulator takes the file as it is.
    public let unpacking: Unpacking?
    /// Files written before the start.
    public let files: [GeneratedFile]
    /// Where the output of the game goes.
    public let log: BytePath

    /// What the person should know about it, as a sentence.
    public let notice: String?

    /// A plan with all its parts.
    public init(
        game: Game, emulator: InstalledEmulator, arguments: [BytePath], environment: [String: String] = [:],
        removedEnvironment: [String] = [], directory: BytePath, folders: [BytePath] = [],
        scratch: BytePath? = nil, unpacking: Unpacking? = nil, files: [GeneratedFile] = [], log: BytePath,
        notice: String? = nil
    ) {
        self.game = game
        self.emulator = emulator
        self.arguments = arguments
        self.environment = environment
        self.removedEnvironment = removedEnvironment
        self.directory = directory
        self.folders = folders
        self.scratch = scratch
        self.unpacking = unpacking
        self.files = files
        self.log = log
        self.notice = notice
    }
}
