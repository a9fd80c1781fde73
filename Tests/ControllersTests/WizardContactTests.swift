import Controllers
import EvdevKit
import SystemKit
import Testing

@Suite("The wizard and worn contacts")
struct WizardContactTests {
    /// Contacts that open and close again for some milliseconds whenever they are pressed or let go.
    private func bounce(_ control: Control, in hand: inout Hand, of milliseconds: Double = 3) {
        for _ in 0..<3 {
            hand.press(control)
            hand.wait(milliseconds)
            hand.letGo(control)
            hand.wait(milliseconds)
        }
    }

    @Test("a switch that bounces when it is pressed and let go answers its row, and only that", arguments: [1.0, 3, 5])
    func bouncing(milliseconds: Double) {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp, stickDown, stickLeft, stickRight)
        for (number, function) in [PadFunction.south, .east, .west].enumerated() {
            #expect(hand.asked == function)
            bounce(button(number), in: &hand, of: milliseconds)
            hand.press(button(number))
            hand.wait(150)
            bounce(button(number), in: &hand, of: milliseconds)
            hand.wait(150)
            #expect(hand.state(function) == .bound(button(number)))
            #expect(hand.wizard.notice == nil)
        }
        #expect(hand.asked == .north)
        #expect(hand.wizard.phase == .listening)
    }

    @Test("a Down whose contact opens for a moment in the middle of the hold still skips after a second")
    func bouncingHold() {
        var hand = Hand(dpadButtonsPad)
        let down = Control.key(.dpadDown)
        hand.answer(.key(.dpadUp), down, .key(.dpadLeft), .key(.dpadRight), .key(.south))
        #expect(hand.asked == .east)
        bounce(down, in: &hand)
        hand.press(down)
        hand.wait(400)
        hand.letGo(down)
        hand.wait(4)
        hand.press(down)
        hand.wait(540)
        #expect(hand.asked == .east)
        hand.wait(200)
        #expect(hand.state(.east) == .skipped)
        #expect(hand.asked == .west)
        hand.letGo(down)
        hand.wait(100)
        #expect(hand.wizard.phase == .listening)
    }

    @Test("a Down that is let go and pressed again for real begins a new hold")
    func twoHolds() {
        var hand = Hand(dpadButtonsPad)
        let down = Control.key(.dpadDown)
        hand.answer(.key(.dpadUp), down, .key(.dpadLeft), .key(.dpadRight), .key(.south))
        hand.press(down)
        hand.wait(600)
        hand.letGo(down)
        hand.wait(60)
        hand.press(down)
        hand.wait(600)
        hand.letGo(down)
        hand.wait(200)
        #expect(hand.asked == .east)
    }

    @Test("a bouncing B goes one row back, not more")
    func bouncingBack() {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp, stickDown, stickLeft, stickRight, button(0), button(1), button(2), button(3))
        #expect(hand.asked == .start)
        bounce(button(1), in: &hand)
        hand.press(button(1))
        hand.wait(80)
        bounce(button(1), in: &hand)
        hand.wait(150)
        #expect(hand.asked == .north)
    }

    @Test(
        "a button that repeats by itself is no answer, skips nothing and goes at most a row back",
        arguments: [10.0, 16, 20, 30])
    func turbo(timesASecond: Double) {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp, stickDown, stickLeft, stickRight, button(0), button(1))
        let half = 500 / timesASecond
        for control in [button(2), stickDown, button(0)] {
            for _ in 0..<Int(timesASecond * 3) {
                hand.press(control)
                hand.wait(half)
                hand.letGo(control)
                hand.wait(half)
            }
            hand.wait(200)
            #expect(hand.asked == .west, "\(control)")
        }
        for _ in 0..<Int(timesASecond) {
            hand.press(button(1))
            hand.wait(half)
            hand.letGo(button(1))
            hand.wait(half)
        }
        hand.wait(200)
        #expect(hand.asked == .east)
        // The same button without the repeating is as good as any.
        hand.tap(button(2))
        #expect(hand.state(.east) == .bound(button(2)))
    }

    @Test("a tap of sixty milliseconds is told to be too short, on a key, and counts as nothing on an axis")
    func shortTap() {
        var hand = Hand(snesAdapter)
        hand.tap(button(0), for: 60)
        #expect(hand.asked == .up)
        #expect(hand.wizard.notice == .tooShort)
        hand.tap(stickUp, for: 60)
        #expect(hand.asked == .up)
        hand.tap(stickUp)
        #expect(hand.asked == .down)
    }

    @Test("an arcade stick's contacts, on a hat or on axes, may bounce", arguments: [hatUp, stickUp])
    func bouncingStick(up: Control) {
        let encoder = Device(
            "Encoder", vendor: 0x0079, product: 0x0011, keys: [0x120...0x127],
            axes: [
                .hat0X: axis(-1, 1), .hat0Y: axis(-1, 1), .x: axis(0, 255, at: 127), .y: axis(0, 255, at: 127),
            ])
        var hand = Hand(encoder)
        let isHat = up == hatUp
        let controls = [up] + (isHat ? [hatDown, hatLeft, hatRight] : [stickDown, stickLeft, stickRight])
        for (function, control) in zip(PadFunction.dpad, controls) {
            #expect(hand.asked == function)
            bounce(control, in: &hand)
            hand.press(control)
            hand.wait(150)
            bounce(control, in: &hand)
            hand.wait(120)
            #expect(hand.state(function) == .bound(control))
        }
        hand.tap(button(0))
        bounce(controls[1], in: &hand)
        hand.press(controls[1])
        hand.wait(500)
        hand.letGo(controls[1])
        hand.wait(3)
        hand.press(controls[1])
        hand.wait(600)
        #expect(hand.state(.east) == .skipped)
        bounce(controls[1], in: &hand)
        hand.wait(150)
        #expect(hand.asked == .west)
        #expect(hand.wizard.phase == .listening)
    }
}
