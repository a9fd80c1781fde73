import Appliance
import Catalog
import Controllers
import Interface
import SystemKit
import Systems
import Testing

@testable import Menu

@Suite("Screens over a real catalog")
struct ScreensTests {
    @Test("an empty library says how to bring games, with the share's address")
    func empty() async throws {
        let rig = try Rig()
        await rig.settle(until: { rig.application.isReady && rig.application.isIdle })
        #expect(rig.shows("No games yet"))
        #expect(rig.shows("\\\\RETROPIE\\roms"))
        #expect(rig.shows("smb://192.0.2.7/roms"))
    }

    @Test("without a share the folder itself is told")
    func noShare() async throws {
        let rig = try Rig(share: ShareAddress(windows: nil, url: nil, folder: "/srv/retro/roms"))
        await rig.settle(until: { rig.application.isReady && rig.application.isIdle })
        #expect(rig.shows("/srv/retro/roms"))
    }

    @Test("games that arrive are counted and shown without a key pressed")
    func arrival() async throws {
        let rig = try Rig()
        await rig.settle(until: { rig.application.isReady })
        try rig.add("Alpha (USA).nes")
        try await rig.scan()
        await rig.settle(until: { rig.shows("1 game available") })
        #expect(rig.shows("Nintendo Entertainment System"))
        try rig.add("Beta.gb", to: "gb")
        try await rig.scan()
        await rig.settle(until: { rig.shows("2 games available") })
        #expect(rig.shows("on 2 systems"))
    }

    @Test("when the first games come, a system is chosen, also if some of them were marked before")
    func firstChoice() async throws {
        let rig = try Rig()
        await rig.settle(until: { rig.application.isReady })
        try rig.add("Alpha.nes")
        _ = try await rig.store.scan()
        let game = try #require(try await rig.store.games(GameQuery(), offset: 0, limit: 1).first)
        try await rig.store.setFavourite(true, game: game.id)
        await rig.settle(until: { rig.shows("Favourites") })
        await rig.press(.south)
        #expect((rig.application.top as? GamesScreen)?.screenTitle == "Nintendo Entertainment System")
    }

    @Test("opening a system shows its games in order, and back shows the systems again")
    func open() async throws {
        let rig = try Rig()
        for name in ["Zed.nes", "alpha 10.nes", "Alpha 2.nes"] { try rig.add(BytePath(name)) }
        try await rig.scan()
        await rig.press(.south)
        let rows = rig.texts.filter { ["Zed", "alpha 10", "Alpha 2"].contains($0) }
        // The chosen game is also named beside the list.
        #expect(rows.prefix(3) == ["Alpha 2", "alpha 10", "Zed"])
        await rig.press(.east)
        #expect(rig.shows("3 games available"))
    }

    @Test("a game that arrives above the chosen one does not move the choice")
    func insertion() async throws {
        let rig = try Rig()
        for name in ["M.nes", "N.nes", "O.nes"] { try rig.add(BytePath(name)) }
        try await rig.scan()
        await rig.press(.south, .down)
        #expect(chosen(rig) == "N")
        try rig.add("A.nes")
        try rig.add("B.nes")
        try await rig.scan()
        await rig.settle(until: { rig.shows("5 games") })
        #expect(chosen(rig) == "N")
    }

    @Test("the chosen game's file goes: the list goes on with its neighbour")
    func removal() async throws {
        let rig = try Rig()
        for name in ["M.nes", "N.nes", "O.nes"] { try rig.add(BytePath(name)) }
        try await rig.scan()
        await rig.press(.south, .down, .down)
        try removeFile(rig.root.roms.appending("nes/O.nes"))
        try await rig.scan()
        await rig.settle(until: { rig.shows("2 games") })
        #expect(chosen(rig) == "N")
        try removeFile(rig.root.roms.appending("nes/M.nes"))
        try removeFile(rig.root.roms.appending("nes/N.nes"))
        try await rig.scan()
        await rig.settle(until: { rig.shows("Nothing is here any more") })
        await rig.press(.south, .west, .start, .down, .l2, .east, .east)
        #expect(rig.shows("No games yet"))
    }

    @Test("a favourite is marked from the list, stored, and gets a card of its own")
    func favourite() async throws {
        let rig = try Rig()
        for name in ["M.nes", "N.nes"] { try rig.add(BytePath(name)) }
        try await rig.scan()
        await rig.press(.south, .down, .west)
        let stored = try await rig.store.games(GameQuery(selection: .favourites), offset: 0, limit: 10)
        #expect(stored.map(\.title) == ["N"])
        await rig.press(.east)
        await rig.settle(until: { rig.shows("Favourites") })
        await rig.press(.left, .south)
        #expect(chosen(rig) == "N")
    }

    @Test("letters are jumped to in both directions")
    func letters() async throws {
        let rig = try Rig()
        for name in ["A1", "A2", "B1", "C1", "C2"] { try rig.add(BytePath("\(name).nes")) }
        try await rig.scan()
        await rig.press(.south, .r2)
        #expect(chosen(rig) == "B1")
        await rig.press(.r2, .down)
        #expect(chosen(rig) == "C2")
        await rig.press(.l2)
        #expect(chosen(rig) == "C1")
        await rig.press(.l2)
        #expect(chosen(rig) == "B1")
    }

