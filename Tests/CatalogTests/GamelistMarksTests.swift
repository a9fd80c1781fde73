import SystemKit
import Systems
import Testing

@testable import Catalog

@Suite("Marks in gamelists")
struct GamelistMarksTests: GamelistFixture {
    let library: Library
    let list: BytePath

    init() throws {
        library = try Library("gamelist")
        list = library.root.roms.appending("nes/gamelist.xml")
    }

    private static let marked = "<favorite>true</favorite><hidden>true</hidden>"

    /// A game marked here, and a list that was written with its marks.
    private func marked() async throws -> CatalogStore {
        let store = try await scanned(["nes/a.nes"])
        let id = try await game(store, "a.nes").id
        try await store.setFavourite(true, game: id)
        try await store.setHidden(true, game: id)
        _ = try await store.exportGamelist(system: "nes", to: list)
        #expect(try text().contains("<favorite>true</favorite>") && text().contains("<hidden>true</hidden>"))
        return store
    }

    @Test(
        "no list takes a mark away by what it lacks or what cannot be read, and an export writes the mark again",
        arguments: [
            "<gameList><game><path>./a.nes</path><name>A</na", "<gameList><game><path>./a.nes</path><favori",
            "<gameList><game><path>./a.nes</path><favorite>fal",
            "<gameList><game><path>./a.nes</path><hidden>0</hidden",
            "<gameList><game><path>./a.nes</path><favorite>tr\0\0</favorite><hidden>\0\0</hidden></game></gameList>",
            "<gameList><game><path>./a.nes</path><name>A</name></game></gameList>",
            "<gameList><game><path>./a.nes</path><favorite></favorite><hidden/></game></gameList>",
            "<gameList><game><path>./a.nes</path><name>A & B</name><favorite>false</favorite></game></gameList>",
            "<gameList><game><path>./a.nes</path><favorite>false</favorite><hidden>0</hidden>",
        ])
    func silent(_ content: String) async throws {
        let store = try await marked()
        for _ in 0..<2 {
            try write(content)
            _ = try await store.importGamelist(system: "nes", from: list)
            var game = try await game(store, "a.nes")
            #expect(game.isFavourite && game.isHidden)
            try write(content + "\n")
            _ = try await store.exportGamelist(system: "nes", to: list)
            game = try await self.game(store, "a.nes")
            #expect(game.isFavourite && game.isHidden)
            let record = try #require(GamelistReader.read(bytes: try readFile(list)).records.first)
            #expect(record.text("favorite") == "true" && record.text("hidden") == "true")
        }
    }

    @Test("a clear false takes a mark away that the list had, and one that it never had stays")
    func explicit() async throws {
        let store = try await marked()
        try write(xml(record("<path>./a.nes</path><favorite>false</favorite><hidden>0</hidden>")))
        _ = try await store.importGamelist(system: "nes", from: list)
        var game = try await game(store, "a.nes")
        #expect(!game.isFavourite && !game.isHidden)
        // Set here again, while the list says what it said before.
        try await store.setFavourite(true, game: game.id)
        _ = try await store.importGamelist(system: "nes", from: list)
        game = try await self.game(store, "a.nes")
        #expect(game.isFavourite)
    }

    @Test("a mark that was taken away here stays away though the list still has it, and lacks it in between")
    func removed() async throws {
        let store = try await scanned(["nes/a.nes"])
        let content = xml(record("<path>./a.nes</path>\(Self.marked)"))
        try write(content)
        _ = try await store.importGamelist(system: "nes", from: list)
        let id = try await game(store, "a.nes").id
        try await store.setFavourite(false, game: id)
        try await store.setHidden(false, game: id)
        for text in [content, xml(record("<path>./a.nes</path>")), content] {
            try write(text)
            _ = try await store.importGamelist(system: "nes", from: list)
            let game = try await game(store, "a.nes")
            #expect(!game.isFavourite && !game.isHidden)
        }
        _ = try await store.exportGamelist(system: "nes", to: list)
        #expect(try !text().contains("true"))
    }

    @Test("of two records of one path the first one's word stands, and an unchanged list says nothing new")
    func twice() async throws {
        let store = try await scanned(["nes/a.nes"])
        let content = xml(
            record("<path>./a.nes</path><name>First</name><desc>d1</desc><x>1</x>")
                + record("<path>./a.nes</path><name>Second</name><desc>d2</desc><genre>G</genre><x>2</x><y>3</y>"))
        try write(content)
        let report = try await store.importGamelist(system: "nes", from: list)
        #expect(report.problems.map(\.record) == [2])
        let details = try await store.details(of: game(store, "a.nes").id)
        #expect(try await store.titles() == ["First"])
        #expect(details.description == "d1" && details.genres == ["G"])
        for _ in 0..<2 {
            let again = try await store.importGamelist(system: "nes", from: list)
            #expect(again.changed == 0 && again.added == 0)
        }
        _ = try await store.exportGamelist(system: "nes", to: list)
        let records = GamelistReader.read(bytes: try readFile(list)).records
        #expect(records.map { $0.text("name") } == ["First", "Second"])
        #expect(records.map { $0.text("desc") } == ["d1", "d2"] && records.map { $0.text("x") } == ["1", "2"])
        let once = try text()
        _ = try await store.exportGamelist(system: "nes", to: list)
        #expect(try text() == once)
        // What the second one says anew is taken, where the first is silent.
        try write(content.replacing("<genre>G<", with: "<genre>H<"))
        #expect(try await store.importGamelist(system: "nes", from: list).changed == 1)
        #expect(try await store.details(of: game(store, "a.nes").id).genres == ["H"])
    }
}
