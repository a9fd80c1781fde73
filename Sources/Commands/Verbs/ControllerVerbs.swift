import Controllers
import SystemKit

/// `controllers`: the pads that are plugged in.
enum ControllerVerbs {
    static let definition = CommandDefinition(
        "controllers", "Show the controllers that are plugged in", usually: "list",
        subcommands: [
            CommandDefinition(
                "list", "List the controllers that are plugged in",
                discussion: ["Only what looks like a gamepad or joystick; keyboards and mice are not listed."],
                verb: list)
        ])

    private static func list(_ call: Call) async throws(CommandError) {
        let connected = ConnectedPads.read()
        for problem in connected.problems { call.console.complain(problem.reason, .warning) }
        call.show(.array(connected.pads.enumerated().map { json($1, player: $0 + 1) })) {
            guard !connected.pads.isEmpty else { return call.console.note("No controller is plugged in.") }
            var table = TextTable([
                .init("PLAYER", isNumeric: true), .init("NAME", isFlexible: true), .init("LIKE"), .init("USB ID"),
                .init("NODE"),
            ])
            for (index, pad) in connected.pads.enumerated() {
                table.add([
                    String(index + 1), pad.name, pad.family.rawValue,
                    "\(hexText(pad.identity.vendor)):\(hexText(pad.identity.product))", pad.node.displayString,
                ])
            }
            call.console.print(table)
        }
    }

    static func json(_ pad: PadInfo, player: Int) -> JSONValue {
        var bindings: [String: JSONValue] = [:]
        for (function, control) in pad.mapping.bindings { bindings[function.rawValue] = .string(control.description) }
        return .object([
            "id": .integer(pad.id), "name": .string(pad.name), "bus": .string(hexText(pad.identity.bus)),
            "vendor": .string(hexText(pad.identity.vendor)), "product": .string(hexText(pad.identity.product)),
            "version": .string(hexText(pad.identity.version)), "unique": .string(pad.unique),
            "port": .string(pad.physicalPath), "node": .string(pad.node.displayString),
            "player": .integer(player), "family": .string(pad.family.rawValue), "source": .string(pad.source.rawValue),
            "bindings": .object(bindings),
        ])
    }

    /// Four digits, as everybody writes these numbers.
    private static func hexText(_ number: UInt16) -> String {
        String(String(Int(number) + 0x10000, radix: 16).dropFirst())
    }
}
