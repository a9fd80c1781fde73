import Controllers
import EvdevKit
import SystemKit
import Testing

@Suite("The wizard and axes that are not as they should be")
struct WizardAxisTests {
    private func pad(_ axes: [AxisCode: AxisInfo]) -> Device {
        let hat: [AxisCode: AxisInfo] = [.hat0X: axis(-1, 1), .hat0Y: axis(-1, 1)]
        return Device(
            "Odd axes", vendor: 0x20D6, product: 0x0200, keys: [0x120...0x12B], axes: hat.merging(axes) { $1 })
    }

    private func hand(_ axes: [AxisCode: AxisInfo], at function: PadFunction = .up) -> Hand {
        var hand = Hand(pad(axes))
        guard function != .up else { return hand }
        hand.answer(hatUp, hatDown, hatLeft, hatRight)
        for number in 0..<12 where hand.asked != function { hand.tap(button(number)) }
        while let asked = hand.asked, asked != function, hand.wizard.phase == .listening {
            hand.tap(hatDown, for: 1000)
        }
        #expect(hand.asked == function)
        return hand
    }

    @Test("noise beside a stick's rest answers nothing and does not keep the next row from listening")
    func noise() {
        var hand = hand([.x: axis(0, 255, at: 128)])
        var dice = Dice(seed: 7)
        for function in PadFunction.dpad {
            #expect(hand.asked == function)
            let control = [.up: hatUp, .down: hatDown, .left: hatLeft, .right: hatRight][function] ?? hatUp
            for step in 0..<40 {
                if step == 10 { hand.press(control) }
                if step == 25 { hand.letGo(control) }
                hand.send(.axis(.x, value: .random(in: 118...138, using: &dice)))
                hand.wait(10)
            }
        }
        #expect(hand.asked == .south)
        #expect(hand.wizard.result.controls.values.joined().allSatisfy { $0 != stickLeft && $0 != stickRight })
    }

    @Test("an axis that jumps about all the time is not listened to, and other controls still answer")
    func wildNoise() {
        var hand = hand([.x: axis(0, 255, at: 128)])
        var dice = Dice(seed: 8)
        func storm(_ milliseconds: Int, _ hand: inout Hand) {
            for _ in 0..<milliseconds / 15 {
                hand.send(.axis(.x, value: .random(in: 0...255, using: &dice)))
                hand.wait(15)
            }
        }
        storm(4000, &hand)
        #expect(hand.asked == .up)
        for (function, control) in zip(PadFunction.dpad, [hatUp, hatDown, hatLeft, hatRight]) {
            #expect(hand.asked == function)
            hand.press(control)
            storm(200, &hand)
            hand.letGo(control)
            storm(300, &hand)
        }
        #expect(hand.asked == .south)
        // When it is quiet again it can be an answer.
        hand.send(.axis(.x, value: 128))
        hand.wait(1500)
        hand.tap(stickLeft)
        #expect(hand.state(.south) == .bound(stickLeft))
    }

    @Test("a slow drift is followed, and the stick still answers")
    func drift() {
        var hand = hand([.y: axis(-32768, 32767)], at: .leftUp)
        for step in 0..<250 {
            hand.send(.axis(.y, value: Int32(step * 60)))
            hand.wait(40)
        }
        #expect(hand.asked == .leftUp)
        #expect(hand.wizard.phase == .listening)
        hand.send(.axis(.y, value: -32768))
        hand.wait(150)
        #expect(hand.state(.leftUp) == .bound(stickUp))
        hand.send(.axis(.y, value: 15000))
        hand.wait(200)
        #expect(hand.wizard.phase == .listening)
        // It rests where it drifted to.
        if case .value(let rest)? = hand.wizard.result.travels[.y]?.rest {
            #expect(abs(rest - 15000) < 1500)
        } else {
            Issue.record("\(hand.wizard.result.travels)")
        }
    }

