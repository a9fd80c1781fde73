import SQLiteKit
import SystemKit
import Systems
import Testing

@testable import Catalog

/// Makes a person's file as the first version of this program left it, with something of everything in it.
func makeFirstVersion(_ path: BytePath) throws {
    let connection = try Connection(path)
    try connection.execute("PRAGMA journal_mode = WAL")
    try UserSchema.migrate(connection, to: 1)
    try connection.execute(
        """
        UPDATE state SET sequence = 3, played = 2;
        INSERT INTO games(system, path, favourite, hidden, title, emulator, plays, seconds, last_played, last_order, sequence)
        VALUES ('nes', CAST('game 0.nes' AS BLOB), 0, 1, NULL, 'nestopia', 0, 0, NULL, 0, 1),
               ('nes', CAST('game 1.nes' AS BLOB), 1, 0, NULL, NULL, 2, 61.5, 1700000000.25, 2, 3),
               ('nes', x'67616dff2e6e6573', 1, 0, 'Not text', NULL, 1, 1, 5, 1, 2);
        INSERT INTO systems VALUES ('nes', 'fceumm');
        INSERT INTO settings VALUES ('sound', 'off');
        INSERT INTO plays(system, path, started, seconds, outcome)
        VALUES ('nes', CAST('game 1.nes' AS BLOB), 1700000000.25, 61.5, 'finished');
        """)
}

@Suite("Every version's files become today's, whole or not at all")
struct MigrationTests {
    private func rows(_ connection: Connection, _ table: String) throws -> [[String]] {
        let columns = try connection.rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid") {
            $0.string(0) ?? ""
        }
        let quoted = columns.map { "quote(\($0))" }.joined(separator: ", ")
        return try connection.rows("SELECT \(quoted) FROM \(table) ORDER BY 1, 2") { row in
            columns.indices.map { row.string($0) ?? "" }
        }
    }

    private static let oldTables = ["games", "systems", "settings", "plays", "state"]

    @Test("a file of the first version keeps every row and gets the new tables")
    func keepsRows() throws {
        let folder = try makeTemporaryFolder("migration")
        defer { removeTree(folder) }
        let path = folder.appending("user.sqlite")
        try makeFirstVersion(path)
        let before = try MigrationTests.oldTables.map { try rows(Connection(path), $0) }
        let (database, notice) = try UserDatabase.open(in: folder)
        #expect(notice == nil)
        #expect(try database.connection.schemaVersion() == UserSchema.migrations.count)
        #expect(try MigrationTests.oldTables.map { try rows(database.connection, $0) } == before)
        #expect(try database.connection.hasTables(["sources", "collections", "collection_games", "edits"]))
        let names = try database.connection.rows("SELECT name FROM migrations ORDER BY number") { $0.string(0) ?? "" }
        #expect(names == UserSchema.migrations.map(\.name))
    }

    @Test(
        "from every version the newest is reached, and it is the same one", arguments: 0..<UserSchema.migrations.count)
    func reachesNewest(version: Int) throws {
        func schema(_ version: Int) throws -> [String] {
            let connection = try Connection(":memory:")
            if version > 0 { try UserSchema.migrate(connection, to: version) }
            try UserSchema.migrate(connection)
            return try connection.rows("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name") {
                $0.string(0) ?? ""
            }
        }
        #expect(try schema(version) == schema(0))
    }

    @Test("the same for what lists say", arguments: 0..<MetadataSchema.migrations.count)
    func metadataReachesNewest(version: Int) throws {
        let connection = try Connection(":memory:")
        if version > 0 { try MetadataSchema.migrate(connection, to: version) }
        try MetadataSchema.migrate(connection)
        #expect(try connection.hasTables(MetadataSchema.tables))
        #expect(try connection.schemaVersion() == MetadataSchema.migrations.count)
    }

    @Test("a step that fails leaves the old version whole")
    func failsWhole() throws {
        let folder = try makeTemporaryFolder("migration")
        defer { removeTree(folder) }
        let path = folder.appending("user.sqlite")
        try makeFirstVersion(path)
        // In the way of the last table that the second step makes: the ones before it are made and undone.
        try Connection(path).execute("CREATE TABLE edits(other)")
        let before = try MigrationTests.oldTables.map { try rows(Connection(path), $0) }
        #expect(throws: CatalogError.self) { try UserDatabase.open(in: folder) }
        let connection = try Connection(path)
        #expect(try connection.schemaVersion() == 1)
        #expect(try !connection.hasTables(["sources"]))
        #expect(try MigrationTests.oldTables.map { try rows(connection, $0) } == before)
        #expect(try connection.rows("SELECT number FROM migrations") { $0.int(0) } == [1])
    }

    @Test("a newer version of what lists say is refused and stays as it is, to the byte (B092)")
    func refusesNewerMetadata() async throws {
        let library = try Library()
        try library.add(["nes/a.nes"])
        await (try library.open()).close()
        let path = library.root.state.appending("metadata.sqlite")
        _ = try MetadataDatabase.open(in: library.root.state)
        try Connection(path).execute("PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE)")
        let before = try readFile(path)
        let known = MetadataSchema.migrations.count
        #expect(throws: CatalogError.newerSchema(file: path, found: 999, known: known)) { try library.open() }
        let store = try CatalogStore.open(root: library.root, registry: library.registry, fallback: .temporary)
        #expect(store.startTrouble?.kind == .newerVersion)
        await store.close()
        #expect(try readFile(path) == before)
    }
}
