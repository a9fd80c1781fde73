import SQLiteKit
public import SystemKit

extension CatalogStore {
    /// The systems that have games to show, in no order; its time does not depend on the number of games.
    public func counts() throws(CatalogError) -> [SystemCount] {
        try withCatalog { store throws(CatalogError) in
            try store.catalog.guarded { () throws(SQLiteError) in
                try store.catalog.connection.rows("SELECT name, games FROM systems WHERE games > 0") {
                    SystemCount(system: $0.string(0) ?? "", games: $0.int(1))
                }
            }
        }
    }

    /// Games to show in all systems.
    public func total() throws(CatalogError) -> Int { try count(GameQuery()) }

    /// Games to show that the person marked.
    public func favouriteCount() throws(CatalogError) -> Int { try count(GameQuery(selection: .favourites)) }

    /// Games to show that were played before.
    public func playedCount() throws(CatalogError) -> Int { try count(GameQuery(selection: .recentlyPlayed)) }

    /// How many games a list has.
    public func count(_ query: GameQuery) throws(CatalogError) -> Int {
        try withCatalog { store throws(CatalogError) in try store.lists.count(query) }
    }

    /// A part of a list, in its order.
    public func games(_ query: GameQuery, offset: Int, limit: Int) throws(CatalogError) -> [Game] {
        try withCatalog { store throws(CatalogError) in
            try store.lists.games(query, offset: offset, limit: limit)
        }
    }

    /// Reads what the first letters of a search need, ahead of them.
    public func prepareSearch() throws(CatalogError) {
        try withCatalog { store throws(CatalogError) in try store.lists.prepareSearch() }
    }

    /// Where a game stands in a list; `nil` where it is not in it.
    public func position(of id: Int64, in query: GameQuery) throws(CatalogError) -> Int? {
        try withCatalog { store throws(CatalogError) in try store.lists.position(of: id, in: query) }
    }

    /// The letters that titles of a list begin with, each with the position of its first game.
    public func letters(_ query: GameQuery) throws(CatalogError) -> [(letter: String, offset: Int)] {
        try withCatalog { store throws(CatalogError) in try store.lists.letters(query) }
    }

    /// A game by its number.
    public func game(id: Int64) throws(CatalogError) -> Game? {
        try withCatalog { store throws(CatalogError) in try store.reader.game(id: id) }
    }

    /// A game by its absolute path.
    public func game(path: BytePath) throws(CatalogError) -> Game? {
        try withCatalog { store throws(CatalogError) in try store.reader.game(path: path) }
    }
}
