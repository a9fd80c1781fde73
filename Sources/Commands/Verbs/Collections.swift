import Catalog
import SystemKit
import Systems

/// `collections`: the person's own lists, and saved filters.
enum Collections {
    private static let name = ArgumentDefinition(
        "NAME", .one, "Name of a collection as 'retro-admin collections' prints it")
    private static let games = ArgumentDefinition(
        "GAME", .atLeastOne, values: .file, "Numbers of games, or paths of their files")
    private static let conditions =
        [
            OptionDefinition("system", placeholder: "SYSTEM", values: .system, "Only games of this system; repeatable"),
            OptionDefinition("search", placeholder: "TEXT", "Only games whose title has these words"),
        ] + FilterOptions.all

    static let definition = CommandDefinition(
        "collections", "Lists of games that you put together",
        discussion: [
            "A collection is either a list of chosen games, or a saved filter: then every game that meets it is in it. "
                + "The games themselves stay where they are."
        ],
        usually: "list",
        subcommands: [
            CommandDefinition("list", "List all collections", verb: list),
            CommandDefinition("show", "List the games of a collection", arguments: [name], verb: show),
            CommandDefinition(
                "create", "Make a collection",
                discussion: ["With conditions it is a saved filter, without any an empty list."],
                arguments: [ArgumentDefinition("NAME", .one, "What to call it")], options: conditions + [.dryRun],
                examples: [
                    .init("retro-admin collections create 'For two' --players 2", "a saved filter"),
                    .init("retro-admin collections create Evening", "a list to put games in"),
                ],
                verb: create),
            CommandDefinition(
                "delete", "Delete a collection, not its games", arguments: [name], options: [.yes, .dryRun],
                verb: delete),
            CommandDefinition(
                "rename", "Give a collection another name",
                arguments: [name, ArgumentDefinition("NEW", .one, "What to call it")], options: [.dryRun], verb: rename),
            CommandDefinition(
                "add", "Put games into a list", arguments: [name, games], options: [.dryRun],
                verb: { call async throws(CommandError) in try await change(call, adds: true) }),
            CommandDefinition(
                "remove", "Take games out of a list", arguments: [name, games], options: [.dryRun],
                verb: { call async throws(CommandError) in try await change(call, adds: false) }),
            CommandDefinition(
                "import", "Import lists of EmulationStation",
                discussion: [
                    "The files are custom-NAME.cfg of the folder collections beside es_settings.cfg. A game is "
                        + "recognised by its system's folder and what follows it, wherever the list was made. Games "
                        + "that are not there are kept in the list too, and show when they come."
                ],
                arguments: [ArgumentDefinition("FILE", .atLeastOne, values: .file, "Files to import")],
                options: [.dryRun], verb: importFiles),
            CommandDefinition(
                "filter", "Change what a saved filter asks",
                discussion: [
                    "The conditions replace those it had. Without any, a saved filter becomes an empty list, and a "
                        + "list stays one."
                ],
                arguments: [name], options: conditions + [.dryRun], verb: setFilter),
        ])

    /// The collection of a name, or of a number.
    static func find(
        _ word: BytePath, _ call: Call, _ store: CatalogStore
    ) async throws(CommandError) -> GameCollection {
        let text = try call.text(of: word, called: "NAME")
        let all = try await catalog { () async throws(CatalogError) in try await store.collections() }
        if let found = all.first(where: { $0.name.lowercased() == text.lowercased() }) { return found }
        if let id = Int64(text), let found = all.first(where: { $0.id == id }) { return found }
        throw .unknownName(kind: "collection", text, suggestion: nearest(to: text, among: all.map(\.name)))
    }

    // MARK: - Looking

    private struct Entry: Sendable {
        var collection: GameCollection
        var games: Int
    }

    private static func list(_ call: Call) async throws(CommandError) {
        let entries = try await Library(call).withStore(orElse: [Entry]()) { store async throws(CommandError) in
            try await catalog { () async throws(CatalogError) in
                var entries: [Entry] = []
                for collection in try await store.collections() {
                    let games = try await store.count(GameQuery(selection: .collection(collection.id)))
                    entries.append(Entry(collection: collection, games: games))
                }
                return entries
            }
        }
        call.show(.array(entries.map { json($0.collection, games: $0.games) })) {
            guard !entries.isEmpty else { return call.console.note("No collections yet.") }
            var table = TextTable([
                .init("ID", isNumeric: true), .init("NAME", isFlexible: true), .init("GAMES", isNumeric: true),
                .init("KIND", isFlexible: true),
            ])
            for entry in entries {
                table.add([
                    String(entry.collection.id), entry.collection.name, groupedText(entry.games),
                    entry.collection.filter.map { "filter: \(FilterOptions.text($0))" } ?? "list",
                ])
            }
            call.console.print(table)
        }
    }

