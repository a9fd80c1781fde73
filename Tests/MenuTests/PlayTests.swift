import Catalog
import Controllers
import Interface
import Launching
import SystemKit
import Systems
import Testing

@testable import Menu

@Suite("Playing and coming back")
struct PlayTests {
    private let endless = "trap 'exit 0' TERM; while :; do sleep 0.05; done"

    private func rig(_ script: String) async throws -> Rig {
        let rig = try Rig()
        try rig.stub(script)
        for name in ["A.nes", "B.nes", "C.nes"] { try rig.add(BytePath(name)) }
        try await rig.scan()
        await rig.press(.south, .down)
        return rig
    }

    private func start(_ rig: Rig) async {
        rig.send(.south, true)
        rig.send(.south, false)
        await rig.settle(until: { rig.application.isPlaying })
    }

    @Test("the display is given up while a game runs, and the same row is shown after it")
    func sameRow() async throws {
        let rig = try await rig("trap 'exit 0' TERM; while :; do sleep 0.05; done")
        await start(rig)
        #expect(!rig.display.isUp)
        #expect(rig.texts.isEmpty)
        rig.application.play?.session?.stop()
        await rig.settle()
        #expect(rig.display.isUp)
        #expect(rig.display.givenUp == 1 && rig.display.takenBack == 1)
        #expect((rig.application.top as? GamesScreen)?.chosen?.title == "B")
        let game = try #require(try await rig.store.games(GameQuery(system: "nes"), offset: 1, limit: 1).first)
        #expect(game.playCount == 1)
        #expect(game.playSeconds > 0)
    }

    @Test("Select and Start held leave the game; a tap does not")
    func chord() async throws {
        let rig = try await rig("trap 'exit 0' TERM; while :; do sleep 0.05; done")
        await start(rig)
        rig.send(.select, true)
        rig.send(.start, true)
        rig.send(.start, false)
        rig.send(.select, false)
        await rig.settle(until: { true })
        #expect(rig.application.isPlaying)
        rig.send(.select, true)
        rig.send(.start, true)
        await rig.settle(until: { !rig.application.isPlaying })
        await rig.settle()
        #expect(rig.application.top is GamesScreen)
        // What is still held opens no menu here; let go and pressed anew it does.
        rig.send(.start, true)
        await rig.settle()
        #expect(rig.application.top is GamesScreen)
        rig.send(.start, false)
        rig.send(.select, false)
        await rig.press(.start)
        #expect(rig.application.top is ChoiceScreen)
    }

    @Test("presses during a game do nothing in the menu")
    func noLeaks() async throws {
        let rig = try await rig("trap 'exit 0' TERM; while :; do sleep 0.05; done")
        await start(rig)
        for button in [PadButton.down, .south, .east, .west, .start] {
            rig.send(button, true)
            rig.send(button, false)
        }
        rig.application.play?.session?.stop()
        await rig.settle()
        #expect((rig.application.top as? GamesScreen)?.chosen?.title == "B")
        #expect(try await rig.store.favouriteCount() == 0)
    }

    @Test("a game that fails is told in a sentence, its last lines are behind a button, and the menu lives on")
    func failure() async throws {
        let rig = try await rig("echo 'cannot find the firmware' >&2; exit 3")
        await start(rig)
        await rig.settle()
        #expect(rig.application.top is FailureScreen)
        #expect(rig.shows("B"))
        #expect(rig.shows("Show details"))
        await rig.press(.right, .south)
        #expect(rig.shows("cannot find the firmware"))
        await rig.press(.east, .east)
        #expect((rig.application.top as? GamesScreen)?.chosen?.title == "B")
        try rig.stub("trap 'exit 0' TERM; while :; do sleep 0.05; done")
        await start(rig)
        rig.application.play?.session?.stop()
        await rig.settle()
        #expect(rig.application.top is GamesScreen)
    }

    @Test("a game whose file has gone is told, and nothing is started")
    func goneFile() async throws {
        let rig = try await rig("exit 0")
        try removeFile(rig.root.roms.appending("nes/B.nes"))
        await rig.press(.south)
        #expect(rig.application.top is FailureScreen)
        #expect(rig.shows("is not there"))
        #expect(rig.display.givenUp == 0)
        #expect(try await rig.store.playedCount() == 0)
    }

    @Test("an emulator that is not installed is told with the package that brings it")
    func missingEmulator() async throws {
        let rig = try await rig("exit 0")
        try rig.add("Pocket.gb", to: "gb")
        try await rig.scan()
        await rig.press(.east, .left, .south, .south)
        #expect(rig.application.top is FailureScreen)
        #expect(rig.shows("absent-emulator"))
    }

    @Test("the emulator chosen for a game is stored and used")
    func choice() async throws {
        let rig = try await rig("trap 'exit 0' TERM; while :; do sleep 0.05; done")
        await rig.press(.start)
        await rig.choose("Emulator for this game")
        #expect(rig.shows("not installed"))
        await rig.press(.down, .down, .south)
        await rig.settle()
        let game = try await rig.store.games(GameQuery(system: "nes"), offset: 1, limit: 1).first
        #expect(game?.emulator == "absent")
        await rig.press(.south)
        #expect(rig.application.top is FailureScreen)
    }

