import Catalog
import Controllers
import Interface
import SystemKit
import Systems
import Testing

@testable import Menu

@Suite("What is done with one game")
struct GameOptionsTests {
    private func open(_ names: String...) async throws -> Rig {
        let rig = try Rig()
        try rig.stub("exit 0")
        for name in names { try rig.add(BytePath(name)) }
        try await rig.scan()
        await rig.press(.south)
        return rig
    }

    @Test("hiding is undone by the button that the message offers")
    func undo() async throws {
        let rig = try await open("A.nes", "B.nes")
        await rig.press(.start)
        await rig.choose("Hide this game")
        #expect(rig.shows("A is hidden") && rig.shows("Undo"))
        #expect(try await rig.store.total() == 1)
        await rig.press(.select)
        #expect(try await rig.store.total() == 2)
        // The offer is gone with its use.
        await rig.press(.select)
        #expect(try await rig.store.total() == 2)
    }

    @Test("hidden games are listed when asked for, and shown again")
    func hidden() async throws {
        let rig = try await open("A.nes", "B.nes")
        await rig.press(.start)
        await rig.choose("Hide this game")
        await rig.press(.start)
        await rig.choose("This list")
        await rig.choose("Show hidden games")
        await rig.press(.east)
        #expect(rig.texts.contains("A") && rig.texts.contains("hidden"))
        await rig.press(.up, .start)
        await rig.choose("Show this game again")
        #expect(try await rig.store.total() == 2)
    }

    @Test("a list whose last game is hidden still has its options")
    func allHidden() async throws {
        let rig = try await open("A.nes")
        await rig.press(.start)
        await rig.choose("Hide this game")
        #expect(rig.shows("Nothing is here any more"))
        await rig.press(.start)
        await rig.choose("Show hidden games")
        await rig.press(.east)
        #expect(rig.texts.contains("A"))
    }

    @Test("a title is written with a real keyboard and with the pad's")
    func title() async throws {
        let rig = try await open("A.nes")
        await rig.press(.start)
        await rig.choose("Edit")
        await rig.choose("Title")
        #expect(rig.application.top is TextEntryScreen)
        await rig.type("lpha")
        // With the pad again: a letter, and it is taken back.
        await rig.press(.down, .south, .west, .start)
        await rig.settle(until: { rig.shows("Alpha") })
        let game = try await rig.store.games(GameQuery(), offset: 0, limit: 1).first
        #expect(game?.title == "Alpha")
        await rig.choose("Title")
        for _ in 0..<5 { await rig.press(.west) }
        await rig.press(.start)
        #expect(try await rig.store.games(GameQuery(), offset: 0, limit: 1).first?.title == "A")
    }

    @Test("a game whose file goes while its page is open says so, cannot crash, and is not launched")
    func deletedWhileOpen() async throws {
        let rig = try await open("A.nes", "B.nes")
        await rig.press(.start)
        await rig.choose("About this game")
        #expect(rig.application.top is DetailsScreen)
        try removeFile(rig.root.roms.appending("nes/A.nes"))
        // Before the catalog knows it, the launch says what is missing.
        await rig.press(.south)
        #expect(rig.application.top is FailureScreen)
        #expect(rig.shows("A.nes is gone"), "the menu shows \(rig.texts)")
        await rig.press(.east)
        try await rig.scan()
        await rig.settle()
        #expect(!(rig.application.top is FailureScreen))
        await rig.press(.down, .west, .start, .east, .east)
        await rig.settle()
    }

    @Test("games whose place is away are listed when asked for, pale, and are forgotten only after a question")
    func missing() async throws {
        let rig = try await open("A.nes", "B.nes")
        let away = rig.folder.appending("away")
        try renameFile(rig.root.roms, to: away)
        try createDirectories(rig.root.roms)
        try await rig.scan()
        await rig.settle(until: { rig.shows("Nothing is here any more") })
        await rig.press(.start)
        await rig.choose("Show absent games")
        await rig.press(.east)
        #expect(rig.texts.contains("A") && rig.texts.contains("not there"))
        #expect(rig.shows("Its file is not there now"))
        await rig.press(.south)
        #expect(rig.application.top is FailureScreen && rig.shows("A.nes is gone"))
        await rig.press(.east, .start)
        await rig.choose("Forget this game")
        await rig.press(.south)
        #expect(try await rig.store.count(GameQuery(missing: true)) == 2)
        await rig.press(.start)
        await rig.choose("Forget this game")
        await rig.press(.right, .south)
        #expect(try await rig.store.count(GameQuery(missing: true)) == 1)
    }
}
