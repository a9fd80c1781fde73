import SQLiteKit
import SystemKit
import Systems

// The way through the folders of a scan.
extension Scanner {
    private struct SystemFolder {
        var name: [UInt8]
        var isLink: Bool
    }

    /// Scans the folders of the selected systems; what cannot be found becomes missing, never less.
    func scanAll(_ selected: Set<String>, full: Bool) throws(CatalogError) {
        var folders: [String: [SystemFolder]] = [:]
        var count = 0
        var isThere = false
        rootID = try write { writer throws(SQLiteError) in try rootRow(writer) }
        if target.isThere {
            do {
                let reader = try DirectoryReader(roms)
                let status = try reader.status()
                ownDevice = status.device
                pulse.beat()
                try reader.forEach { name, kind in
                    count += 1
                    pulse.beat()
                    guard kind != .regular, kind != .other, !NameRules.isPrivate(name),
                        let system = registry.system(forFolder: Array(name)), selected.contains(system.name)
                    else { return }
                    folders[system.name, default: []].append(
                        SystemFolder(name: Array(name), isLink: kind == .symbolicLink))
                }
                mayRemove = try write { writer throws(SQLiteError) in try recognise(status, writer) }
                isThere = true
            } catch let error as SystemError {
                problem(roms, error.reason)
                // An end before the last entry: folders that were not seen may be there.
                folders = [:]
                count = 0
            } catch let error as CatalogError {
                throw error
            } catch {}
            if count == 0 { noteEmptyRoot() }
        }
        try write { writer throws(SQLiteError) in
            try writer.setPresence(isThere ? .present : .absent, root: rootID)
        }
        for definition in registry.systems where selected.contains(definition.name) {
            guard let rules = rules[definition.name] else { continue }
            let found = folders[definition.name] ?? []
            let known = try read { () throws(SQLiteError) in try systemRows(definition.name) }
            if found.isEmpty && known.isEmpty { continue }
            report.systems += 1
            let (id, before) = try write { writer throws(SQLiteError) in
                try writer.begin()
                let id = try catalog.systemID(definition.name)
                return (id, try catalog.connection.integer("SELECT rules FROM systems WHERE id = ?", [.integer(id)]))
            }
            let system = ScannedSystem(id: id, rules: rules, isFull: full || before != rules.fingerprint)
            try scan(system, found, known)
            try flush()
            if before != rules.fingerprint {
                try write { writer throws(SQLiteError) in
                    try writer.begin()
                    try catalog.connection.run(
                        "UPDATE systems SET rules = ? WHERE id = ?", [.integer(rules.fingerprint), .integer(id)])
                }
            }
        }
        try settleMembers()
    }

    private func noteEmptyRoot() {
        let known = try? catalog.connection.integer(
            "SELECT 1 FROM directories WHERE root = ? LIMIT 1", [.integer(rootID)])
        if known != nil, report.problems.isEmpty {
            problem(roms, "is empty, as if its disk were not mounted; the games are kept as missing")
        }
    }

    /// The catalog's row of the source, which has the place where that is now.
    func rootRow(_ writer: ScanWriter) throws(SQLiteError) -> Int64 {
        let path = Value.blob(target.path.bytes)
        let values = [path, .integer(target.position), .integer(target.source)]
        let known = try catalog.connection.integer(
            "SELECT id FROM roots WHERE path = ? AND position = ? AND source = ?", values)
        if let known { return known }
        try writer.begin()
        // Another process may have added it since the look at the table.
        try catalog.connection.run(
            """
            INSERT INTO roots(path, position, source) VALUES (?, ?, ?)
            ON CONFLICT(source) DO UPDATE SET path = excluded.path, position = excluded.position
            """, values)
        return try catalog.connection.integer(
            "SELECT id FROM roots WHERE source = ?", [.integer(target.source)]) ?? 0
    }

    /// A directory's identity. The source's own device has the number that it has now by chance: another time the same
    /// disk is plugged in it may be another one.
    func identity(_ status: FileStatus) -> ScanPlace.Identity {
        var identity = ScanPlace.Identity(status)
        if target.isIdentified, identity.device == ownDevice { identity.device = 0 }
        return identity
    }

    /// - Returns: whether the root is the one of the last scan, so that what is absent may be taken for deleted.
    private func recognise(_ status: FileStatus, _ writer: ScanWriter) throws(SQLiteError) -> Bool {
        let now = identity(status)
        let before = try catalog.connection.first("SELECT device, inode FROM roots WHERE id = ?", [.integer(rootID)]) {
            ScanPlace.Identity(
                device: UInt64(bitPattern: $0.int64(0)), inode: UInt64(bitPattern: $0.int64(1)))
        }
        if before == now { return true }
        try writer.begin()
        try catalog.connection.run(
            "UPDATE roots SET device = ?, inode = ? WHERE id = ?",
            [
                .integer(Int64(bitPattern: now.device)), .integer(Int64(bitPattern: now.inode)), .integer(rootID),
            ])
        return before?.inode == 0
    }

