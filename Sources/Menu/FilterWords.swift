import Catalog
import Systems

/// A filter in words.
enum FilterWords {
    /// All that it asks, in one line.
    static func sentence(_ filter: GameFilter, _ context: MenuContext) -> String {
        let parts = [
            filter.systems.isEmpty ? nil : systems(filter, context), filter.genres.isEmpty ? nil : genres(filter),
            filter.players == nil ? nil : players(filter),
            filter.firstYear == nil && filter.lastYear == nil ? nil : years(filter),
            filter.rating == nil ? nil : rating(filter), filter.regions.isEmpty ? nil : regions(filter),
            filter.text.isEmpty ? nil : "“\(filter.text)”",
        ]
        let words = parts.compactMap { $0 }
        return words.isEmpty ? "All games" : words.joined(separator: "  ·  ")
    }

    static func systems(_ filter: GameFilter, _ context: MenuContext) -> String {
        list(filter.systems.map { context.registry.system(named: $0)?.fullName ?? $0 })
    }

    static func genres(_ filter: GameFilter) -> String { list(filter.genres) }
    static func regions(_ filter: GameFilter) -> String { list(filter.regions) }

    static func players(_ filter: GameFilter) -> String {
        filter.players.map { $0 == 1 ? "1 player" : "\($0) players" } ?? "any"
    }

    static func years(_ filter: GameFilter) -> String {
        switch (filter.firstYear, filter.lastYear) {
        case (nil, nil): "any"
        case (let first?, nil): "from \(first)"
        case (nil, let last?): "until \(last)"
        case (let first?, let last?): first == last ? "\(first)" : "\(first)–\(last)"
        }
    }

    static func rating(_ filter: GameFilter) -> String {
        filter.rating.map { "\(Int(($0 * 5).rounded())) stars or more" } ?? "any"
    }

    private static func list(_ words: [String]) -> String {
        switch words.count {
        case 0: "any"
        case 1...2: words.joined(separator: ", ")
        default: "\(words[0]), \(words[1]) and \(words.count - 2) more"
        }
    }
}
