/// A list of games that the person made: either the games they put in, or those that meet a filter.
public struct GameCollection: Sendable, Equatable, Identifiable {
    /// Its number, never given twice.
    public let id: Int64
    /// What the person calls it; no two collections differ in the case of ASCII letters only.
    public var name: String
    /// What its games must meet; `nil` for a list of chosen games.
    public var filter: GameFilter?

    /// A collection.
    public init(id: Int64, name: String, filter: GameFilter? = nil) {
        self.id = id
        self.name = name
        self.filter = filter
    }
}
