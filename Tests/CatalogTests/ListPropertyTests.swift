import Catalog
import SQLiteKit
import SystemKit
import Systems
import Testing

/// Numbers that are the same in each run.
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }

    mutating func pick<Element>(_ list: [Element]) -> Element { list[Int.random(in: 0..<list.count, using: &self)] }
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

@Suite("Every list is what looking at each game would find")
struct ListPropertyTests {
    static let titles = [
        "Alpha", "Alpha 2", "Alpha 10", "Beta Storm", "Gamma", "Gamma Ray", "Zeta", "The Omega", "1942",
    ]
    static let tags = [
        "", " (USA)", " (Europe)", " (Japan)", " (Japan) (Rev 1)", " (USA) (Rev 2)", " (World)", " (Europe) [!]",
        " (U) [b1]",
        " (Japan) (Beta)", " (Germany)", " (Europe) (Alt)", " (USA) (Disc 2)", " (USA, Europe)", " (Unl)",
    ]
    static let folders = ["", "", "A/", "A/B/", "C d/"]
    static let systems = [("nes", "nes"), ("gba", "gba"), ("megadrive", "md")]

    static func path(_ random: inout SeededNumbers) -> String {
        let (system, ending) = random.pick(systems)
        return "\(system)/\(random.pick(folders))\(random.pick(titles))\(random.pick(tags)).\(ending)"
    }

    private func filter(_ random: inout SeededNumbers) -> GameFilter {
        var filter = GameFilter()
        if random.chance(30) { filter.systems = [random.pick(["nes", "gba"])] }
        if random.chance(30) { filter.genres = [random.pick(["platform", "Action", "Puzzle"])] }
        if random.chance(20) { filter.players = 2 }
        if random.chance(20) { filter.firstYear = 1989 }
        if random.chance(20) { filter.lastYear = 1993 }
        if random.chance(20) { filter.rating = 0.5 }
        if random.chance(40) { filter.regions = random.chance(50) ? ["Japan"] : ["USA", "Germany"] }
        if random.chance(20) { filter.text = random.pick(["alp", "ray", "g"]) }
        return filter
    }

    private func query(_ random: inout SeededNumbers, _ collections: [Int64]) -> GameQuery {
        var query = GameQuery()
        if random.chance(40) { query.system = random.pick(["nes", "gba", "megadrive"]) }
        query.selection = random.pick(
            [.all, .all, .favourites, .mostPlayed, .neverPlayed] + collections.map { .collection($0) })
        if random.chance(30) { query.text = random.pick(["alpha", "a", "gam r", "2", "om", "be st"]) }
        if random.chance(30) { query.filter = filter(&random) }
        if random.chance(25) { query.folder = BytePath(random.pick(["", "A", "A/B", "C d", "none"])) }
        query.includesHidden = random.chance(25)
        query.includesVersions = random.chance(25)
        query.missing = random.pick([false, false, nil, true])
        return query
    }

