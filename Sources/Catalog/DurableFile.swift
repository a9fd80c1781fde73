import SQLiteKit
import SystemKit

/// A database that a scan cannot make anew: checked when it is opened, mended from a backup where it is damaged,
/// refused where a newer version wrote it.
struct DurableFile {
    /// Something that had to be mended when the file was opened, for the log and the screen.
    enum Notice: Equatable {
        /// The file was damaged and is now named so; the newest good backup took its place.
        case restored(damaged: BytePath, backup: BytePath)
        /// The file was not there; the newest good backup took its place.
        case restoredAbsent(backup: BytePath)
        /// The file was damaged and is now named so; there was no backup.
        case startedAnew(damaged: BytePath)
        /// The file's log was damaged, or another file's, and is now named so; the file itself is sound.
        case withoutLog(damaged: BytePath)

        /// A sentence for a person.
        ///
        /// - Parameter contents: what the file holds, e.g. `your favourites and settings`.
        func sentence(about contents: String) -> String {
            switch self {
            case .restored(let damaged, let backup):
                "The file with \(contents) was damaged. It was put aside as \(damaged) and the backup \(backup.name) "
                    + "took its place."
            case .restoredAbsent(let backup):
                "The file with \(contents) was gone. The backup \(backup.name) took its place."
            case .startedAnew(let damaged):
                "The file with \(contents) was damaged and there was no backup yet. It was put aside as \(damaged)."
            case .withoutLog(let damaged):
                "The last changes to \(contents) were damaged. They were put aside as \(damaged); all that was set "
                    + "before is there."
            }
        }
    }

    let path: BytePath
    let backups: BackupFolder
    /// The tables without which a file is damaged, although SQLite finds nothing wrong.
    let tables: [String]
    /// The number of the newest schema.
    let newest: Int

    /// Opens the file.
    ///
    /// - Parameter checking: whether the whole file is read; without that only its first pages are.
    /// - Returns: a connection to a sound file, which may be of an older schema or new and empty.
    func open(checking: Bool = true) throws(CatalogError) -> (Connection, Notice?) {
        if let sound = try openSound(checking: checking) { return (sound, nil) }
        let backup = backups.newestGood()
        let copy = path.appendingSuffix(".restoring")
        // Whole and durable before anything is moved: a full disk leaves all as it was, a power cut only a missing
        // file, which is restored too.
        if let backup { try prepare(copy, from: backup) }
        do throws(CatalogError) {
            return try mend(with: backup, preparedAs: copy)
        } catch {
            try? removeFile(copy)
            throw error
        }
    }

    private func prepare(_ copy: BytePath, from backup: BytePath) throws(CatalogError) {
        let status = try? fileStatus(path)
        let mode = status.flatMap { $0.kind == .regular ? $0.permissions : nil } ?? 0o644
        do {
            try removeFile(copy)
            try replaceFile(at: copy, with: readFile(backup, limit: 1 << 30), permissions: mode)
        } catch {
            throw CatalogError.file(error)
        }
    }

    private func mend(
        with backup: BytePath?, preparedAs copy: BytePath
    ) throws(CatalogError) -> (Connection, Notice?) {
        let aside = nextAside()
        let wasAbsent = isAbsent
        if !wasAbsent, fileExists(path.appendingSuffix("-wal")) {
            // What SQLite lays over the file may be the damaged part, or belong to another file.
            try move(["-wal", "-shm"], to: aside)
            if let sound = try openSound(checking: true), isAsNewAsBackup(sound) {
                try? removeFile(copy)
                return (sound, .withoutLog(damaged: aside.appendingSuffix("-wal")))
            }
        }
        guard let backup else {
            try move(["-wal", "-shm", ""], to: aside)
            return (try connect(), .startedAnew(damaged: aside))
        }
        // The file goes first: without it the next start restores, with it but without its log it may pass for sound.
        try move(["", "-wal", "-shm"], to: aside)
        do {
            try renameFile(copy, to: path)
            try synchronizeDirectory(path.parent)
        } catch {
            throw CatalogError.file(error)
        }
        let notice = wasAbsent ? Notice.restoredAbsent(backup: backup) : .restored(damaged: aside, backup: backup)
        return (try connect(), notice)
    }

