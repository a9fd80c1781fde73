import Catalog
import SystemKit
import Testing

@Suite("Titles that are hard to show or to sort (B017)")
struct HardTitleTests {
    static let stems = [
        "x\u{B2}", "\u{BD} Life", "\u{D8}resund", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} Family",
        "\u{130}stanbul",
        "\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "\u{0645}\u{0631}\u{062D}\u{0628}\u{0627}",
        "a" + String(repeating: "\u{301}", count: 120),
        String(repeating: "\u{301}", count: 120), "\u{200F}\u{200E}", "\u{3000}", "[!]", "(USA)", "(USA) [!]", "   ",
        "___",
        "_", "\u{0301}", "\u{1F468}\u{200D}", "\u{FFFD}", "\u{1E9E}", "\u{FB01}sh", "\u{2126}", "i\u{307}",
    ]

    private func isVisible(_ title: String) -> Bool {
        title.unicodeScalars.contains { !$0.properties.isWhitespace && $0.properties.generalCategory != .format }
    }

    @Test("each has a title that shows something, a place in the list, and a letter that leads to it")
    func showsAll() async throws {
        let library = try Library()
        for stem in HardTitleTests.stems { try library.add("nes/".appendingPath("\(stem).nes")) }
        let store = try library.open()
        try await store.setSetting("versions.collapse", "off")
        _ = try await store.scan()
        // More marks than a file name has room for.
        let first = try #require(try await store.games(GameQuery(text: "fish"), offset: 0, limit: 1).first)
        try await store.setTitle("e" + String(repeating: "\u{301}", count: 200) + " fish", game: first.id)
        let games = try await store.games(GameQuery(), offset: 0, limit: 200)
        #expect(games.count == HardTitleTests.stems.count)
        for (index, game) in games.enumerated() {
            #expect(isVisible(game.title), "\(game.path)")
            #expect(try await store.position(of: game.id, in: GameQuery()) == index)
        }
        let letters = try await store.letters(GameQuery())
        #expect(letters.map(\.offset) == letters.map(\.offset).sorted())
        #expect(Set(letters.map(\.letter)).count == letters.count)
        #expect(letters.allSatisfy { !$0.letter.isEmpty })
        // Every title is found by typing it, or by nothing at all where it has no letters.
        for text in [
            "x2", "\u{F8}resund", "oresund", "\u{130}stanbul", "istanbul", "\u{5E9}\u{5DC}", "\u{645}\u{631}", "fish",
        ] {
            #expect(try await store.count(GameQuery(text: text)) >= 1, "\(text)")
        }
    }
}
