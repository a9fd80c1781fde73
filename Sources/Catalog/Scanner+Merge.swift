import SQLiteKit
import SystemKit
import Systems

// What one directory has, against what the catalog knows of it.
extension Scanner {
    // A directory's time has this grain on some kernels, and an entry may come within it after the look.
    private static let timeGrainNanoseconds: Int64 = 2_000_000_000

    /// Writes the differences; part of a flush.
    func merge(
        _ place: ScanPlace, _ system: ScannedSystem, _ look: DirectoryLook, isComplete: Bool, at now: Int64
    ) throws(CatalogError) {
        guard let status = look.status else { return }
        let path = place.path(in: roms)
        let identity = identity(status)
        let isSame =
            place.row.map { $0.identity == identity || $0.identity.inode == 0 || isOwn($0.identity, identity) } ?? true
        let mayRemove = self.mayRemove && isComplete && isSame
        let hasUnreachable =
            look.games.contains { $0.isUnreachable } || look.folders.contains { $0.isUnreachable }
        let hasPending = look.games.contains { $0.isPending }
        let known = try write { writer throws(SQLiteError) in
            place.number.value == 0 ? [] : try writer.known(in: place.number.value)
        }
        // What was not taken for deleted, because the folder is another one than before, is asked for again.
        let isTrusted =
            isComplete && !hasUnreachable && !hasPending && mayRemove && look.problems.isEmpty
            && look.filesystem == .keepsDirectoryTimes
            && abs(now - status.modifiedNanoseconds) > Scanner.timeGrainNanoseconds
        let id = try write { writer throws(SQLiteError) in
            place.number.value != 0 ? place.number.value : try saveDirectory(place, system, status: status, writer)
        }
        var merge = DirectoryMerge(
            scanner: self, directory: id, place: place, system: system, look: look, known: known)
        try merge.run(mayRemove: mayRemove)
        if hasPending { leftForLater[path] = (savedPlace(place, identity), system) }
        try write { writer throws(SQLiteError) in
            if place.relative.isEmpty { try writer.setFlat(look.isFlat, directory: id, system: system.id) }
            let modified = isTrusted ? status.modifiedNanoseconds : 0
            if let row = place.row, row.modified == modified, row.identity == identity { return }
            try writer.begin()
            try catalog.connection.run(
                "UPDATE directories SET modified = ?, device = ?, inode = ? WHERE id = ?",
                [
                    .integer(modified), .integer(Int64(bitPattern: identity.device)),
                    .integer(Int64(bitPattern: identity.inode)), .integer(id),
                ])
        }
    }

    /// Whether both are on the source's own filesystem, which is known to be the same one: some number their folders
    /// anew each time they are mounted.
    private func isOwn(_ before: ScanPlace.Identity, _ now: ScanPlace.Identity) -> Bool {
        target.isIdentified && before.device == 0 && now.device == 0
    }

    private func savedPlace(_ place: ScanPlace, _ identity: ScanPlace.Identity) -> ScanPlace {
        let row = ScanPlace.Row(
            id: place.number.value, relative: place.relative, identity: identity, modified: 0, isLink: place.isLink,
            folder: place.folder)
        return ScanPlace(
            row: row, parent: place.parent, folder: place.folder, relative: place.relative, depth: place.depth,
            isLink: place.isLink, above: place.above)
    }

    @discardableResult
    func saveDirectory(
        _ place: ScanPlace, _ system: ScannedSystem, status: FileStatus?, _ writer: ScanWriter
    ) throws(SQLiteError) -> Int64 {
        try writer.begin()
        let id = writer.newDirectory()
        let identity = status.map { self.identity($0) }
        try catalog.connection.run(
            """
            INSERT INTO directories(id, root, system, parent, folder, relative, device, inode, modified, linked)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
            """,
            [
                .integer(id), .integer(rootID), .integer(system.id), .optional(place.parent?.value),
                .blob(place.folder), .blob(place.relative), .integer(Int64(bitPattern: identity?.device ?? 0)),
                .integer(Int64(bitPattern: identity?.inode ?? 0)), .flag(place.isLink),
            ])
        place.number.value = id
        try writer.adoptOutside(directory: id, root: rootID, folder: place.folder, relative: place.relative)
        return id
    }

    /// Looks at one directory again, without what is below it.
    func visitAlone(_ place: ScanPlace, _ system: ScannedSystem) throws(CatalogError) {
        if queue.isDue { try flush() }
        let now = wallClockNanoseconds()
        let look = queue.newLook(pulse)
        let path = place.path(in: roms)
        do {
            try look.read(path, system.rules, isTop: place.relative.isEmpty, settling: &settling)
        } catch {
            // The walk has reported it a moment ago, or the next one will.
            return
        }
        try readSheets(place, path, look)
        later(entries: look.count + 1, look: look) { [self] () throws(CatalogError) in
            try merge(place, system, look, isComplete: true, at: now)
        }
    }

    /// Reads new and changed sheets.
    func readSheets(_ place: ScanPlace, _ path: BytePath, _ look: DirectoryLook) throws(CatalogError) {
        guard look.games.contains(where: { $0.role == .sheet }) else { return }
        var known: [[UInt8]: ScanWriter.KnownGame] = [:]
        if let row = place.row, let writing {
            let rows = try read { () throws(SQLiteError) in try writing.known(in: row.id, special: true) }
            known = Dictionary(rows.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
        for (index, entry) in look.games.enumerated() where entry.role == .sheet {
            let name = look.name(entry)
            guard !entry.isPending, !entry.isUnreachable, let kind = NameRules.sheet(name) else { continue }
            let row = known.isEmpty ? nil : known[Array(name)]
            if let row, row.size == entry.size, row.modified == entry.modified, row.kind == 1 { continue }
            pulse.beat()
            let file = path.appending(BytePath(bytes: name))
            let contents = (try? readRegularFile(file, limit: SheetParser.limitBytes)) ?? []
            // A sheet that nobody wrote by hand takes a while, and no disk is asked meanwhile.
            pulse.rest()
            defer { pulse.wake() }
            look.sheets[index] = DirectoryLook.Sheet(
                members: SheetParser.members(of: kind, contents: contents, stem: Array(look.stem(entry))))
        }
    }

    /// Whether a sheet was edited in place, or what a game folder starts is another file: the folder's time does not
    /// tell.
    func specialsChanged(_ place: ScanPlace) throws(CatalogError) -> Bool {
        guard let row = place.row, let writing else { return true }
        let specials = try read { () throws(SQLiteError) in try writing.known(in: row.id, special: true) }
        let path = place.path(in: roms)
        return specials.contains { game in
            pulse.beat()
            let file = path.appending(BytePath(bytes: game.name))
            guard let status = try? fileStatus(file) else { return true }
            if game.kind == 1 { return status.size != game.size || status.modifiedNanoseconds != game.modified }
            let inner = DirectoryLook.inner(of: file)
            return inner.launch != game.launch || inner.size != game.size
        }
    }

    /// The person's facts about games of a system by path, for games that are about to be inserted.
    func facts(_ system: String) throws(CatalogError) -> [[UInt8]: UserDatabase.Facts] {
        if let known = facts[system] { return known }
        let known = try user.facts(system: system)
        facts[system] = known
        return known
    }
}