    @Test("search finds while one types, with the pad's keyboard too")
    func search() async throws {
        let rig = try Rig()
        for name in ["Star Courier", "Night Train", "Stardust"] { try rig.add(BytePath("\(name).nes")) }
        try await rig.scan()
        await rig.press(.north)
        await rig.type("sta")
        await rig.settle(until: { rig.shows("2 games") })
        await rig.type("rd")
        await rig.settle(until: { rig.shows("1 game") })
        #expect(rig.shows("Stardust"))
        // Y goes to the results, B back to the keyboard and then away.
        await rig.press(.north, .west)
        let marked = try await rig.store.games(GameQuery(selection: .favourites), offset: 0, limit: 10)
        #expect(marked.map(\.title) == ["Stardust"])
        await rig.press(.east, .east)
        #expect(rig.shows("games available"))
    }

    @Test("a typed q on the keyboard view is the letter under the choice")
    func padKeyboard() async throws {
        let rig = try Rig()
        try rig.add("Quest.nes")
        try await rig.scan()
        await rig.press(.north, .south)
        await rig.settle(until: { rig.shows("1 game") })
        #expect(rig.shows("Quest"))
    }

    @Test("settings are applied at once and stored")
    func settings() async throws {
        let rig = try Rig()
        try rig.add("A.nes")
        try await rig.scan()
        await rig.press(.start)
        await rig.choose("Motion")
        #expect(!rig.application.motionEnabled)
        #expect(try await rig.store.settings()["menu.motion"] == "off")
        await rig.choose("Controllers")
        await rig.press(.down, .south)
        #expect(try await rig.store.settings()["menu.swapAcceptBack"] == "on")
        // From now on the right button accepts and the lower one goes back.
        await rig.press(.south)
        #expect(rig.shows("1 game available"))
        await rig.press(.east)
        #expect(rig.shows("Play"))
    }

    @Test("a screen that was left is gone from memory")
    func memory() async throws {
        let rig = try Rig()
        try rig.add("A.nes")
        try await rig.scan()
        weak var games: Screen?
        weak var options: Screen?
        weak var emulators: Screen?
        weak var search: Screen?
        await rig.press(.south)
        games = rig.application.top
        await rig.press(.start)
        options = rig.application.top
        #expect(options is ChoiceScreen)
        await rig.choose("Emulator for this game")
        emulators = rig.application.top
        #expect(emulators is ChoiceScreen && emulators !== options)
        await rig.press(.east, .east, .north)
        search = rig.application.top
        #expect(search is SearchScreen)
        await rig.type("a")
        await rig.press(.east, .east)
        #expect(rig.application.top is SystemsScreen)
        #expect(games == nil && options == nil && emulators == nil && search == nil)
    }

    @Test(
        "no text leaves the screen, at any size, on any screen",
        arguments: [Size(640, 480), Size(800, 600), Size(1280, 720), Size(1920, 1080), Size(720, 1280), Size(320, 240)])
    func insideTheScreen(size: Size) async throws {
        let rig = try Rig(size: size)
        await check(rig, "empty")
        for name in [
            "A game with a name that goes on for longer than any screen is wide, and then some more (Europe)", "B",
        ] {
            try rig.add(BytePath("\(name).nes"))
        }
        try await rig.scan()
        await check(rig, "systems")
        await rig.press(.south)
        await check(rig, "games")
        await rig.press(.start)
        await check(rig, "options")
        await rig.press(.east, .north)
        await check(rig, "search")
        await rig.press(.east, .east, .start)
        await check(rig, "menu")
        await rig.press(.south)
        await check(rig, "help")
    }

    private func check(_ rig: Rig, _ screen: String) async {
        await rig.settle(until: { rig.application.isReady && rig.application.isIdle })
        rig.application.window.setNeedsDisplay()
        var clips: [Rect] = []
        let whole = Rect(0, 0, rig.display.size.width, rig.display.size.height)
        for command in rig.application.render().commands {
            switch command {
            case .pushClip(let rect): clips.append(rect)
            case .popClip: clips.removeLast()
            case .text(let text, let point, let style, _):
                let box = Rect(point.x, point.y, rig.display.width(of: text, style: style), 1)
                // Cards and rows may be cut by the edge they slide under.
                let slides = screen == "systems" || screen == "menu" || !clips.isEmpty
                #expect(
                    slides || box.minX >= whole.minX - 1 && box.maxX <= whole.maxX + 1,
                    "\(screen) at \(whole.width)x\(whole.height): “\(text)” at \(point)")
                #expect(point.y < whole.maxY, "\(screen): “\(text)” at \(point)")
            default: break
            }
        }
        #expect(clips.isEmpty)
    }

    private func chosen(_ rig: Rig) -> String? { (rig.application.top as? GamesScreen)?.chosen?.title }

    @Test("a time that nobody set is not shown as the time; once it was right it stays")
    func clockNotSet() async throws {
        var isSet = false
        let rig = try Rig(isClockSet: { isSet })
        await rig.settle()
        #expect(rig.texts.contains("Clock not set"))
        isSet = true
        rig.application.settingChanged(Settings.clock.key, "24")
        await rig.settle { rig.texts.contains("21:05") }
        isSet = false
        rig.application.settingChanged(Settings.clock.key, "12")
        await rig.settle { rig.texts.contains("9:05 pm") }
    }
}
