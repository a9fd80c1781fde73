import Controllers
import EvdevKit
import SystemKit
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

    /// Less than the limit; ten million throws go through here, and the library's own are slow without optimisation.
    mutating func below(_ limit: Int) -> Int { Int(truncatingIfNeeded: next() >> 33) % limit }

    mutating func between(_ low: Int32, _ high: Int32) -> Int32 {
        Int32(truncatingIfNeeded: Int(low) + below(Int(high) - Int(low) + 1))
    }
}

@Suite("Random devices and events")
struct FuzzTests {
    @Test("ten million random events never press twice, never release twice, leave nothing held and nothing behind")
    func randomEvents() {
        var dice = Dice(seed: 20_260_101)
        var count = 0
        var presses = 0
        let before = residentPages()
        while count < 10_000_000 {
            let device = randomDevice(&dice)
            let mapping = dice.below(3) == 0 ? device.info.mapping : randomMapping(device.capabilities, &dice)
            var interpreter = PadInterpreter(capabilities: device.capabilities, mapping: mapping)
            var held: Set<PadButton> = []
            func check(_ changes: [PadChange]) {
                for change in changes {
                    if change.isPressed {
                        presses += 1
                        if !held.insert(change.button).inserted { Issue.record("\(change.button) pressed twice") }
                    } else if held.remove(change.button) == nil {
                        Issue.record("\(change.button) released twice")
                    }
                }
                if held.contains(.left) && held.contains(.right) || held.contains(.up) && held.contains(.down) {
                    Issue.record("opposite directions at once")
                }
            }
            let keys = device.capabilities.keys.sorted()
            let axes = device.capabilities.axes.sorted { $0.key < $1.key }
            // Drawing from a store of events is quicker than making each, and as random.
            let store = (0..<2048).map { _ in randomEvent(keys, axes, &dice) }
            for _ in 0..<20_000 {
                let changes = interpreter.handle(store[Int(truncatingIfNeeded: dice.next() >> 53)])
                if !changes.isEmpty { check(changes) }
            }
            count += 20_000
            #expect(held == interpreter.held)
            // Let everything go the way a person does.
            for key in keys { check(interpreter.handle(.key(key, value: 0))) }
            for (code, info) in axes { check(interpreter.handle(.axis(code, value: rest(of: info, code, mapping)))) }
            if !held.isEmpty { Issue.record("\(held) of \(device.capabilities) with \(mapping)") }
        }
        #expect(presses > 100_000)
        if let before, let after = residentPages() {
            // Other suites run beside this one; ten million events of one byte more would show.
            #expect(after - before < 100 << 20, "memory grew by \((after - before) >> 20) MiB")
        }
    }

    private func randomDevice(_ dice: inout Dice) -> Device {
        if dice.below(2) == 0 { return pads[dice.below(pads.count)] }
        let first = UInt16(0x120 + dice.below(0x1F))
        var axes: [AxisCode: AxisInfo] = [:]
        let codes: [AxisCode] = [.x, .y, .z, .rx, .ry, .rz, .gas, .brake, .hat0X, .hat0Y, .hat2X, .hat2Y]
        for code in codes where dice.below(2) == 0 {
            let low = dice.between(-40000, 0)
            let high = low + dice.between(1, 70000)
            axes[code] = axis(low, high, at: dice.between(low, high))
        }
        return Device(
            "Random", vendor: [0x045E, 0x054C, 0x20D6][dice.below(3)], product: 1,
            keys: [first...min(first + 12, 0x13E), 0x220...0x223], axes: axes)
    }

    /// Anything that a person, a wizard or a damaged profile may come up with.
    private func randomMapping(_ capabilities: Capabilities, _ dice: inout Dice) -> PadMapping {
        var mapping = PadMapping()
        let keys = capabilities.keys.sorted()
        let axes = capabilities.axes.keys.sorted()
        for function in PadFunction.allCases {
            for _ in 0..<dice.below(4) {
                if dice.below(2) == 0, !keys.isEmpty {
                    mapping.add(.key(keys[dice.below(keys.count)]), for: function)
                } else if !axes.isEmpty {
                    let side: AxisDirection = dice.below(2) == 0 ? .negative : .positive
                    mapping.add(.axis(axes[dice.below(axes.count)], side), for: function)
                }
            }
        }
        for code in axes where dice.below(3) != 0 {
            let info = capabilities.axes[code] ?? AxisInfo(minimum: 0, maximum: 0)
            func inside() -> Int32 { dice.between(info.minimum, info.maximum) }
            let rests: [AxisTravel.Rest] = [.middle, .minimum, .maximum, .initial, .value(inside())]
            mapping.travels[code] = AxisTravel(
                rest: rests[dice.below(rests.count)], minimum: dice.below(2) == 0 ? nil : inside(),
                maximum: dice.below(2) == 0 ? nil : inside())
        }
        return mapping
    }

    private func randomEvent(
        _ keys: [KeyCode], _ axes: [(key: AxisCode, value: AxisInfo)], _ dice: inout Dice
    ) -> InputEvent.Kind {
        switch dice.below(200) {
        case 0: return .report
        case 1: return .dropped
        case 2: return .other(type: 4, code: 4, value: dice.between(.min, .max))
        case 3: return .key(KeyCode(rawValue: UInt16(dice.below(0x10000))), value: 1)
        case 4: return .axis(AxisCode(rawValue: UInt16(dice.below(0x10000))), value: dice.between(.min, .max))
        case 5..<100:
            return keys.isEmpty ? .report : .key(keys[dice.below(keys.count)], value: Int32(dice.below(3)))
        default:
            guard !axes.isEmpty else { return .report }
            let (code, info) = axes[dice.below(axes.count)]
            return .axis(
                code,
                value: dice.below(50) == 0 ? dice.between(.min, .max) : dice.between(info.minimum, info.maximum))
        }
    }

    /// Where the control goes when it is let go.
    private func rest(of info: AxisInfo, _ code: AxisCode, _ mapping: PadMapping) -> Int32 {
        let travel = mapping.travels[code]
        var (low, high) = (travel?.minimum ?? info.minimum, travel?.maximum ?? info.maximum)
        if low >= high { (low, high) = (info.minimum, info.maximum) }
        let inside = { (value: Int32) in min(max(value, low), high) }
        let initial = inside(info.value)
        let middle = Int32((Int64(low) + Int64(high)) / 2)
        switch travel?.rest ?? .middle {
        case .middle:
            return abs(Double(initial) - Double(middle)) <= 0.1 * (Double(high) - Double(low)) ? initial : middle
        case .minimum: return low
        case .maximum: return high
        case .value(let value): return inside(value)
        case .initial:
            let sides = Set(
                mapping.controls.filter { $0.key.button != nil }.values.joined().compactMap { control in
                    if case .axis(code, let side) = control { side } else { nil }
                })
            // One that goes to one side may have been held at first; then it goes farther back than it was.
            return sides.count == 2 ? initial : sides.contains(.positive) ? low : high
        }
    }

    /// Bytes of memory that the process has now; `nil` where the kernel does not tell.
    private func residentPages() -> Int? {
        guard let bytes = try? readFile("/proc/self/statm") else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1]).map { $0 * 4096 } : nil
    }
}
