import Catalog
import Controllers
import Interface
import SystemKit
import Testing

@testable import Menu

@Suite("Mouse and touch")
struct PointerTests {
    private func rig() async throws -> Rig {
        let rig = try Rig()
        for name in ["Alpha", "Beta", "Gamma"] { try rig.add(BytePath("\(name).nes")) }
        try await rig.scan()
        await rig.settle(until: { rig.shows("3 games available") && rig.application.isIdle })
        return rig
    }

    @Test("the pointer opens a system, chooses a game, and the bar's words do what they say")
    func path() async throws {
        let rig = try await rig()
        await rig.click("Nintendo")
        let games = try #require(rig.application.top as? GamesScreen)
        await rig.click("Beta")
        #expect(games.chosen?.title == "Beta")
        await rig.click("Favourite")
        #expect(try await rig.store.favouriteCount() == 1)
        await rig.click("Options")
        #expect(rig.application.top is ChoiceScreen)
        await rig.click("Back")
        #expect(rig.application.top === games)
        await rig.click("Back")
        #expect(rig.application.top is SystemsScreen)
    }

    @Test("a message over the screen takes nothing of the pointer")
    func message() async throws {
        let rig = try await rig()
        rig.application.toast("Something happened")
        await rig.click("Menu")
        #expect(rig.application.top is ChoiceScreen)
    }

    @Test("in the search, letters and results are reached by the pointer, in either order")
    func search() async throws {
        let rig = try await rig()
        await rig.click("Search")
        await rig.click("A")
        await rig.settle(until: { rig.shows("Alpha") })
        // The first click chooses; only a second one would start the game.
        await rig.click("Alpha")
        #expect(rig.application.play == nil)
        #expect(rig.texts.contains("Keyboard"))
        await rig.click("L")
        #expect(!rig.texts.contains("Keyboard"))
        #expect(rig.shows("al"))
    }

    @Test("during a launch the pointer does nothing")
    func launch() async throws {
        let rig = try await rig()
        await rig.click("Nintendo")
        rig.application.launch(try #require((rig.application.top as? GamesScreen)?.chosen), emulator: nil)
        let splash = rig.application.top
        for event in [Event.pointerPressed(Point(640, 360)), .pointerReleased(Point(640, 360))] {
            rig.application.handle(.pointer(event), now: .now)
        }
        #expect(rig.application.top === splash && splash is SplashScreen)
        rig.application.cancelLaunch()
        await rig.settle()
    }
}
