import Controllers
import EvdevKit
import Interface
import Launching
import SystemKit
import Testing

@testable import Menu

@Suite("Pads that nobody knows")
struct UnknownPadTests {
    @Test("who forgets a set-up goes on by a guess, and no wizard comes")
    func forgotten() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.known(7, source: .user)))
        rig.receive(.changed(Pads.known(7, source: .none)))
        rig.wait(0.1)
        #expect(rig.notes.guessing == [7])
        #expect(rig.top is SystemsScreen)
        rig.raw(Pads.button(5))
        rig.wait(1.2)
        #expect(rig.top is SystemsScreen)
    }

    @Test("a pad that was left is said to be used by a guess")
    func left() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.unknown(7)))
        rig.wait(0.5)
        await rig.rig.press(key: .escape)
        #expect(rig.notes.guessing == [7])
        #expect(rig.shows("used by a guess"))
    }

    @Test("a hold does not wake the menu where it cannot bring the wizard")
    func holdInVain() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.known(1)))
        rig.receive(.connected(Pads.unknown(7)))
        rig.raw(Pads.button(5))
        #expect(rig.application.unknownHoldDue != nil)
        rig.application.endsAt = rig.now.advanced(bySeconds: 5)
        #expect(rig.application.unknownHoldDue == nil)
    }

    @Test("what was held of an unknown pad when a game began, or when somebody made it known, is no hold any more")
    func staleHold() async throws {
        let rig = try await PadRig()
        try rig.rig.stub("trap 'exit 0' TERM; while :; do sleep 0.05; done")
        rig.receive(.connected(Pads.known(1)))
        rig.receive(.connected(Pads.unknown(7)))
        rig.raw(Pads.button(5))
        rig.receive(.changed(Pads.known(7)))
        rig.wait(1.2)
        #expect(rig.top is SystemsScreen)
        rig.receive(.disconnected(id: 7))
        rig.receive(.connected(Pads.unknown(8)))
        await rig.rig.press(.south, .down)
        rig.raw(Pads.button(5), pad: 8)
        rig.rig.send(.south, true)
        rig.rig.send(.south, false)
        await rig.rig.settle(until: { rig.application.isPlaying })
        #expect(rig.application.unknownHolds.deadline == nil)
        rig.application.play?.session?.stop()
        await rig.rig.settle(until: { !rig.application.isPlaying })
        #expect(rig.top is GamesScreen)
    }

    @Test("of two unknown pads the one that is held is set up, as long as the other has no answers")
    func exchange() async throws {
        let rig = try await PadRig()
        rig.receive(.connected(Pads.unknown(7)))
        rig.wait(0.5)
        rig.receive(.connected(Pads.unknown(8, port: "usb-2/input0")))
        rig.raw(Pads.button(5), pad: 8)
        rig.wait(0.5)
        #expect(rig.shows("That is another controller. Keep holding"))
        rig.wait(0.6)
        #expect((rig.top as? MappingScreen)?.pad.id == 8)
        #expect(rig.application.screens.count == 2)
        // The devices stayed open from one to the other.
        #expect(rig.notes.listening == [true])
        rig.raw(.key(KeyCode.joystick.advanced(by: 4), value: 0), pad: 8)
        rig.wait(0.5)
        rig.press(.axis(.hat0Y, value: -1), pad: 8)
        #expect(rig.shows("Press D-pad down"))
        rig.press(Pads.button(5), for: 1.2, pad: 7)
        #expect((rig.top as? MappingScreen)?.pad.id == 8)
        #expect(rig.shows("Press D-pad down"))
    }

    @Test("a pad without Select or Start is told that it cannot leave a game; another one how")
    func exitWords() {
        let button = [Control("button 288")].compactMap { $0 }
        let whole = PadMapping(controls: [.start: button, .select: button])
        #expect(whole.exitSentence(on: .playstation) == "Share and Options, held together, leave a game.")
        #expect(PadMapping(controls: [.south: button]).exitSentence(on: .xbox).contains("R-Shift and Enter"))
        #expect(whole.exitSentence(on: .keyboard).hasPrefix("R-Shift and Enter"))
        #expect(Phrase.hotkey(whole, .xbox).hasSuffix("Else Select is it."))
        #expect(Phrase.hotkey(PadMapping(), .xbox) == "Without Start it does nothing.")
    }
}
