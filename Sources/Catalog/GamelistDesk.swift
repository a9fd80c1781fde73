import SQLiteKit
import SystemKit
import Systems

/// What an import or export of one system's list works with: connections of its own, on one thread, one at a time of
/// all processes.
final class GamelistDesk {
    let root: DataRoot
    let system: SystemDefinition
    let catalog: CatalogDatabase
    let user: UserDatabase
    let metadata: MetadataDatabase
    let reader: GameReader
    let paths: GamelistPaths
    let matcher: GamelistMatcher?

    init(root: DataRoot, registry: SystemRegistry, system: SystemDefinition) throws(CatalogError) {
        self.root = root
        self.system = system
        catalog = try CatalogDatabase(in: root.state)
        user = try UserDatabase.openAgain(in: root.state)
        metadata = try MetadataDatabase.open(in: root.state)
        reader = GameReader(catalog: catalog, user: user, rules: CatalogStore.rules(of: registry))
        catalog.connection.setBusyTimeout(seconds: 10)
        user.connection.setBusyTimeout(seconds: 10)
        metadata.connection.setBusyTimeout(seconds: 10)
        matcher = try GamelistMatcher(catalog: catalog, system: system.name)
        paths = GamelistPaths(system: system, folders: try GamelistDesk.folders(of: system, root, catalog))
    }

    /// The folders of a system's games: those that were scanned, and the data root's own.
    static func folders(
        of system: SystemDefinition, _ root: DataRoot, _ catalog: CatalogDatabase
    ) throws(CatalogError) -> [BytePath] {
        let known = try catalog.guarded { () throws(SQLiteError) in
            try catalog.connection.rows(
                """
                SELECT DISTINCT r.path, d.folder FROM systems s JOIN directories d ON d.system = s.id
                JOIN roots r ON r.id = d.root WHERE s.name = ? AND d.relative = x''
                """, [.text(system.name)]
            ) { BytePath(bytes: $0.bytes(0)).appending(BytePath(bytes: $0.bytes(1))) }
        }
        let usual = ([system.name] + system.aliases).map { root.roms.appending($0) }
        return known + usual.filter { !known.contains($0) }
    }

    /// Whether two processes, or two orders of a person, would work on the same list at once.
    static func lock(_ root: DataRoot) throws(CatalogError) -> LockFile {
        do {
            return try LockFile(root.state.appending("gamelist.lock"))
        } catch {
            throw CatalogError.file(error)
        }
    }

    /// The path of the game that a path below the system's folder means; `nil` where there is none.
    func game(_ path: [UInt8]) throws(CatalogError) -> [UInt8]? {
        guard let matcher else { return nil }
        if let game = try matcher.game(path) { return game }
        // Windows' separators among ours; but a name may have the sign in it, and is looked for first.
        guard path.contains(0x5C) else { return nil }
        return try matcher.game(paths.relative(path.map { $0 == 0x5C ? 0x2F : $0 }))
    }

    /// Copies what is new into the catalog.
    func finish() throws(CatalogError) {
        try FactsCopy(catalog: catalog, user: user, reader: reader).run()
    }
}
