/// An element of a gamelist's record that this program understands, by its name there.
///
/// The order is that in which they are written; raw values are what a table of values is indexed by.
public enum GamelistKey: Int, Sendable, CaseIterable {
    /// The title.
    case name
    /// The title that lists are ordered by.
    case sortname
    /// What it is about.
    case desc
    /// Who made it.
    case developer
    /// Who sold it.
    case publisher
    /// Kinds of game.
    case genre
    /// How many play.
    case players
    /// When it was first sold: `19901121T000000`.
    case releasedate
    /// From 0 to 1.
    case rating
    /// A picture: a composition or a screenshot.
    case image
    /// A small picture, often the box.
    case thumbnail
    /// The name as an emblem.
    case marquee
    /// A film.
    case video
    /// Marked by the person.
    case favorite
    /// Put out of sight by the person.
    case hidden
    /// How often it was started.
    case playcount
    /// When it was last started, in local time: `20261130T162500`.
    case lastplayed
    /// How long it was played, in seconds.
    case gametime

    /// The element's name.
    public var element: String { String(describing: self) }

    /// The key of an element's name.
    public init?(element: some StringProtocol) {
        guard let key = GamelistKey.byElement[String(element)] else { return nil }
        self = key
    }

    /// Whether it is about what the person did, and not about the game.
    public var isPersonal: Bool { rawValue >= GamelistKey.favorite.rawValue }

    /// Those that a person may write over with `setEdit`; `name` is the title.
    public static let editable: [GamelistKey] = [
        .name, .sortname, .desc, .developer, .publisher, .genre, .players, .releasedate, .rating,
    ]

    private static let byElement = Dictionary(
        uniqueKeysWithValues: GamelistKey.allCases.map { (String(describing: $0), $0) })
}
