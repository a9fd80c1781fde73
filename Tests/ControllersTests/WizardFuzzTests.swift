import Controllers
import EvdevKit
import SystemKit
import Testing

@Suite("The wizard and random events")
struct WizardFuzzTests {
    @Test("100,000 random events of random devices: it never traps, and it always ends")
    func randomEvents() {
        var dice = Dice(seed: 20_261_130)
        var count = 0
        var endings: [String: Int] = [:]
        var answers = 0
        var tests = 0
        while count < 100_000 {
            let device = randomDevice(&dice)
            var wizard = MappingWizard(pad: device.info, at: MonotonicInstant(nanoseconds: 0))
            var time: Int64 = 0
            let isDeliberate = Bool.random(using: &dice)
            for _ in 0..<2000 {
                count += 1
                if isDeliberate, Int.random(in: 0..<4, using: &dice) > 0 {
                    press(on: &wizard, device, &time, &dice)
                } else {
                    time &+= step(&dice)
                    act(on: &wizard, device, at: MonotonicInstant(nanoseconds: time), &dice)
                }
                if wizard.phase == .testing { tests += 1 }
                check(wizard, device)
            }
            answers += wizard.rows.filter { if case .bound = $0.state { true } else { false } }.count
            // Nobody touches it any more: it ends by itself.
            var looks = 0
            while let deadline = wizard.deadline {
                looks += 1
                if looks > 100_000 {
                    Issue.record("it does not end: \(wizard.phase)")
                    return
                }
                wizard.advance(to: deadline)
            }
            if case .ended(.saved(let mapping)) = wizard.phase {
                endings["saved", default: 0] += 1
                #expect(!mapping.isEmpty)
            } else {
                endings["abandoned", default: 0] += 1
            }
        }
        #expect(answers > 100)
        #expect(tests > 100)
        #expect(endings["saved", default: 0] > 5 && endings["abandoned", default: 0] > 5)
    }

    /// One of those who mean it: presses something, holds it for a while, lets it go.
    private func press(on wizard: inout MappingWizard, _ device: Device, _ time: inout Int64, _ dice: inout Dice) {
        var isPressed = true
        let movement = movement(of: device, &dice)
        for pause in [Int64.random(in: 100...1200, using: &dice), 300] {
            switch movement {
            case .key(let code, _):
                wizard.handle(.key(code, value: isPressed ? 1 : 0), at: MonotonicInstant(nanoseconds: time))
            case .axis(let code, let value):
                let rest = device.capabilities.axes[code]?.value ?? 0
                wizard.handle(.axis(code, value: isPressed ? value : rest), at: MonotonicInstant(nanoseconds: time))
            default: break
            }
            isPressed = false
            time &+= pause * 1_000_000
            wizard.advance(to: MonotonicInstant(nanoseconds: time))
        }
    }

    private func check(_ wizard: MappingWizard, _ device: Device) {
        switch wizard.phase {
        case .skipping(let progress): #expect((0...1).contains(progress))
        case .lost(let seconds): #expect((0...10).contains(seconds))
        case .ended: #expect(wizard.deadline == nil)
        case .listening, .pressing, .releasing, .testing: #expect(wizard.deadline != nil)
        }
        // No control has two functions, but for the hotkey.
        let controls = wizard.result.controls.filter { $0.key != .hotkey }.values.joined()
        #expect(Set(controls).count == controls.count)
        #expect(wizard.levels.values.allSatisfy { (-1...1).contains($0) })
        if let current = wizard.current { #expect(wizard.rows[current].state == .open) }
    }

    private func step(_ dice: inout Dice) -> Int64 {
        switch Int.random(in: 0..<400, using: &dice) {
        case 0: .random(in: -10_000_000_000...10_000_000_000, using: &dice)
        case 1: .random(in: Int64.min / 4...Int64.max / 4, using: &dice)
        case 2..<100: .random(in: 0...400_000_000, using: &dice)
        default: .random(in: 0...20_000_000, using: &dice)
        }
    }

    private func act(
        on wizard: inout MappingWizard, _ device: Device, at time: MonotonicInstant, _ dice: inout Dice
    ) {
        switch Int.random(in: 0..<1000, using: &dice) {
        case 0: wizard.deviceRemoved(at: time)
        case 1...5: wizard.deviceReturned(device.info, at: time)
        case 6: wizard.back(at: time)
        case 7 where Int.random(in: 0..<20, using: &dice) == 0: wizard.leave(at: time)
        case 8...30: wizard.advance(to: time)
        case 31...34: wizard.handle(.dropped, at: time)
        case 35...80: wizard.handle(.report, at: time)
        case 81...82:
            wizard.handle(.other(type: 4, code: 4, value: .random(in: .min ... .max, using: &dice)), at: time)
        default: wizard.handle(movement(of: device, &dice), at: time)
        }
    }

    private func movement(of device: Device, _ dice: inout Dice) -> InputEvent.Kind {
        if Bool.random(using: &dice), let key = device.capabilities.keys.sorted().randomElement(using: &dice) {
            return .key(key, value: .random(in: 0...2, using: &dice))
        }
        // In order, so that each run throws the same.
        let axes = device.capabilities.axes.sorted { $0.key < $1.key }
        guard let (code, info) = axes.randomElement(using: &dice) else {
            return .key(
                KeyCode(rawValue: .random(in: 0...0x2FF, using: &dice)), value: .random(in: -1...3, using: &dice))
        }
        switch Int.random(in: 0..<20, using: &dice) {
        case 0: return .axis(code, value: .random(in: .min ... .max, using: &dice))
        case 1...6: return .axis(code, value: info.value)
        case 7...10: return .axis(code, value: info.minimum)
        case 11...14: return .axis(code, value: info.maximum)
        default:
            let range = min(info.minimum, info.maximum)...max(info.minimum, info.maximum)
            return .axis(code, value: .random(in: range, using: &dice))
        }
    }

    private func randomDevice(_ dice: inout Dice) -> Device {
        if Bool.random(using: &dice), let pad = pads.randomElement(using: &dice) { return pad }
        var axes: [AxisCode: AxisInfo] = [:]
        for code in (UInt16(0)...0x29) where Int.random(in: 0..<5, using: &dice) == 0 {
            let ends = [-32768, -1, 0, 0, 1, 127, 255, 65535, Int32.max, .min]
            axes[AxisCode(rawValue: code)] = axis(
                ends.randomElement(using: &dice) ?? 0, ends.randomElement(using: &dice) ?? 0,
                at: ends.randomElement(using: &dice) ?? 0)
        }
        let first = UInt16.random(in: 0x120...0x13E, using: &dice)
        let keys = Bool.random(using: &dice) ? [first...first + .random(in: 0...14, using: &dice)] : []
        return Device("Random", vendor: 0x20D6, product: 1, keys: keys, axes: axes)
    }
}
