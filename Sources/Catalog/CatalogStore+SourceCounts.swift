import SQLiteKit

extension CatalogStore {
    /// How many games each source has that can be shown now, all versions counted; by `GameSource.id`.
    ///
    /// Looks at every game: for a screen that somebody opened, not for each frame.
    public func gamesBySource() throws(CatalogError) -> [Int64: Int] {
        try withCatalog { store throws(CatalogError) in
            let shown = [0, CatalogSchema.State.version].map { "\($0)" }.joined(separator: ", ")
            let sql = """
                SELECT roots.source, count(*) FROM games
                JOIN directories ON directories.id = games.directory JOIN roots ON roots.id = directories.root
                WHERE games.state IN (\(shown)) GROUP BY roots.source
                """
            let rows = try store.catalog.guarded { () throws(SQLiteError) in
                try store.catalog.connection.rows(sql) { ($0.int64(0), $0.int(1)) }
            }
            return Dictionary(rows, uniquingKeysWith: +)
        }
    }
}
