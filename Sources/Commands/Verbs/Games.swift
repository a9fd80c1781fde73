import Catalog
import SystemKit
import Systems

/// `games`: lists them.
enum Games {
    static let definition = CommandDefinition(
        "games", "List games",
        discussion: [
            "Games that are missing, because their drive is not connected, and games that were put out of sight are "
                + "left out unless asked for.",
            "Of several versions of a game in a system, such as those for different regions, one is listed: the first "
                + "by the setting versions.regions. With a region or a folder it is the first among those there.",
        ],
        options: [
            OptionDefinition("system", placeholder: "SYSTEM", values: .system, "Only games of this system"),
            OptionDefinition("folder", placeholder: "PATH", "Only games directly in this folder of the system's"),
            OptionDefinition("search", placeholder: "TEXT", "Only games whose title has these words"),
            OptionDefinition("collection", placeholder: "NAME", "Only games of this collection"),
            OptionDefinition("favourites", "Only favourites"),
            OptionDefinition("recent", "Only games that were played, the latest first"),
            OptionDefinition("most-played", "Only games that were played, the one played longest first"),
            OptionDefinition("never-played", "Only games that were never played"),
        ] + FilterOptions.all + [
            OptionDefinition("versions", "Also versions of a game that another one stands for"),
            OptionDefinition("missing", "Only games that are known, but not there now"),
            OptionDefinition("hidden", "Also games that were put out of sight"),
            OptionDefinition("offset", placeholder: "N", "Leave out so many at the start"),
            OptionDefinition("limit", placeholder: "N", "At most so many"),
        ],
        examples: [
            .init("retro-admin games --search mario", "find a game's number"),
            .init("retro-admin games --system nes --json", "for a script"),
            .init("retro-admin games --genre puzzle --players 2 --year 1985-1995", "an evening for two"),
        ],
        verb: run)

    private static let selections: [(option: String, selection: GameQuery.Selection)] = [
        ("favourites", .favourites), ("recent", .recentlyPlayed), ("most-played", .mostPlayed),
        ("never-played", .neverPlayed),
    ]

    static func run(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        var query = GameQuery(includesHidden: call.has("hidden"))
        if let word = call.line.options["system"]?.last { query.system = try library.system(word).name }
        query.text = try call.text("search") ?? ""
        query.includesVersions = call.has("versions")
        query.filter = try FilterOptions.filter(call)
        let chosen = selections.filter { call.has($0.option) }
        if chosen.count > 1 || (chosen.count == 1 && call.has("collection")) {
            let other = chosen.count > 1 ? chosen[1].option : "collection"
            throw .badWord("--\(other)", of: "--\(chosen[0].option)", expected: "the only choice")
        }
        if let choice = chosen.first { query.selection = choice.selection }
        if let folder = call.line.options["folder"]?.last {
            guard query.system != nil else { throw .badWord("--folder", of: "--system", expected: "given with it") }
            query.folder = BytePath(bytes: Array(folder.bytes.split(separator: 0x2F).joined(separator: [0x2F])))
        }
        let collection = call.line.options["collection"]?.last
        if call.has("missing") { query.missing = true }
        let limit = try call.number("limit")
        let offset = try call.number("offset") ?? 0
        let asked = query
        // One reading of the whole list: pages could miss games while the menu is scanning.
        let games = try await library.withStore(orElse: [Game]()) { store async throws(CommandError) in
            var asked = asked
            if let collection {
                asked.selection = .collection(try await Collections.find(collection, call, store).id)
            }
            let query = asked
            return try await catalog { () async throws(CatalogError) in
                try await store.games(query, offset: offset, limit: limit ?? Int(Int32.max))
            }
        }
        if call.wantsJSON { return printJSON(games, call.console) }
        guard !games.isEmpty else {
            let isCut = library.hasCatalog && (limit == 0 || offset > 0)
            return call.console.note(
                isCut ? "No game is in this part of the list." : reason(library, asked))
        }
        print(games, call.console)
    }

    /// A document that is written in pieces, because a library can be large.
    static func printJSON(_ games: [Game], _ console: Console) {
        var text = "["
        for (index, game) in games.enumerated() {
            text += index == 0 ? "\n  " : ",\n  "
            JSONValue.game(game).render(into: &text, indent: 1)
            if text.utf8.count > 1 << 16 {
                console.print(text)
                text = ""
            }
        }
        console.print(text + (games.isEmpty ? "]\n" : "\n]\n"))
    }

    static func print(_ games: [Game], _ console: Console) {
        var table = TextTable([
            .init("ID", isNumeric: true), .init("SYSTEM"), .init("TITLE", isFlexible: true), .init(""),
            .init("PLAYED", isNumeric: true), .init("TIME", isNumeric: true), .init("LAST"),
        ])
        for game in games {
            var marks: [String] = []
            if game.isFavourite { marks.append("★") }
            if game.isHidden { marks.append("hidden") }
            if game.isMissing { marks.append("missing") }
            table.add([
                String(game.id), game.system, (["\(game.title)"] + game.tags.map { "(\($0))" }).joined(separator: " "),
                marks.joined(separator: " "), game.playCount == 0 ? "" : groupedText(game.playCount),
                game.playSeconds == 0 ? "" : durationText(game.playSeconds),
                game.lastPlayed.map(localText) ?? "",
            ])
        }
        console.print(table)
    }

    private static func reason(_ library: Library, _ query: GameQuery) -> String {
        if !library.hasCatalog {
            return "No games yet. Copy some to \(library.root.roms.displayString)/SYSTEM and run 'retro-admin scan'."
        }
        return query == GameQuery()
            ? "No games. Copy some to \(library.root.roms.displayString)/SYSTEM and run 'retro-admin scan'."
            : "No game is like that."
    }
}
