import Appliance
import SystemKit

/// `system audio`: where sound comes out and how loud.
enum SystemAudio {
    static let definition = CommandDefinition(
        "audio", "Choose where sound comes out, and how loud", usually: "status",
        subcommands: [
            CommandDefinition("status", "Show cards, the chosen one and the volume", as: .machine, verb: status),
            CommandDefinition(
                "output", "Choose the sound card by its name",
                discussion: ["Cards are known by their names: their numbers change from start to start."],
                arguments: [
                    ArgumentDefinition(
                        "CARD", .one, "A name that 'retro-admin system audio' prints, or auto for the best one there is"
                    )
                ],
                options: [.dryRun],
                examples: [.init("retro-admin system audio output vc4hdmi0", "the first HDMI socket")],
                as: .machine, verb: output),
            CommandDefinition(
                "volume", "Set the volume", arguments: [ArgumentDefinition("PERCENT", .one, "0 to 100")],
                options: [.dryRun],
                as: .machine, verb: volume),
            CommandDefinition(
                "mute", "Be silent, or not any more",
                arguments: [ArgumentDefinition("SWITCH", values: .words(["on", "off"]), "on or off")],
                options: [.dryRun], as: .machine, verb: mute),
            CommandDefinition(
                "test", "Play two notes",
                arguments: [ArgumentDefinition("CARD", .optional, "On this card, not where sound comes out now")],
                as: .machine, verb: test),
            CommandDefinition(
                "follow", "Let programs play on the chosen card where it is there, else on another",
                discussion: ["The machine does this when it starts."], options: [.dryRun], as: .machine, verb: follow),
        ])

    static func json(_ facts: SoundFacts) -> [String: JSONValue] {
        let volume = facts.volume.map { volume in
            JSONValue.object([
                "control": .string(volume.control), "percent": .integer(volume.percent),
                "muted": volume.isMuted.map(JSONValue.bool) ?? .null,
            ])
        }
        return [
            "cards": .array(
                facts.cards.map { card in
                    .object([
                        "name": .string(card.name), "title": .string(card.title), "kind": .string(card.kind.rawValue),
                        "connected": card.isConnected.map(JSONValue.bool) ?? .null,
                        "current": .bool(card.name == facts.right),
                    ])
                }),
            "chosen": .optional(facts.chosen), "current": .optional(facts.right), "volume": volume ?? .null,
            "server": .optional(facts.server), "advice": .optional(facts.advice),
        ]
    }

    private static func status(_ call: Call) async throws(CommandError) {
        let facts = SoundFacts.read(call.machine)
        call.show(.object(json(facts))) {
            if !facts.cards.isEmpty {
                var table = TextTable([.init(""), .init("CARD"), .init("WHAT IT IS", isFlexible: true)])
                for card in facts.cards { table.add([card.name == facts.right ? "*" : "", card.name, card.title]) }
                call.console.print(table)
            }
            call.console.print(told(facts) + "\n")
            if let advice = facts.advice { call.console.note(safeText(advice)) }
        }
    }

    private static func told(_ facts: SoundFacts) -> String {
        let volume = facts.volume.map { "\($0.percent) %\($0.isMuted == true ? ", muted" : "")" } ?? "no control for it"
        return
            "Output: \(safeText(facts.right ?? "none"))\(facts.chosen == nil ? " (automatic)" : "")\nVolume: \(volume)"
    }

    private static func carryOut(_ change: SoundChange, _ call: Call) throws(CommandError) {
        try call.change(
            .sound(change), facts: { json(SoundFacts.read(call.machine)) },
            told: { told(SoundFacts.read(call.machine)) })
    }

    private static func output(_ call: Call) async throws(CommandError) {
        try carryOut(.output(card: try call.text(of: call.arguments[0], called: "CARD")), call)
    }

    private static func volume(_ call: Call) async throws(CommandError) {
        try carryOut(.volume(try call.numericArgument(0, "PERCENT")), call)
    }

    private static func mute(_ call: Call) async throws(CommandError) {
        let word = try call.text(of: call.arguments[0], called: "SWITCH")
        guard ["on", "off"].contains(word) else { throw .badWord(word, of: "SWITCH", expected: "on or off") }
        try carryOut(.mute(word == "on"), call)
    }

    private static func follow(_ call: Call) async throws(CommandError) { try carryOut(.follow, call) }

    private static func test(_ call: Call) async throws(CommandError) {
        let card = try call.argument(0, "CARD")
        let notes = try appliance { () throws(ApplianceError) in try SoundTest.play(call.machine, card: card) }
        var members = json(SoundFacts.read(call.machine))
        members["notes"] = .strings(notes)
        call.show(.object(members)) { for note in notes { call.console.print(safeText(note) + "\n") } }
    }
}
