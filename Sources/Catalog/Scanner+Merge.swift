import SQLiteKit
import SystemKit
import Systems

// What one directory has, against what the catalog knows of it.
extension Scanner {
    // A directory's time has this grain on some kernels, and an entry may come within it after the look.
    private static let timeGrainNanoseconds: Int64 = 2_000_000_000

    /// Writes the differences.
    ///
    /// - Returns: the directory's row.
    func merge(
        _ place: ScanPlace, _ system: ScannedSystem, isComplete: Bool, at now: Int64
    ) throws(CatalogError) -> Int64 {
        guard let status = look.status else { return place.row?.id ?? 0 }
        let path = place.path(in: root.roms)
        let isSame = place.row.map { $0.identity == ScanPlace.Identity(status) || $0.identity.inode == 0 } ?? true
        let mayRemove = self.mayRemove && isComplete && isSame
        let hasUnreachable =
            look.games.contains { $0.isUnreachable } || look.folders.contains { $0.isUnreachable }
        let hasPending = look.games.contains { $0.isPending }
        let isTrusted =
            isComplete && !hasUnreachable && !hasPending && look.problems.isEmpty
            && look.filesystem == .keepsDirectoryTimes
            && abs(now - status.modifiedNanoseconds) > Scanner.timeGrainNanoseconds
        let known = try write { writer throws(SQLiteError) in
            try place.row.map { row throws(SQLiteError) in try writer.known(in: row.id) } ?? []
        }
        let id = try write { writer throws(SQLiteError) in
            if let row = place.row { return row.id }
            return try saveDirectory(place, system, status: status, modified: 0, writer)
        }
        var merge = DirectoryMerge(scanner: self, directory: id, place: place, system: system, known: known)
        try merge.run(path: path, mayRemove: mayRemove)
        if hasPending { leftForLater[path] = (savedPlace(place, id, status), system) }
        try write { writer throws(SQLiteError) in
            let modified = isTrusted ? status.modifiedNanoseconds : 0
            if let row = place.row, row.modified == modified, row.identity == ScanPlace.Identity(status) { return }
            try writer.begin()
            try catalog.connection.run(
                "UPDATE directories SET modified = ?, device = ?, inode = ? WHERE id = ?",
                [
                    .integer(modified), .integer(Int64(bitPattern: status.device)),
                    .integer(Int64(bitPattern: status.inode)), .integer(id),
                ])
        }
        return id
    }

    private func savedPlace(_ place: ScanPlace, _ id: Int64, _ status: FileStatus) -> ScanPlace {
        var place = place
        place.row = ScanPlace.Row(
            id: id, relative: place.relative, identity: ScanPlace.Identity(status), modified: 0, isLink: place.isLink,
            folder: place.folder)
        return place
    }

    @discardableResult
    func saveDirectory(
        _ place: ScanPlace, _ system: ScannedSystem, status: FileStatus?, modified: Int64, _ writer: ScanWriter
    ) throws(SQLiteError) -> Int64 {
        try writer.begin()
        let id = writer.newDirectory()
        try catalog.connection.run(
            """
            INSERT INTO directories(id, root, system, parent, folder, relative, device, inode, modified, linked)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(id), .integer(rootID), .integer(system.id), .optional(place.parent), .blob(place.folder),
                .blob(place.relative), .integer(Int64(bitPattern: status?.device ?? 0)),
                .integer(Int64(bitPattern: status?.inode ?? 0)), .integer(modified), .flag(place.isLink),
            ])
        try writer.adoptOutside(directory: id, root: rootID, folder: place.folder, relative: place.relative)
        return id
    }

    /// Looks at one directory again, without what is below it.
    func visitAlone(_ place: ScanPlace, _ system: ScannedSystem) throws(CatalogError) {
        let now = wallClockNanoseconds()
        do {
            try look.read(place.path(in: root.roms), system.rules, settling: &settling)
        } catch {
            // The walk has reported it a moment ago, or the next one will.
            return
        }
        _ = try merge(place, system, isComplete: true, at: now)
    }

    /// Whether a sheet was edited in place, or what a game folder starts is another file: the folder's time does not
    /// tell.
    func specialsChanged(_ place: ScanPlace) throws(CatalogError) -> Bool {
        guard let row = place.row else { return true }
        let specials = try write { writer throws(SQLiteError) in try writer.known(in: row.id, special: true) }
        let path = place.path(in: root.roms)
        return specials.contains { game in
            let file = path.appending(BytePath(bytes: game.name))
            guard let status = try? fileStatus(file) else { return true }
            if game.kind == 1 { return status.size != game.size || status.modifiedNanoseconds != game.modified }
            return innerFile(of: file) != game.launch
        }
    }

    /// The file in a game folder that has the folder's own name; `nil` where the folder itself is the game.
    func innerFile(of folder: BytePath) -> [UInt8]? {
        let inner = folder.appending(folder.name)
        guard let status = try? fileStatus(inner), status.kind == .regular else { return nil }
        return folder.name.bytes
    }

    /// The person's facts about games of a system by path, for games that are about to be inserted.
    func facts(_ system: String) throws(CatalogError) -> [[UInt8]: UserDatabase.Facts] {
        if let known = facts[system] { return known }
        let known = try user.facts(system: system)
        facts[system] = known
        return known
    }
}
