import Controllers
import EvdevKit
import SystemKit
import Testing

/// Devices of the field reports.
private func pad(_ name: String, keys: [ClosedRange<UInt16>], axes: [AxisCode: AxisInfo]) -> Device {
    Device(name, vendor: 0x20D6, product: 0x0100, keys: keys, axes: axes)
}

private let hatAxes: [AxisCode: AxisInfo] = [.hat0X: axis(-1, 1), .hat0Y: axis(-1, 1)]

@Suite("Reports from the field, in the wizard")
struct WizardReportTests {
    // MARK: B034

    /// A pad with a hat and a trigger on `ABS_Z`, asked for the left trigger.
    private func atLeftTrigger(_ trigger: AxisInfo) -> Hand {
        var hand = Hand(
            pad("Triggers", keys: [0x130...0x137], axes: hatAxes.merging([.z: trigger, .rz: trigger]) { $1 }))
        hand.answer(hatUp, hatDown, hatLeft, hatRight)
        for code in UInt16(0x130)...0x137 { hand.tap(.key(KeyCode(rawValue: code))) }
        #expect(hand.asked == .l2)
        return hand
    }

    @Test(
        "B034: a trigger answers one prompt when it is pulled and none when it is let go, wherever it rests",
        arguments: [axis(0, 255, at: 0), axis(-32768, 32767, at: -32768), axis(0, 1023, at: 0)])
    func trigger(_ info: AxisInfo) {
        var hand = atLeftTrigger(info)
        let span = Double(info.maximum) - Double(info.minimum)
        for part in [40.0, 200, 255, 255, 255, 255, 255, 120, 0] {
            hand.send(.axis(.z, value: Int32(Double(info.minimum) + span * part / 255)))
            hand.wait(40)
        }
        hand.wait(300)
        #expect(hand.state(.l2) == .bound(.axis(.z, .positive)))
        #expect(hand.asked == .r2)
        #expect(hand.wizard.phase == .listening)
        #expect(hand.wizard.result.travels[.z] == AxisTravel(rest: .minimum))
        // And once more: it is refused, and its way back answers nothing.
        hand.tap(.axis(.z, .positive))
        #expect(hand.wizard.notice == .alreadyUsed(.axis(.z, .positive), by: .l2))
    }

    @Test("B034: an inverted trigger rests at its highest value")
    func invertedTrigger() {
        var hand = atLeftTrigger(axis(0, 255, at: 255))
        for value: Int32 in [200, 40, 0, 0, 0, 0, 130, 255] {
            hand.send(.axis(.z, value: value))
            hand.wait(40)
        }
        hand.wait(200)
        #expect(hand.state(.l2) == .bound(.axis(.z, .negative)))
        #expect(hand.wizard.phase == .listening)
        #expect(hand.wizard.result.travels[.z] == AxisTravel(rest: .maximum))
    }

    // MARK: B035

    private let lyingTriggers = pad(
        "Lies about its triggers", keys: [0x130...0x131, 0x133...0x134, 0x136...0x13B],
        axes: hatAxes.merging([.z: axis(0, 255, at: 128), .rz: axis(0, 255, at: 128)]) { $1 })

    private func lying() -> Hand {
        var hand = Hand(lyingTriggers)
        hand.answer(hatUp, hatDown, hatLeft, hatRight)
        for code: UInt16 in [0x130, 0x131, 0x133, 0x134, 0x13B, 0x13A, 0x136, 0x137] {
            hand.tap(.key(KeyCode(rawValue: code)))
        }
        #expect(hand.asked == .l2)
        return hand
    }

    @Test("B035: a trigger that says 128 at first and sends a key in the same frame is the key, once")
    func lyingTriggerWithKey() {
        var hand = lying()
        let key = KeyCode.triggerLeft
        hand.send(.axis(.z, value: 255), .key(key, value: 1))
        hand.wait(200)
        hand.send(.axis(.z, value: 0), .key(key, value: 0))
        hand.wait(500)
        #expect(hand.state(.l2) == .bound(.key(key)))
        #expect(hand.asked == .r2)
        #expect(hand.wizard.phase == .listening)
        #expect(hand.wizard.result.controls[.l2] == [.key(key), .axis(.z, .positive)])
        #expect(hand.wizard.result.travels[.z] == AxisTravel(rest: .minimum))
        // The second trigger sends its key a little later.
        hand.send(.axis(.rz, value: 255))
        hand.wait(30)
        hand.send(.key(.triggerRight, value: 1))
        hand.wait(200)
        hand.send(.key(.triggerRight, value: 0))
        hand.wait(20)
        hand.send(.axis(.rz, value: 0))
        hand.wait(500)
        #expect(hand.state(.r2) == .bound(.key(.triggerRight)))
        #expect(hand.wizard.phase == .listening)
        #expect(hand.asked == .l3)
    }