    private static func json(_ collection: GameCollection, games: Int? = nil) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .integer(collection.id), "name": .string(collection.name),
            "filter": collection.filter.map(FilterOptions.json) ?? .null,
        ]
        if let games { members["games"] = .integer(games) }
        return .object(members)
    }

    private static func show(_ call: Call) async throws(CommandError) {
        try await Library(call).withStore { store async throws(CommandError) in
            let collection = try await find(call.arguments[0], call, store)
            let games = try await catalog { () async throws(CatalogError) in
                try await store.games(
                    GameQuery(selection: .collection(collection.id)), offset: 0, limit: Int(Int32.max))
            }
            if call.wantsJSON { return Games.printJSON(games, call.console) }
            guard !games.isEmpty else { return call.console.note("No game is in it.") }
            Games.print(games, call.console)
        }
    }

    // MARK: - Changing

    private static func filter(_ call: Call, _ library: Library) throws(CommandError) -> GameFilter? {
        var filter = try FilterOptions.filter(call)
        for word in call.line.options["system"] ?? [] { filter.systems.append(try library.system(word).name) }
        filter.text = try call.text("search") ?? ""
        return filter.isEmpty ? nil : filter
    }

    private static func create(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        let filter = try filter(call, library)
        let name = try call.text(of: call.arguments[0], called: "NAME")
        if call.isDryRun {
            return tell(call, "create \(safeText(name))\(filter.map { ": \(FilterOptions.text($0))" } ?? "")")
        }
        try await library.withStore { store async throws(CommandError) in
            let made = try await catalog { () async throws(CatalogError) in
                try await store.createCollection(name: name, filter: filter)
            }
            call.show(json(made)) { call.console.print("Made \(safeText(made.name)).\n") }
        }
    }

    private static func delete(_ call: Call) async throws(CommandError) {
        try await Library(call).withStore { store async throws(CommandError) in
            let collection = try await find(call.arguments[0], call, store)
            if call.isDryRun { return tell(call, "delete \(safeText(collection.name))") }
            guard try call.confirm("Deleting the collection \(safeText(collection.name))") else {
                return call.console.note("Nothing was changed.")
            }
            try await catalog { () async throws(CatalogError) in try await store.deleteCollection(collection.id) }
            call.show(.object(["id": .integer(collection.id), "deleted": .bool(true)])) {
                call.console.print("Deleted. Its games are still there.\n")
            }
        }
    }

    private static func rename(_ call: Call) async throws(CommandError) {
        try await Library(call).withStore { store async throws(CommandError) in
            var collection = try await find(call.arguments[0], call, store)
            let name = try call.text(of: call.arguments[1], called: "NEW")
            if call.isDryRun { return tell(call, "rename \(safeText(collection.name)) to \(safeText(name))") }
            let id = collection.id
            try await catalog { () async throws(CatalogError) in try await store.renameCollection(id, to: name) }
            collection.name = name
            call.show(json(collection)) { call.console.print("It is called \(safeText(name)) now.\n") }
        }
    }

    private static func change(_ call: Call, adds: Bool) async throws(CommandError) {
        let library = Library(call)
        try await library.withStore { store async throws(CommandError) in
            let collection = try await find(call.arguments[0], call, store)
            let finder = GameFinder(library: library, store: store)
            // All of them are known before any is changed.
            var games: [Game] = []
            for word in call.arguments.dropFirst() { games.append(try await finder.game(word)) }
            if call.isDryRun {
                let titles = listText(games.map { safeText($0.title) })
                return tell(call, "\(adds ? "add" : "remove") \(titles)")
            }
            for game in games {
                try await catalog { () async throws(CatalogError) in
                    try await store.setMember(adds, game: game.id, collection: collection.id)
                }
            }
            call.show(.object(["id": .integer(collection.id), "games": .array(games.map { .integer($0.id) })])) {
                let count = countText(games.count, "game")
                call.console.print(
                    adds
                        ? "\(count) put into \(safeText(collection.name)).\n"
                        : "\(count) taken out of \(safeText(collection.name)).\n")
            }
        }
    }

    private static func setFilter(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        let filter = try filter(call, library)
        try await library.withStore { store async throws(CommandError) in
            var collection = try await find(call.arguments[0], call, store)
            let words = filter.map(FilterOptions.text) ?? "no filter"
            if call.isDryRun { return tell(call, "\(safeText(collection.name)): \(words)") }
            let id = collection.id
            try await catalog { () async throws(CatalogError) in try await store.setFilter(filter, collection: id) }
            collection.filter = filter
            call.show(json(collection)) { call.console.print("\(safeText(collection.name)): \(words)\n") }
        }
    }

    private static func importFiles(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        var lists: [CollectionFile] = []
        for word in call.arguments {
            let path = call.surroundings.directory.appending(word)
            guard let name = CollectionFile.name(ofFile: path) else {
                throw .badWord(word.displayString, of: "FILE", expected: "a file named custom-NAME.cfg")
            }
            do throws(SystemError) {
                lists.append(CollectionFile(name: name, contents: try readFile(path, limit: 1 << 26)))
            } catch { throw .system(error) }
        }
        if call.isDryRun {
            let texts = lists.map { "\(safeText($0.name)) with \(countText($0.paths.count, "game"))" }
            return tell(call, "import \(listText(texts))")
        }
        let files = lists
        let home = BytePath(call.surroundings.environment["HOME"] ?? "/")
        try await library.withStore { store async throws(CommandError) in
            var documents: [JSONValue] = []
            for file in files {
                let result = try await catalog { () async throws(CatalogError) in
                    try await store.importCollection(
                        name: file.name, paths: file.resolved(roms: library.root.roms, home: home))
                }
                documents.append(
                    .object([
                        "name": .string(file.name), "added": .integer(result.added),
                        "unknown": .array(result.unknown.map { .object(JSONValue.path($0)) }),
                    ]))
                guard !call.wantsJSON else { continue }
                for path in result.unknown {
                    call.console.complain("\(path.displayString): no such game here", .warning)
                }
                call.console.print("\(safeText(file.name)): \(countText(result.added, "game")) added\n")
            }
            if call.wantsJSON { call.show(.array(documents)) {} }
        }
    }

    /// What would be done.
    private static func tell(_ call: Call, _ plan: String) {
        call.show(.object(["dryRun": .bool(true), "plan": .string(plan)])) { call.console.print("\(plan)\n") }
    }
}
