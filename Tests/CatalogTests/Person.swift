import Catalog
import SystemKit
import Systems

/// What a person may do with a game or a setting, one commit each.
enum Deed: Sendable {
    case favourite(Int, Bool)
    case title(Int, String)
    case hidden(Int, Bool)
    case setting(String, String)
    case play(Int)
    case member(Int, Bool)

    /// The list that games are put on; it is there before the first deed.
    static let list = "List"

    /// One at random for so many games.
    static func random(games: Int, number: Int, using chance: inout some RandomNumberGenerator) -> Deed {
        let game = Int.random(in: 0..<games, using: &chance)
        switch Int.random(in: 0..<9, using: &chance) {
        case 0...2: return .favourite(game, Bool.random(using: &chance))
        case 3: return .title(game, "Title \(number)")
        case 4: return .hidden(game, Bool.random(using: &chance))
        case 5: return .setting("key-\(game)", String(repeating: "\(number) ", count: 1 + number % 400))
        case 6: return .member(game, Bool.random(using: &chance))
        default: return .play(game)
        }
    }

    /// Does it; when this returns, it is kept.
    func run(_ store: CatalogStore, _ library: Library) async throws {
        switch self {
        case .favourite(let game, let on): try await store.setFavourite(on, game: id(game, store, library))
        case .title(let game, let title): try await store.setTitle(title, game: id(game, store, library))
        case .hidden(let game, let on): try await store.setHidden(on, game: id(game, store, library))
        case .setting(let key, let value): try await store.setSetting(key, value)
        case .play(let game): _ = try await store.beginPlay(game: id(game, store, library))
        case .member(let game, let on):
            let list = try await store.collections().first { $0.name == Deed.list }
            try await store.setMember(on, game: id(game, store, library), collection: list?.id ?? 0)
        }
    }

    private func id(_ game: Int, _ store: CatalogStore, _ library: Library) async throws -> Int64 {
        let path = library.root.roms.appending(Deed.path(game))
        guard let found = try await store.game(path: path) else { throw CatalogError.noSuchGame(id: Int64(game)) }
        return found.id
    }

    static func path(_ game: Int) -> String { "nes/game \(game).nes" }
}

/// What may be found of a person's deeds: one value where the last deed was acknowledged, more where one was not.
struct Truth: Sendable {
    private var allowed: [String: Set<String>] = [:]

    /// The deed returned without an error: nothing else may be found.
    mutating func acknowledge(_ deed: Deed) { note(deed, isCertain: true) }

    /// The deed did not return, or failed: it may be found or not.
    mutating func attempt(_ deed: Deed) { note(deed, isCertain: false) }

    private mutating func note(_ deed: Deed, isCertain: Bool) {
        let key: String
        var after: Set<String>
        switch deed {
        case .favourite(let game, let on): (key, after) = ("favourite \(game)", [String(on)])
        case .title(let game, let title): (key, after) = ("title \(game)", [title])
        case .hidden(let game, let on): (key, after) = ("hidden \(game)", [String(on)])
        case .member(let game, let on): (key, after) = ("member \(game)", [String(on)])
        case .setting(let name, let value): (key, after) = ("setting \(name)", [value])
        case .play(let game):
            key = "plays \(game)"
            after = Set(allowed[key, default: ["0"]].compactMap(Int.init).map { String($0 + 1) })
        }
        allowed[key] = isCertain ? after : after.union(allowed[key, default: [Truth.initial(key)]])
    }

    private static func initial(_ key: String) -> String {
        switch key.split(separator: " ").first {
        case "favourite", "hidden", "member": "false"
        case "plays": "0"
        case "title": "game \(key.split(separator: " ").last ?? "")"
        default: ""
        }
    }

    /// What is there and must not be, or is missing.
    func faults(_ store: CatalogStore, _ library: Library, games: Int) async throws -> [String] {
        var found: [String: String] = [:]
        for (key, value) in try await store.settings() { found["setting \(key)"] = value }
        for number in 0..<games {
            guard let game = try await store.game(path: library.root.roms.appending(Deed.path(number))) else {
                return ["game \(number) is gone"]
            }
            found["favourite \(number)"] = String(game.isFavourite)
            found["hidden \(number)"] = String(game.isHidden)
            found["title \(number)"] = game.title
            found["plays \(number)"] = String(game.playCount)
            found["member \(number)"] = String(try await !store.collections(of: game.id).isEmpty)
        }
        return Set(found.keys).union(allowed.keys).sorted().compactMap { key in
            let expected = allowed[key] ?? [Truth.initial(key)]
            let value = found[key] ?? Truth.initial(key)
            return expected.contains(value)
                ? nil : "\(key): \(value.prefix(40)), expected \(expected.map { $0.prefix(40) })"
        }
    }
}

/// Chance that can be had again.
struct SeededChance: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