    @Test("an axis that does not come back is given a new rest after two seconds")
    func stuck() {
        var hand = hand([.x: axis(0, 255, at: 128)], at: .leftUp)
        hand.send(.axis(.x, value: 255))
        hand.wait(150)
        #expect(hand.state(.leftUp) == .bound(stickRight))
        hand.wait(1500)
        #expect(hand.wizard.phase == .releasing)
        hand.wait(800)
        #expect(hand.wizard.phase == .listening)
        hand.tap(button(8))
    }

    @Test("a hat that is stuck does not block the rest, and counts again when it was let go")
    func stuckHat() {
        var hand = hand([.x: axis(0, 255, at: 128)], at: .leftUp)
        hand.send(.axis(.hat0X, value: -1))
        hand.wait(300)
        #expect(hand.wizard.notice == .alreadyUsed(hatLeft, by: .left))
        hand.wait(6000)
        #expect(hand.wizard.phase == .listening)
        hand.tap(stickLeft)
        #expect(hand.state(.leftUp) == .bound(stickLeft))
        hand.wait(3000)
        #expect(hand.asked == .leftDown)
        hand.send(.axis(.hat0X, value: 0))
        hand.wait(100)
        hand.tap(hatLeft)
        #expect(hand.wizard.notice == .alreadyUsed(hatLeft, by: .left))
        #expect(hand.asked == .leftDown)
    }

    @Test("one that was seen to rest elsewhere is taken to be held for longer, but not for ever")
    func heldStick() {
        var hand = hand([.x: axis(0, 255, at: 128), .y: axis(0, 255, at: 128)], at: .leftUp)
        hand.tap(stickLeft)
        hand.send(.axis(.x, value: 255))
        hand.wait(150)
        #expect(hand.asked == .leftLeft)
        hand.wait(4000)
        #expect(hand.wizard.phase == .releasing)
        hand.wait(1500)
        #expect(hand.wizard.phase == .listening)
        // The hand was there after all: that it lets go is no answer, and it is known again where the middle is.
        hand.send(.axis(.x, value: 128))
        hand.wait(500)
        #expect(hand.asked == .leftLeft)
        #expect(hand.wizard.result.travels[.x] == AxisTravel(rest: .middle))
    }

    @Test("a stick that says 0 until it is first touched is in the middle afterwards, beside any other control")
    func silentStick() {
        var hand = hand([.x: axis(0, 255), .y: axis(0, 255), .z: axis(0, 255), .rz: axis(0, 255)])
        hand.send(
            .axis(.x, value: 127), .axis(.y, value: 129), .axis(.z, value: 128), .axis(.rz, value: 127),
            .axis(.hat0Y, value: -1))
        hand.wait(150)
        #expect(hand.state(.up) == .bound(hatUp))
        hand.send(.axis(.hat0Y, value: 0))
        hand.wait(100)
        #expect(hand.wizard.phase == .listening)
        #expect(hand.asked == .down)
    }

    @Test("the same stick pushed at once to its other end")
    func silentStickPushed() {
        var hand = hand([.x: axis(0, 255), .y: axis(0, 255)], at: .leftDown)
        hand.send(.axis(.y, value: 255))
        hand.wait(150)
        hand.send(.axis(.y, value: 128))
        hand.wait(500)
        #expect(hand.state(.leftDown) == .bound(stickDown))
        #expect(hand.wizard.phase == .listening)
        hand.send(.axis(.y, value: 0))
        hand.wait(150)
        #expect(hand.state(.leftLeft) == .bound(stickUp))
        #expect(hand.wizard.result.travels[.y] == AxisTravel(rest: .middle))
    }

