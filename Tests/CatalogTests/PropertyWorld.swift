import SQLiteKit
import Synchronization
import SystemKit
import Systems

@testable import Catalog

/// Numbers that are the same for the same seed, everywhere.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state = state &+ 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
    mutating func pick<Element>(_ items: [Element]) -> Element { items[below(items.count)] }
}

/// A change of the disk, of what the person set, or a scan; all of it follows from the numbers in it, so that a step
/// may be left out and the others still mean something.
struct PropertyStep: CustomStringConvertible {
    enum Kind: CaseIterable {
        case create, sheet, list, delete, rename, replace, link, noload, favourite, title, hide, play, unmount, remount
        case emptyMount, pull, plug, scan, fullScan, crash, add, remove, move
    }

    var kind: Kind
    var numbers: [Int]
    var description: String { "\(kind) \(numbers)" }

    init(_ dice: inout Dice) {
        kind = dice.pick(PropertyStep.weighted)
        numbers = (0..<6).map { _ in dice.below(1 << 20) }
    }

    private static let weighted =
        Kind.allCases + [Kind](repeating: .create, count: 4)
        + [.delete, .delete, .rename, .rename, .sheet, .list, .replace, .favourite, .favourite, .crash, .scan, .plug]
}

/// A library to which anything may happen, and what the person should still have afterwards.
final class PropertyWorld {
    let library: Library
    let mounts: Mounts
    private let disk: BytePath
    private var isPlugged = true
    private var isAdded = false
    private var serial = 0
    // What was set, by system and path below the system's folder.
    var favourites: Set<BytePath> = []
    var hidden: Set<BytePath> = []
    var titles: [BytePath: String] = [:]
    var plays: [BytePath: Int] = [:]
    /// All that anything was set on; others may have inherited.
    var touched: Set<BytePath> = []

    private static let folders = ["", "", "a", "b", "a/c", "Game.m3u", "media", "Ümläut é"]
    private static let stems = [
        "Zelda", "Mario (USA)", "g (Disc 1)", "g (Disc 2)", "g (Disc 3)", "h (Disc 1)", "h (Disc 2)", "track01", "Game",
        "é", "e\u{301}", "100%", "readme",
    ]
    private static let places: [(system: String, extensions: [String])] = [
        ("nes", ["nes", "zip"]), ("psx", ["chd", "bin", "cue", "img"]), ("genesis", ["md", "bin"]),
        ("megadrive", ["md"]), ("arcade", ["zip"]), ("ports", ["sh"]),
    ]

    init() throws {
        library = try Library("property", inMemory: true)
        mounts = try Mounts(library)
        disk = library.folder.appending("disk")
        try createDirectories(disk.appending("roms"))
        try mountTable()
    }

    private func mountTable() throws {
        try mounts.set(isPlugged ? [("nfs4", "nas:/games", disk)] : [])
    }

    private var away: BytePath { library.folder.appending("away") }

    // MARK: - Names

    private func base(_ number: Int) -> BytePath { number % 3 == 0 ? disk.appending("roms") : library.root.roms }

    private func file(_ numbers: [Int]) -> BytePath {
        let place = Self.places[numbers[0] % Self.places.count]
        let folder = Self.folders[numbers[1] % Self.folders.count]
        let stem = Self.stems[numbers[2] % Self.stems.count]
        let suffix = place.extensions[numbers[3] % place.extensions.count]
        return base(numbers[4]).appending(place.system).appending(folder).appending("\(stem).\(suffix)")
    }

    /// All files of a source, in the order of their names.
    private func files(_ folder: BytePath, _ depth: Int = 0) -> [BytePath] {
        guard depth < 6 else { return [] }
        return ((try? directoryNames(folder)) ?? []).sorted().flatMap { name -> [BytePath] in
            let path = folder.appending(name)
            guard let status = try? fileStatus(path, followLinks: false) else { return [] }
            return status.kind == .directory ? [path] + files(path, depth + 1) : [path]
        }
    }

    private func existing(_ numbers: [Int]) -> BytePath? {
        let all = files(base(numbers[4])).filter { path in
            // The folders of the systems may be renamed as well, but not lost.
            path.parent != base(numbers[4])
        }
        return all.isEmpty ? nil : all[numbers[0] % all.count]
    }

    // MARK: - Steps

    func take(_ step: PropertyStep, _ store: CatalogStore) async throws {
        let numbers = step.numbers
        switch step.kind {
        case .create: try put(file(numbers), Array("contents \(numbers[5] % 5)".utf8))
        case .sheet: try putSheet(numbers)
        case .list: try putList(numbers)
        case .delete: if let path = existing(numbers) { removeTree(path) }
        case .rename: if let path = existing(numbers) { try rename(path, numbers) }
        case .replace:
            if let path = existing(numbers), (try? fileStatus(path))?.kind == .regular {
                try put(path, [UInt8](repeating: 7, count: numbers[5] % 50))
            }
        case .link:
            if let target = existing(numbers.reversed().map { $0 }) {
                let path = file(numbers)
                if (try? createDirectories(path.parent)) != nil, !fileExists(path) {
                    let isFolder = (try? fileStatus(target))?.kind == .directory
                    let link = isFolder ? path.parent.appending("link\(numbers[5] % 3)") : path
                    try? makeLink(link, to: target)
                }
            }
        case .noload:
            let folder = file(numbers).parent
            if folder.parent != base(numbers[4]), folder != base(numbers[4]) {
                let marker = folder.appending("noload.txt")
                if fileExists(marker) { try removeFile(marker) } else { try put(marker, []) }
            }
        case .favourite, .title, .hide, .play: try await set(step, store)
        case .unmount: if !fileExists(away) { try? renameFile(library.root.roms, to: away) }
        case .emptyMount:
            if !fileExists(away) {
                try? renameFile(library.root.roms, to: away)
                try createDirectories(library.root.roms)
            }
        case .remount: try remount()
        case .pull:
            isPlugged = false
            try mountTable()
        case .plug:
            isPlugged = true
            try mountTable()
        case .add:
            if isPlugged, !isAdded {
                _ = try await store.addSource(path: disk.appending("roms"))
                isAdded = true
            }
        case .remove:
            if isAdded, let source = try await store.sources().last {
                try await store.removeSource(source.id)
                isAdded = false
            }
        case .move:
            if isAdded, let source = try await store.sources().last { try await store.moveSource(source.id, to: 1) }
        case .scan: _ = try await store.scan()
        case .fullScan: _ = try await store.scan(full: true)
        case .crash: try crash(after: numbers[0] % 12)
        }
    }