    @Test(
        "B035: the same without a key, pulled at once or slowly",
        arguments: [
            [255], [0, 20, 90, 128, 200, 255], [3, 40, 90, 128, 200, 255],
        ] as [[Int32]])
    func lyingTrigger(_ values: [Int32]) {
        var hand = lying()
        for value in values {
            hand.send(.axis(.z, value: value))
            hand.wait(40)
        }
        hand.wait(150)
        hand.send(.axis(.z, value: 120))
        hand.wait(20)
        hand.send(.axis(.z, value: 0))
        hand.wait(500)
        #expect(hand.state(.l2) == .bound(.axis(.z, .positive)))
        #expect(hand.asked == .r2)
        #expect(hand.wizard.phase == .listening)
        #expect(hand.wizard.result.travels[.z] == AxisTravel(rest: .minimum))
    }

    @Test("B035: triggers that correct themselves with the first button do not take its prompt")
    func halfPressedAtFirst() {
        var hand = Hand(lyingTriggers)
        hand.send(.axis(.z, value: 0), .axis(.rz, value: 0), .axis(.hat0Y, value: -1))
        hand.wait(150)
        #expect(hand.state(.up) == .bound(hatUp))
        hand.send(.axis(.hat0Y, value: 0))
        hand.wait(400)
        #expect(hand.wizard.phase == .listening)
        #expect(hand.asked == .down)
        hand.tap(hatDown)
        #expect(hand.asked == .left)
    }

    @Test("B035: a right stick on Z and RZ that rests at 128 skips no prompt")
    func rightStick() {
        var hand = Hand(dragonRise)
        hand.answer(hatUp, hatDown, hatLeft, hatRight)
        for number in 0..<12 { hand.tap(button(number)) }
        hand.answer(stickUp, stickDown, stickLeft, stickRight)
        hand.answer(.axis(.rz, .negative), .axis(.rz, .positive), .axis(.z, .negative), .axis(.z, .positive))
        #expect(!hand.wizard.rows.contains { $0.state == .skipped || $0.state == .absent })
        #expect(hand.asked == .hotkey)
        #expect(hand.wizard.result.controls[.rightDown] == [.axis(.rz, .positive)])
        #expect(hand.wizard.result.travels[.rz] == AxisTravel(rest: .middle))
    }

    // MARK: B037

    /// The same D-pad in every encoding: what Up, Down and the diagonal to the right send, and what letting go does.
    struct Encoding: Sendable, CustomTestStringConvertible {
        let name: String
        let device: Device
        let directions: [[InputEvent.Kind]]
        let rest: [InputEvent.Kind]
        let controls: [Control]

        var testDescription: String { name }
    }

    private static func axes(_ name: String, _ across: AxisCode, _ along: AxisCode, _ info: AxisInfo) -> Encoding {
        let (low, high, rest) = (info.minimum, info.maximum, info.value)
        return Encoding(
            name: name, device: pad(name, keys: [0x120...0x127], axes: [across: info, along: info]),
            directions: [
                [.axis(along, value: low)], [.axis(along, value: high)], [.axis(across, value: low)],
                [.axis(across, value: high)],
            ], rest: [.axis(across, value: rest), .axis(along, value: rest)],
            controls: [
                .axis(along, .negative), .axis(along, .positive), .axis(across, .negative), .axis(across, .positive),
            ])
    }

    private static let buttons: [KeyCode] = [.dpadUp, .dpadDown, .dpadLeft, .dpadRight]
    static let encodings: [Encoding] = [
        axes("hat", .hat0X, .hat0Y, axis(-1, 1)),
        axes("0, 127, 255", .x, .y, axis(0, 255, at: 127)),
        axes("-1, 0, 1", .x, .y, axis(-1, 1)),
        Encoding(
            name: "buttons", device: pad("buttons", keys: [0x120...0x127, 0x220...0x223], axes: [:]),
            directions: buttons.map { [.key($0, value: 1)] }, rest: buttons.map { .key($0, value: 0) },
            controls: buttons.map { .key($0) }),
        Encoding(
            name: "hat and buttons", device: pad("both", keys: [0x120...0x127, 0x220...0x223], axes: hatAxes),
            directions: zip([(AxisCode.hat0Y, Int32(-1)), (.hat0Y, 1), (.hat0X, -1), (.hat0X, 1)], buttons).map {
                [.axis($0.0, value: $0.1), .key($1, value: 1)]
            },
            rest: [.axis(.hat0X, value: 0), .axis(.hat0Y, value: 0)] + buttons.map { .key($0, value: 0) },
            controls: buttons.map { .key($0) }),
    ]

    private func send(_ events: [InputEvent.Kind], to hand: inout Hand) {
        for event in events { hand.wizard.handle(event, at: hand.now) }
        hand.wizard.handle(.report, at: hand.now)
    }

