import Catalog
import SystemKit
import Systems

/// `game`: one game's facts, and what a person may change of them.
enum GameVerbs {
    private static let game = ArgumentDefinition(
        "GAME", values: .file, "Number of the game as 'retro-admin games' prints it, or the path of its file")
    private static let off = OptionDefinition("off", "Take it back")

    static let definition = CommandDefinition(
        "game", "Show or change one game",
        subcommands: [
            CommandDefinition("show", "Show everything that is known of a game", arguments: [game], verb: show),
            CommandDefinition(
                "set", "Change a game's title, description, emulator or marks",
                discussion: [
                    "KEY is one of title, emulator, favourite (on or off) and hidden (on or off). An empty value takes "
                        + "a title or an emulator back: 'title=' is the one made from the file's name again. Nothing "
                        + "is changed when one of several values is not allowed.",
                    "What a gamelist or a DAT file says is written over with sortname, desc, developer, publisher, "
                        + "genre, players, releasedate and rating (0 to 1); an empty value brings it back. In "
                        + "releasedate a year is enough, and genres are separated by commas.",
                    "Changes survive scans, and also that the file is gone for a while.",
                ],
                arguments: [game, ArgumentDefinition("KEY=VALUE", .atLeastOne, "What to change")],
                options: [.dryRun],
                examples: [.init("retro-admin game set 7 title='Micro Mages' favourite=on", "two changes at once")],
                verb: set),
            CommandDefinition(
                "hide", "Put a game out of sight", arguments: [game], options: [off, .dryRun],
                verb: { call async throws(CommandError) in
                    try await change(call, [.hidden(!call.has("off"))])
                }),
            CommandDefinition(
                "favourite", "Mark a game as a favourite", arguments: [game], options: [off, .dryRun],
                verb: { call async throws(CommandError) in
                    try await change(call, [.favourite(!call.has("off"))])
                }),
            CommandDefinition(
                "forget", "Forget a missing game, with its play history",
                discussion: [
                    "A game is missing while its folder is not there; 'retro-admin games --missing' lists such games. "
                        + "A game that is there cannot be forgotten: hide it instead."
                ],
                arguments: [game], options: [.yes, .dryRun], verb: forget),
        ])

    private static let longestTitle = 300

    enum Change: Equatable {
        case title(String?)
        case emulator(String?)
        case favourite(Bool)
        case hidden(Bool)
        /// A key of gamelist.xml.
        case edit(String, String?)
    }

    private static let editable = GamelistKey.editable.map(\.element)

    private static func show(_ call: Call) async throws(CommandError) {
        try await withGame(call) { game, library, store async throws(CommandError) in
            try await present(game, library, store)
        }
    }

    private static func set(_ call: Call) async throws(CommandError) {
        try await withGame(call) { game, library, store async throws(CommandError) in
            var changes: [Change] = []
            for word in call.arguments.dropFirst() {
                changes.append(try GameVerbs.change(word, of: game, library))
            }
            try await apply(changes, to: game, library, store)
        }
    }

    private static func change(_ call: Call, _ changes: [Change]) async throws(CommandError) {
        try await withGame(call) { game, library, store async throws(CommandError) in
            try await apply(changes, to: game, library, store)
        }
    }

    private static func forget(_ call: Call) async throws(CommandError) {
        try await withGame(call) { game, library, store async throws(CommandError) in
            guard game.isMissing else { throw .notMissing(title: game.title) }
            let plays = game.playCount == 0 ? "" : " and its \(countText(game.playCount, "play"))"
            let what = "Forgetting \(safeText(game.title))\(plays)"
            if !call.isDryRun {
                guard try call.confirm(what) else { return call.console.note("Nothing was changed.") }
                try await catalog { () async throws(CatalogError) in try await store.forget(game: game.id) }
            }
            call.show(.object(["id": .integer(game.id), "forgotten": .bool(!call.isDryRun)])) {
                call.console.print(call.isDryRun ? "forget \(safeText(game.title))\(plays)\n" : "Forgotten.\n")
            }
        }
    }

