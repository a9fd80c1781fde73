import Catalog
import SystemKit
import Systems

/// `library`: where the games are.
enum LibraryVerbs {
    private static let source = ArgumentDefinition(
        "ID", .one, "Number of a source as 'retro-admin library list' prints it")
    private static let label = OptionDefinition("label", placeholder: "TEXT", "What to call it; else its disk's name")

    static let definition = CommandDefinition(
        "library", "Show or change the folders that games are looked for in",
        discussion: [
            "The data root's own folder is the first. A disk or share that is added is known again wherever it is "
                + "mounted; while it is not there its games are missing, and nothing of them is forgotten.",
            "A game that several folders have, under the same system and name, is listed once: the first folder in "
                + "which it is there has it.",
        ],
        subcommands: [
            CommandDefinition(
                "list", "List the folders in their order",
                discussion: ["Disks and shares with games that could be added are listed behind them."], verb: list),
            CommandDefinition(
                "add", "Add a folder whose folders are named as systems",
                discussion: [
                    "'retro-admin scan' looks for its games then; a menu that runs does so by itself. Adding one that "
                        + "is there already with --label gives it another label."
                ],
                arguments: [ArgumentDefinition("PATH", .one, values: .directory, "The folder")],
                options: [label, .dryRun],
                examples: [.init("retro-admin library add /media/STICK/roms --label 'USB stick'", "games on a disk")],
                verb: add),
            CommandDefinition(
                "remove", "Take a folder off the list",
                discussion: [
                    "No file is touched. Its games leave the catalog; favourites, titles and play history are kept, "
                        + "and are there again when the folder is added again."
                ],
                arguments: [source], options: [.dryRun], verb: remove),
            CommandDefinition(
                "move", "Change the order of the folders",
                arguments: [source, ArgumentDefinition("POSITION", .one, "1 is the first behind the data root's own")],
                options: [.dryRun], verb: move),
        ])

    private static func list(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        let own = [GameSource(id: 0, path: library.root.roms, label: library.root.roms.name.displayString)]
        let (sources, candidates) = try await library.withStore(orElse: (own, [])) { store async throws(CommandError) in
            try await catalog { () async throws(CatalogError) in
                (try await store.sources(), try await store.candidateSources())
            }
        }
        call.show(
            .object([
                "sources": .array(sources.map(json)),
                "candidates": .array(
                    candidates.map { candidate in
                        .object(
                            JSONValue.path(candidate.path).merging([
                                "identity": .string(candidate.identity), "label": .string(candidate.label),
                            ]) { $1 })
                    }),
            ])
        ) {
            var table = TextTable([
                .init("ID", isNumeric: true), .init("LABEL"), .init("STATE"), .init("FOLDER", isFlexible: true),
            ])
            for source in sources {
                table.add([
                    "\(source.id)", source.label, source.isPresent ? "there" : "not there", source.path.displayString,
                ])
            }
            for candidate in candidates {
                table.add(["-", candidate.label, "not added", candidate.path.displayString])
            }
            call.console.print(table)
        }
    }

    private static func add(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        let path = call.surroundings.directory.appending(call.arguments[0])
        let label = try call.text("label")
        if call.isDryRun {
            do throws(SystemError) { _ = try directoryNames(path) } catch { throw .system(error) }
            return call.show(.object(JSONValue.path(path).merging(["dryRun": .bool(true)]) { $1 })) {
                call.console.print("add \(path.displayString)\n")
            }
        }
        let source = try await library.withStore { store async throws(CommandError) in
            try await catalog { () async throws(CatalogError) in try await store.addSource(path: path, label: label) }
        }
        call.show(json(source)) {
            let name = "\(safeText(source.label)) is source \(source.id)."
            call.console.print("\(name) 'retro-admin scan' looks for its games.\n")
        }
    }

    private static func remove(_ call: Call) async throws(CommandError) {
        try await withSource(call) { source, store async throws(CommandError) in
            if !call.isDryRun {
                try await catalog { () async throws(CatalogError) in try await store.removeSource(source.id) }
            }
            call.show(.object(["id": .integer(source.id), "removed": .bool(!call.isDryRun)])) {
                call.console.print(call.isDryRun ? "remove \(safeText(source.label))\n" : "Removed.\n")
            }
        }
    }

    private static func move(_ call: Call) async throws(CommandError) {
        let position = try number(call.arguments[1], "POSITION", lowest: 1)
        try await withSource(call) { source, store async throws(CommandError) in
            let wanted = Int(position)
            let place = try await catalog { () async throws(CatalogError) -> Int in
                // The data root's own source has no place.
                if call.isDryRun { return min(wanted, try await store.sources().count - 1) }
                return try await store.moveSource(source.id, to: wanted)
            }
            call.show(
                .object([
                    "id": .integer(source.id), "position": .integer(place), "moved": .bool(!call.isDryRun),
                ])
            ) {
                call.console.print(
                    call.isDryRun ? "move \(safeText(source.label)) to \(place)\n" : "Moved to \(place).\n")
            }
        }
    }

    /// Runs something with the source of the first word, which must be there also for a dry run.
    private static func withSource(
        _ call: Call, _ body: (GameSource, CatalogStore) async throws(CommandError) -> Void
    ) async throws(CommandError) {
        let id = try number(call.arguments[0], "ID", lowest: 0)
        let library = Library(call)
        guard library.hasCatalog else { throw .catalog(.noSuchSource(id: id)) }
        try await library.withStore { store async throws(CommandError) in
            let sources = try await catalog { () async throws(CatalogError) in try await store.sources() }
            guard id != 0, let source = sources.first(where: { $0.id == id }) else {
                throw .catalog(.noSuchSource(id: id))
            }
            try await body(source, store)
        }
    }

    private static func number(_ word: BytePath, _ name: String, lowest: Int64) throws(CommandError) -> Int64 {
        guard let number = word.validUTF8.flatMap({ Int64($0) }), number >= lowest, number < 1_000_000 else {
            throw .badWord(word.displayString, of: name, expected: "a number from \(lowest)")
        }
        return number
    }

    private static func json(_ source: GameSource) -> JSONValue {
        .object(
            JSONValue.path(source.path).merging([
                "id": .integer(source.id), "identity": .string(source.identity), "label": .string(source.label),
                "present": .bool(source.isPresent),
            ]) { $1 })
    }
}
