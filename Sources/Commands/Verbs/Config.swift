import Appliance
import Catalog
import SystemKit
import Systems

/// `config`: the settings that the menu shows too.
enum Config {
    private static let key = ArgumentDefinition(
        "KEY", values: .words(Settings.all.map(\.key)), "Name of a setting as 'retro-admin config list' prints it")

    static let definition = CommandDefinition(
        "config", "Show or change settings",
        subcommands: [
            CommandDefinition(
                "list", "List all settings with their values",
                discussion: ["Choices of emulators are listed for the systems that have one."], verb: list),
            CommandDefinition("get", "Print the value of a setting", arguments: [key], verb: get),
            CommandDefinition(
                "set", "Change a setting",
                discussion: [
                    "The key emulator.SYSTEM chooses the emulator for all games of a system that have no own choice."
                ],
                arguments: [key, ArgumentDefinition("VALUE", .one, "The new value")], options: [.dryRun],
                examples: [
                    .init("retro-admin config set menu.motion off", "no animations"),
                    .init("retro-admin config set emulator.nes nestopia", "what NES games are played with"),
                ],
                verb: set),
            CommandDefinition(
                "reset", "Go back to the default of a setting, or of all",
                arguments: [
                    ArgumentDefinition("KEY", .optional, values: key.values, "Only this setting")
                ],
                options: [.yes, .dryRun], verb: reset),
        ])

    /// A setting by its name: one of the table, or the emulator of a system.
    enum Key {
        case setting(SettingDefinition)
        case emulator(SystemDefinition)

        var name: String {
            switch self {
            case .setting(let setting): setting.key
            case .emulator(let system): emulatorPrefix + system.name
            }
        }
    }

    private static let emulatorPrefix = "emulator."

    private static func list(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        let keys =
            Settings.all.map(Key.setting)
            + library.registry.systems.filter { !$0.emulators.isEmpty }.sorted { $0.name < $1.name }.map(Key.emulator)
        let stored = try await values(keys, library)
        let shown = keys.filter { key in
            if case .setting = key { true } else { stored[key.name] != nil }
        }
        var members: [String: JSONValue] = [:]
        for key in shown { members[key.name] = .object(facts(key, stored[key.name])) }
        call.show(.object(members)) {
            var table = TextTable([
                .init("SETTING"), .init("VALUE"), .init("ALLOWED"), .init("WHAT IT DOES", isFlexible: true),
            ])
            for key in shown { table.add(row(key, stored[key.name])) }
            call.console.print(table)
        }
    }

    private static func get(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        let key = try key(call.arguments[0], library)
        let stored = try await values([key], library)[key.name]
        present(key, stored, call)
    }

    private static func set(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        let key = try key(call.arguments[0], library)
        let text = try call.text(of: call.arguments[1], called: "VALUE")
        let value: String
        switch key {
        case .setting(let setting):
            guard let canonical = setting.canonical(text) else {
                let choice = listText(setting.allowed, joint: setting.isList ? "and" : "or")
                throw .badValue(
                    text, of: setting.key, expected: setting.isList ? "some of \(choice), with commas between" : choice)
            }
            value = canonical
        case .emulator(let system): value = try library.emulator(text, of: system).name
        }
        try await store(value, for: key, library)
        if call.isDryRun { return plan([(key, value)], call) }
        present(key, value, call)
    }

    private static func reset(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        if let word = call.arguments.first {
            let key = try key(word, library)
            try await store(nil, for: key, library)
            if call.isDryRun { return plan([(key, nil)], call) }
            return present(key, nil, call)
        }
        let keys = Settings.all.map(Key.setting) + library.registry.systems.map(Key.emulator)
        let stored = try await values(keys, library)
        let changed = keys.filter { stored[$0.name] != nil }
        if call.isDryRun { return plan(changed.map { ($0, nil) }, call) }
        if !changed.isEmpty {
            guard try call.confirm("Resetting \(listText(changed.map(\.name)))") else {
                return call.console.note("Nothing was changed.")
            }
        }
        for key in changed { try await store(nil, for: key, library) }
        call.show(.object(["reset": .strings(changed.map(\.name))])) {
            call.console.print(
                changed.isEmpty ? "Everything has its default.\n" : "Reset \(listText(changed.map(\.name))).\n")
        }
    }

