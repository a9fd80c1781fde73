import SQLiteKit
import SystemKit
import Systems
import Testing

@testable import Catalog

/// One game's row as it must be, whatever happened before.
private struct Line: Hashable, Comparable, CustomStringConvertible {
    var path: String
    var description: String

    static func < (left: Line, right: Line) -> Bool { left.path < right.path }
}

@Suite("Whatever happens, the catalog ends as a fresh one", .timeLimit(.minutes(60)))
struct PropertyTests {
    /// A hundred rounds and more; `RETRO_PROPERTY_ROUNDS` asks for others, `RETRO_PROPERTY_SEED` for one that failed.
    @Test("random trees, edits and crashes: the rows are a fresh catalog's, and the person's facts are there")
    func endsAsFresh() async throws {
        let rounds = Int(environmentValue("RETRO_PROPERTY_ROUNDS") ?? "") ?? 250
        let only = environmentValue("RETRO_PROPERTY_SEED").flatMap { UInt64($0) }
        let first = only ?? 1
        for seed in first..<(first + UInt64(only == nil ? rounds : 1)) {
            var dice = Dice(seed: seed)
            let steps = (0..<(10 + dice.below(50))).map { _ in PropertyStep(&dice) }
            guard let difference = try await run(steps) else { continue }
            let (short, last) = try await shrunk(steps, difference)
            Issue.record(
                """
                RETRO_PROPERTY_SEED=\(seed): \(last)
                steps: \(short.map(\.description).joined(separator: "\n       "))
                """)
            return
        }
    }

    /// Leaves out steps as long as the rest still fails.
    private func shrunk(_ steps: [PropertyStep], _ difference: String) async throws -> ([PropertyStep], String) {
        var steps = steps
        var last = difference
        var size = max(1, steps.count / 2)
        while true {
            var index = 0
            var isShorter = false
            while index < steps.count {
                var fewer = steps
                fewer.removeSubrange(index..<min(index + size, steps.count))
                if let difference = try await run(fewer) {
                    (steps, last, isShorter) = (fewer, difference, true)
                } else {
                    index += size
                }
            }
            if size == 1 && !isShorter { return (steps, last) }
            size = max(1, size / 2)
        }
    }

    /// - Returns: what is wrong after the steps; `nil` where nothing is.
    private func run(_ steps: [PropertyStep]) async throws -> String? {
        let world = try PropertyWorld()
        let store = try world.library.open()
        for step in steps { try await world.take(step, store) }
        try await world.mend(store)
        // A folder that is another one than before loses nothing at first; what is gone is known at the second look.
        for _ in 0..<2 { _ = try await store.scan() }
        let kept = try lines(world)
        let counts = try await store.counts().sorted { $0.system < $1.system }
        if let lost = try await lost(world, store) { return lost }
        let unindexed = try await lost(index: store)
        await store.close()
        for suffix in ["", "-wal", "-shm"] {
            try removeFile(BytePath("\(world.library.root.state)/catalog.sqlite\(suffix)"))
        }
        let fresh = try world.library.open()
        _ = try await fresh.scan()
        let expected = try lines(world)
        let freshCounts = try await fresh.counts().sorted { $0.system < $1.system }
        await fresh.close()
        if kept != expected {
            let more = kept.filter { !expected.contains($0) }
            let fewer = expected.filter { !kept.contains($0) }
            return "kept but not fresh:\n\(more)\nfresh but not kept:\n\(fewer)"
        }
        if counts != freshCounts { return "counts: \(counts), fresh: \(freshCounts)" }
        return unindexed
    }

    /// All rows whose files are there.
    private func lines(_ world: PropertyWorld) throws -> [Line] {
        let catalog = try CatalogDatabase(in: world.library.root.state)
        let lines = try catalog.connection.rows(
            """
            SELECT r.source, d.folder, d.relative, g.name, s.name, hex(g.sort), g.size, g.modified, g.kind, g.state,
                g.facts, g.favourite, g.played > 0, g.discs, h.name, hd.folder, hd.relative, g.launch, g.title
            FROM games g JOIN directories d ON d.id = g.directory JOIN roots r ON r.id = d.root
            JOIN systems s ON s.id = g.system LEFT JOIN games h ON h.id = g.hidden_by
            LEFT JOIN directories hd ON hd.id = h.directory
            WHERE g.state & 2 = 0
            """
        ) { row in
            let text = (0..<19).map { column in
                [1, 2, 3, 14, 15, 16, 17].contains(column)
                    ? PropertyTests.spelled(row.bytes(column)) : row.string(column) ?? "-"
            }
            return Line(path: text[0...3].joined(separator: "/"), description: text.joined(separator: "|") + "\n")
        }
        return lines.sorted()
    }

    /// Every byte that is no ASCII as a number: as text, accents of two spellings would be equal.
    private static func spelled(_ bytes: [UInt8]) -> String {
        bytes.map { $0 < 0x80 ? String(UnicodeScalar($0)) : "<\($0)>" }.joined()
    }

    /// Something the person set that is not there any more.
    private func lost(_ world: PropertyWorld, _ store: CatalogStore) async throws -> String? {
        let user = try UserDatabase.openAgain(in: world.library.root.state)
        var facts: [BytePath: UserDatabase.Facts] = [:]
        for fact in try user.facts(since: 0, limit: 100_000) {
            facts[BytePath(fact.system).appending(BytePath(bytes: fact.path))] = fact
        }
        for key in world.favourites where facts[key]?.isFavourite != true { return "the favourite \(key) is lost" }
        for key in world.hidden where facts[key]?.isHidden != true { return "\(key) is no more hidden" }
        for (key, title) in world.titles where facts[key]?.title != title { return "the title of \(key) is lost" }
        for (key, count) in world.plays where facts[key]?.plays != count { return "plays of \(key) are lost" }
        let query = GameQuery(includesVersions: true, includesHidden: true, missing: nil)
        for game in try await store.games(query, offset: 0, limit: 100_000) {
            let key = BytePath(game.system).appending(game.relativePath)
            guard world.touched.contains(key) else {
                let own = facts[key]
                let isSame = game.isFavourite == (own?.isFavourite ?? false) && game.playCount == own?.plays ?? 0
                if !isSame { return "the row of \(key) has not what it inherited" }
                continue
            }
            if game.isFavourite != world.favourites.contains(key) { return "the row of \(key) has a wrong mark" }
            if let title = world.titles[key], game.title != title { return "the row of \(key) has another title" }
            if game.playCount != world.plays[key] ?? 0 { return "the row of \(key) has other plays" }
        }
        return nil
    }

    /// A list in which a game comes twice, or at a place where it is not.
    private func lost(index store: CatalogStore) async throws -> String? {
        let games = try await store.games(GameQuery(includesVersions: true), offset: 0, limit: 100_000)
        if Set(games.map(\.id)).count != games.count { return "a game is listed twice" }
        let total = try await store.count(GameQuery(includesVersions: true))
        if total != games.count { return "\(total) games are counted, \(games.count) are listed" }
        return nil
    }
}