    @Test("a stick that reaches less than its driver says is taken when it stands still there")
    func shortReach() {
        var hand = hand([.y: axis(-32768, 32767)], at: .leftUp)
        for value: Int32 in [-5000, -11000, -15000, -15200] {
            hand.send(.axis(.y, value: value))
            hand.wait(10)
        }
        hand.wait(900)
        #expect(hand.state(.leftUp) == .bound(stickUp))
        hand.send(.axis(.y, value: 0))
        hand.wait(200)
        #expect(hand.wizard.phase == .listening)
        let travel = hand.wizard.result.travels[.y]
        #expect(travel?.minimum.map { (-15200)...(-15000) ~= $0 } == true, "\(String(describing: travel))")
        #expect(travel?.rest == .value(0))
    }

    @Test("an axis that goes beyond what its driver says is measured")
    func longReach() {
        var hand = hand([.y: axis(0, 255, at: 512)], at: .leftUp)
        // Its first value was beyond the range already.
        hand.send(.axis(.y, value: 128))
        hand.wait(2500)
        hand.send(.axis(.y, value: -100))
        hand.wait(150)
        hand.send(.axis(.y, value: 128))
        hand.wait(200)
        #expect(hand.state(.leftUp) == .bound(stickUp))
        #expect(hand.wizard.result.travels[.y] == AxisTravel(rest: .value(128), minimum: -100))
    }

    @Test("axes without a range are not asked for anything", arguments: [axis(0, 0), axis(255, 0)])
    func noRange(_ info: AxisInfo) {
        var hand = hand([.x: info])
        hand.send(.axis(.x, value: 100))
        hand.wait(200)
        hand.send(.axis(.x, value: .max), .axis(.x, value: .min))
        hand.wait(200)
        #expect(hand.asked == .up)
        #expect(hand.wizard.phase == .listening)
    }

    @Test("of two axes that move the one that goes farther is the answer")
    func farthest() {
        var hand = hand([.x: axis(-32768, 32767), .y: axis(-32768, 32767)], at: .leftUp)
        for part in stride(from: 0.0, through: 1.0, by: 0.1) {
            hand.send(.axis(.x, value: Int32(20000 * part)), .axis(.y, value: Int32(-32768 * part)))
            hand.wait(10)
        }
        hand.wait(150)
        #expect(hand.state(.leftUp) == .bound(stickUp))
    }

    @Test("a stick that rolls round before it stops answers with where it stops")
    func roll() {
        var hand = hand([.x: axis(-32768, 32767), .y: axis(-32768, 32767)], at: .leftUp)
        let way: [(Int32, Int32)] = [
            (20000, 0), (32000, 0), (30000, -12000), (22000, -22000), (10000, -31000), (0, -32768),
        ]
        for (x, y) in way {
            hand.send(.axis(.x, value: x), .axis(.y, value: y))
            hand.wait(12)
        }
        hand.wait(150)
        #expect(hand.state(.leftUp) == .bound(stickUp))
    }

    @Test("a trigger whose key comes at the end of a slow pull is the key")
    func slowPull() {
        var hand = hand([.z: axis(0, 255)], at: .l2)
        for value: Int32 in [60, 130, 150, 200, 255] {
            hand.send(.axis(.z, value: value))
            hand.wait(20)
        }
        hand.send(.key(KeyCode.joystick.advanced(by: 8), value: 1))
        hand.wait(150)
        hand.send(.key(KeyCode.joystick.advanced(by: 8), value: 0))
        hand.wait(30)
        hand.send(.axis(.z, value: 0))
        hand.wait(200)
        #expect(hand.state(.l2) == .bound(button(8)))
        #expect(hand.wizard.result.controls[.l2]?.first == button(8))
        #expect(hand.wizard.phase == .listening)
    }

