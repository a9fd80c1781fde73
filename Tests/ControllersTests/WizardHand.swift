import Controllers
import EvdevKit
import SystemKit

/// A person with a device in front of the wizard, and a clock that the test turns.
struct Hand {
    var wizard: MappingWizard
    var device: Device
    /// Milliseconds of the clock.
    private(set) var clock: Double = 5000

    init(_ device: Device, family: PadFamily? = nil, isReady: Bool = true) {
        self.device = device
        var info = device.info
        if let family { info.family = family }
        wizard = MappingWizard(pad: info, at: MonotonicInstant(nanoseconds: 5_000_000_000))
        if isReady { wait(300) }
    }

    var now: MonotonicInstant { MonotonicInstant(nanoseconds: Int64(clock * 1_000_000)) }

    /// The row that is asked.
    var asked: PadFunction? { wizard.current.map { wizard.rows[$0].function } }

    func state(_ function: PadFunction) -> MappingWizard.Row.State? {
        wizard.rows.first { $0.function == function }?.state
    }

    /// Time passes as in a loop that sleeps until the deadline.
    mutating func wait(_ milliseconds: Double) {
        let end = clock + milliseconds
        while let deadline = wizard.deadline, Double(deadline.nanoseconds) / 1_000_000 < end {
            clock = Double(deadline.nanoseconds) / 1_000_000
            wizard.advance(to: now)
        }
        clock = end
        wizard.advance(to: now)
    }

    /// The clock itself jumps, and the loop notices at its next look at it.
    mutating func jump(_ milliseconds: Double) {
        clock += milliseconds
        wizard.advance(to: now)
    }

    /// Events of one report.
    mutating func send(_ events: InputEvent.Kind...) {
        for event in events { wizard.handle(event, at: now) }
        wizard.handle(.report, at: now)
    }

    mutating func press(_ control: Control) { send(event(control, isPressed: true)) }
    mutating func letGo(_ control: Control) { send(event(control, isPressed: false)) }

    /// Presses, holds, lets go, and lets everything settle.
    mutating func tap(_ control: Control, for milliseconds: Double = 150) {
        press(control)
        wait(milliseconds)
        letGo(control)
        wait(100)
    }

    /// Answers rows in order.
    mutating func answer(_ controls: Control...) {
        for control in controls { tap(control) }
    }

    /// The mapping that was saved; `nil` where none was.
    var saved: PadMapping? {
        if case .ended(.saved(let mapping)) = wizard.phase { mapping } else { nil }
    }

    var abandoned: MappingWizard.Abandonment? {
        if case .ended(.abandoned(let reason)) = wizard.phase { reason } else { nil }
    }

    func event(_ control: Control, isPressed: Bool) -> InputEvent.Kind {
        switch control {
        case .key(let code): return .key(code, value: isPressed ? 1 : 0)
        case .axis(let code, let side):
            guard let info = device.capabilities.axes[code] else { return .report }
            let end = side == .negative ? info.minimum : info.maximum
            return .axis(code, value: isPressed ? end : info.value)
        }
    }
}

/// A button of the plain joystick's range.
func button(_ number: Int) -> Control { .key(KeyCode.joystick.advanced(by: number)) }

let hatUp = Control.axis(.hat0Y, .negative)
let hatDown = Control.axis(.hat0Y, .positive)
let hatLeft = Control.axis(.hat0X, .negative)
let hatRight = Control.axis(.hat0X, .positive)
let stickUp = Control.axis(.y, .negative)
let stickDown = Control.axis(.y, .positive)
let stickLeft = Control.axis(.x, .negative)
let stickRight = Control.axis(.x, .positive)
