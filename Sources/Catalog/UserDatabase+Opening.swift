import SQLiteKit
import SystemKit

extension UserDatabase {
    /// Something that had to be mended when the file was opened, for the log and the screen.
    enum Notice: Equatable {
        /// The file was damaged and is now named so; the newest good backup took its place.
        case restored(damaged: BytePath, backup: BytePath)
        /// The file was damaged and is now named so; there was no backup.
        case startedAnew(damaged: BytePath)
    }

    /// Opens `user.sqlite` of a folder: checked, mended from a backup where it is damaged, migrated and backed up.
    static func open(in folder: BytePath) throws(CatalogError) -> (UserDatabase, Notice?) {
        let path = folder.appending("user.sqlite")
        let backups = BackupFolder(folder.appending("backups"))
        var notice: Notice?
        var database: UserDatabase
        if let sound = try openSound(path, hasBackups: !backups.numbers().isEmpty) {
            database = sound
        } else {
            let aside = try putAside(path)
            if let backup = backups.newestGood() {
                do {
                    try replaceFile(at: path, with: readFile(backup, limit: 1 << 30))
                } catch {
                    throw CatalogError.file(error)
                }
                notice = .restored(damaged: aside, backup: backup)
            } else {
                notice = .startedAnew(damaged: aside)
            }
            database = UserDatabase(try connect(path))
        }
        let connection = database.connection
        try database.guarded { () throws(SQLiteError) in
            try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -1000")
            try UserSchema.migrate(connection)
        }
        backups.backUpDaily(connection)
        return (database, notice)
    }

    /// Another connection to the file that a store has opened before.
    static func openAgain(in folder: BytePath) throws(CatalogError) -> UserDatabase {
        let database = UserDatabase(try connect(folder.appending("user.sqlite")))
        try database.guarded { () throws(SQLiteError) in
            try database.connection.execute("PRAGMA synchronous = FULL; PRAGMA cache_size = -500")
        }
        return database
    }

    private static func connect(_ path: BytePath) throws(CatalogError) -> Connection {
        do {
            return try Connection.openInSpiteOfFullDisk(path)
        } catch {
            throw CatalogError.opening(path, error)
        }
    }

    /// - Returns: `nil` where the file is damaged.
    private static func openSound(_ path: BytePath, hasBackups: Bool) throws(CatalogError) -> UserDatabase? {
        if isForeign(path) { return nil }
        let existed = fileExists(path)
        let connection = try connect(path)
        let version: Int
        do {
            version = try UserSchema.version(of: connection)
            // A cut file of no bytes opens as an empty database.
            if existed && version == 0 && hasBackups { return nil }
            if version <= UserSchema.migrations.count {
                guard try connection.quickCheck().isEmpty else { return nil }
                if version > 0, try !connection.hasTables(UserSchema.tables) { return nil }
            }
        } catch {
            if error.isDamage { return nil }
            throw CatalogError.database(file: path, error)
        }
        guard version <= UserSchema.migrations.count else {
            throw CatalogError.newerSchema(file: path, found: version, known: UserSchema.migrations.count)
        }
        return UserDatabase(connection)
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
