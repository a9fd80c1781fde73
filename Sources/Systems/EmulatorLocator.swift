public import SystemKit

/// An emulator that is on this machine.
public struct InstalledEmulator: Sendable, Equatable {
    /// What it is.
    public let definition: EmulatorDefinition
    /// The program's absolute path; RetroArch's for a core.
    public let program: BytePath
    /// The core's absolute path; `nil` for a program of its own.
    public let core: BytePath?

    /// An emulator at its place.
    public init(definition: EmulatorDefinition, program: BytePath, core: BytePath? = nil) {
        self.definition = definition
        self.program = program
        self.core = core
    }
}

/// Finds emulators on this machine.
///
/// It looks at the disk at every call: an emulator installed a moment ago is there.
public struct EmulatorLocator: Sendable {
    /// Folders that hold cores, the first hit wins.
    public let coreDirectories: [BytePath]
    /// Folders that hold programs, the first hit wins.
    public let programDirectories: [BytePath]

    /// A locator for a process's environment.
    ///
    /// - Parameters:
    ///   - environment: `PATH`, `HOME`, `XDG_CONFIG_HOME` and `RETRO_CORES` (folders separated by colons, looked at
    ///     first) are used.
    ///   - coreDirectories: only these, for tests.
    public init(environment: [String: String], coreDirectories: [BytePath]? = nil) {
        // An empty or relative element of PATH would mean the working directory, which may be a folder of games.
        var programs = (environment["PATH"] ?? "").split(separator: ":").map { BytePath(String($0)) }
            .filter(\.isAbsolute)
        for usual: BytePath in ["/usr/local/bin", "/usr/bin", "/usr/local/games", "/usr/games"]
        where !programs.contains(usual) {
            programs.append(usual)
        }
        programDirectories = programs
        self.coreDirectories = coreDirectories ?? EmulatorLocator.usualCoreDirectories(environment)
    }

    private static func usualCoreDirectories(_ environment: [String: String]) -> [BytePath] {
        var folders = (environment["RETRO_CORES"] ?? "").split(separator: ":").map { BytePath(String($0)) }
            .filter(\.isAbsolute)
        let home = environment["HOME"].map { BytePath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
        let configuration = environment["XDG_CONFIG_HOME"].map { BytePath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
        // What a person put there is wanted more than what the distribution brings.
        if let configuration = configuration ?? home?.appending(".config") {
            folders.append(configuration.appending("retroarch/cores"))
        }
        for base: BytePath in ["/usr/local/lib", "/usr/lib"] {
            folders.append(base.appending(multiarchTriplet).appending("libretro"))
            folders.append(base.appending("libretro"))
        }
        return folders
    }

    /// Where the emulator is; `nil` when it, or RetroArch for a core, is not installed.
    public func locate(_ emulator: EmulatorDefinition) -> InstalledEmulator? {
        switch emulator.method {
        case .libretro(let name):
            guard let program = self.program(named: "retroarch"), let core = self.core(named: name) else { return nil }
            return InstalledEmulator(definition: emulator, program: program, core: core)
        case .program(let arguments):
            guard let name = arguments.first, let program = self.program(named: name),
                partners(in: arguments).allSatisfy(fileExists)
            else { return nil }
            return InstalledEmulator(definition: emulator, program: program)
        }
    }

    /// A sentence or two for a person: what is missing, and which Debian package brings it.
    public func missing(_ emulator: EmulatorDefinition) -> String {
        switch emulator.method {
        case .libretro(let name):
            if program(named: "retroarch") == nil {
                return "RetroArch is not installed. Install the package retroarch."
            }
            let cure =
                packageAdvice(emulator)
                ?? "Debian has no package of it; put the file into ~/.config/retroarch/cores."
            return "The core \(name) is not installed. \(cure)"
        case .program(let arguments):
            var name = arguments.first ?? emulator.name
            if program(named: name) != nil, let partner = partners(in: arguments).first(where: { !fileExists($0) }) {
                name = partner.displayString
            }
            if name.hasPrefix("/"), fileExists(BytePath(name)) {
                return "The program \(name) may not be run: it is not marked as executable."
            }
            return "The program \(name) is not installed. \(packageAdvice(emulator) ?? "Debian has no package of it.")"
        }
    }

    /// The path of a program that this process may run.
    public func program(named name: String) -> BytePath? {
        let name = BytePath(name)
        if name.isAbsolute { return isExecutable(name) ? name : nil }
        return programDirectories.lazy.map { $0.appending(name) }.first(where: isExecutable)
    }

    private func core(named name: String) -> BytePath? {
        coreDirectories.lazy.map { $0.appending(name) }.first { path in
            (try? fileStatus(path))?.kind == .regular
        }
    }

    /// Files that a template names by an absolute path: a program that another one starts, for example.
    private func partners(in arguments: [String]) -> [BytePath] {
        arguments.dropFirst().filter { $0.hasPrefix("/") && !$0.contains("{") }.map { BytePath($0) }
    }

    private func packageAdvice(_ emulator: EmulatorDefinition) -> String? {
        switch emulator.packages.count {
        case 0: nil
        case 1: "Install the package \(emulator.packages[0])."
        default: "Install the packages \(emulator.packages.joined(separator: ", "))."
        }
    }
}

#if arch(x86_64)
    private let multiarchTriplet = "x86_64-linux-gnu"
#elseif arch(arm64)
    private let multiarchTriplet = "aarch64-linux-gnu"
#elseif arch(arm)
    private let multiarchTriplet = "arm-linux-gnueabihf"
#else
    private let multiarchTriplet = "linux-gnu"
#endif
