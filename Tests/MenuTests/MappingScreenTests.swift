import Controllers
import EvdevKit
import Interface
import Launching
import SystemKit
import Testing

@testable import Menu

@Suite("Setting a pad up on the screen")
struct MappingScreenTests {
    @Test("a pad that nobody knows and that is alone is set up at once; one that is known is not")
    func alone() async throws {
        let known = try await PadRig()
        known.receive(.connected(Pads.known(1)))
        known.wait(0.1)
        #expect(known.top is SystemsScreen)
        #expect(known.shows("Living Room Pad 1 connected"))

        let rig = try await PadRig()
        rig.receive(.connected(Pads.unknown(7)))
        rig.wait(0.1)
        #expect(rig.top is MappingScreen)
        #expect(rig.shows("Press D-pad up"))
        #expect(rig.notes.listening.last == true)
    }

    @Test("rows are answered, skipped by holding Down, tried, and stored; then the pad is looked at anew")
    func wholeWay() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.unknown(7)))
        rig.wait(0.1)
        rig.answerSix()
        #expect(rig.shows("Press X"))
        #expect(rig.shows("Hat →"))
        #expect(rig.shows("Button 3"))
        rig.press(Pads.button(4))
        // Short of a second nothing is skipped.
        rig.press(.axis(.hat0Y, value: 1), for: 0.9)
        #expect(rig.shows("Press Y"))
        rig.skip()
        #expect(rig.shows("Press Start"))
        #expect(rig.shows("skipped"))
        rig.press(Pads.button(10))
        rig.skipAll()
        #expect(rig.shows("Try every control"))
        rig.raw(Pads.button(10))
        rig.wait(1.1)
        await rig.rig.settle(until: { rig.notes.refreshes == 1 })
        #expect(rig.top is SystemsScreen)
        #expect(rig.notes.listening.last == false)
        let saved = try #require(rig.notes.saved.first)
        #expect(saved.facts == Pads.unknown(7).facts)
        #expect(saved.mapping.bindings[.south] == .key(KeyCode.joystick.advanced(by: 2)))
        #expect(saved.mapping.bindings[.down] == .axis(.hat0Y, .positive))
        #expect(saved.mapping.bindings[.start] == .key(KeyCode.joystick.advanced(by: 9)))
        #expect(saved.mapping.bindings[.north] == nil)
        #expect(rig.notes.guessing.isEmpty)
    }

    @Test("the ring fills while Down is held, and the same control twice is refused with a word")
    func words() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.unknown(7)))
        rig.answerSix()
        rig.raw(.axis(.hat0Y, value: 1))
        rig.wait(0.5)
        let ring = try #require(rig.face?.ring)
        #expect(ring > 0.3 && ring < 0.7)
        #expect(rig.shows("Keep holding to skip"))
        rig.raw(.axis(.hat0Y, value: 0))
        rig.wait(0.3)
        rig.press(Pads.button(3))
        #expect(rig.shows("That is already A"))
        #expect(rig.shows("Press X"))
    }

    @Test("what the pad says as a pad does nothing in the menu, and what is held at the end neither until it is let go")
    func noLeaks() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.known(1)))
        rig.rig.application.push(
            MappingScreen(
                context: rig.application.context, pad: Pads.known(1), purpose: .test, now: rig.now))
        rig.wait(0.1)
        rig.tap(.south, pad: 1)
        rig.tap(.east, pad: 1)
        #expect(rig.top is MappingScreen)
        // Start is held until the test is over, and stays down.
        rig.button(.start, true, pad: 1)
        rig.raw(.key(.start, value: 1), pad: 1)
        rig.wait(1.2)
        #expect(rig.top is SystemsScreen)
        rig.button(.start, true, pad: 1)
        #expect(rig.top is SystemsScreen)
        rig.button(.start, false, pad: 1)
        rig.tap(.start, pad: 1)
        #expect(rig.top is ChoiceScreen)
        #expect(rig.notes.saved.isEmpty)
    }

    @Test("Back of another pad and Escape go a row back, on the first row they leave; the pad then works by a guess")
    func back() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.unknown(7)))
        rig.wait(0.5)
        rig.receive(.connected(Pads.known(1)))
        rig.press(.axis(.hat0Y, value: -1))
        #expect(rig.shows("Press D-pad down"))
        rig.tap(.east, pad: 1)
        rig.wait(0.3)
        #expect(rig.shows("Press D-pad up"))
        // All else that it says means nothing here.
        rig.tap(.down, pad: 1)
        rig.tap(.south, pad: 1)
        #expect(rig.top is MappingScreen)
        await rig.rig.press(key: .escape)
        rig.wait(0.1)
        #expect(rig.top is SystemsScreen)
        #expect(rig.notes.guessing == [7])
        rig.receive(.disconnected(id: 1))
        rig.wait(0.5)
        // It was declined, and is not asked about again; plugged in anew it is guessed again.
        #expect(rig.top is SystemsScreen)
        rig.receive(.disconnected(id: 7))
        rig.receive(.connected(Pads.unknown(8)))
        rig.wait(0.5)
        #expect(rig.top is SystemsScreen)
        #expect(rig.notes.guessing == [7, 8])
    }

    @Test("unplugged at a prompt it waits ten seconds for the same pad, then goes back")
    func unplugged() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.unknown(7)))
        rig.wait(0.5)
        rig.press(.axis(.hat0Y, value: -1))
        rig.press(.axis(.hat0Y, value: 1))
        rig.receive(.disconnected(id: 7))
        rig.wait(3)
        #expect(rig.shows("Plug the controller in again"))
        #expect((6...7).contains(rig.face?.seconds ?? 0))
        rig.receive(.connected(Pads.unknown(9)))
        rig.wait(0.5)
        #expect(rig.shows("Press D-pad left"))
        rig.press(.axis(.hat0X, value: -1), pad: 9)
        #expect(rig.shows("Press D-pad right"))
        rig.receive(.disconnected(id: 9))
        rig.wait(10.2)
        #expect(rig.top is SystemsScreen)
        #expect(rig.shows("The controller did not come back"))
    }

    @Test("unplugged while a skip is held nothing is skipped")
    func unpluggedInHold() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.unknown(7)))
        rig.answerSix()
        rig.raw(.axis(.hat0Y, value: 1))
        rig.wait(0.6)
        rig.receive(.disconnected(id: 7))
        rig.wait(2)
        rig.receive(.connected(Pads.unknown(8)))
        rig.wait(1.5)
        #expect(rig.shows("Press X"))
        #expect(!rig.shows("skipped"))
    }

    @Test("unplugged at the moment of storing it is stored all the same, and nothing breaks")
    func unpluggedAtSave() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.unknown(7)))
        rig.answerSix()
        rig.skipAll()
        rig.raw(Pads.button(3))
        rig.wait(1.1)
        rig.receive(.disconnected(id: 7))
        await rig.rig.settle(until: { rig.notes.refreshes == 1 })
        #expect(rig.top is SystemsScreen)
        #expect(rig.notes.saved.count == 1)
    }

    @Test("a set-up that cannot be stored is told in its sentence, and counts until the menu ends")
    func failure() async throws {
        let rig = try await PadRig()
        rig.notes.refusal = "The disk is full."
        rig.receive(.connected(Pads.unknown(7)))
        rig.answerSix()
        rig.skipAll()
        rig.raw(Pads.button(3))
        rig.wait(1.1)
        await rig.rig.settle(until: { rig.notes.refreshes == 1 })
        #expect(rig.shows("Not stored"))
        #expect(rig.shows("The disk is full."))
        #expect(rig.notes.kept == [Pads.unknown(7).facts])
        // The pad may be all that the person has.
        rig.button(.south, false, pad: 7)
        rig.tap(.south, pad: 7)
        #expect(rig.top is SystemsScreen)
    }

    @Test("half a minute without input ends it, with a countdown before")
    func timeout() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.unknown(7)))
        rig.wait(24)
        #expect(rig.shows("leaving in"))
        rig.wait(7)
        #expect(rig.top is SystemsScreen)
        #expect(rig.shows("Nothing was pressed"))
    }

    @Test("a pad that comes during a game is set up after it")
    func afterGame() async throws {
        let rig = try await PadRig()
        try rig.rig.stub("trap 'exit 0' TERM; while :; do sleep 0.05; done")
        await rig.rig.press(.south, .down)
        rig.rig.send(.south, true)
        rig.rig.send(.south, false)
        await rig.rig.settle(until: { rig.application.isPlaying })
        rig.receive(.connected(Pads.unknown(7)))
        #expect(rig.application.isPlaying)
        rig.application.play?.session?.stop()
        await rig.rig.settle(until: { rig.top is MappingScreen })
    }

    @Test("a wizard that was left is gone from memory")
    func memory() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.unknown(7)))
        rig.wait(0.5)
        weak var screen: Screen?
        screen = rig.top
        #expect(screen is MappingScreen)
        await rig.rig.press(key: .escape)
        #expect(screen == nil)
    }
}
