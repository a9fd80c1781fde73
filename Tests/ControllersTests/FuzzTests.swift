import Controllers
import EvdevKit
import Testing

/// A small generator with a seed, so that a failure can be repeated.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite("Random devices and events")
struct FuzzTests {
    @Test("a million random events never press twice, never release twice, and leave nothing held")
    func randomEvents() {
        var dice = Dice(seed: 20_260_101)
        var count = 0
        var presses = 0
        while count < 1_000_000 {
            let device = randomDevice(&dice)
            var interpreter = device.interpreter
            var held: Set<PadButton> = []
            func check(_ changes: [PadChange]) {
                for change in changes {
                    if change.isPressed {
                        presses += 1
                        #expect(held.insert(change.button).inserted, "\(change.button) pressed twice")
                    } else {
                        #expect(held.remove(change.button) != nil, "\(change.button) released twice")
                    }
                }
                if held.isSuperset(of: [.left, .right]) || held.isSuperset(of: [.up, .down]) {
                    Issue.record("opposite directions at once")
                }
            }
            let keys = Array(device.capabilities.keys)
            let axes = Array(device.capabilities.axes)
            for _ in 0..<5000 {
                count += 1
                check(interpreter.handle(randomEvent(keys, axes, &dice)))
            }
            #expect(held == interpreter.held)
            // Let everything go the way a person does.
            for key in keys { check(interpreter.handle(.key(key, value: 0))) }
            for (code, info) in axes { check(interpreter.handle(.axis(code, value: rest(of: info, code, on: device)))) }
            #expect(held.isEmpty, "\(held) of \(device.capabilities)")
        }
        #expect(presses > 10_000)
    }

    private func randomDevice(_ dice: inout Dice) -> Device {
        if Bool.random(using: &dice), let pad = pads.randomElement(using: &dice) { return pad }
        let first = UInt16.random(in: 0x120...0x13E, using: &dice)
        var axes: [AxisCode: AxisInfo] = [:]
        let codes: [AxisCode] = [.x, .y, .z, .rx, .ry, .rz, .gas, .brake, .hat0X, .hat0Y, .hat2X, .hat2Y]
        for code in codes where Bool.random(using: &dice) {
            let low = Int32.random(in: -40000...0, using: &dice)
            let high = low + Int32.random(in: 1...70000, using: &dice)
            axes[code] = axis(low, high, at: Int32.random(in: low...high, using: &dice))
        }
        return Device(
            "Random", vendor: [0x045E, 0x054C, 0x20D6].randomElement(using: &dice) ?? 0,
            product: 1, keys: [first...min(first + 12, 0x13E), 0x220...0x223], axes: axes)
    }

    private func randomEvent(
        _ keys: [KeyCode], _ axes: [(key: AxisCode, value: AxisInfo)], _ dice: inout Dice
    ) -> InputEvent.Kind {
        switch Int.random(in: 0..<100, using: &dice) {
        case 0: return .report
        case 1: return .dropped
        case 2: return .other(type: 4, code: 4, value: .random(in: .min ... .max, using: &dice))
        case 3: return .key(KeyCode(rawValue: .random(in: 0...0x2FF, using: &dice)), value: 1)
        case 4..<50:
            guard let key = keys.randomElement(using: &dice) else { return .report }
            return .key(key, value: .random(in: 0...2, using: &dice))
        default:
            guard let (code, info) = axes.randomElement(using: &dice) else { return .report }
            let value: Int32 =
                Int.random(in: 0..<50, using: &dice) == 0
                ? .random(in: .min ... .max, using: &dice)
                : .random(in: min(info.minimum, info.maximum)...max(info.minimum, info.maximum), using: &dice)
            return .axis(code, value: value)
        }
    }

    /// Where the control goes when it is let go: sticks to the middle, triggers to the end they started near.
    private func rest(of info: AxisInfo, _ code: AxisCode, on device: Device) -> Int32 {
        if [.x, .y, .hat0X, .hat0Y].contains(code) {
            return Int32((Int64(info.minimum) + Int64(info.maximum)) / 2)
        }
        let place = (Double(info.value) - Double(info.minimum)) / (Double(info.maximum) - Double(info.minimum))
        let restsLow = place < 0.75 || [0x045E, 0x054C].contains(device.identity.vendor)
        return restsLow ? info.minimum : info.maximum
    }
}