    private func systemRows(_ name: String) throws(SQLiteError) -> [ScanPlace.Row] {
        try rows(
            "d.root = ? AND d.relative = x'' AND d.system = (SELECT id FROM systems WHERE name = ?)",
            [.integer(rootID), .text(name)])
    }

    func rows(_ condition: String, _ values: [Value]) throws(SQLiteError) -> [ScanPlace.Row] {
        try catalog.connection.rows(
            "SELECT id, relative, device, inode, modified, linked, folder FROM directories d WHERE \(condition)", values
        ) {
            ScanPlace.Row(
                id: $0.int64(0), relative: $0.bytes(1),
                identity: ScanPlace.Identity(
                    device: UInt64(bitPattern: $0.int64(2)), inode: UInt64(bitPattern: $0.int64(3))),
                modified: $0.int64(4), isLink: $0.int64(5) != 0, folder: $0.bytes(6))
        }
    }

    private func scan(
        _ system: ScannedSystem, _ found: [SystemFolder], _ known: [ScanPlace.Row]
    ) throws(CatalogError) {
        for row in known where !found.contains(where: { $0.name == row.folder }) {
            markMissing(row, system)
        }
        var walk = ScanWalk()
        for folder in found.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
            walk.push(
                ScanPlace(
                    row: known.first { $0.folder == folder.name }, folder: folder.name, relative: [], depth: 0,
                    isLink: folder.isLink))
        }
        while let place = walk.pop() { try visit(place, system, &walk) }
    }

    /// Looks at a directory and queues what is below it.
    func visit(_ place: ScanPlace, _ system: ScannedSystem, _ walk: inout ScanWalk) throws(CatalogError) {
        if queue.isDue { try flush() }
        announce()
        pulse.beat()
        let path = place.path(in: roms)
        if let row = place.row, row.modified != 0, !system.isFull {
            let status: FileStatus
            do {
                status = try fileStatus(path)
            } catch {
                return lose(place, system, error)
            }
            let identity = identity(status)
            if status.modifiedNanoseconds == row.modified, identity == row.identity, try !specialsChanged(place) {
                guard walk.enter(identity) else { return drop(place, system) }
                let below = try read { () throws(SQLiteError) in try rows("d.parent = ?", [.integer(row.id)]) }
                for child in below {
                    walk.push(
                        ScanPlace(
                            row: child, parent: place.number, folder: place.folder, relative: child.relative,
                            depth: place.depth + 1, isLink: child.isLink, above: place.above + [identity]))
                }
                return
            }
        }
        try look(at: place, path, system, &walk)
    }

    private func look(
        at place: ScanPlace, _ path: BytePath, _ system: ScannedSystem, _ walk: inout ScanWalk
    ) throws(CatalogError) {
        let now = wallClockNanoseconds()
        let look = queue.newLook(pulse)
        var isComplete = true
        do {
            try look.read(path, system.rules, isTop: place.relative.isEmpty, settling: &settling)
        } catch {
            guard look.status != nil else { return lose(place, system, error) }
            problem(path, error.reason)
            isComplete = false
        }
        guard let status = look.status else { return }
        entries += look.count
        let identity = identity(status)
        guard walk.enter(identity) else {
            if place.above.contains(identity) { problem(path, "is a link that leads back to a folder above it") }
            return drop(place, system)
        }
        if look.filesystem == .kernel {
            problem(path, "belongs to the system and is not searched")
            return drop(place, system)
        }
        for error in look.problems { problem(path, error.description) }
        if isUnmounted(place, identity, look) { return lose(place, system, nil) }
        try readSheets(place, path, look)
        let pushed = try descend(place, system, identity, look, isComplete: isComplete, &walk)
        later(entries: look.count + 1, look: look) { [self] () throws(CatalogError) in
            try merge(place, system, look, isComplete: isComplete, at: now)
            try forget(pushed, isGone: isComplete && mayRemove, place, identity, system)
        }
    }

    /// A folder that had games, is empty now and is not the same folder as before is a mount point without its disk.
    private func isUnmounted(_ place: ScanPlace, _ identity: ScanPlace.Identity, _ look: DirectoryLook) -> Bool {
        guard look.count == 0, let row = place.row else { return false }
        return row.identity != identity && row.identity.inode != 0
    }

    /// Queues the folders below a directory.
    ///
    /// - Returns: those that are known and were not seen.
    private func descend(
        _ place: ScanPlace, _ system: ScannedSystem, _ identity: ScanPlace.Identity, _ look: DirectoryLook,
        isComplete: Bool, _ walk: inout ScanWalk
    ) throws(CatalogError) -> [ScanPlace.Row] {
        var known: [[UInt8]: ScanPlace.Row] = [:]
        if let row = place.row {
            let rows = try read { () throws(SQLiteError) in try self.rows("d.parent = ?", [.integer(row.id)]) }
            known = Dictionary(rows.map { ($0.relative, $0) }, uniquingKeysWith: { first, _ in first })
        }
        let isTooDeep = place.depth >= system.rules.depth
        if isTooDeep, system.rules.definition.depth == nil, !look.folders.isEmpty {
            problem(place.path(in: roms), "is too deep: folders below it are not searched")
        }
        for folder in look.folders where !isTooDeep {
            let relative = place.relative(look.name(folder))
            let row = known.removeValue(forKey: relative)
            if folder.isUnreachable {
                if let row { markMissing(row, system) }
                continue
            }
            if walk.isShallow, let row, row.identity.inode != 0 { continue }
            walk.push(
                ScanPlace(
                    row: row, parent: place.number, folder: place.folder, relative: relative, depth: place.depth + 1,
                    isLink: folder.isLink, above: place.above + [identity]))
        }
        return Array(known.values)
    }

    /// Folders that are not where they were.
    private func forget(
        _ rows: [ScanPlace.Row], isGone: Bool, _ place: ScanPlace, _ identity: ScanPlace.Identity,
        _ system: ScannedSystem
    ) throws(CatalogError) {
        for row in rows {
            // What came from another device may be a disk that was pulled together with its mount point.
            try write { writer throws(SQLiteError) in
                if isGone && row.identity.device == identity.device {
                    report.removed += try writer.removeTree(row.id, system: system.id)
                } else {
                    _ = try writer.markMissing(tree: row.id, system: system.id)
                }
            }
        }
    }

    private func markMissing(_ row: ScanPlace.Row, _ system: ScannedSystem) {
        later { [self] () throws(CatalogError) in
            _ = try write { writer throws(SQLiteError) in try writer.markMissing(tree: row.id, system: system.id) }
        }
    }

    /// A directory that cannot be looked at: everything in it is missing for now.
    private func lose(_ place: ScanPlace, _ system: ScannedSystem, _ error: SystemError?) {
        if let error, !(error.isNotFound && place.row != nil) {
            problem(place.path(in: roms), error.reason)
        }
        if let row = place.row {
            markMissing(row, system)
        } else if error?.isNotFound != true {
            // Remembered, so that it is tried again although the folder above does not change.
            later { [self] () throws(CatalogError) in
                _ = try write { writer throws(SQLiteError) in
                    try saveDirectory(place, system, status: nil, writer)
                }
            }
        }
    }

    /// A second way to a directory that was looked at already.
    private func drop(_ place: ScanPlace, _ system: ScannedSystem) {
        guard let row = place.row else { return }
        later { [self] () throws(CatalogError) in
            try write { writer throws(SQLiteError) in
                report.removed += try writer.removeTree(row.id, system: system.id)
            }
        }
    }
}

