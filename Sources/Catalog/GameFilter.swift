/// What a saved filter asks of games; parts that are empty or `nil` ask nothing, the others must all be met.
public struct GameFilter: Sendable, Equatable, Hashable, Codable {
    /// Names of systems, of which one must be the game's.
    public var systems: [String]
    /// Genres, of which one must be the game's; compared without regard to case and accents.
    public var genres: [String]
    /// So many people must be able to play.
    public var players: Int?
    /// The first year of release that is asked for.
    public var firstYear: Int?
    /// The last year of release that is asked for.
    public var lastYear: Int?
    /// The lowest rating, from 0 to 1.
    public var rating: Double?
    /// Regions as `NameTags.regions` names them, of which one must be the game's.
    public var regions: [String]
    /// Words to look for in titles.
    public var text: String

    /// A filter; without arguments one that asks nothing.
    public init(
        systems: [String] = [], genres: [String] = [], players: Int? = nil, firstYear: Int? = nil,
        lastYear: Int? = nil, rating: Double? = nil, regions: [String] = [], text: String = ""
    ) {
        self.systems = systems
        self.genres = genres
        self.players = players
        self.firstYear = firstYear
        self.lastYear = lastYear
        self.rating = rating
        self.regions = regions
        self.text = text
    }

    /// Whether every game meets it.
    public var isEmpty: Bool { self == GameFilter() }

    private enum CodingKeys: String, CodingKey {
        case systems, genres, players, firstYear, lastYear, rating, regions, text
    }

    /// Reads a filter of which parts may be absent.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            systems: try values.decodeIfPresent([String].self, forKey: .systems) ?? [],
            genres: try values.decodeIfPresent([String].self, forKey: .genres) ?? [],
            players: try values.decodeIfPresent(Int.self, forKey: .players),
            firstYear: try values.decodeIfPresent(Int.self, forKey: .firstYear),
            lastYear: try values.decodeIfPresent(Int.self, forKey: .lastYear),
            rating: try values.decodeIfPresent(Double.self, forKey: .rating),
            regions: try values.decodeIfPresent([String].self, forKey: .regions) ?? [],
            text: try values.decodeIfPresent(String.self, forKey: .text) ?? "")
    }
}
