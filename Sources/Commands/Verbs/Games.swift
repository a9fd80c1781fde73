import Catalog
import SystemKit
import Systems

/// `games`: lists them.
enum Games {
    static let definition = CommandDefinition(
        "games", "List games",
        discussion: [
            "Games that are missing, because their drive is not connected, and games that were put out of sight are "
                + "left out unless asked for."
        ],
        options: [
            OptionDefinition("system", placeholder: "SYSTEM", values: .system, "Only games of this system"),
            OptionDefinition("search", placeholder: "TEXT", "Only games whose title has these words"),
            OptionDefinition("favourites", "Only favourites"),
            OptionDefinition("recent", "Only games that were played, the latest first"),
            OptionDefinition("missing", "Only games that are known, but not there now"),
            OptionDefinition("hidden", "Also games that were put out of sight"),
            OptionDefinition("limit", placeholder: "N", "At most so many"),
        ],
        examples: [
            .init("retro-admin games --search mario", "find a game's number"),
            .init("retro-admin games --system nes --json", "for a script"),
        ],
        verb: run)

    static func run(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        var query = GameQuery(includesHidden: call.has("hidden"))
        if let word = call.line.options["system"]?.last { query.system = try library.system(word).name }
        query.text = try call.text("search") ?? ""
        if call.has("favourites") { query.selection = .favourites }
        if call.has("recent") {
            guard !call.has("favourites") else {
                throw .badWord("--favourites", of: "--recent", expected: "the only choice")
            }
            query.selection = .recentlyPlayed
        }
        if call.has("missing") { query.missing = true }
        let limit = try call.number("limit")
        let asked = query
        // One reading of the whole list: pages could miss games while the menu is scanning.
        let games = try await library.withStore(orElse: []) { store async throws(CommandError) in
            try await catalog { () async throws(CatalogError) in
                try await store.games(asked, offset: 0, limit: limit ?? Int(Int32.max))
            }
        }
        if call.wantsJSON { return printJSON(games, call.console) }
        guard !games.isEmpty else { return call.console.note(reason(library, asked)) }
        print(games, call.console)
    }

    /// A document that is written in pieces, because a library can be large.
    private static func printJSON(_ games: [Game], _ console: Console) {
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

    private static func print(_ games: [Game], _ console: Console) {
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
