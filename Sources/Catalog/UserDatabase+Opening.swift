import SQLiteKit
import SystemKit

extension UserDatabase {
    /// How the file of a folder is opened and mended.
    static func file(in folder: BytePath) -> DurableFile {
        DurableFile(
            path: folder.appending("user.sqlite"), backups: BackupFolder(folder.appending("backups")),
            tables: UserSchema.tables, newest: UserSchema.migrations.count)
    }

    /// Opens `user.sqlite` of a folder: checked, mended from a backup where it is damaged, migrated and backed up.
    ///
    /// - Parameter keepsBackups: whether a copy is made when the last one is older than a day.
    static func open(
        in folder: BytePath, keepsBackups: Bool = true
    ) throws(CatalogError) -> (UserDatabase, DurableFile.Notice?) {
        let file = file(in: folder)
        let (connection, notice) = try file.open()
        let database = UserDatabase(connection)
        try database.guarded { () throws(SQLiteError) in
            try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -1000")
            try UserSchema.migrate(connection)
        }
        if keepsBackups { file.backups.backUpDaily(connection) }
        return (database, notice)
    }

    /// Another connection to the file that a store has opened before.
    static func openAgain(in folder: BytePath) throws(CatalogError) -> UserDatabase {
        let database = UserDatabase(try file(in: folder).connect())
        try database.guarded { () throws(SQLiteError) in
            try database.connection.execute("PRAGMA synchronous = FULL; PRAGMA cache_size = -500")
        }
        return database
    }
}

/// Whether something that is no file has a database's name, such as a folder that was copied over it.
func isForeign(_ path: BytePath) -> Bool {
    (try? fileStatus(path)).map { $0.kind != .regular } ?? false
}

extension Connection {
    func hasTables(_ names: [String]) throws(SQLiteError) -> Bool {
        let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
        let found = try integer(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN (\(marks))", names.map { .text($0) })
        return found == Int64(names.count)
    }
}

/// Renames a database and its side files, never deleting them.
///
/// - Returns: the database's new name.
func putAside(_ path: BytePath) throws(CatalogError) -> BytePath {
    var number = 1
    while fileExists(path.appendingSuffix(".damaged-\(number)")) { number += 1 }
    let aside = path.appendingSuffix(".damaged-\(number)")
    do {
        for suffix in ["-wal", "-shm"] where fileExists(path.appendingSuffix(suffix)) {
            try renameFile(path.appendingSuffix(suffix), to: aside.appendingSuffix(suffix))
        }
        if fileExists(path) { try renameFile(path, to: aside) }
    } catch {
        throw CatalogError.file(error)
    }
    return aside
}

/// The same for the catalog, which can be made anew: only the last one is kept, or a card that damages files again
/// and again would be full of them.
func putCatalogAside(_ path: BytePath) throws(CatalogError) -> BytePath {
    let aside = path.appendingSuffix(".damaged-1")
    for suffix in ["", "-wal", "-shm"] { try? removeFile(aside.appendingSuffix(suffix)) }
    return try putAside(path)
}

extension BytePath {
    /// The path with text added to its name.
    func appendingSuffix(_ suffix: String) -> BytePath { BytePath(bytes: bytes + Array(suffix.utf8)) }
}
