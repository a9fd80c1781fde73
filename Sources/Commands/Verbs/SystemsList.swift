import Catalog
import SystemKit
import Systems

/// `systems`: lists them.
enum SystemsList {
    static let definition = CommandDefinition(
        "systems", "List systems that have games",
        options: [
            OptionDefinition("all", "All systems that are known"),
            OptionDefinition("names", "Only their names, one on each line"),
        ],
        examples: [.init("retro-admin systems --all", "which folders games can be copied to")],
        verb: run)

    static func run(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        // Completion asks for names while a person types: no database is opened for it.
        if call.has("names") && call.has("all") && !call.wantsJSON {
            return call.console.print(library.registry.systems.map(\.name).sorted().map { "\($0)\n" }.joined())
        }
        let (counts, choices) = try await library.withStore(orElse: ([:], [:])) { store async throws(CommandError) in
            try await read(store, library.registry)
        }
        let systems = library.registry.systems.filter { call.has("all") || counts[$0.name, default: 0] > 0 }
        for problem in library.registry.problems { call.console.complain(problem.description, .warning) }
        if call.has("names") && !call.wantsJSON {
            return call.console.print(systems.map { "\($0.name)\n" }.joined())
        }
        call.show(
            .array(systems.map { json($0, counts[$0.name, default: 0], choices[$0.name], library) })
        ) {
            guard !systems.isEmpty else {
                let folder = library.root.roms.displayString
                return call.console.note("No games yet. Copy some to \(folder)/SYSTEM and run 'retro-admin scan'.")
            }
            print(systems, counts, choices, library)
        }
    }

    private static func read(
        _ store: CatalogStore, _ registry: SystemRegistry
    ) async throws(CommandError) -> (counts: [String: Int], choices: [String: String]) {
        var counts: [String: Int] = [:]
        for count in try await catalog({ () async throws(CatalogError) in try await store.counts() }) {
            counts[count.system] = count.games
        }
        var choices: [String: String] = [:]
        for system in registry.systems {
            choices[system.name] = try await catalog { () async throws(CatalogError) in
                try await store.emulator(system: system.name)
            }
        }
        return (counts, choices)
    }

    private static func json(
        _ system: SystemDefinition, _ games: Int, _ choice: String?, _ library: Library
    ) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(system.name), "aliases": .strings(system.aliases), "fullName": .string(system.fullName),
            "maker": .string(system.maker), "year": .optional(system.year.map { Int64($0) }),
            "games": .integer(games), "extensions": .strings(system.extensions),
            "emulator": .optional(library.emulatorInUse(of: system, choice: choice)?.name),
            "emulators": .array(system.emulators.map { .emulator($0, library.locator) }),
        ]
        members.merge(JSONValue.path(library.folder(of: system), named: "folder")) { $1 }
        return .object(members)
    }

    private static func print(
        _ systems: [SystemDefinition], _ counts: [String: Int], _ choices: [String: String], _ library: Library
    ) {
        var table = TextTable([
            .init("NAME"), .init("SYSTEM", isFlexible: true), .init("GAMES", isNumeric: true), .init("EMULATOR"),
        ])
        for system in systems {
            let emulator = library.emulatorInUse(of: system, choice: choices[system.name])
            table.add([
                system.name, system.fullName, groupedText(counts[system.name, default: 0]),
                emulator?.name ?? "none installed",
            ])
        }
        library.call.console.print(table)
    }
}
