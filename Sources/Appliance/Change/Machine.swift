public import SystemKit

/// The machine that is looked at and changed: its files, its programs and the folders of the games.
///
/// All code of this target reaches the machine through one of these, so that tests have one of their own: a folder that
/// stands for `/`, and programs of theirs before the real ones.
public struct Machine: Sendable {
    /// Where `/etc`, `/proc`, `/sys`, `/boot` and the like are.
    public var files: MachineFacts.Sources
    /// How programs are found and run.
    public var programs: Programs
    /// The folders that the person's data is in.
    public var data: DataPlaces

    /// A machine with all its parts.
    public init(
        files: MachineFacts.Sources = MachineFacts.Sources(), programs: Programs = Programs(), data: DataPlaces
    ) {
        self.files = files
        self.programs = programs
        self.data = data
    }

    /// A path on this machine, e.g. `path("etc/hostname")`.
    public func path(_ relative: String) -> BytePath { files.path(relative) }

    /// Where changes keep what they must know later. Root's own, in no folder of the player's: nobody who plays may
    /// change what root trusts.
    public var state: BytePath { path("var/lib/retro-machine") }
}

/// The folders that the person's data is in.
public struct DataPlaces: Sendable, Equatable {
    /// What holds `bios`, `saves`, `states`, `screenshots` and `media`.
    public var root: BytePath
    /// One folder a system.
    public var roms: BytePath
    /// Databases, logs and generated files.
    public var state: BytePath
    /// What a person may edit.
    public var configuration: BytePath

    /// Places with all their parts.
    public init(root: BytePath, roms: BytePath, state: BytePath, configuration: BytePath) {
        self.root = root
        self.roms = roms
        self.state = state
        self.configuration = configuration
    }
}

/// Finds and runs the machine's own programs: with an argument vector, a plain environment and no shell.
public struct Programs: Sendable {
    /// Where they are looked for, in this order. The caller's `PATH` is not among it: root must not run what somebody
    /// else put there.
    public var folders: [BytePath]
    /// Added to the environment of every program.
    public var environment: [BytePath]

    /// Programs of the usual folders.
    public init(
        folders: [BytePath] = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"],
        environment: [BytePath] = []
    ) {
        self.folders = folders
        self.environment = environment
    }

    /// Where a program is; `nil` where it is not installed.
    public func find(_ name: String) -> BytePath? {
        folders.lazy.map { $0.appending(name) }.first(where: isExecutable)
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - package: the Debian package that brings it.
    ///   - input: its standard input: secrets go here, never into an argument.
    ///   - seconds: the longest it may take; then it is killed, which is a failure.
    /// - Returns: also where its exit status is bad.
    /// - Throws: `ApplianceError.missingProgram`, `.failed` where it did not end in time, `.system` where it could not be started.
    @discardableResult
    public func run(
        _ name: String, _ arguments: [BytePath] = [], package: String, input: [UInt8] = [], seconds: Double = 60
    ) throws(ApplianceError) -> ProgramResult {
        guard let program = find(name) else { throw .missingProgram(name, package: package) }
        let spawn = Spawn(
            program: program, arguments: [BytePath(name)] + arguments,
            environment: [
                "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "HOME=/root",
            ] + environment, directory: "/", separation: .group)
        let result = try system { () throws(SystemError) in
            try runProgram(spawn, input: input, seconds: seconds)
        }
        guard result.end != nil else {
            throw .failed(name, detail: "it did not end within \(Int(seconds)) seconds")
        }
        return result
    }

    /// Runs a program whose exit status must be 0.
    ///
    /// - Throws: also `ApplianceError.failed` with the program's own words.
    @discardableResult
    public func demand(
        _ name: String, _ arguments: [BytePath] = [], package: String, input: [UInt8] = [], seconds: Double = 60
    ) throws(ApplianceError) -> ProgramResult {
        let result = try run(name, arguments, package: package, input: input, seconds: seconds)
        guard result.succeeded else { throw .failed(name, detail: result.complaint) }
        return result
    }
}

/// The door by a name that no program's own type hides.
public typealias MachineDoor = Door
