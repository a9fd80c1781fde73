import Catalog
import SystemKit
import Systems

/// The options by which `games` and `collections` say what games must be like.
enum FilterOptions {
    static let all = [
        OptionDefinition("genre", placeholder: "GENRE", "Only games of this genre; may be given several times"),
        OptionDefinition("region", placeholder: "REGION", "Only games for this region, such as Japan; may be repeated"),
        OptionDefinition("players", placeholder: "N", "Only games that so many can play"),
        OptionDefinition("year", placeholder: "A-B", "Only games of these years: 1990, 1990-1995, 1990- or -1995"),
        OptionDefinition("rating", placeholder: "R", "Only games rated so or better, from 0 to 1"),
    ]

    /// What the options ask.
    static func filter(_ call: Call) throws(CommandError) -> GameFilter {
        var filter = GameFilter()
        filter.genres = try texts("genre", call)
        for text in try texts("region", call) {
            let regions = NameTags(of: [text]).regions
            let named = regions.isEmpty ? NameTags(of: [capitalised(text)]).regions : regions
            guard !named.isEmpty else {
                throw .badWord(text, of: "--region", expected: "a region such as USA, Europe or Japan")
            }
            filter.regions += named
        }
        filter.players = try call.number("players")
        if let text = try call.text("year") { (filter.firstYear, filter.lastYear) = try years(text) }
        if let text = try call.text("rating") {
            guard let rating = Double(text), rating >= 0, rating <= 1 else {
                throw .badWord(text, of: "--rating", expected: "a number from 0 to 1")
            }
            filter.rating = rating
        }
        return filter
    }

    private static func texts(_ option: String, _ call: Call) throws(CommandError) -> [String] {
        var texts: [String] = []
        for value in call.line.options[option] ?? [] {
            texts.append(try call.text(of: value, called: "--\(option)"))
        }
        return texts
    }

    private static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    private static func years(_ text: String) throws(CommandError) -> (Int?, Int?) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.map { Int($0) }
        let isSound = zip(parts, numbers).allSatisfy { $0.isEmpty || $1.map { (1000...9999).contains($0) } == true }
        guard isSound, (1...2).contains(parts.count), numbers.contains(where: { $0 != nil }) else {
            throw .badWord(text, of: "--year", expected: "a year, or two with a dash between them")
        }
        if parts.count == 1 { return (numbers[0], numbers[0]) }
        if let first = numbers[0], let last = numbers[1], first > last {
            throw .badWord(text, of: "--year", expected: "the earlier year first")
        }
        return (numbers[0], numbers[1])
    }

    /// A filter for people: `Japan, 1990-1995, at least 2 players`.
    static func text(_ filter: GameFilter) -> String {
        var parts: [String] = []
        if !filter.systems.isEmpty { parts.append(filter.systems.joined(separator: " or ")) }
        if !filter.genres.isEmpty { parts.append(filter.genres.joined(separator: " or ")) }
        if !filter.regions.isEmpty { parts.append(filter.regions.joined(separator: " or ")) }
        if let players = filter.players { parts.append("at least \(countText(players, "player"))") }
        switch (filter.firstYear, filter.lastYear) {
        case (let first?, let last?): parts.append(first == last ? "\(first)" : "\(first) to \(last)")
        case (let first?, nil): parts.append("since \(first)")
        case (nil, let last?): parts.append("until \(last)")
        case (nil, nil): break
        }
        if let rating = filter.rating { parts.append("rated \(Int((rating * 100).rounded())) % or better") }
        if !filter.text.isEmpty { parts.append("with \"\(filter.text)\" in the title") }
        return parts.isEmpty ? "all games" : parts.joined(separator: ", ")
    }

    static func json(_ filter: GameFilter) -> JSONValue {
        .object([
            "systems": .strings(filter.systems), "genres": .strings(filter.genres),
            "regions": .strings(filter.regions), "players": filter.players.map { .integer($0) } ?? .null,
            "firstYear": filter.firstYear.map { .integer($0) } ?? .null,
            "lastYear": filter.lastYear.map { .integer($0) } ?? .null,
            "rating": filter.rating.map { .seconds($0) } ?? .null, "text": .string(filter.text),
        ])
    }
}
