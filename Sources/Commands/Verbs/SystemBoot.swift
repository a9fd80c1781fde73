import Appliance
import SystemKit

/// `system picture`: resolution and margins.
enum SystemPicture {
    static let definition = CommandDefinition(
        "picture", "Choose the resolution and the margins of the picture", usually: "status",
        subcommands: [
            CommandDefinition("status", "Show outputs, their resolutions and margins", as: .machine, verb: status),
            CommandDefinition(
                "resolution", "Choose a resolution that the screen offers",
                discussion: [
                    "It takes effect at the next restart, and is taken back by itself if the menu does not come up."
                ],
                arguments: [
                    ArgumentDefinition("OUTPUT", .one, "E.g. HDMI-A-1"),
                    ArgumentDefinition("MODE", .one, "E.g. 1280x720, or auto for the screen's own choice"),
                ],
                options: [.dryRun], as: .machine, verb: resolution),
            CommandDefinition(
                "overscan", "Keep edges free that the television cuts off",
                arguments: [
                    ArgumentDefinition("LEFT", .one, "Pixels at the left"),
                    ArgumentDefinition("RIGHT", .one, "Pixels at the right"),
                    ArgumentDefinition("TOP", .one, "Pixels at the top"),
                    ArgumentDefinition("BOTTOM", .one, "Pixels at the bottom"),
                ],
                options: [.dryRun], examples: [.init("retro-admin system picture overscan 24 24 16 16", "a frame")],
                as: .machine, verb: overscan),
        ])

    private static func json(_ margins: PictureFacts.Margins) -> JSONValue {
        .object([
            "left": .integer(margins.left), "right": .integer(margins.right), "top": .integer(margins.top),
            "bottom": .integer(margins.bottom),
        ])
    }

    private static func facts(_ call: Call) -> [String: JSONValue] {
        let facts = PictureFacts.read(call.machine)
        return [
            "outputs": .array(
                facts.outputs.map { output in
                    .object([
                        "name": .string(output.name), "connected": .bool(output.isConnected),
                        "modes": .strings(output.modes), "mode": .optional(output.setting),
                        "margins": json(output.margins),
                    ])
                }),
            "firmwareMargins": json(facts.firmwareMargins), "changeable": .bool(facts.isChangeable),
        ]
    }

    private static func told(_ call: Call) -> String {
        let facts = PictureFacts.read(call.machine)
        if facts.outputs.isEmpty { return "The kernel drives no screen here." }
        return facts.outputs.map { output in
            let state = output.isConnected ? "connected" : "nothing plugged in"
            let margins = output.margins
            let sides = [margins.left, margins.right, margins.top, margins.bottom].map(String.init).joined(
                separator: " ")
            return "\(output.name): \(state), resolution \(safeText(output.setting ?? "auto")), margins \(sides)"
                + (output.modes.isEmpty ? "" : "\n    offers \(output.modes.joined(separator: ", "))")
        }.joined(separator: "\n")
    }

    private static func status(_ call: Call) async throws(CommandError) {
        call.show(.object(facts(call))) { call.console.print(told(call) + "\n") }
    }

    private static func resolution(_ call: Call) async throws(CommandError) {
        let output = try call.text(of: call.arguments[0], called: "OUTPUT")
        let mode = try call.text(of: call.arguments[1], called: "MODE")
        try call.change(
            .boot(.resolution(output: output, mode: mode == "auto" ? nil : mode)), facts: { facts(call) },
            told: { told(call) })
    }

    private static func overscan(_ call: Call) async throws(CommandError) {
        let change = BootChange.overscan(
            left: try call.numericArgument(0, "LEFT"), right: try call.numericArgument(1, "RIGHT"),
            top: try call.numericArgument(2, "TOP"), bottom: try call.numericArgument(3, "BOTTOM"))
        try call.change(.boot(change), facts: { facts(call) }, told: { told(call) })
    }
}

/// `system overclock`: speeds.
enum SystemOverclock {
    static let definition = CommandDefinition(
        "overclock", "Show how fast the machine runs, or take a preset for its model",
        discussion: [
            "A preset is written to config.txt and counts from the next restart on. Where that does not reach the "
                + "menu, it is taken back by itself. 'none' goes back to the maker's speeds."
        ],
        arguments: [ArgumentDefinition("PRESET", .optional, "A name that is printed without one, or none")],
        options: [.dryRun], as: .machine, verb: run)

