import SQLiteKit
import SystemKit
import Systems

/// A directory with news.
struct LiveLook {
    var path: BytePath
    /// Whether folders below it are looked at too, also known ones.
    var isDeep = false
    /// Names whose writers closed them, and some time has passed.
    var ready: Set<[UInt8]> = []
    /// Names that change at this moment.
    var held: Set<[UInt8]> = []
}

extension Scanner {
    /// Looks at single directories.
    ///
    /// - Returns: names that were left for later, by directory.
    func look(at requests: [LiveLook]) throws(CatalogError) -> [BytePath: Set<[UInt8]>] {
        var left: [BytePath: Set<[UInt8]>] = [:]
        try underLock { () throws(CatalogError) in
            guard target.isThere else { return }
            rootID = try write { writer throws(SQLiteError) in try rootRow(writer) }
            if target.isIdentified { ownDevice = try? fileStatus(roms).device }
            for request in requests {
                guard let (place, system) = try place(of: request.path) else { continue }
                settling = Settling()
                settling.isLive = true
                settling.ready = request.ready
                settling.held = request.held
                let roms = roms
                var walk = ScanWalk(isShallow: !request.isDeep, others: try others(than: place, system)) { row in
                    let path = roms.appending(BytePath(bytes: row.folder)).appending(BytePath(bytes: row.relative))
                    return (try? fileStatus(path)).map { self.identity($0) } == row.identity
                }
                walk.push(place)
                while let place = walk.pop() {
                    try visit(place, system, &walk)
                    // Names are held in the directory with the news only.
                    settling.ready = []
                    settling.held = []
                }
                try flush()
                left.merge(settling.names) { first, second in first.union(second) }
            }
            try settleMembers()
        }
        announce(isEnd: true)
        return left
    }

    /// The directory of a path, as a place that will be read whatever its time says; a path that the catalog does not
    /// know stands for the nearest one above that it knows.
    private func place(of path: BytePath) throws(CatalogError) -> (ScanPlace, ScannedSystem)? {
        guard let below = path.relative(to: roms)?.bytes else { return nil }
        var parts = below.split(separator: 0x2F).map { Array($0) }
        guard let folder = parts.first, let definition = registry.system(forFolder: folder),
            let rules = rules[definition.name]
        else { return nil }
        let id = try write { writer throws(SQLiteError) in
            try writer.begin()
            return try catalog.systemID(definition.name)
        }
        let system = ScannedSystem(id: id, rules: rules, isFull: false)
        parts.removeFirst()
        while true {
            let relative = Array(parts.joined(separator: [0x2F]))
            let found = try write { writer throws(SQLiteError) in
                let row = try self.rows(
                    "d.root = ? AND d.folder = ? AND d.relative = ?",
                    [.integer(rootID), .blob(folder), .blob(relative)]
                ).first
                let parent =
                    try row.map { row throws(SQLiteError) in
                        try catalog.connection.integer(
                            "SELECT parent FROM directories WHERE id = ?", [.integer(row.id)])
                    } ?? nil
                return (row: row, parent: parent)
            }
            if found.row != nil || parts.isEmpty {
                var row = found.row
                row?.modified = 0
                return (
                    ScanPlace(
                        row: row, parent: found.parent.map { ScanPlace.Number($0) }, folder: folder, relative: relative,
                        depth: parts.count,
                        isLink: row?.isLink ?? false), system
                )
            }
            parts.removeLast()
        }
    }

    /// All known directories of the system but this one and those below: a link to one of them is no new place.
    private func others(
        than place: ScanPlace, _ system: ScannedSystem
    ) throws(CatalogError) -> [ScanPlace.Identity: [ScanPlace.Row]] {
        let rows = try read { () throws(SQLiteError) in
            try self.rows("d.root = ? AND d.system = ?", [.integer(rootID), .integer(system.id)])
        }
        let below = place.relative.isEmpty ? [] : place.relative + [0x2F]
        let others = rows.filter { row in
            row.folder != place.folder || !(row.relative == place.relative || row.relative.starts(with: below))
        }
        return Dictionary(grouping: others, by: \.identity)
    }

    /// The paths of all known directories, and of game folders with the directory they are in.
    func directories() throws(CatalogError) -> [(path: BytePath, looks: BytePath)] {
        try catalog.guarded { () throws(SQLiteError) in
            let plain = try catalog.connection.rows(
                """
                SELECT r.path, d.folder, d.relative, NULL FROM directories d JOIN roots r ON r.id = d.root
                WHERE r.source = ?1
                UNION ALL
                SELECT r.path, d.folder, d.relative, g.name FROM games g JOIN directories d ON d.id = g.directory
                JOIN roots r ON r.id = d.root WHERE g.kind = 2 AND g.kind <> 0 AND r.source = ?1
                """, [.integer(target.source)]
            ) { row in
                let path = BytePath(bytes: row.bytes(0)).appending(BytePath(bytes: row.bytes(1)))
                    .appending(BytePath(bytes: row.bytes(2)))
                return (path: row.isNull(3) ? path : path.appending(BytePath(bytes: row.bytes(3))), looks: path)
            }
            return plain
        }
    }

    /// Whether a name may be a game of the system that a directory belongs to.
    func mayBeGame(_ name: BytePath, in directory: BytePath) -> Bool {
        guard !name.bytes.isEmpty, let folder = directory.relative(to: roms)?.bytes.split(separator: 0x2F).first,
            let system = registry.system(forFolder: Array(folder)), let rules = rules[system.name]
        else { return false }
        return name.bytes.withUnsafeBufferPointer { name in
            !NameRules.isPrivate(name) && (rules.stemLength(name) != nil || NameRules.marker(name) != nil)
        }
    }
}
