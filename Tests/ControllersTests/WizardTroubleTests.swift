import Controllers
import EvdevKit
import SystemKit
import Testing

private let hatAxes: [AxisCode: AxisInfo] = [.hat0X: axis(-1, 1), .hat0Y: axis(-1, 1)]
private let byteStick = axis(0, 255, at: 128)

private func pad(keys: [ClosedRange<UInt16>], axes: [AxisCode: AxisInfo] = [:]) -> Device {
    Device("Trouble", vendor: 0x20D6, product: 0x0300, keys: keys, axes: hatAxes.merging(axes) { $1 })
}

@Suite("The wizard and cheap and odd hardware")
struct WizardTroubleTests {
    // MARK: Pads that send one thing twice

    @Test(
        "face buttons that also say how hard they are pressed are the buttons, at any speed", arguments: [0.0, 30, 200])
    func pressure(delay: Double) {
        let axes = (0x18...0x1F).map { AxisCode(rawValue: $0) }
        var hand = Hand(
            pad(keys: [0x130...0x133], axes: Dictionary(uniqueKeysWithValues: axes.map { ($0, axis(0, 255)) })))
        hand.answer(hatUp, hatDown, hatLeft, hatRight)
        for (index, function) in [PadFunction.south, .east, .west, .north].enumerated() {
            #expect(hand.asked == function)
            let key = KeyCode(rawValue: UInt16(0x130 + index))
            hand.send(.key(key, value: 1), .axis(axes[index], value: 20))
            hand.wait(delay)
            for value: Int32 in [120, 200, 255] {
                hand.send(.axis(axes[index], value: value))
                hand.wait(20)
            }
            hand.wait(150)
            for value: Int32 in [180, 90, 10] {
                hand.send(.axis(axes[index], value: value))
                hand.wait(20)
            }
            hand.send(.key(key, value: 0), .axis(axes[index], value: 0))
            hand.wait(150)
            #expect(hand.wizard.result.controls[function] == [.key(key)])
        }
        #expect(hand.asked == .start)
        #expect(hand.wizard.phase == .listening)
        // Pressed again it is refused as the button, not taken as the axis that has no function.
        hand.send(.key(.south, value: 1), .axis(axes[0], value: 255))
        hand.wait(200)
        hand.send(.key(.south, value: 0), .axis(axes[0], value: 0))
        hand.wait(150)
        #expect(hand.asked == .start)
        #expect(hand.wizard.notice == .alreadyUsed(.key(.south), by: .south))
    }

    @Test("a Down with a pressure axis of its own skips one row a hold")
    func pressureDown() {
        var hand = Hand(
            pad(keys: [0x130...0x133, 0x220...0x223], axes: [.brake: axis(0, 255), .gas: axis(0, 255)]))
        hand.answer(.key(.dpadUp))
        func down(_ time: Double) {
            hand.send(.key(.dpadDown, value: 1), .axis(.gas, value: 60))
            hand.wait(90)
            hand.send(.axis(.gas, value: 255))
            hand.wait(time - 90)
            hand.send(.axis(.gas, value: 0), .key(.dpadDown, value: 0))
            hand.wait(150)
        }
        down(150)
        hand.answer(.key(.dpadLeft), .key(.dpadRight), .key(.south))
        #expect(hand.asked == .east)
        down(900)
        #expect(hand.asked == .east)
        down(1500)
        #expect(hand.asked == .west)
        #expect(hand.state(.east) == .skipped)
    }

    @Test("Select and Start may be keys of a keyboard in the same device")
    func keyboardKeys() {
        var hand = Hand(pad(keys: [0x120...0x123, 1...1, 28...28]))
        hand.answer(hatUp, hatDown, hatLeft, hatRight, button(0), button(1), button(2), button(3))
        hand.answer(.key(.enter), .key(.escape))
        #expect(hand.state(.start) == .bound(.key(.enter)) && hand.state(.select) == .bound(.key(.escape)))
    }

    @Test(
        "triggers that call themselves a hat are triggers",
        arguments: [axis(0, 255), axis(0, 1), axis(-32768, 32767, at: -32768)])
    func hatTriggers(_ info: AxisInfo) {
        var hand = Hand(pad(keys: [0x130...0x137], axes: [.hat2X: info, .hat2Y: info]))
        hand.answer(hatUp, hatDown, hatLeft, hatRight)
        for code in UInt16(0x130)...0x137 { hand.tap(.key(KeyCode(rawValue: code))) }
        hand.answer(.axis(.hat2Y, .positive), .axis(.hat2X, .positive))
        #expect(hand.state(.l2) == .bound(.axis(.hat2Y, .positive)))
        #expect(hand.state(.r2) == .bound(.axis(.hat2X, .positive)))
        #expect(hand.wizard.result.travels[.hat2Y] == AxisTravel(rest: .minimum))
        var replay = Replay(hand.device.capabilities.axes, hand.wizard.result)
        replay.axis(.hat2Y, info.minimum, info.maximum, info.minimum)
        #expect(replay.next() == ["+l2", "-l2"])
    }

