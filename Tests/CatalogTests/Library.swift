import Catalog
import SystemKit
import Systems

/// A library in a folder of its own that goes with it.
final class Library: Sendable {
    let folder: BytePath
    let root: DataRoot
    let registry: SystemRegistry

    init(_ name: String = "library", systems: [SystemDefinition] = Library.systems, inMemory: Bool = false) throws {
        folder = try makeTemporaryFolder(name, inMemory: inMemory)
        root = DataRoot(root: folder)
        registry = SystemRegistry(systems: systems)
        try createDirectories(root.roms)
    }

    deinit { removeTree(folder) }

    static let systems = [
        system("nes", ["nes", "zip", "m3u"]), system("gba", ["gba", "bin", "srm"]),
        system("megadrive", ["md", "bin"], aliases: ["genesis"]),
        system("psx", ["cue", "bin", "chd", "m3u", "ccd", "img", "mds", "mdf", "gdi", "raw"], medium: .disc),
        system("arcade", ["zip"], kind: .arcade), system("atari800", ["atr", "atr.gz", "xex"]),
        system("scummvm", ["svm", "scummvm"], kind: .engine), system("ports", ["sh"], depth: 0),
    ]

    static func system(
        _ name: String, _ extensions: [String], aliases: [String] = [], kind: SystemDefinition.Kind = .console,
        medium: SystemDefinition.Medium = .cartridge, depth: Int? = nil
    ) -> SystemDefinition {
        SystemDefinition(
            name: name, aliases: aliases, fullName: name, kind: kind, medium: medium, extensions: extensions,
            depth: depth, emulators: [])
    }

    /// Makes files below `roms`, an hour old unless told otherwise: old ones need no second look.
    func add(_ paths: [String], contents: [UInt8] = [1, 2, 3], isOld: Bool = true) throws {
        for path in paths { try add(BytePath(path), contents: contents, isOld: isOld) }
    }

    func add(_ path: BytePath, contents: [UInt8] = [1, 2, 3], isOld: Bool = true) throws {
        let file = root.roms.appending(path)
        try createDirectories(file.parent)
        try writeFile(file, contents)
        if isOld { age(file) }
    }

    func remove(_ path: BytePath) throws { removeTree(root.roms.appending(path)) }

    func open(onChange: (@Sendable (CatalogChange) -> Void)? = nil) throws -> CatalogStore {
        try CatalogStore.open(root: root, registry: registry, onChange: onChange)
    }

    /// Opens, scans and lists what there is to show: `system/relative path`.
    func listed(full: Bool = false) async throws -> [String] {
        let store = try open()
        _ = try await store.scan(full: full)
        return try await store.shown()
    }
}

extension CatalogStore {
    /// The paths of all games to show, in byte order: `system/relative path`.
    func shown(_ query: GameQuery = GameQuery()) throws -> [String] {
        try games(query, offset: 0, limit: 100_000).map { "\($0.system)/\($0.relativePath)" }.sorted()
    }

    func titles(_ query: GameQuery = GameQuery()) throws -> [String] {
        try games(query, offset: 0, limit: 100_000).map(\.title)
    }
}