    @Test("a request to end while a game runs ends the game first, then the menu")
    func termination() async throws {
        let rig = try await rig(
            "trap 'touch \"$0.saved\"; exit 0' TERM; touch \"$0.ready\"; while :; do sleep 0.05; done")
        await start(rig)
        await rig.settle(until: { fileExists(rig.folder.appending("stub.ready")) })
        rig.application.receive(.quit)
        await rig.settle(until: { !rig.application.isRunning })
        #expect(fileExists(rig.folder.appending("stub.saved")))
    }

    @Test("Back on the splash gives the launch up: nothing is started, nothing counts as played, and the row is there")
    func cancelled() async throws {
        let rig = try await rig(endless)
        rig.send(.south, true)
        rig.send(.south, false)
        #expect(rig.application.top is SplashScreen)
        rig.send(.down, true)
        rig.send(.down, false)
        rig.send(.east, true)
        rig.send(.east, false)
        #expect((rig.application.top as? GamesScreen)?.chosen?.title == "B")
        await rig.settle()
        #expect(rig.display.givenUp == 0)
        #expect(try await rig.store.playedCount() == 0)
        await start(rig)
        rig.application.play?.session?.stop()
        await rig.settle()
        #expect(try await rig.store.playedCount() == 1)
    }

    @Test("a panel that comes late does not open over a launch, nor keep its splash")
    func latePanel() async throws {
        let rig = try await rig(endless)
        await rig.press(.start)
        rig.selectRow("Emulator for this game")
        // The list of emulators is on its way when the panel is left and the game is started.
        for button in [PadButton.south, .east, .south] {
            rig.send(button, true)
            rig.send(button, false)
        }
        await rig.settle(until: { rig.application.isPlaying })
        rig.application.play?.session?.stop()
        await rig.settle()
        #expect(rig.application.top is GamesScreen)
        #expect(rig.application.screens.count == 2)
    }

    @Test("a request to end while a game is made ready ends the menu without a play in the history")
    func quitWhileLaunching() async throws {
        let rig = try await rig(endless)
        rig.send(.south, true)
        rig.send(.south, false)
        rig.application.receive(.quit)
        await rig.settle(until: { !rig.application.isRunning })
        #expect(rig.display.givenUp == 0)
        #expect(try await rig.store.playedCount() == 0)
    }

    @Test("the menu ends only when the time just played is stored")
    func endStores() async throws {
        let rig = try await rig(endless)
        await start(rig)
        rig.application.receive(.quit)
        await rig.settle(until: { !rig.application.isRunning })
        let game = try #require(try await rig.store.games(GameQuery(system: "nes"), offset: 1, limit: 1).first)
        #expect(game.playSeconds > 0)
        #expect(!rig.application.context.courier.isStoring)
        // The display was given up for the game and is needed no more.
        #expect(rig.display.takenBack == 0)
    }

    @Test("a mark made in the moment of leaving is stored, and nothing is heard any more")
    func endStoresMarks() async throws {
        let rig = try await rig(endless)
        rig.send(.west, true)
        rig.application.receive(.quit)
        #expect(rig.application.isRunning)
        rig.send(.east, true)
        #expect(rig.application.top is GamesScreen)
        await rig.settle(until: { !rig.application.isRunning })
        #expect(try await rig.store.favouriteCount() == 1)
    }

    @Test("a screen that does not come back ends the menu with the reason, the time played stored")
    func screenIsLost() async throws {
        let rig = try await rig(endless)
        rig.display.refusal = "the screen is gone"
        await start(rig)
        rig.application.play?.session?.stop()
        await rig.settle(until: { !rig.application.isRunning })
        #expect(rig.application.failure == "the screen is gone")
        let game = try #require(try await rig.store.games(GameQuery(system: "nes"), offset: 1, limit: 1).first)
        #expect(game.playSeconds > 0)
    }

    @Test("a pad that is unplugged in a game while its buttons are held is not remembered as holding them")
    func unpluggedInGame() async throws {
        let rig = try await rig(endless)
        await start(rig)
        rig.send(.start, true)
        rig.application.receive(.controller(.disconnected(id: 1)))
        rig.application.play?.session?.stop()
        await rig.settle()
        await rig.press(.start)
        #expect(rig.application.top is ChoiceScreen)
    }

    @Test("a button held over two games counts again when it was let go in the second one")
    func heldOverTwoGames() async throws {
        let rig = try await rig(endless)
        await start(rig)
        rig.send(.start, true)
        rig.application.play?.session?.stop()
        await rig.settle()
        await start(rig)
        rig.send(.start, false)
        rig.application.play?.session?.stop()
        await rig.settle()
        await rig.press(.start)
        #expect(rig.application.top is ChoiceScreen)
    }

    @Test("the emulator chosen for a game is named beside it at once")
    func choiceIsShown() async throws {
        let rig = try await rig("exit 0")
        #expect(rig.texts.contains("Stub"))
        await rig.press(.start)
        await rig.choose("Emulator for this game")
        await rig.press(.down, .down, .south)
        #expect(rig.shows("Absent, not installed"))
        #expect(!rig.texts.contains("Stub"))
    }

    @Test("the screen may have another size after a game")
    func otherSize() async throws {
        let rig = try await rig(endless)
        await start(rig)
        rig.display.size = Size(1920, 1080)
        rig.application.play?.session?.stop()
        await rig.settle()
        #expect(rig.application.window.frame.size == Size(1920, 1080))
        #expect(rig.application.top.frame.size == Size(1920, 1080))
    }
}