    /// A link that leads nowhere is not absent: what it leads to may come back.
    private var isAbsent: Bool {
        do {
            _ = try fileStatus(path, followLinks: false)
            return false
        } catch { return error.isNotFound }
    }

    /// A connection without any check.
    func connect() throws(CatalogError) -> Connection {
        freeSideFiles(of: path)
        do {
            return try Connection.openInSpiteOfFullDisk(path)
        } catch {
            throw CatalogError.opening(path, error)
        }
    }

    /// - Returns: `nil` where the file is damaged.
    private func openSound(checking: Bool) throws(CatalogError) -> Connection? {
        if isForeign(path) { return nil }
        // Removed, or put aside by a start that did not come to its end.
        if isAbsent, backups.newestGood() != nil { return nil }
        let existed = fileExists(path)
        // SQLite throws the log of an empty file away when it opens it; a file that was cut has more in its log.
        if existed, size(path) == 0, backups.hasAny || size(path.appendingSuffix("-wal")) > 0 { return nil }
        let connection = try connect()
        // Whatever is found, the file stays as it was: a log of another file would be written into it for good.
        connection.setCheckpointOnClose(false)
        let version: Int
        do {
            version = try connection.schemaVersion()
            if version == 0 {
                // Tables without a version are somebody else's.
                guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else { return nil }
                if existed && backups.hasAny { return nil }
            } else if version <= newest {
                if checking { guard try connection.quickCheck().isEmpty else { return nil } }
                guard try connection.hasTables(tables) else { return nil }
            }
        } catch {
            if error.isDamage { return nil }
            throw CatalogError.database(file: path, error)
        }
        guard version <= newest else {
            throw CatalogError.newerSchema(file: path, found: version, known: newest)
        }
        connection.setCheckpointOnClose(true)
        return connection
    }

    private func size(_ path: BytePath) -> Int64 { (try? fileStatus(path))?.size ?? 0 }

    /// Whether what was committed up to the backup is in it.
    private func isAsNewAsBackup(_ connection: Connection) -> Bool {
        guard let backup = backups.newestGood() else { return true }
        guard let copy = try? Connection(backup, access: .readOnly), let there = try? copy.sequence(),
            let here = try? connection.sequence()
        else { return false }
        return here >= there
    }

    // MARK: - Putting aside

    private func nextAside() -> BytePath {
        var number = 1
        while ["", "-wal"].contains(where: { fileExists(path.appendingSuffix(".damaged-\(number)\($0)")) }) {
            number += 1
        }
        return path.appendingSuffix(".damaged-\(number)")
    }

    private func move(_ suffixes: [String], to aside: BytePath) throws(CatalogError) {
        do {
            for suffix in suffixes where fileExists(path.appendingSuffix(suffix)) {
                let target = aside.appendingSuffix(suffix)
                // A new index of the log was made meanwhile.
                if fileExists(target) {
                    try removeFile(path.appendingSuffix(suffix))
                } else {
                    try renameFile(path.appendingSuffix(suffix), to: target)
                }
            }
        } catch {
            throw CatalogError.file(error)
        }
    }
}

/// Makes the files beside a database as writable as it is.
///
/// SQLite gives them its mode, and one that a person had made read-only for a while leaves them so: nothing could be
/// kept any more, although the database can be written again.
func freeSideFiles(of path: BytePath) {
    guard let status = try? fileStatus(path), status.kind == .regular else { return }
    for suffix in ["-wal", "-shm"] {
        let side = path.appendingSuffix(suffix)
        guard let found = try? fileStatus(side), found.permissions != status.permissions else { continue }
        // Another user's are left: the opening says so.
        try? setPermissions(side, status.permissions)
    }
}

extension Connection {
    /// How many steps made the schema what it is.
    func schemaVersion() throws(SQLiteError) -> Int { Int(try integer("PRAGMA user_version") ?? 0) }

    /// The number of the last change that the file counted.
    func sequence() throws(SQLiteError) -> Int64 { try integer("SELECT sequence FROM state") ?? 0 }
}
