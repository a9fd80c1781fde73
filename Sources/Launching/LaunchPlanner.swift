public import Catalog
public import Controllers
public import SystemKit
public import Systems

/// Makes launch plans: which emulator, which argv, which generated files.
public struct LaunchPlanner: Sendable {
    private let root: DataRoot
    private let registry: SystemRegistry
    private let locator: EmulatorLocator
    private let display: DisplayFacts
    private let pads: [PadInfo]
    private let ports: RetroArchPorts
    private let profiles: [GeneratedFile]

    /// A planner for one moment: the pads in it are those plugged in now.
    ///
    /// - Parameters:
    ///   - pads: in the order of the players: the first is the pad of player 1.
    ///   - ports: how RetroArch will number them; without it the numbers are RetroArch's own choice.
    ///   - profiles: descriptions of the pads for emulators, written before each launch; those for RetroArch belong
    ///     into `LaunchPlanner.controllerProfiles(in:)`.
    public init(
        root: DataRoot, registry: SystemRegistry, locator: EmulatorLocator, display: DisplayFacts,
        pads: [PadInfo] = [], ports: RetroArchPorts = RetroArchPorts(nodes: []), profiles: [GeneratedFile] = []
    ) {
        self.root = root
        self.registry = registry
        self.locator = locator
        self.display = display
        self.pads = pads
        self.ports = ports
        self.profiles = profiles
    }

    /// The folder that RetroArch reads descriptions of pads from.
    public static func controllerProfiles(in root: DataRoot) -> BytePath {
        root.state.appending("controllers/retroarch")
    }

    /// The pads' descriptions for RetroArch.
    ///
    /// - Parameter pads: in the order of the players; of pads that RetroArch cannot tell apart the first is described.
    public static func controllerProfiles(for pads: [PadInfo], in root: DataRoot) -> [GeneratedFile] {
        let folder = controllerProfiles(in: root)
        var seen: Set<BytePath> = []
        return pads.filter { $0.family != .keyboard }.compactMap { pad in
            let profile = retroArchAutoconfig(for: pad)
            guard seen.insert(profile.name).inserted else { return nil }
            return GeneratedFile(path: folder.appending(profile.name), contents: profile.contents)
        }
    }

    /// The emulators of a system in order of preference, each with its place when it is installed.
    public func choices(for system: String) -> [(definition: EmulatorDefinition, installed: InstalledEmulator?)] {
        (registry.system(named: system)?.emulators ?? []).map { ($0, locator.locate($0)) }
    }

