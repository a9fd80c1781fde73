import Controllers
import EvdevKit
import SystemKit
import Testing

@Suite("How the wizard ends")
struct WizardEndTests {
    private func usable() -> Hand {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp, stickDown, stickLeft, stickRight, button(0), button(1))
        return hand
    }

    private func testing() -> Hand {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp, stickDown, stickLeft, stickRight)
        for number in 0..<10 { hand.tap(button(number)) }
        hand.tap(stickDown, for: 1000)
        #expect(hand.wizard.phase == .testing)
        return hand
    }

    @Test("nobody touches it for half a minute: it ends, with the last seconds counted")
    func timeout() {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp, stickDown)
        #expect(hand.wizard.secondsToTimeout == nil)
        hand.wait(25_000)
        if let left = hand.wizard.secondsToTimeout {
            #expect(left < 10 && left > 4)
        } else {
            Issue.record("no seconds")
        }
        hand.tap(stickLeft)
        #expect(hand.wizard.secondsToTimeout == nil)
        hand.wait(29_800)
        #expect(hand.abandoned == nil)
        hand.wait(200)
        #expect(hand.abandoned == .timedOut)
        #expect(hand.wizard.deadline == nil)
    }

    @Test("what is usable is kept when nobody touches it, and when the person leaves")
    func keeps() {
        var hand = usable()
        hand.wait(30_000)
        #expect(hand.saved?.controls.count == 6)
        hand = usable()
        hand.wizard.leave(at: hand.now)
        #expect(hand.saved?.isUsable == true)
        hand = Hand(snesAdapter)
        hand.answer(stickUp, stickDown, stickLeft, stickRight)
        hand.wizard.leave(at: hand.now)
        #expect(hand.abandoned == .left)
    }

    @Test("noise is nobody, and a held button is nobody after a while")
    func nobody() {
        var hand = Hand(snesAdapter)
        hand.press(button(0))
        for _ in 0..<320 where hand.wizard.deadline != nil {
            hand.send(.axis(.x, value: 120))
            hand.wait(50)
            hand.send(.axis(.x, value: 134))
            hand.send(.key(KeyCode.joystick, value: 2))
            hand.wait(50)
        }
        #expect(hand.abandoned == .timedOut)
    }

    @Test("a sleep of the machine is no time that somebody was away")
    func sleeper() {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp)
        hand.wait(20_000)
        hand.jump(8 * 3600 * 1000)
        hand.wait(9000)
        #expect(hand.wizard.phase == .listening)
        hand.wait(1000)
        #expect(hand.abandoned == .timedOut)
    }

    @Test("the test shows what is held and how far axes are, and ends when Start is held for a second")
    func test() {
        var hand = testing()
        hand.press(stickLeft)
        #expect(hand.wizard.held == [.left])
        #expect(hand.wizard.levels[.x] == -1)
        hand.press(button(2))
        #expect(hand.wizard.held == [.left, .west])
        hand.letGo(stickLeft)
        hand.letGo(button(2))
        #expect(hand.wizard.held.isEmpty)
        #expect(hand.wizard.finishFunction == .start)
        hand.tap(button(4), for: 999)
        #expect(hand.wizard.phase == .testing)
        hand.tap(button(0), for: 1500)
        #expect(hand.wizard.phase == .testing)
        hand.press(button(4))
        hand.wait(1000)
        #expect(hand.saved?.controls[.r2] == [button(9)])
        hand.letGo(button(4))
        hand.wait(100)
        #expect(hand.saved != nil)
    }

    @Test("B held for a second in the test goes back to the last row")
    func backFromTest() {
        var hand = testing()
        hand.tap(button(1))
        #expect(hand.wizard.phase == .testing)
        hand.tap(button(1), for: 1000)
        #expect(hand.wizard.phase == .listening)
        #expect(hand.asked == .hotkey)
    }

    @Test("the hold that skips the last row does not act in the test")
    func heldIntoTest() {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp, stickDown, stickLeft, stickRight)
        for number in 0..<10 { hand.tap(button(number)) }
        // The hotkey is Start, and stays held.
        hand.press(button(4))
        hand.wait(3000)
        #expect(hand.wizard.phase == .releasing)
        hand.letGo(button(4))
        hand.wait(100)
        #expect(hand.wizard.phase == .testing)
    }

    @Test("nobody in the test for half a minute: saved", arguments: [30_000.0])
    func testTimeout(_ time: Double) {
        var hand = testing()
        hand.wait(time - 200)
        #expect(hand.saved == nil)
        hand.wait(200)
        #expect(hand.saved != nil)
    }

    @Test("a test of a stick that is moved about for long keeps listening to it")
    func longTest() {
        var hand = testing()
        for step in 0..<200 {
            hand.send(.axis(.x, value: step % 2 == 0 ? 10 : 240))
            hand.wait(50)
        }
        hand.send(.axis(.x, value: 0))
        hand.wait(8000)
        #expect(hand.wizard.held == [.left])
    }
}
