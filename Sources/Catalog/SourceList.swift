import SQLiteKit
import Synchronization
import SystemKit
import Systems

/// The sources that the person added, and where they are now.
struct SourceList {
    /// A row of `user.sqlite`.
    struct Row: Equatable {
        var id: Int64
        var identity: String
        var below: BytePath
        var path: BytePath
        var label: String
        var position: Int
    }

    let root: DataRoot
    let mounts: MountedFilesystems

    /// Tables of mounts that tests made, by data roots' state folders.
    static let madeTables = Mutex<[BytePath: MountedFilesystems.Sources]>([:])

    /// Reads the kernel's table of mounts.
    init(root: DataRoot) {
        self.root = root
        mounts = MountedFilesystems(
            SourceList.madeTables.withLock { $0[root.state] } ?? MountedFilesystems.Sources())
    }

    /// What a path is called, wherever its filesystem is mounted. Asks no disk.
    ///
    /// A folder on the filesystem of the data root, or of the system, is a plain folder.
    func identity(of path: BytePath) -> (identity: String, below: BytePath, label: String) {
        guard let mount = mounts.covering(path), mount.point != "/", mount != mounts.covering(root.state) else {
            return ("", path, path.name.displayString)
        }
        return (mounts.identity(of: mount), mounts.below(path, on: mount), mounts.label(of: mount))
    }

    /// Where a source is now; `nil` where its filesystem is not mounted, or another one covers its place.
    func path(of row: Row) -> BytePath? {
        if !row.identity.isEmpty { return mounts.path(identity: row.identity, below: row.below) }
        return identity(of: row.path).identity.isEmpty ? row.path : nil
    }

    func target(of row: Row) -> ScanTarget {
        let path = path(of: row)
        return ScanTarget(
            source: row.id, path: path ?? row.path, position: row.position, isThere: path != nil,
            isIdentified: row.identity.hasPrefix("uuid:") || row.identity.hasPrefix("net:"))
    }

    /// All sources, the data root's own first.
    func targets(_ user: UserDatabase) throws(CatalogError) -> [ScanTarget] {
        [ScanTarget(root)] + (try user.sources()).map { target(of: $0) }
    }

    /// Brings the catalog's rows of sources in line: none that the person has removed, all in the person's order.
    ///
    /// - Returns: whether anything changed.
    @discardableResult
    func settle(
        _ targets: [ScanTarget], _ catalog: CatalogDatabase, _ reader: GameReader
    ) throws(CatalogError) -> Bool {
        try catalog.guarded { () throws(SQLiteError) in
            let known = try catalog.connection.rows("SELECT id, source, path, position FROM roots") {
                (id: $0.int64(0), source: $0.int64(1), path: BytePath(bytes: $0.bytes(2)), position: $0.int(3))
            }
            let gone = known.filter { row in !targets.contains { $0.source == row.source } }
            let moved = targets.filter { target in
                known.contains {
                    $0.source == target.source && ($0.position != target.position || $0.path != target.path)
                }
            }
            let fresh = targets.filter { target in !known.contains { $0.source == target.source } }
            if gone.isEmpty && moved.isEmpty && fresh.isEmpty { return false }
            let writer = try ScanWriter(catalog: catalog, reader: reader)
            do throws(SQLiteError) {
                try writer.begin()
                for target in fresh {
                    // Another process may have added it since the look at the table.
                    try catalog.connection.run(
                        """
                        INSERT INTO roots(path, position, source, present) VALUES (?, ?, ?, 0)
                        ON CONFLICT(source) DO UPDATE SET path = excluded.path, position = excluded.position
                        """,
                        [.blob(target.path.bytes), .integer(target.position), .integer(target.source)])
                }
                for target in moved {
                    try catalog.connection.run(
                        "UPDATE roots SET path = ?, position = ? WHERE source = ?",
                        [.blob(target.path.bytes), .integer(target.position), .integer(target.source)])
                }
                for row in gone { try writer.removeRoot(row.id) }
                if !moved.isEmpty { try writer.settleAllShadows() }
                try writer.commit()
            } catch {
                writer.rollBack()
                throw error
            }
            return true
        }
    }
}

extension UserDatabase {
    /// In the person's order, which follows the data root's own source.
    func sources() throws(CatalogError) -> [SourceList.Row] {
        try guarded { () throws(SQLiteError) in
            try connection.rows(
                "SELECT id, identity, below, path, label, position FROM sources ORDER BY position, id"
            ) {
                SourceList.Row(
                    id: $0.int64(0), identity: $0.string(1) ?? "", below: BytePath(bytes: $0.bytes(2)),
                    path: BytePath(bytes: $0.bytes(3)), label: $0.string(4) ?? "", position: $0.int(5))
            }
        }
    }

    /// Adds a source behind all others; one that is there gets the new path, and the label where one is given.
    ///
    /// - Parameter usual: what a new one is called without a label.
    /// - Returns: its number and what it is called.
    func addSource(
        identity: String, below: BytePath, path: BytePath, label: String?, usual: String
    ) throws(CatalogError) -> (id: Int64, label: String) {
        try write { () throws(SQLiteError) in
            let key: [Value] = [.text(identity), .blob(below.bytes)]
            let known = try connection.first(
                "SELECT id, label FROM sources WHERE identity = ? AND below = ?", key
            ) { (id: $0.int64(0), label: $0.string(1) ?? usual) }
            if let known {
                let label = label ?? known.label
                try connection.run(
                    "UPDATE sources SET path = ?, label = ? WHERE id = ?",
                    [.blob(path.bytes), .text(label), .integer(known.id)])
                return (known.id, label)
            }
            let label = label ?? usual
            try connection.run(
                """
                INSERT INTO sources(identity, below, path, label, position)
                VALUES (?, ?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM sources))
                """, key + [.blob(path.bytes), .text(label)])
            return (connection.lastInsertedRow, label)
        }
    }

    /// - Returns: whether there was such a source.
    func removeSource(_ id: Int64) throws(CatalogError) -> Bool {
        try write { () throws(SQLiteError) in
            try connection.run("DELETE FROM sources WHERE id = ?", [.integer(id)])
            let removed = connection.changes > 0
            try number(try connection.rows("SELECT id FROM sources ORDER BY position, id") { $0.int64(0) })
            return removed
        }
    }

    /// - Returns: where it is now, 1 is the first; `nil` where there is no such source.
    func moveSource(_ id: Int64, to position: Int) throws(CatalogError) -> Int? {
        try write { () throws(SQLiteError) in
            var ids = try connection.rows("SELECT id FROM sources ORDER BY position, id") { $0.int64(0) }
            guard let index = ids.firstIndex(of: id) else { return nil }
            ids.remove(at: index)
            let place = max(0, min(position - 1, ids.count))
            ids.insert(id, at: place)
            try number(ids)
            return place + 1
        }
    }

    private func number(_ ids: [Int64]) throws(SQLiteError) {
        for (index, id) in ids.enumerated() {
            try connection.run(
                "UPDATE sources SET position = ? WHERE id = ?", [.integer(index + 1), .integer(id)])
        }
    }
}
