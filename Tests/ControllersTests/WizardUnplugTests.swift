import Controllers
import EvdevKit
import SystemKit
import Testing

@Suite("B047: unplugging in the wizard")
struct WizardUnplugTests {
    private let usable = [stickUp, stickDown, stickLeft, stickRight, button(0)]

    @Test("at the third prompt it waits ten seconds and then gives up")
    func thirdPrompt() {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp, stickDown)
        hand.wizard.deviceRemoved(at: hand.now)
        #expect(hand.wizard.phase == .lost(secondsLeft: 10))
        hand.wait(4000)
        #expect(hand.wizard.phase == .lost(secondsLeft: 6))
        // The release comes late, from a device that is gone.
        hand.letGo(stickDown)
        hand.wait(5900)
        #expect(hand.abandoned == nil)
        hand.wait(100)
        #expect(hand.abandoned == .unplugged)
        hand.wizard.deviceReturned(hand.device.info, at: hand.now)
        hand.wizard.deviceRemoved(at: hand.now)
        #expect(hand.abandoned == .unplugged)
    }

    @Test("what is usable is kept after the ten seconds")
    func keepsUsable() {
        var hand = Hand(snesAdapter)
        for control in usable { hand.tap(control) }
        hand.wizard.deviceRemoved(at: hand.now)
        hand.wait(10_000)
        #expect(hand.saved?.controls.count == 5)
    }

    @Test("the same pad goes on where it was, with everything that was answered")
    func returns() {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp, stickDown)
        hand.press(stickLeft)
        hand.wait(50)
        hand.wizard.deviceRemoved(at: hand.now)
        hand.wait(9000)
        let isBack = hand.wizard.deviceReturned(hand.device.info, at: hand.now)
        #expect(isBack)
        hand.wait(400)
        #expect(hand.wizard.phase == .listening)
        #expect(hand.asked == .left)
        hand.tap(stickLeft)
        #expect(hand.state(.left) == .bound(stickLeft))
    }

    @Test("another pad is not taken for it", arguments: [buffaloSNES, xbox360, dragonRise])
    func another(_ device: Device) {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp)
        hand.wizard.deviceRemoved(at: hand.now)
        let isBack = hand.wizard.deviceReturned(device.info, at: hand.now)
        #expect(!isBack)
        #expect(hand.wizard.phase == .lost(secondsLeft: 10))
    }

    @Test("gone and back within five milliseconds, and both nodes in either order, change nothing")
    func quick() {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp)
        for _ in 0..<5 {
            hand.wizard.deviceRemoved(at: hand.now)
            hand.wizard.deviceRemoved(at: hand.now)
            hand.wait(5)
            hand.wizard.deviceReturned(hand.device.info, at: hand.now)
            hand.wizard.deviceReturned(hand.device.info, at: hand.now)
            hand.wait(5)
        }
        hand.wait(400)
        #expect(hand.wizard.phase == .listening)
        #expect(hand.asked == .down)
    }

    @Test("during the hold that ends the test nothing is lost, and the test goes on")
    func onSave() {
        var hand = Hand(oneButtonStick)
        for control in usable { hand.tap(control) }
        hand.press(button(0))
        hand.wait(900)
        hand.wizard.deviceRemoved(at: hand.now)
        hand.wait(200)
        #expect(hand.saved == nil)
        hand.wizard.deviceReturned(hand.device.info, at: hand.now)
        hand.wait(1500)
        #expect(hand.wizard.phase == .testing)
        hand.tap(button(0), for: 1000)
        #expect(hand.saved?.isUsable == true)
    }

    @Test("Back while it is away leaves")
    func backWhileAway() {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp)
        hand.wizard.deviceRemoved(at: hand.now)
        hand.wizard.back(at: hand.now)
        #expect(hand.abandoned == .left)
    }
}