    private func remount() throws {
        guard fileExists(away) else { return }
        removeTree(library.root.roms)
        try renameFile(away, to: library.root.roms)
    }

    /// Everything is mounted and plugged in again.
    func mend(_ store: CatalogStore) async throws {
        try remount()
        try createDirectories(library.root.roms)
        isPlugged = true
        try mountTable()
        if !isAdded {
            _ = try await store.addSource(path: disk.appending("roms"))
            isAdded = true
        }
    }

    /// A scan that dies in the middle of its work.
    private func crash(after count: Int) throws {
        let user = try UserDatabase.openAgain(in: library.root.state)
        let targets = try SourceList(root: library.root).targets(user)
        for target in targets {
            let scanner = try Scanner(root: library.root, registry: library.registry, target: target) { _ in }
            var left = count
            scanner.fault = { () throws(SQLiteError) in
                left -= 1
                if left < 0 { throw SQLiteError(extendedCode: 10, message: "the test's crash") }
            }
            _ = try? scanner.run(systems: nil, full: count % 2 == 0)
        }
    }

    private func put(_ path: BytePath, _ contents: [UInt8]) throws {
        // Folders may be in the way of files, and the reverse.
        guard (try? createDirectories(path.parent)) != nil else { return }
        if let status = try? fileStatus(path), status.kind == .directory { return }
        guard (try? writeFile(path, contents)) != nil else { return }
        // Times differ, and are old: a fresh file would cost the test a second look.
        serial += 1
        age(path, seconds: 100_000 - serial)
    }

    private func putSheet(_ numbers: [Int]) throws {
        let folder = base(numbers[4]).appending("psx").appending(Self.folders[numbers[1] % 5])
        let stem = Self.stems[numbers[2] % Self.stems.count]
        let track = Self.stems[numbers[3] % Self.stems.count]
        try put(folder.appending("\(stem).cue"), Array("FILE \"\(track).bin\" BINARY\n".utf8))
    }

    private func putList(_ numbers: [Int]) throws {
        let folder = base(numbers[4]).appending("psx").appending(Self.folders[numbers[1] % 5])
        let lines = numbers.prefix(4).map { number -> String in
            let stem = Self.stems[number % Self.stems.count]
            return ["\(stem).chd", "\(stem).cue", "a/\(stem).chd", "../\(stem).chd"][number / 16 % 4]
        }
        let stem = Self.stems[numbers[5] % Self.stems.count]
        try put(folder.appending("\(stem).m3u"), Array(lines.joined(separator: "\n").utf8))
    }

    private func rename(_ path: BytePath, _ numbers: [Int]) throws {
        let isFolder = (try? fileStatus(path, followLinks: false))?.kind == .directory
        let target = file(Array(numbers.dropFirst()) + [numbers[0]])
        let name = isFolder ? target.parent.appending("moved\(numbers[5] % 3)") : target
        guard name.relative(to: path) == nil, name != path, (try? createDirectories(name.parent)) != nil,
            !fileExists(name)
        else { return }
        try? renameFile(path, to: name)
    }

    private func set(_ step: PropertyStep, _ store: CatalogStore) async throws {
        let games = try await store.games(
            GameQuery(includesVersions: true, includesHidden: true, missing: nil), offset: 0, limit: 100_000
        ).sorted { $0.path < $1.path }
        guard !games.isEmpty else { return }
        let game = games[step.numbers[0] % games.count]
        let key = BytePath(game.system).appending(game.relativePath)
        if touched.insert(key).inserted {
            // What it inherited is its own from now on.
            let user = try UserDatabase.openAgain(in: library.root.state)
            if let facts = try user.facts(system: game.system, path: game.relativePath.bytes) {
                if facts.isFavourite { favourites.insert(key) }
                if facts.isHidden { hidden.insert(key) }
                titles[key] = facts.title
                if facts.plays > 0 { plays[key] = facts.plays }
            }
        }
        switch step.kind {
        case .favourite:
            let on = step.numbers[1] % 4 != 0
            try await store.setFavourite(on, game: game.id)
            if on { favourites.insert(key) } else { favourites.remove(key) }
        case .hide:
            let on = step.numbers[1] % 2 == 0
            try await store.setHidden(on, game: game.id)
            if on { hidden.insert(key) } else { hidden.remove(key) }
        case .title:
            try await store.setTitle("Title \(step.numbers[1])", game: game.id)
            titles[key] = "Title \(step.numbers[1])"
        default:
            try await store.endPlay(try await store.beginPlay(game: game.id), seconds: 3, outcome: "finished")
            plays[key, default: 0] += 1
        }
    }
}
