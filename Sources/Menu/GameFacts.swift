import Catalog
import Interface
import Launching
import SystemKit
import Systems

/// What is known about a game besides its row, read away from the menu's thread: files may be on a slow share.
struct GameFacts: Sendable {
    let game: Int64
    let details: GameDetails
    let tags: NameTags
    let picture: BytePath?
    let marquee: BytePath?
    let emulator: String

    /// How many seconds a disk or share has for telling of its pictures; a disk that has to start its motor needs some.
    private static let patience = 4.0

    /// A look that reads all of it.
    static func look(at game: Game, context: MenuContext) -> @Sendable (CatalogStore) async throws -> GameFacts {
        let artwork = context.artwork
        let locator = context.locator
        let definition = context.registry.system(named: game.system)
        return { store in
            let choice = try await store.emulator(system: game.system)
            let wanted = game.emulator ?? choice
            let installed = definition?.emulators.first { candidate in
                (wanted == nil || candidate.name == wanted) && locator.locate(candidate) != nil
            }
            let title = wanted.map { name in definition?.emulators.first { $0.name == name }?.title ?? name }
            // The game may have gone since its row was read; what is shown of it then is the row.
            let details = (try? await store.details(of: game.id)) ?? GameDetails()
            let named = details.pictures
            // Pictures lie beside the games too, and the server of their share may be gone.
            let found =
                UnansweringPlaces.contains(game.path)
                ? nil
                : answer(within: patience) {
                    (
                        marquee: artwork.picture(for: game, kinds: [.marquees], named: named),
                        picture: artwork.picture(for: game, kinds: [.covers, .screenshots], named: named)
                    )
                }
            let (marquee, picture) = (found?.marquee, found?.picture)
            return GameFacts(
                game: game.id, details: details, tags: store.tags(of: game), picture: picture ?? marquee,
                marquee: picture == nil ? nil : marquee,
                emulator: installed?.title ?? title.map { "\($0), not installed" } ?? "none installed")
        }
    }

    /// Year, kinds and players in one line.
    var summary: String {
        var parts: [String] = []
        if let released = details.released { parts.append(String(released.prefix(4))) }
        parts += details.genres.prefix(2)
        if let players = details.players, !players.isEmpty {
            parts.append(players == "1" ? "1 player" : "\(players.replacingHyphens) players")
        }
        return parts.joined(separator: "  ·  ")
    }

    /// What is wrong with the file, for a person.
    static func trouble(_ game: Game, _ facts: GameFacts?) -> String? {
        if game.isMissing { return "Its file is not there now. It comes back with its disk or share." }
        return facts?.details.fileProblem
    }

    /// Pairs of a word and what it says.
    static func pairs(
        _ game: Game, _ facts: GameFacts?, context: MenuContext, all: Bool
    ) -> [(String, String)] {
        var pairs: [(String, String)] = []
        if all, let system = context.registry.system(named: game.system) {
            pairs.append(("System", system.fullName))
        }
        if let details = facts?.details {
            let maker = details.developer ?? ""
            let seller = details.publisher ?? ""
            if !maker.isEmpty { pairs.append(("Made by", maker)) }
            if !seller.isEmpty, seller != maker, all || maker.isEmpty { pairs.append(("Sold by", seller)) }
            if all, let released = details.released { pairs.append(("Released", Phrase.day(released))) }
        }
        if game.playCount > 0 {
            let times = game.playCount == 1 ? "once" : "\(Phrase.grouped(game.playCount)) times"
            pairs.append(("Played", "\(times), \(Phrase.duration(game.playSeconds)) in all"))
            if let last = game.lastPlayed { pairs.append(("Last time", Phrase.ago(last, now: wallClockSeconds()))) }
        } else {
            pairs.append(("Played", "not yet"))
        }
        pairs.append(("Size", Phrase.bytes(game.size)))
        if let emulator = facts?.emulator, !emulator.isEmpty { pairs.append(("Emulator", emulator)) }
        if all {
            if let name = facts?.details.identifiedAs { pairs.append(("Known as", name)) }
            if let crc = facts?.details.crc { pairs.append(("CRC", crc.uppercased())) }
            pairs.append(("File", game.relativePath.displayString))
        }
        return pairs
    }
}

extension String {
    /// With the dash that is set between numbers.
    fileprivate var replacingHyphens: String { String(map { $0 == "-" ? "–" : $0 }) }
}

extension Phrase {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// `1990-11-21` as a person writes it; shorter dates stay as exact as they are.
    static func day(_ date: String) -> String {
        let parts = date.split(separator: "-")
        guard parts.count > 1, let month = Int(parts[1]), (1...12).contains(month) else { return date }
        let word = "\(months[month - 1]) \(parts[0])"
        guard parts.count > 2, let day = Int(parts[2]), (1...31).contains(day) else { return word }
        return "\(day) \(word)"
    }
}

/// Text cut into pages of lines, kept until the text or its place changes.
struct PagedText {
    private struct Key: Equatable {
        let text: String
        let width: Double
        let style: TextStyle
    }

    private var key: Key?
    private(set) var lines: [String] = []

    /// The lines of a text in a width.
    mutating func lay(_ text: String, width: Double, style: TextStyle, measurer: any TextMeasuring) -> [String] {
        let key = Key(text: text, width: width, style: style)
        if key != self.key {
            self.key = key
            // Longer ones exist only by mistake, and measuring takes time.
            lines = measurer.wrapped(String(text.prefix(6000)), style: style, width: width)
            while lines.last?.isEmpty == true { lines.removeLast() }
        }
        return lines
    }
}
