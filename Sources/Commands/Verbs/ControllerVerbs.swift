public import Controllers
import SystemKit
import Systems

/// `controllers`: the pads that are plugged in, and what their controls do.
enum ControllerVerbs {
    private static let id = ArgumentDefinition(
        "ID", .one, "Number of a controller as 'retro-admin controllers list' prints it")

    static let definition = CommandDefinition(
        "controllers", "Show the controllers that are plugged in, and what their buttons do", usually: "list",
        subcommands: [
            CommandDefinition(
                "list", "List the controllers that are plugged in",
                discussion: ["Only what looks like a gamepad or joystick; keyboards and mice are not listed."],
                verb: list),
            CommandDefinition(
                "show", "Show what the controls of a controller do", arguments: [id], verb: show),
            CommandDefinition(
                "forget", "Forget what was assigned to a controller",
                discussion: [
                    "What the database or the kernel knows about it holds again. It is forgotten for all of its kind."
                ],
                arguments: [id], options: [.dryRun], verb: forget),
            CommandDefinition(
                "export", "Write what is known about the controllers for other programs",
                discussion: [
                    "retroarch: one autoconfig file a controller, with hotkeys. sdl: gamecontrollerdb.txt, for programs "
                        + "that use SDL. es: es_input.cfg, for EmulationStation.",
                    "The menu tells its own emulators by itself.",
                ],
                arguments: [
                    ArgumentDefinition(
                        "KIND", .one, values: .words(ExportKind.allCases.map(\.rawValue)), "For which program")
                ],
                options: [
                    OptionDefinition("to", placeholder: "DIR", values: .directory, "The folder to write into"), .yes,
                    .dryRun,
                ],
                examples: [.init("retro-admin controllers export es --to /tmp", "for a machine with EmulationStation")],
                verb: export),
            CommandDefinition(
                "import", "Take over what another program knows about controllers",
                discussion: [
                    "Reads EmulationStation's es_input.cfg, lines of SDL's gamecontrollerdb.txt, RetroArch's autoconfig "
                        + "files for the udev driver, and profiles of another machine with this menu.",
                    "Controllers that are plugged in are assigned at once. The others are known from the next time on, "
                        + "except those of RetroArch's files, which say too little about them.",
                ],
                arguments: [ArgumentDefinition("FILE", .one, values: .file, "The file")], options: [.dryRun],
                verb: importFile),
        ] + ControllerMapping.definitions)

    // MARK: list and show

    private static func list(_ call: Call) async throws(CommandError) {
        let connected = call.controllers()
        for problem in connected.problems { call.console.complain(problem.reason, .warning) }
        for problem in call.knowledge().problems { call.console.complain(problem.description, .warning) }
        call.show(.array(connected.pads.map { json($0, connected.batteries[$0.id]) })) {
            guard !connected.pads.isEmpty else { return call.console.note("No controller is plugged in.") }
            var table = TextTable([
                .init("ID", isNumeric: true), .init("PLAYER", isNumeric: true), .init("NAME", isFlexible: true),
                .init("LIKE"), .init("KNOWN FROM"), .init("BATTERY", isNumeric: true), .init("USB ID"), .init("NODE"),
            ])
            for pad in connected.pads {
                table.add([
                    String(pad.id), pad.player == 0 ? "" : String(pad.player), pad.name, pad.family.rawValue,
                    words(for: pad.source), connected.batteries[pad.id].map(text) ?? "",
                    "\(hexText(pad.identity.vendor)):\(hexText(pad.identity.product))",
                    pad.node.displayString,
                ])
            }
            call.console.print(table)
        }
    }

    private static func show(_ call: Call) async throws(CommandError) {
        let connected = call.controllers()
        let pad = try pad(call, among: connected)
        let battery = connected.batteries[pad.id]
        call.show(json(pad, battery)) {
            let origin =
                pad.source == .none
                ? "known from nobody: this is a guess, 'retro-admin controllers map \(pad.id)' asks for it"
                : "known from \(words(for: pad.source))"
            let charge = battery.map { ", battery \(text($0))" } ?? ""
            call.console.print("\(safeText(pad.name)), \(origin)\(charge)\n\n")
            var table = TextTable([.init("FUNCTION"), .init("CONTROLS", isFlexible: true)])
            for (function, controls) in pad.mapping.controls.sorted(by: { $0.key < $1.key }) {
                table.add([function.rawValue, controls.map(\.description).joined(separator: ", ")])
            }
            call.console.print(table)
        }
    }

