import Catalog
import SystemKit
import Systems
import Testing

@Suite("Search forgives what fingers do")
struct SearchTests {
    static let names = [
        "Legend of Zelda, The (USA)", "Zelda II - The Adventure of Link (USA)", "Castlevania (USA)", "Mega Man (USA)",
        "Megaman Battle (USA)", "Metroid (USA)", "Street Fighter Alpha (USA)", "Street Fighter Beta (USA)",
        "Street Fighter Gamma (USA)", "Street Fighter Delta (USA)",
        "\u{417}\u{435}\u{43B}\u{44C}\u{434}\u{430} (Russia)",
    ]

    private func store() async throws -> (Library, CatalogStore) {
        let library = try Library("search")
        for name in SearchTests.names { try library.add("nes/".appendingPath("\(name).nes")) }
        let store = try library.open()
        _ = try await store.scan()
        try await store.completeIndex()
        return (library, store)
    }

    @Test("a slip in a word of four letters, two in one of eight, and words written together or apart")
    func forgives() async throws {
        let (library, store) = try await store()
        for (text, title) in [
            ("zlda", "Zelda II - The Adventure of Link"), ("zedla", "The Legend of Zelda"),
            ("xelda", "The Legend of Zelda"),
            ("castelvana", "Castlevania"), ("castlevnia", "Castlevania"), ("metriod", "Metroid"), ("metri", "Metroid"),
            ("legnd zelda", "The Legend of Zelda"), ("megaman", "Mega Man"), ("mega man", "Megaman Battle"),
            ("streetfighter alpha", "Street Fighter Alpha"),
            ("\u{437}\u{435}\u{43B}\u{434}\u{44C}\u{430}", "\u{417}\u{435}\u{43B}\u{44C}\u{434}\u{430}"),
        ] {
            let titles = try await store.titles(GameQuery(text: text))
            #expect(titles.contains(title), "\(text): \(titles)")
            #expect(try await store.count(GameQuery(text: text)) == titles.count)
        }
        _ = library
    }

    @Test("what was typed comes first, nothing is guessed for short words, nor where enough was found")
    func holdsBack() async throws {
        let (library, store) = try await store()
        #expect(try await store.titles(GameQuery(text: "megaman")).first == "Megaman Battle")
        #expect(try await store.titles(GameQuery(text: "mega")) == ["Mega Man", "Megaman Battle"])
        #expect(try await store.titles(GameQuery(text: "xel")).isEmpty)
        #expect(try await store.titles(GameQuery(text: "street")).count == 4)
        #expect(try await store.titles(GameQuery(text: "qqqqqqqq")).isEmpty)
        #expect(try await store.titles(GameQuery(system: "gba", text: "zlda")).isEmpty)
        // A game that is hidden is not found by what comes close either.
        let game = try #require(try await store.games(GameQuery(text: "metroid"), offset: 0, limit: 1).first)
        try await store.setHidden(true, game: game.id)
        #expect(try await store.titles(GameQuery(text: "metriod")).isEmpty)
        #expect(try await store.titles(GameQuery(text: "metriod", includesHidden: true)) == ["Metroid"])
        _ = library
    }
}
