import Appliance
import SystemKit

/// `system locale`, `timezone` and `keyboard`.
enum SystemPlace {
    static let definitions = [
        CommandDefinition(
            "locale", "Show or set the language",
            discussion: ["Without a name the one that is set is printed."],
            arguments: [ArgumentDefinition("LOCALE", .optional, "E.g. de_DE.UTF-8")],
            options: [SystemVerbs.listOption, .dryRun],
            examples: [.init("retro-admin system locale de_DE.UTF-8", "German as in Germany")], as: .machine,
            verb: locale),
        CommandDefinition(
            "timezone", "Show or set the time zone",
            discussion: ["Without a name the one that is set is printed."],
            arguments: [ArgumentDefinition("ZONE", .optional, "E.g. Europe/Berlin")],
            options: [SystemVerbs.listOption, .dryRun],
            examples: [.init("retro-admin system timezone Europe/Berlin", "the time as in Berlin")], as: .machine,
            verb: timeZone),
        CommandDefinition(
            "keyboard", "Show or set the keyboard's layout",
            discussion: ["Without a name the one that is set is printed."],
            arguments: [ArgumentDefinition("LAYOUT", .optional, "E.g. de")],
            options: [
                OptionDefinition("variant", placeholder: "VARIANT", "A kind of the layout, e.g. nodeadkeys"),
                SystemVerbs.listOption, .dryRun,
            ],
            examples: [.init("retro-admin system keyboard de --variant nodeadkeys", "German without dead keys")],
            as: .machine,
            verb: keyboard),
    ]

    private static func locale(_ call: Call) async throws(CommandError) {
        if call.has("list") { return list(call, PlaceChoices.locales(call.machine)) }
        let facts = { ["locale": JSONValue.optional(PlaceFacts.read(call.machine).locale)] }
        let told = { "Language: \(safeText(PlaceFacts.read(call.machine).locale ?? "not set"))" }
        guard let name = try call.argument(0, "LOCALE") else { return show(call, facts(), told()) }
        try call.change(.place(.locale(name)), facts: facts, told: told)
    }

    private static func timeZone(_ call: Call) async throws(CommandError) {
        if call.has("list") {
            let zones = PlaceChoices.timeZones(call.machine)
            return call.show(.strings(zones)) { call.console.print(zones.map { $0 + "\n" }.joined()) }
        }
        let facts = { ["timeZone": JSONValue.optional(PlaceFacts.read(call.machine).timeZone)] }
        let told = { "Time zone: \(safeText(PlaceFacts.read(call.machine).timeZone ?? "not set"))" }
        guard let name = try call.argument(0, "ZONE") else { return show(call, facts(), told()) }
        try call.change(.place(.timeZone(name)), facts: facts, told: told)
    }

    private static func keyboard(_ call: Call) async throws(CommandError) {
        if call.has("list") { return listKeyboards(call) }
        let facts = {
            let place = PlaceFacts.read(call.machine)
            return ["layout": JSONValue.optional(place.keyboardLayout), "variant": .optional(place.keyboardVariant)]
        }
        let told = {
            let place = PlaceFacts.read(call.machine)
            let words = [place.keyboardLayout ?? "not set", place.keyboardVariant].compactMap { $0 }
            return "Keyboard: \(safeText(words.joined(separator: ", ")))"
        }
        guard let layout = try call.argument(0, "LAYOUT") else { return show(call, facts(), told()) }
        try call.change(
            .place(.keyboard(layout: layout, variant: try call.text("variant"))), facts: facts, told: told)
    }

    private static func show(_ call: Call, _ facts: [String: JSONValue], _ told: String) {
        call.show(.object(facts)) { call.console.print(told + "\n") }
    }

    private static func list(_ call: Call, _ choices: [PlaceChoices.Choice]) {
        call.show(.array(choices.map { .object(["name": .string($0.name), "title": .string($0.title)]) })) {
            var table = TextTable([.init("NAME"), .init("WHAT IT IS", isFlexible: true)])
            for choice in choices { table.add([choice.name, choice.title]) }
            call.console.print(table)
        }
    }

    private static func listKeyboards(_ call: Call) {
        let keyboards = PlaceChoices.keyboards(call.machine)
        let document = keyboards.map { keyboard in
            JSONValue.object([
                "layout": .string(keyboard.layout), "title": .string(keyboard.title),
                "variants": .array(
                    keyboard.variants.map { .object(["name": .string($0.name), "title": .string($0.title)]) }),
            ])
        }
        call.show(.array(document)) {
            var table = TextTable([.init("LAYOUT"), .init("VARIANT"), .init("WHAT IT IS", isFlexible: true)])
            for keyboard in keyboards {
                table.add([keyboard.layout, "", keyboard.title])
                for variant in keyboard.variants { table.add([keyboard.layout, variant.name, variant.title]) }
            }
            call.console.print(table)
        }
    }
}
