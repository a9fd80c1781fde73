import Catalog
import Controllers
import Interface
import SystemKit
import Systems
import Testing

@testable import Menu

@Suite("Collections, filters, versions and folders")
struct LibraryScreensTests {
    private func open(_ rig: Rig, _ names: String...) async throws {
        for name in names { try rig.add(BytePath(name)) }
        try await rig.scan()
        await rig.settle(until: { rig.application.isReady && rig.application.isIdle })
    }

    private func openCollections(_ rig: Rig) async {
        // From the only system the last card is the next one.
        await rig.press(.right, .south)
        #expect(rig.application.top is CollectionsScreen)
    }

    @Test("what has no game in it is not among the collections")
    func automatic() async throws {
        let rig = try Rig()
        try await open(rig, "A.nes", "B.nes")
        await openCollections(rig)
        #expect(rig.shows("All games") && rig.shows("Never played"))
        #expect(!rig.shows("Most played") && !rig.shows("Recently played") && !rig.shows("Favourites"))
        await rig.press(.south)
        #expect((rig.application.top as? GamesScreen)?.screenTitle == "Never played")
        #expect(rig.shows("2 games"))
    }

    @Test("a collection is made, filled, renamed and deleted; its games stay")
    func collection() async throws {
        let rig = try Rig()
        try await open(rig, "A.nes", "B.nes")
        await openCollections(rig)
        await rig.press(.west)
        await rig.type("Sunday")
        await rig.press(.start)
        await rig.settle(until: { rig.shows("Sunday") })
        let made = try #require(try await rig.store.collections().first)
        #expect(made.name == "Sunday")
        await rig.press(.east, .left, .south)
        await rig.press(.start)
        await rig.choose("Collections")
        #expect(rig.application.top is MembershipScreen)
        await rig.choose("Sunday")
        await rig.settle()
        let inside = try await rig.store.games(GameQuery(selection: .collection(made.id)), offset: 0, limit: 9)
        #expect(inside.map(\.title) == ["A"])
        await rig.choose("Sunday")
        #expect(try await rig.store.count(GameQuery(selection: .collection(made.id))) == 0)
        await rig.press(.east, .east)
        await openCollections(rig)
        await rig.press(.start)
        await rig.choose("Rename")
        await rig.type(" night")
        await rig.press(.start)
        #expect(try await rig.store.collections().map(\.name) == ["Sunday night"])
        await rig.press(.start)
        await rig.choose("Delete")
        #expect(rig.application.top is QuestionScreen)
        // What is chosen first does no harm.
        await rig.press(.right, .south)
        #expect(try await rig.store.collections().isEmpty)
        #expect(try await rig.store.total() == 2)
    }

    @Test("a filter tells how many games are like that, and becomes a collection")
    func filter() async throws {
        let rig = try Rig()
        try await open(rig, "Alpha (USA).nes", "Beta (Europe).nes", "Gamma (Europe).nes")
        await rig.press(.south, .start)
        await rig.choose("This list")
        await rig.choose("Filter")
        #expect(rig.application.top is FilterScreen)
        #expect(rig.shows("3"))
        await rig.click("Region")
        await rig.press(.south)
        #expect(rig.application.top is PickScreen)
        await rig.choose("Europe")
        await rig.press(.east)
        #expect(rig.texts.contains("2"))
        #expect(rig.texts.contains("Beta") && !rig.texts.contains("Alpha"))
        await rig.press(.start)
        await rig.type("Old world")
        await rig.press(.start)
        let made = try #require(try await rig.store.collections().first)
        #expect(made.filter == GameFilter(systems: ["nes"], regions: ["Europe"]))
        await rig.press(.north)
        #expect(rig.application.top is GamesScreen && rig.shows("2 games"))
        await rig.press(.east, .west)
        #expect(rig.texts.contains("3"))
    }

    @Test("versions of a game are one row with their number, and each can be chosen behind it")
    func versions() async throws {
        let rig = try Rig()
        try await open(rig, "Alpha (USA).nes", "Alpha (Europe).nes", "Alpha (Japan) (Rev 1).nes", "Beta.nes")
        await rig.press(.south)
        await rig.settle(until: { rig.texts.contains("3") })
        #expect(rig.shows("2 games"))
        #expect(rig.shows("Versions"))
        await rig.press(.select)
        #expect(rig.application.top is VersionsScreen)
        #expect(rig.texts.contains("USA") && rig.texts.contains("Europe") && rig.texts.contains("Rev 1"))
        await rig.press(.down, .west)
        let marked = try await rig.store.games(
            GameQuery(selection: .favourites, includesVersions: true), offset: 0, limit: 9)
        #expect(marked.count == 1)
        await rig.press(.east)
        #expect(rig.application.top is GamesScreen)
    }

    @Test("without collapsing every version has its own row")
    func expanded() async throws {
        let rig = try Rig()
        try await open(rig, "Alpha (USA).nes", "Alpha (Europe).nes")
        await rig.press(.start)
        await rig.choose("Library")
        await rig.choose("One row")
        await rig.press(.east, .east)
        await rig.settle(until: { rig.shows("2 games available") })
        await rig.press(.south)
        #expect(rig.shows("2 games"))
    }

    @Test("folders are opened and left where one was")
    func folders() async throws {
        let rig = try Rig()
        try createDirectories(rig.root.roms.appending("nes/Puzzles/Slow"))
        try createDirectories(rig.root.roms.appending("nes/Races"))
        try await open(rig, "Top.nes", "Puzzles/Box.nes", "Puzzles/Slow/Ice.nes", "Races/Car.nes")
        await rig.press(.start)
        await rig.choose("Library")
        await rig.choose("Browse folders")
        await rig.press(.east, .east, .south)
        #expect(rig.shows("2 folders") && rig.texts.contains("Top"))
        #expect(!rig.texts.contains("Box"))
        await rig.press(.down, .up, .south)
        #expect((rig.application.top as? GamesScreen)?.heading.folders == ["Puzzles"])
        #expect(rig.texts.contains("Box") && rig.texts.contains("Slow"))
        await rig.press(.south)
        #expect(rig.texts.contains("Ice") && rig.texts.contains("Puzzles"))
        await rig.press(.east, .east)
        #expect((rig.application.top as? GamesScreen)?.chosenFolder?.name == "Puzzles")
        // The same place is found again after the list was left.
        await rig.press(.down, .east, .south)
        #expect((rig.application.top as? GamesScreen)?.chosenFolder?.name == "Races")
    }

    @Test("a system that holds only folders opens")
    func onlyFolders() async throws {
        let rig = try Rig()
        try createDirectories(rig.root.roms.appending("nes/A"))
        try await open(rig, "A/a.nes")
        await rig.press(.south)
        #expect(rig.texts.contains("a"))
        await rig.press(.east, .start)
        await rig.choose("Library")
        await rig.choose("Browse folders")
        await rig.press(.east, .east, .south)
        #expect(rig.shows("1 folder"))
        try removeFile(rig.root.roms.appending("nes/A/a.nes"))
        try await rig.scan()
        await rig.settle(until: { rig.shows("Nothing is here any more") })
        await rig.press(.south, .start, .east, .select, .east)
        #expect(rig.application.top is SystemsScreen)
    }
}