    /// The setting of a name that a person typed.
    private static func key(_ word: BytePath, _ library: Library) throws(CommandError) -> Key {
        let text = word.displayString
        if let setting = Settings.definition(of: text) { return .setting(setting) }
        if text.hasPrefix(emulatorPrefix) {
            return .emulator(try library.system(BytePath(String(text.dropFirst(emulatorPrefix.count)))))
        }
        let names = Settings.all.map(\.key) + library.registry.systems.map { emulatorPrefix + $0.name }
        throw .unknownName(kind: "setting", text, suggestion: nearest(to: text, among: names))
    }

    /// The values that a person chose, by key.
    private static func values(_ keys: [Key], _ library: Library) async throws(CommandError) -> [String: String] {
        let names = keys.map { key -> (name: String, system: String?) in
            if case .emulator(let system) = key { (key.name, system.name) } else { (key.name, nil) }
        }
        return try await library.withStore(orElse: [:]) { store async throws(CommandError) in
            try await catalog { () async throws(CatalogError) in
                let settings = try await store.settings()
                var values: [String: String] = [:]
                for (name, system) in names {
                    if let system {
                        values[name] = try await store.emulator(system: system)
                    } else {
                        values[name] = settings[name]
                    }
                }
                return values
            }
        }
    }

    private static func store(_ value: String?, for key: Key, _ library: Library) async throws(CommandError) {
        guard !library.call.isDryRun else { return }
        try await library.withStore { store async throws(CommandError) in
            try await catalog { () async throws(CatalogError) in
                switch key {
                case .setting(let setting): try await store.setSetting(setting.key, value)
                case .emulator(let system): try await store.setEmulator(value, system: system.name)
                }
            }
        }
    }

    /// What a column has room for.
    private static func allowed(_ setting: SettingDefinition) -> String {
        let few = setting.allowed.prefix(4).joined(separator: ", ")
        return setting.allowed.count > 4 ? few + ", ..." : few
    }

    private static func facts(_ key: Key, _ stored: String?) -> [String: JSONValue] {
        switch key {
        case .setting(let setting):
            [
                "value": .string(setting.effective(stored)), "default": .string(setting.defaultValue),
                "allowed": .strings(setting.allowed), "description": .string(setting.summary),
            ]
        case .emulator(let system):
            [
                "value": .optional(stored), "default": .null,
                "allowed": .strings(system.emulators.map(\.name)),
                "description": .string("What games of \(system.fullName) are played with"),
            ]
        }
    }

    private static func row(_ key: Key, _ stored: String?) -> [String] {
        switch key {
        case .setting(let setting):
            [setting.key, setting.effective(stored), allowed(setting), setting.summary]
        case .emulator(let system):
            [
                key.name, stored ?? "", system.emulators.map(\.name).joined(separator: ", "),
                "What games of \(system.fullName) are played with",
            ]
        }
    }

    private static func present(_ key: Key, _ stored: String?, _ call: Call) {
        call.show(.object(facts(key, stored).merging(["key": .string(key.name)]) { $1 })) {
            switch key {
            case .setting(let setting): call.console.print("\(setting.effective(stored))\n")
            case .emulator: call.console.print("\(stored.map(safeText) ?? "automatic")\n")
            }
        }
    }

    private static func plan(_ changes: [(key: Key, value: String?)], _ call: Call) {
        var members: [String: JSONValue] = [:]
        for (key, value) in changes { members[key.name] = .optional(value) }
        call.show(.object(["dryRun": .bool(true), "set": .object(members)])) {
            for (key, value) in changes { call.console.print("\(key.name): \(value ?? "back to the default")\n") }
        }
    }
}
