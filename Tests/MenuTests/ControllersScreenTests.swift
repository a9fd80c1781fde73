import Catalog
import Controllers
import EvdevKit
import Interface
import SystemKit
import Testing

@testable import Menu

@Suite("Finding and managing controllers")
struct ControllersScreenTests {
    private func open(_ rig: PadRig) {
        rig.application.push(ControllersScreen(context: rig.application.context))
        rig.wait(0.1)
    }

    @Test("an unknown pad beside others is told; holding any of its buttons for a second sets it up, from any screen")
    func besideOthers() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.known(1)))
        rig.receive(.connected(Pads.unknown(7)))
        rig.wait(0.1)
        #expect(rig.top is SystemsScreen)
        #expect(rig.shows("hold a button on it to set it up"))
        await rig.rig.press(.south)
        #expect(rig.top is GamesScreen)
        rig.press(Pads.button(5), for: 0.9)
        #expect(rig.top is GamesScreen)
        rig.raw(Pads.button(5))
        rig.wait(1.05)
        #expect(rig.top is MappingScreen)
        rig.raw(.key(KeyCode.joystick.advanced(by: 4), value: 0))
        rig.wait(1)
        #expect(rig.shows("Press D-pad up"))
    }

    @Test("an unknown pad that was there before the menu is told as soon as the menu listens")
    func besideOthersAtStart() async throws {
        let rig = try Rig()
        for pad in [Pads.known(1), Pads.unknown(7)] { rig.application.receive(.controller(.connected(pad))) }
        #expect(!rig.application.isReady)
        await rig.settle(until: { rig.shows("hold a button on it to set it up") })
        #expect(rig.application.isReady)
    }

    @Test("the device of which a button is held is named, and set up after a second")
    func detect() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.known(1)))
        rig.application.push(DetectScreen(context: rig.application.context))
        #expect(rig.notes.listening == [true])
        #expect(rig.shows("Hold a button"))
        rig.raw(.key(.west, value: 1), pad: 1)
        rig.wait(0.5)
        #expect(rig.shows("Living Room Pad 1"))
        rig.wait(0.55)
        #expect((rig.top as? MappingScreen)?.pad.id == 1)
        // The devices stay open from one screen to the other.
        #expect(rig.notes.listening == [true])
        #expect(rig.application.screens.count == 2)
    }

    @Test("a tap of Back leaves the search for a device; holding it chooses that device")
    func detectBack() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.known(1)))
        rig.application.push(DetectScreen(context: rig.application.context))
        rig.button(.east, true, pad: 1)
        #expect(rig.top is DetectScreen)
        rig.button(.east, false, pad: 1)
        #expect(rig.top is SystemsScreen)
        rig.application.push(DetectScreen(context: rig.application.context))
        rig.button(.east, true, pad: 1)
        rig.raw(.key(.east, value: 1), pad: 1)
        rig.wait(1.1)
        #expect(rig.top is MappingScreen)
        rig.button(.east, false, pad: 1)
        #expect(rig.top is MappingScreen)
    }

    @Test("devices that are no pads are listed and can be used all the same; all keyboards are one")
    func candidates() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.known(1)))
        rig.application.push(DetectScreen(context: rig.application.context))
        rig.receive(.candidate(Pads.mouse))
        for id in [41, 42] {
            var keyboard = PadInfo.keyboard
            keyboard = PadInfo(
                id: id, node: BytePath("/dev/input/event\(id)"), facts: keyboard.facts, family: .keyboard,
                mapping: PadMapping(),
                source: .none)
            rig.receive(.candidate(keyboard))
        }
        rig.wait(0.1)
        #expect(rig.shows("Optical Mouse"))
        #expect(rig.application.visibleTexts.filter { $0 == "Keyboard" }.count == 1)
        rig.tap(.south, pad: 1)
        #expect((rig.top as? MappingScreen)?.pad.name == "Optical Mouse")
        rig.receive(.candidateGone(id: 40))
        #expect(rig.shows("Plug the controller in again"))
    }

    @Test("the keyboard can be set up: its keys are raw, from the display as from a node, and Escape goes back")
    func keyboard() async throws {
        let rig = try await PadRig()
        rig.application.push(DetectScreen(context: rig.application.context))
        rig.receive(.key(.z, isPressed: true, time: rig.now, character: nil))
        rig.wait(1.1)
        #expect((rig.top as? MappingScreen)?.pad.family == .keyboard)
        rig.receive(.key(.z, isPressed: false, time: rig.now, character: nil))
        rig.wait(0.5)
        for key in [Controllers.Key.up, .down, .left, .right, .x] {
            rig.receive(.key(key, isPressed: true, time: rig.now, character: nil))
            rig.wait(0.15)
            rig.receive(.key(key, isPressed: false, time: rig.now, character: nil))
            rig.wait(0.3)
        }
        #expect(rig.shows("Press B"))
        rig.receive(.key(.escape, isPressed: true, time: rig.now, character: nil))
        rig.receive(.key(.escape, isPressed: false, time: rig.now, character: nil))
        rig.wait(0.3)
        #expect(rig.shows("Press A"))
    }

    @Test("controllers are listed with player, origin and battery, problems with their sentence")
    func list() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.known(2, player: 2, source: .user)))
        rig.receive(.connected(Pads.known(1, player: 1)))
        rig.receive(.battery(pad: 1, Battery(percent: 35, isCharging: false)))
        rig.receive(.problem(node: "/dev/input/event9", reason: "event9 may be read by root only"))
        open(rig)
        #expect(rig.shows("2 connected"))
        #expect(rig.shows("Set up by you"))
        #expect(rig.shows("Known"))
        #expect(rig.shows("35 %"))
        #expect(rig.shows("event9 may be read by root only"))
        let names = rig.application.visibleTexts.filter { $0.hasPrefix("Living Room Pad") && !$0.contains("connected") }
        #expect(names == ["Living Room Pad 1", "Living Room Pad 2"])
        rig.wait(4)
        #expect(rig.shows("event9 may be read by root only"))
        rig.receive(.solved(node: "/dev/input/event9"))
        #expect(!rig.shows("may be read by root only"))
    }

    @Test("a controller becomes another player's, is tried, forgotten, and set up for itself alone")
    func panel() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.known(1, player: 1, source: .user)))
        open(rig)
        await rig.rig.press(.south)
        #expect(rig.shows("Set up anew"))
        // Player: the fourth row, then the third player.
        await rig.rig.press(.down, .down, .down, .south, .down, .down, .south)
        #expect(rig.notes.moves == [[1, 3]])
        await rig.rig.press(.down, .south)
        await rig.rig.settle(until: { rig.notes.refreshes == 2 })
        #expect(rig.notes.forgotten == [Pads.known(1).facts])
        rig.receive(.changed(Pads.known(1, player: 3)))
        #expect(!rig.shows("Forget my set-up"))
        await rig.rig.press(.up, .up, .south)
        #expect(rig.shows("this one only"))
        await rig.rig.press(.up, .south)
        #expect((rig.top as? MappingScreen)?.purpose == .setUp(onlyThisUnit: true))
    }

    @Test("a panel whose controller is unplugged goes away, and so does the one behind it")
    func unpluggedPanel() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.known(1)))
        rig.receive(.connected(Pads.known(2, player: 2)))
        open(rig)
        rig.tap(.south, pad: 2)
        for _ in 0..<3 { rig.tap(.down, pad: 2) }
        rig.tap(.south, pad: 2)
        #expect(rig.top is PlayerPanel)
        rig.receive(.disconnected(id: 1))
        rig.receive(.disconnected(id: 2))
        rig.wait(0.1)
        #expect(rig.top is ControllersScreen)
        #expect(rig.shows("none is connected"))
    }

    @Test("swapping A and B is applied at once and stored")
    func swap() async throws {
        let rig = try await PadRig()
        open(rig)
        await rig.rig.press(.down, .south)
        #expect(try await rig.rig.store.settings()["menu.swapAcceptBack"] == "on")
        #expect(rig.shows("on"))
        await rig.rig.press(.south)
        #expect(rig.top is SystemsScreen)
    }

    @Test("the splash tells the chord of the pad that starts the game with that pad's own signs")
    func chord() async throws {
        let rig = try await PadRig()
        var pad = Pads.known(1, family: .playstation)
        pad.mapping.controls[.hotkey] = pad.mapping.controls[.guide]
        pad.mapping.controls[.guide] = nil
        rig.receive(.connected(pad))
        rig.tap(.south, pad: 1)
        await rig.rig.settle(until: { rig.top is GamesScreen && rig.shows("Play") })
        rig.tap(.south, pad: 1)
        #expect(rig.shows("OPTIONS"))
        #expect(rig.shows("HOTKEY"))
        #expect(!rig.shows("SHARE"))
    }

    @Test(
        "no text of these screens leaves the screen, at any size",
        arguments: [Size(640, 480), Size(1280, 720), Size(1920, 1080), Size(720, 1280), Size(320, 240)])
    func insideTheScreen(size: Size) async throws {
        let rig = try await PadRig(size: size)
        rig.receive(.connected(Pads.known(1)))
        rig.receive(.battery(pad: 1, Battery(percent: 100, isCharging: true)))
        open(rig)
        check(rig, "controllers")
        rig.application.push(DetectScreen(context: rig.application.context))
        check(rig, "detect")
        rig.receive(.candidate(Pads.mouse))
        check(rig, "detect with others")
        rig.application.push(
            MappingScreen(
                context: rig.application.context, pad: Pads.unknown(7), purpose: .setUp(onlyThisUnit: false),
                now: rig.now))
        rig.answerSix()
        check(rig, "mapping")
        rig.skipAll()
        check(rig, "testing")
        rig.receive(.disconnected(id: 7))
        rig.wait(0.5)
        check(rig, "lost")
    }

    private func check(_ rig: PadRig, _ screen: String) {
        rig.application.window.setNeedsDisplay()
        let whole = Rect(0, 0, rig.rig.display.size.width, rig.rig.display.size.height)
        var clips = 0
        var count = 0
        for command in rig.application.render().commands {
            switch command {
            case .pushClip: clips += 1
            case .popClip: clips -= 1
            case .text(let text, let point, let style, _) where clips == 0:
                count += 1
                let right = point.x + rig.rig.display.width(of: text, style: style)
                #expect(
                    point.x >= -1 && right <= whole.maxX + 1 && point.y >= -1 && point.y < whole.maxY,
                    "\(screen) at \(whole.width)x\(whole.height): “\(text)” at \(point)")
            default: break
            }
        }
        #expect(count > 0)
    }
}

