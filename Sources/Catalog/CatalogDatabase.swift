import SQLiteKit
import SystemKit

/// `catalog.sqlite`: what the disk says, with copies of what lists need of the person's facts.
///
/// One connection on one thread; the store, a scan and another process each have their own.
final class CatalogDatabase {
    let connection: Connection
    let path: BytePath
    /// The file's inode when it was opened: another one at the same path means that somebody put this one aside.
    let inode: UInt64

    /// Opens the file, or makes it anew where it is missing, damaged or of another version.
    init(in folder: BytePath) throws(CatalogError) {
        path = folder.appending("catalog.sqlite")
        var opened: Connection?
        do {
            opened = try CatalogDatabase.openSound(path)
        } catch {
            guard error.isDamage else { throw CatalogError.opening(path, error) }
        }
        if opened == nil {
            _ = try putCatalogAside(path)
            do {
                opened = try CatalogDatabase.openSound(path)
            } catch {
                throw CatalogError.opening(path, error)
            }
        }
        guard let opened else {
            throw CatalogError.database(
                file: path, SQLiteError(extendedCode: 26, message: "the file cannot be made anew"))
        }
        connection = opened
        inode = (try? fileStatus(path))?.inode ?? 0
    }

    /// - Returns: `nil` for a file of another version, or for what is no such file at all.
    private static func openSound(_ path: BytePath) throws(SQLiteError) -> Connection? {
        if isForeign(path) { return nil }
        freeSideFiles(of: path)
        let connection = try Connection.openInSpiteOfFullDisk(path)
        let version = try connection.integer("PRAGMA user_version") ?? 0
        guard version == 0 || version == Int64(CatalogSchema.version) else { return nil }
        // NORMAL: a power cut may lose the last commits, which a scan finds again, and never damages the file. Larger pages
        // than the usual: a scan changes fewer of them.
        try connection.execute(
            """
            PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4000;
            PRAGMA secure_delete = OFF; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 8388608
            """)
        if version == 0 {
            try connection.transaction { () throws(SQLiteError) in
                // Another process may have been faster.
                guard try connection.integer("PRAGMA user_version") == 0 else { return }
                // Tables without a version: somebody else's file.
                guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
                    throw SQLiteError(extendedCode: 26, message: "not a catalog")
                }
                try connection.execute(CatalogSchema.script)
                try connection.execute("PRAGMA user_version = \(CatalogSchema.version)")
            }
        } else {
            guard try connection.hasTables(CatalogSchema.tables) else { return nil }
        }
        return connection
    }

    /// Whether the path still leads to the file that is open here.
    var isCurrent: Bool { (try? fileStatus(path))?.inode == inode }

    func guarded<Result>(_ body: () throws(SQLiteError) -> Result) throws(CatalogError) -> Result {
        do {
            return try body()
        } catch {
            throw CatalogError.database(file: path, error)
        }
    }

    func meta(_ key: String) throws(SQLiteError) -> Int64 {
        try connection.integer("SELECT value FROM meta WHERE key = ?", [.text(key)]) ?? 0
    }

    func setMeta(_ key: String, _ value: Int64) throws(SQLiteError) {
        try connection.run(
            "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            [.text(key), .integer(value)])
    }

    /// The row of a system, made where it is missing.
    func systemID(_ name: String) throws(SQLiteError) -> Int64 {
        if let id = try connection.integer("SELECT id FROM systems WHERE name = ?", [.text(name)]) { return id }
        try connection.run("INSERT INTO systems(name) VALUES (?)", [.text(name)])
        return connection.lastInsertedRow
    }
}