    private static func withGame(
        _ call: Call, _ body: (Game, Library, CatalogStore) async throws(CommandError) -> Void
    ) async throws(CommandError) {
        let library = Library(call)
        let word = call.arguments[0]
        // A number means nothing before there is a catalog; making an empty one for it would be a surprise.
        if !library.hasCatalog, !word.bytes.contains(UInt8(ascii: "/")) { throw .noSuchGame(word.displayString) }
        try await library.withStore { store async throws(CommandError) in
            let game = try await GameFinder(library: library, store: store).game(word)
            try await body(game, library, store)
        }
    }

    /// What `KEY=VALUE` means for this game.
    private static func change(
        _ word: BytePath, of game: Game, _ library: Library
    ) throws(CommandError) -> Change {
        let text = try library.call.text(of: word, called: "KEY=VALUE")
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw .badWord(text, of: "KEY=VALUE", expected: "something like title=NAME")
        }
        let key = String(text[..<equals])
        let value = String(text[text.index(after: equals)...])
        if editable.contains(key), key != GamelistKey.name.element { return try edit(key, value) }
        switch key {
        case "title", GamelistKey.name.element:
            guard !value.unicodeScalars.contains(where: isTerminalControl) else {
                throw .badValue(value, of: "title", expected: "text without control characters")
            }
            guard value.count <= longestTitle else {
                throw .badValue(
                    "\(value.prefix(20))…", of: "title", expected: "at most \(longestTitle) characters long")
            }
            // A title of blanks would be a row without anything in it.
            return .title(value.allSatisfy(\.isWhitespace) ? nil : value)
        case "emulator":
            guard !value.isEmpty else { return .emulator(nil) }
            guard let system = library.registry.system(named: game.system) else {
                throw .unknownName(kind: "system", game.system, suggestion: nil)
            }
            return .emulator(try library.emulator(value, of: system).name)
        case "favourite": return .favourite(try isOn(value, key))
        case "hidden": return .hidden(try isOn(value, key))
        default:
            let known = ["title", "emulator", "favourite", "hidden"] + editable
            throw .unknownName(kind: "property", key, suggestion: nearest(to: key, among: known))
        }
    }

    private static func edit(_ key: String, _ value: String) throws(CommandError) -> Change {
        guard !value.allSatisfy(\.isWhitespace) else { return .edit(key, nil) }
        do throws(CatalogError) {
            return .edit(key, try CatalogStore.checkedEdit(key, value))
        } catch {
            let expected =
                switch GamelistKey(element: key) {
                case .rating: "a number from 0 to 1"
                case .releasedate: "a date such as 1990 or 1990-11-21"
                case .players: "a number or a range such as 1-4"
                default: "text without control characters, not too long"
                }
            throw .badValue("\(value.prefix(20))", of: key, expected: expected)
        }
    }

    private static func isOn(_ value: String, _ key: String) throws(CommandError) -> Bool {
        switch value.lowercased() {
        case "on", "yes", "true", "1": return true
        case "off", "no", "false", "0": return false
        default: throw .badValue(value, of: key, expected: "on or off")
        }
    }

    private static func apply(
        _ changes: [Change], to game: Game, _ library: Library, _ store: CatalogStore
    ) async throws(CommandError) {
        let call = library.call
        if call.isDryRun {
            return call.show(
                .object(["id": .integer(game.id), "dryRun": .bool(true), "set": .strings(changes.map(words))])
            ) {
                for change in changes { call.console.print("\(safeText(game.title)): \(words(change))\n") }
            }
        }
        for change in changes {
            try await catalog { () async throws(CatalogError) in
                switch change {
                case .title(let title): try await store.setTitle(title, game: game.id)
                case .emulator(let name): try await store.setEmulator(name, game: game.id)
                case .favourite(let on): try await store.setFavourite(on, game: game.id)
                case .hidden(let on): try await store.setHidden(on, game: game.id)
                case .edit(let key, let value): try await store.setEdit(key, value, game: game.id)
                }
            }
        }
        if let now = try await catalog({ () async throws(CatalogError) in try await store.game(id: game.id) }) {
            try await present(now, library, store)
        }
    }

    private static func words(_ change: Change) -> String {
        switch change {
        case .title(let title): title.map { "title is \(safeText($0))" } ?? "title is made from the file's name"
        case .emulator(let name): name.map { "emulator is \($0)" } ?? "emulator is the system's"
        case .favourite(let on): on ? "is a favourite" : "is no favourite"
        case .hidden(let on): on ? "is out of sight" : "is in sight"
        case .edit(let key, let value): value.map { "\(key) is \(safeText($0))" } ?? "\(key) is what others say"
        }
    }

    private static func present(
        _ game: Game, _ library: Library, _ store: CatalogStore
    ) async throws(CommandError) {
        let system = library.registry.system(named: game.system)
        let choice = try await catalog { () async throws(CatalogError) in
            try await store.emulator(system: game.system)
        }
        let details = try await catalog { () async throws(CatalogError) in try await store.details(of: game.id) }
        library.call.show(
            .object(
                JSONValue.gameMembers(game).merging([
                    "details": .details(details),
                    "emulators": .array((system?.emulators ?? []).map { .emulator($0, library.locator) }),
                ]) { $1 })
        ) {
            var facts = [
                ("Title", game.title), ("System", system.map { "\($0.fullName) (\($0.name))" } ?? game.system),
                ("File", game.path.displayString), ("Size", sizeText(game.size)), ("Number", String(game.id)),
            ]
            if !game.tags.isEmpty { facts.append(("Edition", game.tags.joined(separator: ", "))) }
            if game.discs > 1 { facts.append(("Discs", String(game.discs))) }
            var marks: [String] = []
            if game.isFavourite { marks.append("favourite") }
            if game.isHidden { marks.append("out of sight") }
            if game.isMissing { marks.append("missing") }
            if !marks.isEmpty { facts.append(("Marks", listText(marks))) }
            facts += detailFacts(details)
            facts += emulatorFacts(game, system, choice, library)
            let last = game.lastPlayed.map { ", last on \(localText(secondsSince1970: $0))" } ?? ""
            let played = "\(countText(game.playCount, "time")), \(durationText(game.playSeconds)) in all\(last)"
            facts.append(("Played", game.playCount == 0 ? "never" : played))
            library.call.console.print(factLines(facts.map { (name: $0.0, value: $0.1) }))
        }
    }

    private static func detailFacts(_ details: GameDetails) -> [(String, String)] {
        var facts: [(String, String)] = []
        let add = { (name: String, value: String?) in
            if let value, !value.isEmpty { facts.append((name, safeText(value))) }
        }
        add("Developer", details.developer)
        add("Publisher", details.publisher)
        add("Genre", details.genres.joined(separator: ", "))
        add("Players", details.players)
        add("Released", details.released)
        add("Rating", details.rating.map { "\(Int(($0 * 100).rounded())) %" })
        add("Contents", details.identifiedAs)
        add("Checksum", details.crc)
        add("Problem", details.fileProblem)
        add("Edited", details.edited.joined(separator: ", "))
        add("About", details.description?.split(whereSeparator: \.isNewline).joined(separator: " "))
        return facts
    }

    /// Which emulator plays it and why, and which others could.
    private static func emulatorFacts(
        _ game: Game, _ system: SystemDefinition?, _ choice: String?, _ library: Library
    ) -> [(String, String)] {
        guard let system else { return [("Emulator", "none, because the system is not known")] }
        let used: String
        if let own = game.emulator {
            used = "\(own), chosen for this game"
        } else if let choice {
            used = "\(choice), chosen for the system"
        } else {
            used = library.emulatorInUse(of: system, choice: nil)?.name ?? "none installed"
        }
        let isInstalled = { (emulator: EmulatorDefinition) in library.locator.locate(emulator) != nil }
        let installed = system.emulators.filter(isInstalled).map(\.name)
        let others = system.emulators.filter { !isInstalled($0) }.map(\.name)
        var facts = [("Emulator", used)]
        if installed.count > 1 { facts.append(("Installed", installed.joined(separator: ", "))) }
        if !others.isEmpty { facts.append(("Not installed", others.joined(separator: ", "))) }
        return facts
    }
}
