import Appliance
import Controllers
import Launching
import SystemKit
import Systems

/// The checks that know systems, emulators and controllers.
struct DoctorKnowledge: Sendable {
    let call: Call
    let library: Library

    init(_ call: Call) {
        self.call = call
        library = Library(call)
    }

    var checks: [DoctorCheck] {
        let games = systemsWithGames()
        return [
            DoctorCheck("emulators") { context in emulators(games, context) },
            DoctorCheck("bios") { context in bios(games, context) },
            DoctorCheck("system-definitions") { _ in definitions() },
            DoctorCheck("games-folder") { _ in gamesFolder() },
            DoctorCheck("controllers") { _ in controllers() },
            DoctorCheck("abandoned-games") { context in abandoned(context) },
        ]
    }

    /// Systems whose folder holds at least one file with one of their extensions; bounded, and without the catalog, which
    /// root would leave files of its own in.
    private func systemsWithGames() -> [SystemDefinition] {
        library.registry.systems.filter { system in
            holdsGame(library.folder(of: system), Set(system.extensions.map { Array($0.utf8) }), depth: 0)
        }
    }

    private func holdsGame(_ folder: BytePath, _ extensions: Set<[UInt8]>, depth: Int) -> Bool {
        let names = ((try? directoryNames(folder)) ?? []).prefix(500)
        if names.contains(where: { $0.fileExtension.map(extensions.contains) ?? false }) { return true }
        guard depth < 2 else { return false }
        return names.prefix(50).contains { name in
            let path = folder.appending(name)
            guard (try? fileStatus(path, followLinks: false))?.kind == .directory else { return false }
            return holdsGame(path, extensions, depth: depth + 1)
        }
    }

    private func locator(_ context: DoctorContext) -> EmulatorLocator {
        var environment = call.surroundings.environment
        // Root's own cores are none that a game is started with.
        if context.isRoot, context.player.home != "/" { environment["HOME"] = context.player.home.displayString }
        return EmulatorLocator(environment: environment)
    }

    private func emulators(_ games: [SystemDefinition], _ context: DoctorContext) -> DoctorVerdict {
        if games.isEmpty { return .ok("there are no games yet") }
        let locator = locator(context)
        let without = games.filter { system in !system.emulators.contains { locator.locate($0) != nil } }
        guard let first = without.first else {
            return .ok("\(countText(games.count, "system")) with games can be played")
        }
        let advice = first.emulators.first.map { locator.missing($0) } ?? "No emulator of it is known."
        return .failed(
            "games of \(listText(without.map(\.fullName))) cannot be played: no emulator is installed",
            cure: "for \(first.name): \(advice)")
    }

    /// Files without which the usual emulators start no game; one of each line is enough, in any of its places.
    private static let firmware: [String: [[String]]] = [
        "psx": [
            [
                "scph5500.bin", "scph5501.bin", "scph5502.bin", "scph1001.bin", "scph7001.bin", "scph101.bin",
                "psxonpsp660.bin", "ps1_rom.bin", "openbios.bin",
            ]
        ],
        "segacd": [["bios_cd_u.bin", "bios_cd_e.bin", "bios_cd_j.bin"]],
        "saturn": [["saturn_bios.bin", "sega_101.bin", "mpr-17933.bin"]],
        "pcenginecd": [["syscard3.pce", "syscard3u.pce", "syscard2.pce", "gexpress.pce"]],
        "fds": [["disksys.rom"]],
        "3do": [["panafz1.bin", "panafz10.bin", "panafz10-norsa.bin", "panafz1j.bin", "goldstar.bin", "sanyotry.bin"]],
        "pcfx": [["pcfx.rom"]],
        "atari5200": [["5200.rom"]],
        "coleco": [["colecovision.rom", "coleco.rom"]],
        "intellivision": [["exec.bin"], ["grom.bin"]],
        "amiga": [["kick34005.a500", "kick40063.a600", "kick40068.a1200", "kick13.rom", "kick31.rom"]],
        "amigacd32": [["kick40060.cd32"]],
        "x68000": [["iplrom.dat"], ["cgrom.dat"]],
        "videopac": [["o2rom.bin", "c52.bin", "g7400.bin"]],
        "cdi": [["cdimono1.zip", "cdibios.zip"]],
    ]

    private func bios(_ games: [SystemDefinition], _ context: DoctorContext) -> DoctorVerdict {
        let there = firmwareFiles()
        var missing: [(system: SystemDefinition, file: String)] = []
        for system in games {
            for choices in DoctorKnowledge.firmware[system.name] ?? []
            where !choices.contains(where: there.contains) {
                missing.append((system, choices[0]))
            }
        }
        guard let first = missing.first else { return .ok("no BIOS file is known to be missing") }
        let names = missing.map { "\($0.file) (\($0.system.name))" }
        return .warning(
            "BIOS files are missing: \(listText(names))",
            cure: "copy \(first.file) of your own console into \(library.root.bios)")
    }

    private func firmwareFiles() -> Set<String> {
        var names: Set<String> = []
        for name in (try? directoryNames(library.root.bios)) ?? [] {
            names.insert(name.displayString.lowercased())
            let path = library.root.bios.appending(name)
            guard (try? fileStatus(path))?.kind == .directory else { continue }
            names.formUnion(((try? directoryNames(path)) ?? []).prefix(500).map { $0.displayString.lowercased() })
        }
        return names
    }

    private func definitions() -> DoctorVerdict {
        guard let problem = library.registry.problems.first else { return .ok("the definitions of systems make sense") }
        let line = problem.line.map { " in line \($0)" } ?? ""
        return .warning(
            "\(problem.file)\(line): \(safeText(problem.reason))", cure: "correct the file, or take it away")
    }

    private func gamesFolder() -> DoctorVerdict {
        let roms = library.root.roms
        switch answer(within: 3, { fileExists(roms) }) {
        case nil:
            return .failed(
                "the folder with the games, \(roms), does not answer", cure: "look whether its server is there")
        case false?:
            return library.hasCatalog
                ? .failed("the folder with the games, \(roms), is not there", cure: "connect its drive")
                : .ok("there are no games yet")
        case true?: return .ok("the folder with the games is there")
        }
    }

    private func controllers() -> DoctorVerdict {
        let connected = call.controllers()
        if let problem = connected.problems.first {
            return .failed("\(problem.node): \(safeText(problem.reason))", cure: "unplug it and plug it in again")
        }
        let unknown = connected.pads.filter { $0.source == .none }
        if let pad = unknown.first {
            return .warning(
                "nobody knows the buttons of \(safeText(pad.name))",
                cure: "hold a button of it while the menu is there, or 'retro-admin controllers map \(pad.id)'")
        }
        return .ok(
            connected.pads.isEmpty
                ? "no controller is connected" : "\(countText(connected.pads.count, "controller")) can be used")
    }

    private func abandoned(_ context: DoctorContext) -> DoctorVerdict {
        let games = abandonedGames()
        guard let first = games.first else { return .ok("no game was left behind") }
        let fix = StepPlan([
            Step(
                "end-games", "Ask \(countText(games.count, "process", plural: "processes")) of left games to end",
                act: { () throws(ApplianceError) in endAbandonedGames(log: Log()) },
                check: { () throws(ApplianceError) in abandonedGames().isEmpty ? nil : "some did not end" })
        ])
        return .warning(
            "a game that nobody sees still runs: \(safeText(first.name.displayString)) (\(first.id))",
            cure: "start the menu, which ends it, or end it by 'kill \(first.id)'", fix: fix)
    }
}