    /// The plan of a launch; nothing is changed or started.
    ///
    /// - Parameters:
    ///   - emulator: what the person asks for this once; it goes before the game's and the system's own choice.
    ///   - systemChoice: the person's choice for the whole system.
    ///   - discs: the game's discs as `CatalogStore.discs(of:)` gives them.
    /// - Throws: `LaunchError` when something that the game needs is missing.
    public func plan(
        for game: Game, emulator: String? = nil, systemChoice: String? = nil, discs: [BytePath] = []
    ) throws(LaunchError) -> LaunchPlan {
        guard let system = registry.system(named: game.system) else { throw .unknownSystem(game.system) }
        let installed = try choose(for: game, in: system, explicit: emulator, systemChoice: systemChoice)
        let first = try playableFile(of: game)
        try checkDiscs(discs, of: game)
        let set = DiscPlaylist(discs: discs.map(\.absolute), first: first, system: system, root: root)
        let places = LaunchPlaces(root: root, system: system.name)
        let archived = try ArchivedGame.plan(
            for: game, file: set.rom, in: system, emulator: installed.definition, scratch: places.scratch)
        let rom = archived.file ?? set.rom
        let tokens = ArgumentTemplate([
            "rom": rom, "core": installed.core ?? "", "config": places.configuration, "stem": rom.stem,
            "romDirectory": rom.parent, "saves": places.saves, "states": places.states,
            "screenshots": places.screenshots, "bios": root.bios.absolute, "system": BytePath(system.name),
        ])
        var folders = [places.launch, places.saves, places.states, places.screenshots]
        if let scratch = archived.unpacking?.target.parent { folders.append(scratch) }
        var files = profiles
        if let playlist = set.file { files.append(playlist) }
        var arguments = [installed.program]
        var environment: [String: String] = [:]
        var scratch = archived.unpacking?.target.parent
        switch installed.definition.method {
        case .libretro:
            let configuration = RetroArchConfiguration(
                places: places, bios: root.bios.absolute, core: installed.core ?? "",
                profiles: LaunchPlanner.controllerProfiles(in: root), display: display,
                players: RetroArchPlayers(pads: pads, ports: ports))
            files.append(GeneratedFile(path: places.configuration, contents: configuration.contents))
            folders += configuration.folders
            scratch = configuration.scratch
            arguments += [BytePath("--config"), places.configuration]
            let additions = personalAdditions(for: system.name)
            if !additions.isEmpty { arguments += [BytePath("--appendconfig"), joined(additions)] }
            arguments += [BytePath("--libretro"), installed.core ?? "", BytePath("--verbose"), rom]
        case .program(let template):
            arguments += template.dropFirst().map { tokens.expand($0) }
            environment = display.standaloneEnvironment.merging(sdlEnvironment(for: pads)) { mine, _ in mine }
        }
        return LaunchPlan(
            game: game, emulator: installed, arguments: arguments, environment: environment,
            removedEnvironment: display.harmfulEnvironment, directory: places.saves, folders: folders, scratch: scratch,
            unpacking: archived.unpacking, files: files, log: places.log, notice: set.notice)
    }

    /// Files of the person's that RetroArch reads after ours, so that they have the last word.
    private func personalAdditions(for system: String) -> [BytePath] {
        [root.configuration.appending("retroarch.cfg"), root.configuration.appending("retroarch-\(system).cfg")]
            .filter(fileExists)
    }

    /// RetroArch takes several files in one argument with a bar between them.
    private func joined(_ paths: [BytePath]) -> BytePath {
        BytePath(bytes: paths.map(\.bytes).joined(separator: [UInt8(ascii: "|")]))
    }

    private func choose(
        for game: Game, in system: SystemDefinition, explicit: String?, systemChoice: String?
    ) throws(LaunchError) -> InstalledEmulator {
        for (choice, mustExist) in [(explicit, true), (game.emulator, false), (systemChoice, false)] {
            guard let choice else { continue }
            guard let definition = system.emulators.first(where: { $0.name == choice }) else {
                if mustExist {
                    throw .unknownEmulator(
                        name: choice, system: system.fullName, known: system.emulators.map(\.name))
                }
                // A choice made long ago may name an emulator that the definitions no longer have.
                continue
            }
            guard let installed = locator.locate(definition) else {
                throw .notInstalled(emulator: definition.title, advice: locator.missing(definition))
            }
            return installed
        }
        for definition in system.emulators {
            if let installed = locator.locate(definition) { return installed }
        }
        let advice = system.emulators.first.map { locator.missing($0) } ?? "No emulator is described for it."
        throw .noEmulator(system: system.fullName, advice: advice)
    }
}

/// Where a system's launches read and write; every path is absolute.
struct LaunchPlaces {
    let launch: BytePath
    let configuration: BytePath
    let log: BytePath
    /// For what is unpacked for one run.
    let scratch: BytePath
    let saves: BytePath
    let states: BytePath
    let screenshots: BytePath

    init(root: DataRoot, system: String) {
        launch = root.state.absolute.appending("launch")
        configuration = launch.appending("retroarch.cfg")
        log = launch.appending("game.log")
        scratch = launch.appending("scratch")
        saves = root.saves.absolute.appending(system)
        states = root.states.absolute.appending(system)
        screenshots = root.screenshots.absolute.appending(system)
    }
}