    @Test("a D-pad that is a hat and a stick at once answers with the hat")
    func hatAndStick() {
        var hand = hand([.x: axis(0, 255, at: 128), .y: axis(0, 255, at: 128)])
        for _ in 0..<2 {
            for (function, event) in zip(
                PadFunction.dpad,
                [
                    (AxisCode.hat0Y, AxisCode.y, Int32(-1), Int32(0)), (.hat0Y, .y, 1, 255), (.hat0X, .x, -1, 0),
                    (.hat0X, .x, 1, 255),
                ])
            {
                guard hand.asked == function else { continue }
                hand.send(.axis(event.1, value: event.3), .axis(event.0, value: event.2))
                hand.wait(150)
                hand.send(.axis(event.1, value: 128), .axis(event.0, value: 0))
                hand.wait(150)
            }
        }
        #expect(hand.asked == .south)
        #expect(hand.wizard.result.controls[.right] == [hatRight])
    }

    @Test("a pad with axes alone may do without A, and one with buttons alone without directions")
    func halfPads() {
        let stick = axis(0, 255, at: 128)
        var hand = Hand(
            Device("Axes", vendor: 1, product: 1, axes: [.x: stick, .y: stick, .rx: stick, .ry: stick]))
        hand.answer(stickUp, stickDown, stickLeft, stickRight)
        #expect(hand.asked == .south)
        #expect(hand.wizard.canSkip)
        hand.tap(stickDown, for: 1000)
        #expect(hand.asked == .east)

        hand = Hand(Device("Pedals", vendor: 1, product: 1, keys: [0x120...0x122]))
        #expect(hand.wizard.anyControlSkips)
        for function in PadFunction.dpad {
            #expect(hand.asked == function)
            hand.press(button(1))
            hand.wait(500)
            #expect(hand.wizard.phase == .skipping(progress: 0.5))
            hand.wait(700)
            hand.letGo(button(1))
            hand.wait(100)
        }
        #expect(hand.asked == .south)
        // The other way round a short press is the answer.
        hand.answer(button(0), button(1), button(2))
        #expect(hand.state(.south) == .bound(button(0)))
        #expect(hand.state(.east) == .bound(button(1)))
        #expect(hand.state(.west) == .bound(button(2)))
    }

    @Test("one button alone can be A, and the test ends with it")
    func oneKey() {
        var hand = Hand(Device("Switch", vendor: 1, product: 1, keys: [0x120...0x120]))
        for _ in PadFunction.dpad { hand.tap(button(0), for: 1000) }
        #expect(hand.asked == .south)
        hand.tap(button(0))
        #expect(hand.wizard.phase == .testing)
        hand.tap(button(0), for: 1000)
        #expect(hand.saved?.controls == [.south: [button(0)]])
    }

    @Test("a device with nothing to press ends at once")
    func nothing() {
        var hand = Hand(Device("Nothing", vendor: 1, product: 1))
        hand.wait(300)
        #expect(hand.abandoned == .nothingBound)
    }
}

@Suite("The wizard and keyboards")
struct WizardKeyboardTests {
    @Test("keys are the controls, Escape goes back and is never an answer")
    func keyboard() {
        var hand = Hand(arcadeKeyboard, family: .keyboard)
        hand.answer(.key(.up), .key(.down))
        #expect(hand.asked == .left)
        // Axes of a keyboard are no sticks.
        hand.tap(stickLeft)
        #expect(hand.asked == .left)
        hand.tap(.key(.escape))
        #expect(hand.asked == .down)
        hand.answer(.key(.down), .key(.left), .key(.right), .key(.enter))
        #expect(hand.asked == .east)
        hand.tap(.key(.down), for: 1000)
        #expect(hand.state(.east) == .skipped)
        for _ in 0..<6 { hand.tap(.key(.escape)) }
        #expect(hand.asked == .up)
        hand.tap(.key(.escape))
        #expect(hand.abandoned == .left)
    }

    @Test("the kernel's repeats are no presses")
    func repeats() {
        var hand = Hand(plainKeyboard, family: .keyboard)
        hand.press(.key(.up))
        for _ in 0..<40 {
            hand.wait(33)
            hand.send(.key(.up, value: 2))
        }
        #expect(hand.asked == .down)
        #expect(hand.wizard.phase == .releasing)
    }
}