    private static func facts(_ call: Call) -> [String: JSONValue] {
        let facts = OverclockFacts.read(call.machine)
        let boot = BootFacts.read(call.machine)
        let throttling = facts.throttling.map { state in
            JSONValue.object([
                "bits": .integer(Int64(state.bits)), "undervolted": .bool(state.isUndervolted),
                "slowed": .bool(state.isSlowed), "wasUndervolted": .bool(state.wasUndervolted),
                "wasSlowed": .bool(state.wasSlowed),
            ])
        }
        return [
            "preset": .optional(name(facts.setting)), "megahertz": .optional(facts.megahertz.map(Int64.init)),
            "usualMegahertz": .optional(facts.usualMegahertz.map(Int64.init)),
            "temperature": .optional(facts.temperature), "throttling": throttling ?? .null,
            "presets": .array(
                facts.presets.map { preset in
                    .object([
                        "name": .string(preset.name), "megahertz": .integer(preset.megahertz),
                        "settings": .strings(preset.settings), "makers": .bool(preset.isMakers),
                    ])
                }),
            "awaitsRestart": .bool(boot.awaitsRestart != nil), "onTrial": .bool(boot.isTried != nil),
            "reverted": .optional(boot.reverted),
        ]
    }

    private static func name(_ setting: OverclockFacts.Setting?) -> String? {
        switch setting {
        case nil: nil
        case .some(.none): "none"
        case .preset(let name): name
        case .custom: "custom"
        }
    }

    private static func told(_ call: Call) -> String {
        let facts = OverclockFacts.read(call.machine)
        let boot = BootFacts.read(call.machine)
        var lines = ["Preset: \(name(facts.setting) ?? "none (there is no config.txt)")"]
        if let speed = facts.megahertz { lines.append("Speed now: \(speed) MHz") }
        if let heat = facts.temperature { lines.append("Temperature: \(Int(heat.rounded())) °C") }
        if let advice = facts.throttling?.advice { lines.append(advice) }
        for preset in facts.presets {
            let origin = preset.isMakers ? "the maker's" : "commonly used, not the maker's"
            lines.append("    \(preset.name): \(preset.megahertz) MHz (\(origin))")
        }
        if facts.presets.isEmpty { lines.append("No preset is documented for this model.") }
        if boot.awaitsRestart != nil { lines.append("A change waits for the next restart.") }
        if let reverted = boot.reverted { lines.append(reverted) }
        return lines.map(safeText).joined(separator: "\n")
    }

    private static func run(_ call: Call) async throws(CommandError) {
        guard let preset = try call.argument(0, "PRESET") else {
            return call.show(.object(facts(call))) { call.console.print(told(call) + "\n") }
        }
        try call.change(.boot(.overclock(preset: preset)), facts: { facts(call) }, told: { told(call) })
    }
}

/// `system boot-check`: run by the machine itself.
enum SystemBootCheck {
    static let definition = CommandDefinition(
        "boot-check", "Look after the files that the firmware reads",
        discussion: [
            "Without an option, what is known about them is printed. The machine itself runs this with --early at the "
                + "beginning of each start: damaged files are restored from their copies, and a change that did not "
                + "reach the menu is taken back. The menu has --reached done once it is on the screen."
        ],
        options: [
            OptionDefinition("early", "Mend the files, and take back what did not reach the menu"),
            OptionDefinition("restart", "With --early: restart where something was taken back"),
            OptionDefinition("reached", "The menu is on the screen: keep what was changed"), .dryRun,
        ],
        as: .machine, verb: run)

    private static func facts(_ call: Call) -> [String: JSONValue] {
        let boot = BootFacts.read(call.machine)
        let partition = BootPartition.find(call.machine)
        var members: [String: JSONValue] = [
            "awaitsRestart": .optional(boot.awaitsRestart), "onTrial": .optional(boot.isTried),
            "reverted": .optional(boot.reverted), "readOnly": partition.map { .bool($0.isReadOnly) } ?? .null,
            "partition": .null,
        ]
        if let partition { members.merge(JSONValue.path(partition.path, named: "partition")) { $1 } }
        return members
    }

    private static func told(_ call: Call) -> String {
        guard let partition = BootPartition.find(call.machine) else {
            return "There is no boot partition of a Raspberry Pi."
        }
        let boot = BootFacts.read(call.machine)
        var lines = ["Boot files: \(partition.path.displayString)\(partition.isReadOnly ? ", read-only" : "")"]
        if let subject = boot.awaitsRestart { lines.append("A change of \(subject) waits for the next restart.") }
        if let subject = boot.isTried { lines.append("A change of \(subject) is on trial.") }
        if let reverted = boot.reverted { lines.append(reverted) }
        return lines.map(safeText).joined(separator: "\n")
    }

    private static func run(_ call: Call) async throws(CommandError) {
        if call.has("reached") {
            return try call.change(.boot(.menuReached), facts: { facts(call) }, told: { told(call) })
        }
        guard call.has("early"), !call.isDryRun else {
            return call.show(.object(facts(call))) { call.console.print(told(call) + "\n") }
        }
        let check = try appliance { () throws(ApplianceError) in
            guard call.surroundings.isRoot else { throw .needsRoot("'retro-admin system boot-check --early'") }
            return try BootCheck.early(call.machine)
        }
        var members = facts(call)
        members["notes"] = .strings(check.notes)
        members["mustRestart"] = .bool(check.mustRestart)
        call.show(.object(members)) { for note in check.notes { call.console.print(safeText(note) + "\n") } }
        if check.mustRestart, call.has("restart") { try call.change(.power(.restart)) { _ in } }
    }
}