    // MARK: Sticks

    @Test("a stick that swings back past its middle by a third answers once, and the next row is the next push")
    func overshoot() {
        var hand = Hand(snesAdapter)
        for (code, end, back) in [
            (AxisCode.y, Int32(0), Int32(127 + 40)), (.y, 255, 127 - 40), (.x, 0, 167), (.x, 255, 87),
        ] {
            for value in [end, end, end, end, end] + [back, back, 127 + (127 - back) / 2, 127] {
                hand.send(.axis(code, value: value))
                hand.wait(30)
            }
            hand.wait(150)
            #expect(hand.wizard.phase == .listening)
        }
        #expect(hand.asked == .south)
        #expect(
            zip(PadFunction.dpad, [stickUp, stickDown, stickLeft, stickRight]).allSatisfy {
                hand.state($0) == .bound($1)
            })
    }

    @Test("a push that takes three seconds answers with its direction", arguments: [1.0, 2, 3])
    func slowPush(seconds: Double) {
        var hand = Hand(snesAdapter)
        let steps = Int(seconds * 50)
        for step in 0...steps {
            hand.send(.axis(.y, value: Int32(127 - 127 * step / steps)))
            hand.wait(20)
        }
        hand.wait(150)
        for step in 0...steps {
            hand.send(.axis(.y, value: Int32(127 * step / steps)))
            hand.wait(20)
        }
        hand.wait(1200)
        #expect(hand.state(.up) == .bound(stickUp))
        #expect(hand.asked == .down)
        #expect(hand.wizard.phase == .listening)
        hand.tap(stickDown)
        #expect(hand.state(.down) == .bound(stickDown))
        // Nothing of the slowness is left in what was learned: the stick goes to its ends.
        #expect(hand.wizard.result.travels[.y] == AxisTravel(rest: .middle))
    }

    @Test("a stick that goes round and round answers with a direction or nothing, and a plain push then does")
    func circles() {
        var hand = Hand(
            Device("Round", vendor: 1, product: 1, keys: [0x130...0x137], axes: [.x: byteStick, .y: byteStick]))
        let ring: [(Int32, Int32)] = [
            (128, 0), (218, 38), (255, 128), (218, 218), (128, 255), (38, 218), (0, 128), (38, 38),
        ]
        for _ in 0..<6 {
            for (x, y) in ring {
                hand.send(.axis(.x, value: x), .axis(.y, value: y))
                hand.wait(25)
            }
        }
        hand.send(.axis(.x, value: 128), .axis(.y, value: 128))
        hand.wait(300)
        #expect(hand.asked == .up)
        hand.tap(stickUp)
        #expect(hand.state(.up) == .bound(stickUp))
    }

    @Test("triggers that are pulled for forty per cent are taken when they are held there")
    func weakTrigger() {
        var hand = Hand(pad(keys: [0x130...0x137], axes: [.z: axis(0, 255)]))
        hand.answer(hatUp, hatDown, hatLeft, hatRight)
        for code in UInt16(0x130)...0x137 { hand.tap(.key(KeyCode(rawValue: code))) }
        for value: Int32 in [30, 70, 102] {
            hand.send(.axis(.z, value: value))
            hand.wait(30)
        }
        hand.wait(900)
        hand.send(.axis(.z, value: 0))
        hand.wait(200)
        #expect(hand.state(.l2) == .bound(.axis(.z, .positive)))
        var replay = Replay(hand.device.capabilities.axes, hand.wizard.result)
        replay.axis(.z, 102, 0)
        #expect(replay.next() == ["+l2", "-l2"])
    }

    @Test(
        "pedals that rest at the upper end, a throttle left anywhere and a wheel are one control each",
        arguments: [0, 90, 255])
    func wheel(throttle: Int32) {
        let wheel = Device(
            "Wheel", vendor: 0x046D, product: 0xC294, keys: [0x120...0x12B],
            axes: [
                .x: axis(0, 16383, at: 8192), .y: axis(0, 255, at: 255), .z: axis(0, 255, at: 255),
                AxisCode(rawValue: 6): axis(0, 255, at: throttle), .hat0X: axis(-1, 1), .hat0Y: axis(-1, 1),
            ])
        var hand = Hand(wheel)
        hand.answer(hatUp, hatDown, hatLeft, hatRight)
        for number in 0..<8 { hand.tap(button(number)) }
        #expect(hand.asked == .l2)
        hand.answer(.axis(.z, .negative), .axis(.y, .negative), button(8), button(9))
        #expect(hand.state(.l2) == .bound(.axis(.z, .negative)) && hand.state(.r2) == .bound(.axis(.y, .negative)))
        #expect(hand.wizard.result.travels[.z] == AxisTravel(rest: .maximum))
        #expect(hand.asked == .leftUp)
        hand.tap(hatDown, for: 1000)
        hand.tap(hatDown, for: 1000)
        hand.answer(.axis(.x, .negative), .axis(.x, .positive))
        #expect(hand.state(.leftLeft) == .bound(stickLeft) && hand.state(.leftRight) == .bound(stickRight))
    }

    // MARK: Numbers

    @Test(
        "the widest, emptiest and reversed axes beside a pad change nothing, whatever they send",
        arguments: [
            axis(.min, .max), axis(.min, .max, at: .min), axis(.max, .min), axis(7, 7, at: 7), axis(100, -100),
            axis(0, 1, at: 5),
        ])
    func extremeAxes(_ info: AxisInfo) {
        var hand = Hand(pad(keys: [0x130...0x137], axes: [.rx: info, AxisCode(rawValue: 6): info]))
        for (function, control) in zip(PadFunction.dpad, [hatUp, hatDown, hatLeft, hatRight]) {
            hand.tap(control)
            #expect(hand.state(function) == .bound(control))
        }
        for value: Int32 in [.min, .max, 0, -1, 1] {
            hand.send(.axis(.rx, value: value))
            hand.wait(1)
        }
        hand.send(.axis(.rx, value: info.value))
        // What it may have been taken for is not what the rows then get.
        hand.wait(6000)
        hand.tap(.key(.south))
        #expect(hand.state(.south) == .bound(.key(.south)))
        #expect(hand.wizard.levels.values.allSatisfy { (-1...1).contains($0) })
    }

    @Test(
        "a D-pad that is stuck, or says so from the start, is passed over after some seconds",
        arguments: [1, -1, Int32.max])
    func stuckHat(value: Int32) {
        var hand = Hand(
            Device(
                "Stuck", vendor: 0x20D6, product: 0x0301, keys: [0x120...0x127],
                axes: [
                    .x: axis(0, 255, at: 128), .y: axis(0, 255, at: 128), .hat0X: axis(-1, 1, at: value),
                    .hat0Y: axis(-1, 1),
                ]),
            isReady: false)
        hand.wait(6000)
        hand.answer(stickUp, stickDown, stickLeft, stickRight, button(0))
        #expect(hand.state(.south) == .bound(button(0)))
        // It was a claim of the driver only: one that comes back is as good as any.
        hand.send(.axis(.hat0X, value: 0))
        hand.wait(1200)
        hand.tap(hatRight)
        #expect(hand.state(.east) == .bound(hatRight))
    }

    @Test("values beyond the declared range are a push to that side")
    func beyond() {
        var hand = Hand(snesAdapter)
        hand.send(.axis(.y, value: -300))
        hand.wait(150)
        hand.send(.axis(.y, value: 127))
        hand.wait(150)
        #expect(hand.state(.up) == .bound(stickUp))
        hand.send(.axis(.y, value: .max))
        hand.wait(150)
        hand.send(.axis(.y, value: 127))
        hand.wait(150)
        #expect(hand.state(.down) == .bound(stickDown))
        var replay = Replay(hand.device.capabilities.axes, hand.wizard.result)
        replay.axis(.y, -300, 127)
        #expect(replay.next() == ["+up", "-up"])
    }

    @Test("a device with a hundred buttons is asked for the usual rows, and any of them answers")
    func manyButtons() {
        var hand = Hand(
            Device(
                "Button box", vendor: 1, product: 1, keys: [0x120...0x12F, 0x2C0...0x2E7, 0x100...0x12B], axes: hatAxes)
        )
        hand.answer(hatUp, hatDown, hatLeft, hatRight)
        for code in UInt16(0x2C0)...0x2C7 { hand.tap(.key(KeyCode(rawValue: code))) }
        #expect(hand.asked == .l2)
        for _ in 0..<30 where hand.wizard.phase == .listening { hand.tap(hatDown, for: 1000) }
        #expect(hand.wizard.phase == .testing)
        #expect(hand.wizard.result.controls.count == 12)
    }

    @Test("a clock that runs backwards in small steps stops the wizard's time, and never trips it")
    func backwards() {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp, stickDown, stickLeft, stickRight, button(0))
        hand.press(stickDown)
        for _ in 0..<50 {
            hand.jump(-20)
            hand.wizard.handle(.report, at: hand.now)
        }
        #expect(hand.asked == .east)
        hand.jump(-3_600_000)
        hand.wait(900)
        #expect(hand.asked == .east)
        hand.wait(150)
        #expect(hand.state(.east) == .skipped)
        hand.letGo(stickDown)
        hand.wait(150)
        hand.tap(button(1))
        #expect(hand.state(.west) == .bound(button(1)))
    }
}
