public import SystemKit

/// A folder of games in a system's folder.
public struct GameFolder: Sendable, Equatable {
    /// What a person reads.
    public let name: String
    /// The path below the system's folder, as `GameQuery.folder` takes it.
    public let path: BytePath
    /// Games to show in it and in all folders below it.
    public let games: Int

    /// A folder.
    public init(name: String, path: BytePath, games: Int) {
        self.name = name
        self.path = path
        self.games = games
    }
}
