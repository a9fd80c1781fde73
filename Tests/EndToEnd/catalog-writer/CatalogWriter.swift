import Catalog
import Glibc
import SystemKit
import Systems

/// Opens a catalog, says what is in it, then changes it without a pause and says so, until it is killed.
///
///     catalog-writer ROOT SEED FIRST COUNT [DEEDS]
///     catalog-writer ROOT look
///
/// It changes the games FIRST to FIRST + COUNT - 1 of the system `nes`, named `game N.nes`, and settings of the same
/// numbers. `? KEY VALUE` tells of what it found, `ready` of the end of that; `> KEY VALUE` is about to be done,
/// `<` is done. It scans all the time besides, and makes files for the scans to find. For the end-to-end tests; no
/// product.
@main
struct CatalogWriter {
    static func main() async throws {
        let words = CommandLine.arguments
        if words.count == 3, words[2] == "look" { return try await look(DataRoot(root: BytePath(words[1]))) }
        guard words.count >= 5, let seed = UInt64(words[2]), let first = Int(words[3]), let count = Int(words[4]) else {
            say("usage: catalog-writer ROOT SEED FIRST COUNT [DEEDS]")
            exit(64)
        }
        let root = DataRoot(root: BytePath(words[1]))
        let registry = SystemRegistry.load()
        let store = try CatalogStore.open(root: root, registry: registry)
        if let notice = store.startNotice { say("! \(notice)") }
        // A scan waits for files that were written a moment ago, and a rebuilt catalog for a scan.
        if try await store.game(path: root.roms.appending("nes/game \(first).nes")) == nil {
            _ = try await store.scan()
        }
        for fault in try await store.integrityProblems() { say("! \(fault)") }
        let games = try await ids(store, root, first..<(first + count))
        try await tell(store, games)
        say("ready")
        let scans = Task {
            var number = 0
            while !Task.isCancelled {
                number += 1
                let name = "new \(number % 20).nes"
                try? replaceFile(at: root.roms.appending("nes/\(name)"), with: [1, 2, 3])
                do {
                    _ = try await store.scan(full: number % 5 == 0)
                } catch {
                    say("scan: \(error)")
                }
            }
        }
        var writer = Writer(store: store, games: games, chance: seed)
        writer.list = try await list(store)
        var left = words.count > 5 ? Int(words[5]) ?? 0 : Int.max
        while left > 0 {
            do {
                try await writer.step()
            } catch {
                say("x \(error)")
                exit(75)
            }
            left -= 1
        }
        scans.cancel()
        await scans.value
        await store.close()
        say("end")
    }

    /// Opens as the menu does, scans, and tells what is there and what cannot be kept.
    private static func look(_ root: DataRoot) async throws {
        let registry = SystemRegistry.load()
        let store = try CatalogStore.open(root: root, registry: registry, fallback: .temporary)
        if let trouble = store.startTrouble { say("? trouble \(trouble.kind.rawValue)") }
        do throws(CatalogError) {
            for problem in try await store.scan().problems { say("? problem \(problem.path): \(problem.reason)") }
        } catch {
            // The menu logs this and shows what it knows.
            say("? unscanned \(error)")
        }
        let games = try await store.games(GameQuery(), offset: 0, limit: 100_000)
        for game in games { say("? game \(game.system)/\(game.relativePath) \(game.isFavourite)") }
        if let game = games.first {
            do throws(CatalogError) {
                try await store.setFavourite(true, game: game.id)
                say("? kept \(game.relativePath)")
            } catch {
                say("? refused \(error)")
            }
        }
        await store.close()
    }

    private static func ids(_ store: CatalogStore, _ root: DataRoot, _ numbers: Range<Int>) async throws -> [(
        Int, Int64
    )] {
        var result: [(Int, Int64)] = []
        for number in numbers {
            guard let game = try await store.game(path: root.roms.appending("nes/game \(number).nes")) else {
                say("! game \(number) is gone")
                continue
            }
            result.append((number, game.id))
        }
        return result
    }

    /// The list that games are put on; another process may make it at the same moment.
    private static func list(_ store: CatalogStore) async throws -> Int64 {
        if try await !store.collections().contains(where: { $0.name == "List" }) {
            _ = try? await store.createCollection(name: "List")
        }
        return try await store.collections().first { $0.name == "List" }?.id ?? 0
    }

    private static func tell(_ store: CatalogStore, _ games: [(Int, Int64)]) async throws {
        for (number, id) in games {
            guard let game = try await store.game(id: id) else { continue }
            say("? favourite-\(number) \(game.isFavourite)")
            say("? title-\(number) \(game.title)")
            say("? plays-\(number) \(game.playCount)")
            say("? member-\(number) \(try await !store.collections(of: id).isEmpty)")
        }
        for (key, value) in try await store.settings() { say("? setting-\(key) \(value)") }
    }
}

/// Changes one thing after another.
struct Writer {
    let store: CatalogStore
    let games: [(Int, Int64)]
    var chance: UInt64
    var list: Int64 = 0
    private var number = 0

    init(store: CatalogStore, games: [(Int, Int64)], chance: UInt64) {
        self.store = store
        self.games = games
        self.chance = chance
    }

    private mutating func random(_ limit: Int) -> Int {
        chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(chance >> 33) % limit
    }

    mutating func step() async throws {
        number += 1
        let (game, id) = games[random(games.count)]
        let word = "v\(getpid())-\(number)"
        switch random(6) {
        case 0, 1:
            let on = random(2) == 0
            say("> favourite-\(game) \(on)")
            try await store.setFavourite(on, game: id)
        case 2:
            say("> title-\(game) \(word)")
            try await store.setTitle(word, game: id)
        case 3:
            say("> setting-\(game) \(word)")
            try await store.setSetting("\(game)", word)
        case 4:
            let on = random(2) == 0
            say("> member-\(game) \(on)")
            try await store.setMember(on, game: id, collection: list)
        default:
            say("> plays-\(game) +1")
            let play = try await store.beginPlay(game: id)
            say("<")
            say("> played-\(game) 1")
            try await store.endPlay(play, seconds: 1, outcome: "finished")
        }
        say("<")
    }
}

/// Writes a line at once: what is said must be out when the process is killed.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(1, bytes, bytes.count)
}
