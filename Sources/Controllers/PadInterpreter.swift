public import EvdevKit

/// A pad's button that went down or up.
public struct PadChange: Sendable, Equatable {
    /// Which.
    public let button: PadButton
    /// Down or up.
    public let isPressed: Bool

    /// A change with all its parts.
    public init(_ button: PadButton, isPressed: Bool) {
        self.button = button
        self.isPressed = isPressed
    }
}

/// Makes presses and releases out of a device's events: pure state, no device, no clock.
///
/// Several controls may mean one button (a hat, four buttons and a stick for the D-pad; a key and an axis for one
/// trigger): it is pressed once when the first goes down and released when the last goes up.
public struct PadInterpreter: Sendable {
    /// Presses beyond this part of the travel from rest.
    static let pressAt = 0.6
    /// Releases below this part; what lies between keeps the state, so noise cannot make it chatter.
    static let releaseAt = 0.4

    private let keys: [KeyCode: PadButton]
    private var axes: [AxisCode: AxisState] = [:]
    private var heldKeys: Set<KeyCode> = []
    /// How many controls hold each button.
    private var holders: [PadButton: Int] = [:]
    /// Of two opposite directions the one that came last.
    private var lastAcross: PadButton = .left
    private var lastAlong: PadButton = .up
    private var pressed: Set<PadButton> = []

    /// A pad at rest; a control that is held at this moment counts only after it was released.
    ///
    /// - Parameter capabilities: also tells the axes' ranges and first values.
    public init(capabilities: Capabilities, mapping: PadMapping) {
        var keys: [KeyCode: PadButton] = [:]
        var sides: [AxisCode: [AxisDirection: PadButton]] = [:]
        // The modifier comes last: where it is a button with a function of its own, it is that button.
        for (function, controls) in mapping.controls.sorted(by: { $0.key < $1.key }) {
            guard let button = function.button else { continue }
            for control in controls {
                switch control {
                case .key(let code): keys[code] = keys[code] ?? button
                case .axis(let code, let side): sides[code, default: [:]][side] = sides[code]?[side] ?? button
                }
            }
        }
        self.keys = keys
        for (code, buttons) in sides {
            guard let info = capabilities.axes[code], info.maximum > info.minimum else { continue }
            axes[code] = AxisState(buttons: buttons, info: info, travel: mapping.travels[code])
        }
    }

    /// The buttons that are down now.
    public var held: Set<PadButton> { pressed }

    /// Takes one event in; releases come before presses.
    public mutating func handle(_ event: InputEvent.Kind) -> [PadChange] {
        switch event {
        case .key(let code, let value):
            guard let button = keys[code], value != 2 else { return [] }
            if value == 0 {
                guard heldKeys.remove(code) != nil else { return [] }
                return hold(nil, instead: button)
            }
            guard heldKeys.insert(code).inserted else { return [] }
            return hold(button, instead: nil)
        case .axis(let code, let value):
            guard var state = axes[code] else { return [] }
            let before = state.held
            state.move(to: value)
            axes[code] = state
            return state.held == before ? [] : hold(state.held, instead: before)
        case .dropped: return releaseAll()
        case .report, .other: return []
        }
    }

    /// Lets everything go: the device is gone, or nobody knows what it holds.
    public mutating func releaseAll() -> [PadChange] {
        heldKeys.removeAll()
        for code in Array(axes.keys) { axes[code]?.held = nil }
        holders.removeAll()
        return settle()
    }

    private mutating func hold(_ button: PadButton?, instead old: PadButton?) -> [PadChange] {
        if let old { holders[old, default: 1] -= 1 }
        if let button {
            holders[button, default: 0] += 1
            switch button {
            case .left, .right: lastAcross = button
            case .up, .down: lastAlong = button
            default: break
            }
        }
        return settle()
    }

    /// Compares what is held with what was told.
    private mutating func settle() -> [PadChange] {
        var wanted = Set(holders.lazy.filter { $0.value > 0 }.map(\.key))
        // Opposite directions at once exist on arcade panels and worn pads; no list can move both ways.
        if wanted.isSuperset(of: [.left, .right]) { wanted.remove(lastAcross == .left ? .right : .left) }
        if wanted.isSuperset(of: [.up, .down]) { wanted.remove(lastAlong == .up ? .down : .up) }
        guard wanted != pressed else { return [] }
        let changes =
            PadButton.allCases.filter { pressed.contains($0) && !wanted.contains($0) }
            .map { PadChange($0, isPressed: false) }
            + PadButton.allCases.filter { wanted.contains($0) && !pressed.contains($0) }
            .map { PadChange($0, isPressed: true) }
        pressed = wanted
        return changes
    }
}

/// One axis: where it rests, and which button it holds now.
private struct AxisState: Sendable {
    private let buttons: [AxisDirection: PadButton]
    private let minimum: Double
    private let maximum: Double
    private let restIsGuess: Bool
    private var rest: Double
    var held: PadButton?

    init(buttons: [AxisDirection: PadButton], info: AxisInfo, travel: AxisTravel?) {
        self.buttons = buttons
        minimum = Double(travel?.minimum ?? info.minimum)
        maximum = max(minimum, Double(travel?.maximum ?? info.maximum))
        let initial = min(max(Double(info.value), minimum), maximum)
        let middle = (minimum + maximum) / 2
        switch travel?.rest ?? .middle {
        case .middle:
            // A worn stick rests beside the middle. One that says more than a little is held, or has not spoken yet.
            rest = abs(initial - middle) <= (maximum - minimum) * 0.1 ? initial : middle
            restIsGuess = false
        case .minimum:
            rest = minimum
            restIsGuess = false
        case .maximum:
            rest = maximum
            restIsGuess = false
        case .value(let value):
            rest = min(max(Double(value), minimum), maximum)
            restIsGuess = false
        case .initial:
            rest = initial
            restIsGuess = true
        }
    }

    mutating func move(to raw: Int32) {
        let value = min(max(Double(raw), minimum), maximum)
        // The first value was a guess of the kernel's if the axis goes beyond it on the side it rests at.
        if restIsGuess, buttons.count == 1 {
            if buttons[.positive] != nil { rest = min(rest, value) } else { rest = max(rest, value) }
        }
        let isPositive = value >= rest
        let travel = isPositive ? part(value - rest, of: maximum - rest) : part(rest - value, of: rest - minimum)
        let target = buttons[isPositive ? .positive : .negative]
        if let now = held, now != target || travel < PadInterpreter.releaseAt { held = nil }
        if held == nil, travel > PadInterpreter.pressAt { held = target }
    }

    private func part(_ distance: Double, of whole: Double) -> Double { whole > 0 ? distance / whole : 0 }
}