    private static func text(_ battery: Battery) -> String {
        "\(battery.percent) %\(battery.isCharging ? ", charging" : "")"
    }

    private static func words(for source: MappingSource) -> String {
        switch source {
        case .user: "you"
        case .database: "database"
        case .kernel: "kernel"
        case .none: "nobody"
        }
    }

    /// The controller of the number in the first argument.
    ///
    /// - Parameter connected: what is plugged in, where that is known already: with another look the numbers may be others.
    static func pad(_ call: Call, among connected: ConnectedControllers? = nil) throws(CommandError) -> PadInfo {
        let word = try call.text(of: call.arguments[0], called: "ID")
        guard let number = Int(word) else { throw .badWord(word, of: "ID", expected: "a number") }
        let connected = connected ?? call.controllers()
        guard let pad = connected.pads.first(where: { $0.id == number }) else { throw .noSuchController(number) }
        return pad
    }

    // MARK: forget

    private static func forget(_ call: Call) async throws(CommandError) {
        let pad = try pad(call)
        let isKnown = pad.source == .user
        if !call.isDryRun, isKnown {
            do throws(ControllerError) {
                try call.knowledge().forget(pad.facts)
            } catch { throw .controllers(error) }
        }
        var members: [String: JSONValue] = ["id": .integer(pad.id), "forgotten": .bool(isKnown)]
        if call.isDryRun { members["dryRun"] = .bool(true) }
        call.show(.object(members)) {
            let name = safeText(pad.name)
            guard isKnown else { return call.console.note("Nothing was assigned to \(name).") }
            call.console.print("\(call.isDryRun ? "Would forget" : "Forgot") what was assigned to \(name).\n")
        }
    }

    // MARK: JSON

    static func json(_ pad: PadInfo, _ battery: Battery? = nil) -> JSONValue {
        var bindings: [String: JSONValue] = [:]
        for (function, control) in pad.mapping.bindings { bindings[function.rawValue] = .string(control.description) }
        return .object([
            "id": .integer(pad.id), "name": .string(pad.name), "bus": .string(hexText(pad.identity.bus)),
            "vendor": .string(hexText(pad.identity.vendor)), "product": .string(hexText(pad.identity.product)),
            "version": .string(hexText(pad.identity.version)), "unique": .string(pad.unique),
            "port": .string(pad.physicalPath), "node": .string(pad.node.displayString),
            "player": .integer(pad.player), "family": .string(pad.family.rawValue),
            "source": .string(pad.source.rawValue), "bindings": .object(bindings),
            "battery": battery.map {
                .object(["percent": .integer($0.percent), "charging": .bool($0.isCharging)])
            } ?? .null,
        ])
    }

    /// Four digits, as everybody writes these numbers.
    private static func hexText(_ number: UInt16) -> String {
        String(String(Int(number) + 0x10000, radix: 16).dropFirst())
    }
}

/// The pads that are plugged in, as commands need them.
public struct ConnectedControllers: Sendable {
    /// The pads, with what their controls do and whose they are.
    public var pads: [PadInfo]
    /// The batteries of those that have one, by the pads' numbers.
    public var batteries: [Int: Battery]
    /// What could not be looked at.
    public var problems: [ConnectedPads.Problem]

    /// A list with all its parts.
    public init(
        pads: [PadInfo] = [], batteries: [Int: Battery] = [:], problems: [ConnectedPads.Problem] = []
    ) {
        self.pads = pads
        self.batteries = batteries
        self.problems = problems
    }

    /// Looks at all devices once.
    public static func read(_ knowledge: PadKnowledge, _ players: PlayerStore) -> ConnectedControllers {
        let connected = ConnectedPads.read(knowledge: knowledge, players: players)
        return ConnectedControllers(
            pads: connected.pads, batteries: connected.batteries, problems: connected.problems)
    }
}

extension Call {
    /// What this data root knows about controllers.
    func knowledge() -> PadKnowledge { PadKnowledge(folder: PadKnowledge.folder(below: root.configuration)) }

    /// The pads that are plugged in now.
    func controllers() -> ConnectedControllers {
        surroundings.controllers(knowledge(), PlayerStore(file: PlayerStore.file(below: root.state)))
    }
}