@Suite("The drawing of a pad")
struct PadPictureTests {
    @Test("every function has a place on every drawing, and every drawing exists", arguments: PadLayout.Model.allCases)
    func complete(model: PadLayout.Model) throws {
        let layout = PadLayout(model)
        for function in PadFunction.allCases { #expect(layout.places[function] != nil, "\(function)") }
        for name in ["padbody-\(model.rawValue)", "padbody-\(model.rawValue)-light"] {
            #expect(MenuIcons.svg(name) != nil, "\(name)")
        }
        for place in layout.places.values {
            if case .shoulder(let icon, _, _) = place.shape { #expect(MenuIcons.svg(icon) != nil) }
            #expect(place.center.x > 0 && place.center.x < PadLayout.size.width)
            #expect(place.center.y > 0 && place.center.y < PadLayout.size.height)
        }
    }

    @Test("a device gets the drawing that is most like it")
    func models() {
        #expect(PadLayout.model(of: .keyboard) == .keyboard)
        #expect(PadLayout.model(of: Pads.known(1)) == .xbox)
        #expect(PadLayout.model(of: Pads.known(1, family: .playstation)) == .playstation)
        #expect(PadLayout.model(of: Pads.unknown(7)) == .xbox)
        #expect(PadLayout.model(of: Pads.simple(8)) == .snes)
        #expect(PadLayout.model(of: Pads.simple(2)) == .arcade)
    }
}