    private func check(
        _ store: CatalogStore, _ library: Library, collapses: Bool, _ random: inout SeededNumbers, rounds: Int
    ) async throws {
        var model = try await ListModel(
            store, root: DataRootPaths(catalog: library.root.state.appending("catalog.sqlite")))
        model.collapses = collapses
        let collections = Array(model.collections.keys).sorted()
        let keys = Dictionary(uniqueKeysWithValues: model.rows.map { ($0.game.id, $0.key) })
        for _ in 0..<rounds {
            let query = query(&random, collections)
            let expected = model.ids(query)
            let count = try await store.count(query)
            let games = try await store.games(query, offset: 0, limit: 10_000).map(\.id)
            // What comes close may follow where hardly anything was found.
            if !query.text.isEmpty, expected.count < 3 {
                #expect(Array(games.prefix(expected.count)) == expected, "\(query)")
                continue
            }
            #expect(games == expected, "\(query)")
            #expect(count == expected.count, "\(query)")
            let middle = expected.count / 2
            #expect(
                try await store.games(query, offset: middle, limit: 3).map(\.id)
                    == Array(expected.dropFirst(middle).prefix(3)))
            for id in expected.prefix(5) + expected.suffix(2) {
                #expect(try await store.position(of: id, in: query) == expected.firstIndex(of: id))
            }
            if query.selection != .mostPlayed {
                var letters: [String] = []
                var offsets: [Int] = []
                for (offset, id) in expected.enumerated() {
                    let first = String(decoding: (keys[id] ?? []).prefix(1), as: UTF8.self).uppercased()
                    let letter = first >= "A" ? first : "#"
                    if letters.last != letter {
                        letters.append(letter)
                        offsets.append(offset)
                    }
                }
                let found = try await store.letters(query)
                #expect(found.map(\.letter) == letters, "\(query)")
                #expect(found.map(\.offset) == offsets, "\(query)")
            }
        }
        for system in ["nes", "gba", "megadrive"] {
            let count = try await store.count(GameQuery(system: system))
            #expect(count == model.ids(GameQuery(system: system)).count)
            var below = 0
            for folder in try await store.folders(system: system) { below += folder.games }
            let here = try await store.count(GameQuery(system: system, folder: BytePath("")))
            let all = ["", "A", "A/B", "C d"].map { model.ids(GameQuery(system: system, folder: BytePath($0))).count }
            #expect(below + here == all.reduce(0, +))
        }
    }

    @Test("after random changes, all counts, pages, positions and letters agree", arguments: [1, 2, 3, 4] as [UInt64])
    func agrees(seed: UInt64) async throws {
        var random = SeededNumbers(state: seed &* 7919)
        let library = try Library("lists")
        for _ in 0..<180 { try library.add([ListPropertyTests.path(&random)]) }
        let store = try library.open()
        _ = try await store.scan()
        let list = try await store.createCollection(name: "Mine")
        try await store.createCollection(name: "Filter", filter: filter(&random))
        var collapses = true
        for _ in 0..<6 {
            let all = GameQuery(includesVersions: true, includesHidden: true, missing: nil)
            let games = try await store.games(all, offset: 0, limit: 1000)
            for _ in 0..<12 {
                let game = random.pick(games)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: try await store.setFavourite(!game.isFavourite, game: game.id)
                case 1: try await store.setHidden(!game.isHidden, game: game.id)
                case 2:
                    try await store.setTitle(
                        random.chance(50) ? nil : random.pick(["Gamma", "Xi", "Alpha 2"]), game: game.id)
                case 3:
                    let play = try await store.beginPlay(game: game.id)
                    try await store.endPlay(
                        play, seconds: Double.random(in: 1...90, using: &random), outcome: "finished")
                case 4: try await store.setMember(random.chance(70), game: game.id, collection: list.id)
                default: try await setDetails(game.id, library, &random)
                }
            }
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                collapses.toggle()
                try await store.setSetting("versions.collapse", collapses ? "on" : "off")
            case 1:
                for _ in 0..<5 { try library.add([ListPropertyTests.path(&random)]) }
                for game in games.shuffled(using: &random).prefix(4) where !game.isMissing { removeTree(game.path) }
                _ = try await store.scan()
            case 2:
                // The folder of a system is gone for a while.
                let folder = library.root.roms.appending("gba")
                let away = library.folder.appending("away")
                if !fileExists(away) {
                    try renameFile(folder, to: away)
                } else if !fileExists(folder) {
                    try renameFile(away, to: folder)
                }
                _ = try await store.scan()
            default: break
            }
            try await check(store, library, collapses: collapses, &random, rounds: 40)
        }
        try await isSame(store, as: library)
    }

    private func setDetails(_ id: Int64, _ library: Library, _ random: inout SeededNumbers) async throws {
        let connection = try Connection(library.root.state.appending("catalog.sqlite"), access: .readWrite)
        try connection.run(
            "INSERT OR REPLACE INTO details(game, genre, players, year, rating) VALUES (?, ?, ?, ?, ?)",
            [
                .integer(id), .text(random.pick(["Platform", "Action\nPuzzle", "Puzzle"])),
                .integer(Int.random(in: 1...4, using: &random)), .integer(Int.random(in: 1985...1996, using: &random)),
                .real(Double.random(in: 0...1, using: &random)),
            ])
    }

    /// A catalog made anew from the same files and the same facts has the same states and counts.
    private func isSame(_ store: CatalogStore, as library: Library) async throws {
        func states() throws -> [String] {
            let connection = try Connection(library.root.state.appending("catalog.sqlite"), access: .readOnly)
            let games = try connection.rows(
                """
                SELECT s.name, d.relative, g.name, g.state FROM games g JOIN directories d ON d.id = g.directory
                JOIN systems s ON s.id = g.system WHERE g.state IN (0, 1, 8)
                """
            ) {
                "\($0.string(0) ?? "")/\(BytePath.displayString(of: $0.bytes(1)))/"
                    + "\(BytePath.displayString(of: $0.bytes(2))): \($0.int(3))"
            }
            let counts = try connection.rows("SELECT name, games FROM systems WHERE games > 0") {
                "\($0.string(0) ?? ""): \($0.int(1))"
            }
            return games.sorted() + counts.sorted()
        }
        let before = try states()
        await store.close()
        for suffix in ["", "-wal", "-shm"] { removeTree(library.root.state.appending("catalog.sqlite\(suffix)")) }
        let fresh = try library.open()
        _ = try await fresh.scan()
        let after = try states()
        #expect(Set(after).subtracting(before).isEmpty)
        #expect(Set(before).subtracting(after).isEmpty)
        #expect(after.count == before.count)
    }
}