/// The directories that are still to be looked at, and those that were.
struct ScanWalk {
    private var real: [ScanPlace] = []
    private var links: [ScanPlace] = []
    private var entered: Set<ScanPlace.Identity> = []
    private let others: [ScanPlace.Identity: [ScanPlace.Row]]
    private let isStillThere: (ScanPlace.Row) -> Bool
    /// Whether folders that are known and unchanged are left alone.
    let isShallow: Bool

    /// - Parameters:
    ///   - others: directories that are not on this way.
    ///   - isStillThere: whether one of them is where it was: a folder that was moved is no second way to itself.
    init(
        isShallow: Bool = false, others: [ScanPlace.Identity: [ScanPlace.Row]] = [:],
        isStillThere: @escaping (ScanPlace.Row) -> Bool = { _ in true }
    ) {
        self.isShallow = isShallow
        self.others = others
        self.isStillThere = isStillThere
    }

    /// Links wait until all real folders are done: a game is known by its real path where it has one.
    mutating func push(_ place: ScanPlace) {
        if place.isLink { links.append(place) } else { real.append(place) }
    }

    mutating func pop() -> ScanPlace? {
        if let place = real.popLast() { return place }
        return links.isEmpty ? nil : links.removeFirst()
    }

    /// - Returns: whether it is the first time.
    mutating func enter(_ identity: ScanPlace.Identity) -> Bool {
        if let rows = others[identity], rows.contains(where: isStillThere) { return false }
        return entered.insert(identity).inserted
    }
}