    @Test("B037: a D-pad can be mapped in every encoding, and nothing stays pressed", arguments: encodings)
    func dpad(_ encoding: Encoding) {
        var hand = Hand(encoding.device)
        for (function, events) in zip(PadFunction.dpad, encoding.directions) {
            #expect(hand.asked == function)
            send(events, to: &hand)
            hand.wait(150)
            send(encoding.rest, to: &hand)
            hand.wait(150)
        }
        #expect(zip(PadFunction.dpad, encoding.controls).allSatisfy { hand.state($0) == .bound($1) })
        // Up, centre, down without centre, diagonal, centre.
        let sequence = [
            encoding.directions[0], encoding.rest, encoding.directions[0], encoding.directions[1],
            encoding.directions[1] + encoding.directions[3], encoding.rest,
        ]
        for events in sequence {
            send(events, to: &hand)
            hand.wait(30)
        }
        #expect(hand.wizard.held.isEmpty)
        hand.wait(300)
        #expect(hand.wizard.phase == .listening)
        #expect(hand.asked == .south)
    }

    @Test(
        "B037: Down right after Up, without the centre between them, is asked for again and then right",
        arguments: encodings)
    func withoutCentre(_ encoding: Encoding) {
        var hand = Hand(encoding.device)
        send(encoding.directions[0], to: &hand)
        hand.wait(150)
        send(encoding.rest.filter { if case .key = $0 { true } else { false } } + encoding.directions[1], to: &hand)
        hand.wait(1200)
        #expect(hand.state(.up) == .bound(encoding.controls[0]))
        #expect(hand.asked == .down)
        send(encoding.rest, to: &hand)
        hand.wait(500)
        #expect(hand.wizard.phase == .listening)
        send(encoding.directions[1], to: &hand)
        hand.wait(150)
        send(encoding.rest, to: &hand)
        hand.wait(300)
        #expect(hand.state(.down) == .bound(encoding.controls[1]))
        #expect(hand.asked == .left)
    }

    @Test("B037: a diagonal answers nothing until one direction remains", arguments: encodings)
    func diagonal(_ encoding: Encoding) {
        var hand = Hand(encoding.device)
        send(encoding.directions[0] + encoding.directions[3], to: &hand)
        hand.wait(400)
        #expect(hand.asked == .up)
        // Rolls to Up alone.
        let right: [InputEvent.Kind] = encoding.rest.filter {
            switch ($0, encoding.controls[3]) {
            case (.axis(let code, _), .axis(let across, _)): code == across
            case (.axis(let code, _), .key): code == .hat0X
            case (.key(let code, _), let control): control == .key(code)
            default: false
            }
        }
        send(right, to: &hand)
        hand.wait(90)
        #expect(hand.asked == .up)
        hand.wait(20)
        #expect(hand.state(.up) == .bound(encoding.controls[0]))
        send(encoding.rest, to: &hand)
        hand.wait(100)
        #expect(hand.asked == .down)
    }

    // MARK: B039

    @Test("B039: a stick with one button is finished when its five controls are known")
    func oneButton() {
        var hand = Hand(oneButtonStick)
        hand.answer(stickUp, stickDown, stickLeft, stickRight, button(0))
        #expect(hand.wizard.phase == .testing)
        #expect(hand.wizard.rows.dropFirst(5).allSatisfy { $0.state == .absent })
        // The next hold that the person would skip with ends the test, but not before a second.
        hand.tap(button(0), for: 900)
        #expect(hand.wizard.phase == .testing)
        hand.press(button(0))
        hand.wait(500)
        #expect(hand.wizard.hold == MappingWizard.Hold(function: .south, progress: 0.5))
        hand.wait(500)
        #expect(hand.saved?.isUsable == true)
    }

    @Test("B039: with a throttle beside it, its one button skips as well as Down, row by row")
    func oneButtonAndThrottle() {
        var axes = oneButtonStick.capabilities.axes
        axes[.z] = axis(0, 255)
        var hand = Hand(pad("Stick with throttle", keys: [0x120...0x120], axes: axes))
        hand.answer(stickUp, stickDown, stickLeft, stickRight, button(0))
        #expect(hand.asked == .east)
        hand.tap(button(0), for: 990)
        #expect(hand.asked == .east)
        #expect(hand.wizard.notice == .alreadyUsed(button(0), by: .south))
        hand.tap(button(0), for: 2000)
        #expect(hand.asked == .west)
        hand.tap(stickDown, for: 2000)
        #expect(hand.asked == .north)
        for _ in 0..<30 where hand.wizard.phase == .listening { hand.tap(button(0), for: 1000) }
        #expect(hand.wizard.phase == .testing)
        #expect(hand.wizard.result.controls.count == 5)
    }

    @Test("B039: the same button for two prompts is refused, and the prompt is asked again")
    func sameButton() {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp, stickDown, stickLeft, stickRight, button(0))
        hand.tap(button(0))
        #expect(hand.asked == .east)
        #expect(hand.wizard.notice == .alreadyUsed(button(0), by: .south))
        #expect(hand.wizard.notice?.sentence == "That is already A")
        hand.tap(stickLeft)
        #expect(hand.wizard.notice?.sentence == "That is already D-pad left")
        hand.tap(button(1))
        #expect(hand.state(.east) == .bound(button(1)))
        #expect(hand.wizard.notice == nil)
    }
}
