import SQLiteKit
import SystemKit

extension MetadataDatabase {
    /// How the file of a folder is opened and mended.
    static func file(in folder: BytePath) -> DurableFile {
        DurableFile(
            path: folder.appending("metadata.sqlite"),
            backups: BackupFolder(
                folder.appending("backups"), name: "metadata", kept: 2, newest: MetadataSchema.migrations.count),
            tables: MetadataSchema.tables, newest: MetadataSchema.migrations.count)
    }

    /// Up to this size the whole file is checked at each start; a larger one takes longer than anybody waits.
    private static let checkedBytes: Int64 = 8 << 20

    /// Says that a check beside the running menu found something: the next start mends it.
    static func suspicion(in folder: BytePath) -> BytePath { folder.appending("metadata.sqlite.suspect") }

    /// Opens the file for the first time in a process: mended from a backup where it is damaged, and brought up to date.
    ///
    /// Checked from end to end where it is small, was not closed properly, or is under suspicion.
    static func openMended(in folder: BytePath) throws(CatalogError) -> (MetadataDatabase, DurableFile.Notice?) {
        let file = file(in: folder)
        let suspicion = suspicion(in: folder)
        let log = (try? fileStatus(file.path.appendingSuffix("-wal")))?.size ?? 0
        let size = (try? fileStatus(file.path))?.size ?? 0
        let isChecked = size <= checkedBytes || log > 0 || fileExists(suspicion)
        let (connection, notice) = try file.open(checking: isChecked)
        let database = try prepared(connection)
        try? removeFile(suspicion)
        return (database, notice)
    }

    /// Another connection to the file.
    ///
    /// - Throws: `CatalogError.newerSchema`, or `.database`; what is damaged is left as it is.
    static func open(in folder: BytePath) throws(CatalogError) -> MetadataDatabase {
        let file = file(in: folder)
        let connection = try file.connect()
        let version: Int
        do {
            version = try connection.schemaVersion()
        } catch {
            throw CatalogError.database(file: file.path, error)
        }
        guard version <= file.newest else {
            throw CatalogError.newerSchema(file: file.path, found: version, known: file.newest)
        }
        return try prepared(connection)
    }

    private static func prepared(_ connection: Connection) throws(CatalogError) -> MetadataDatabase {
        let database = MetadataDatabase(connection)
        try database.guarded { () throws(SQLiteError) in
            // FULL: an import that was told to be done must be there after a power cut.
            try connection.execute(
                """
                PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -2000;
                PRAGMA journal_size_limit = 8388608
                """)
            try MetadataSchema.migrate(connection)
        }
        return database
    }

    /// Copies the file after something large came into it; the copy before stays.
    func backUp() { MetadataDatabase.file(in: path.parent).backups.backUp(connection) }
}
