import SQLiteKit
public import SystemKit
import Systems

// The folders of games: the data root's own, and those on other disks and shares that the person added.
extension CatalogStore {
    /// All sources in the order in which they are asked for a game that several have; the data root's own is the first.
    ///
    /// Asks no disk: what does not answer delays nobody.
    public func sources() throws(CatalogError) -> [GameSource] {
        try ready()
        let rows = try user.sources()
        let list = SourceList(root: root)
        let presence = try presences()
        let own = GameSource(
            id: 0, path: root.roms, label: root.roms.name.displayString, isPresent: (presence[0] ?? 1) == 1)
        return [own]
            + rows.map { row in
                let path = list.path(of: row)
                return GameSource(
                    id: row.id, identity: row.identity, path: path ?? row.path, label: row.label,
                    isPresent: path != nil && (presence[row.id] ?? 1) == 1)
            }
    }

    /// Adds a folder whose folders are named as systems; it is known again wherever its filesystem is mounted.
    ///
    /// - Parameter label: what a person calls it; `nil` keeps what it is called, or takes the disk's or the share's own name.
    /// - Throws: `CatalogError.file` where there is no such folder or it does not answer; `.overlappingSource` for a
    ///   folder that is the data root's own, or lies in a source; `.kernelFolder` for `/proc` and the like.
    public func addSource(path: BytePath, label: String? = nil) async throws(CatalogError) -> GameSource {
        try ready()
        let folder = try await SourceProbe.folder(path.absolute)
        try ready()
        let list = SourceList(root: root)
        if let kind = list.mounts.covering(folder)?.kind, MountedFilesystems.isKernels(kind) {
            throw CatalogError.kernelFolder(path: folder, kind: kind)
        }
        let (identity, below, name) = list.identity(of: folder)
        // The data root may be reached through a link.
        if let own = try? resolvedPath(root.roms), own != root.roms,
            own == folder || folder.relative(to: own) != nil || own.relative(to: folder) != nil
        {
            throw CatalogError.overlappingSource(path: folder, other: own)
        }
        for other in try sources() where !(other.identity == identity && other.path == folder && other.id != 0) {
            let isWithin = folder == other.path || folder.relative(to: other.path) != nil
            if isWithin || other.path.relative(to: folder) != nil {
                throw CatalogError.overlappingSource(path: folder, other: other.path)
            }
        }
        let added = try user.addSource(
            identity: identity, below: below, path: folder, label: label.flatMap { $0.isEmpty ? nil : $0 }, usual: name)
        try await settleSources()
        return GameSource(id: added.id, identity: identity, path: folder, label: added.label, isPresent: true)
    }

    /// Takes a source away: its games leave the catalog, and what the person did to them is kept.
    ///
    /// - Throws: `CatalogError.noSuchSource`, also for the data root's own.
    public func removeSource(_ id: Int64) async throws(CatalogError) {
        try ready()
        guard id != 0, try user.removeSource(id) else { throw CatalogError.noSuchSource(id: id) }
        try await settleSources()
    }

    /// Puts a source at a place among those that the person added; 1 is the first, behind the data root's own.
    ///
    /// - Returns: its place now, which is the last one where there are not so many.
    /// - Throws: `CatalogError.noSuchSource`, also for the data root's own.
    @discardableResult
    public func moveSource(_ id: Int64, to position: Int) async throws(CatalogError) -> Int {
        try ready()
        guard id != 0, let place = try user.moveSource(id, to: position) else {
            throw CatalogError.noSuchSource(id: id)
        }
        try await settleSources()
        return place
    }

    /// Folders on disks and shares that are mounted now and look as if they held games; each with the number -1.
    public func candidateSources() async throws(CatalogError) -> [GameSource] {
        let known = try sources()
        let registry = registry
        let list = SourceList(root: root)
        return await SourceProbe.candidates(list, registry, known: known)
    }

    /// What the last scans could not read.
    public func lastScanProblems() throws(CatalogError) -> [ScanReport.Problem] {
        try withCatalog { store throws(CatalogError) in
            try store.catalog.guarded { () throws(SQLiteError) in
                try store.catalog.connection.rows(
                    """
                    SELECT p.path, p.reason FROM problems p JOIN roots r ON r.id = p.root
                    ORDER BY r.position, p.rowid
                    """
                ) { ScanReport.Problem(path: BytePath(bytes: $0.bytes(0)), reason: $0.string(1) ?? "") }
            }
        }
    }

    /// The files of a game's discs in their order; a game on one alone has its own.
    ///
    /// What a playlist names is the emulator's to find: a playlist has itself.
    public func discs(of id: Int64) throws(CatalogError) -> [BytePath] {
        guard let game = try game(id: id) else { throw CatalogError.noSuchGame(id: id) }
        guard game.discs > 1, let own = DiscName(game.relativePath.name) else { return [game.path] }
        let members = try withCatalog { store throws(CatalogError) in
            try store.reader.games("WHERE g.hidden_by = ? AND g.state & 2 = 0", [.integer(id)])
        }
        let others = members.compactMap { member in
            DiscName(member.relativePath.name).flatMap { disc in
                disc.key == own.key ? (number: disc.number, path: member.path) : nil
            }
        }
        return ([(number: own.number, path: game.path)] + others).sorted { $0.number < $1.number }.map(\.path)
    }

    private func presences() throws(CatalogError) -> [Int64: Int64] {
        let rows = try withCatalog { store throws(CatalogError) in
            try store.catalog.guarded { () throws(SQLiteError) in
                try store.catalog.connection.rows("SELECT source, present FROM roots") { ($0.int64(0), $0.int64(1)) }
            }
        }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    /// Lets the catalog follow the list of sources, on a thread of its own: a source with many games takes a while.
    private func settleSources() async throws(CatalogError) {
        let (root, registry) = (root, registry)
        let result: Result<Bool, CatalogError> = await onThread(name: "catalog-sources") {
            () throws(CatalogError) -> Bool in
            let catalog = try CatalogDatabase(in: root.state)
            let user = try UserDatabase.openAgain(in: root.state)
            let reader = GameReader(catalog: catalog, user: user, rules: CatalogStore.rules(of: registry))
            let list = SourceList(root: root)
            let isChanged = try list.settle(try list.targets(user), catalog, reader)
            try FactsCopy(catalog: catalog, user: user, reader: reader).run()
            return isChanged
        }
        let isChanged = try result.get()
        onChange?(.sources)
        if isChanged { onChange?(.games(systems: Set(registry.systems.map(\.name)))) }
    }
}

/// Runs something that blocks on a thread of its own.
func onThread<Value: Sendable>(
    name: String, _ body: @escaping @Sendable () throws(CatalogError) -> Value
) async -> Result<Value, CatalogError> {
    await withCheckedContinuation { continuation in
        let code = startThread(name: name) {
            do throws(CatalogError) {
                continuation.resume(returning: .success(try body()))
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        if code != 0 {
            let error = SystemError(call: "pthread_create", subject: name, code: code)
            continuation.resume(returning: .failure(.file(error)))
        }
    }
}
