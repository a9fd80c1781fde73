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

    private let layout: PadLayout
    private var axes: [AxisCode: AxisState] = [:]
    private var heldKeys: Set<KeyCode> = []
    /// How many controls hold each button.
    private var holders: [PadButton: Int] = [:]
    /// Of two opposite directions the one that came last.
    private var lastAcross: PadButton = .left
    private var lastAlong: PadButton = .up
    private var pressed: Set<PadButton> = []

    /// A pad at rest; a control that is held at this moment counts only after it was released.
    public init(capabilities: Capabilities, layout: PadLayout) {
        self.layout = layout
        for (code, role) in layout.axes {
            guard let info = capabilities.axes[code], info.maximum > info.minimum else { continue }
            axes[code] = AxisState(role: role, info: info)
        }
    }

    /// A pad laid out by convention.
    public init(capabilities: Capabilities, identity: PadIdentity, name: String) {
        self.init(
            capabilities: capabilities,
            layout: PadLayout(convention: capabilities, identity: identity, name: name))
    }

    /// The buttons that are down now.
    public var held: Set<PadButton> { pressed }

    /// Takes one event in; releases come before presses.
    public mutating func handle(_ event: InputEvent.Kind) -> [PadChange] {
        switch event {
        case .key(let code, let value):
            guard let button = layout.keys[code], value != 2 else { return [] }
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
    let role: PadLayout.AxisRole
    let minimum: Double
    let maximum: Double
    var rest: Double
    var held: PadButton?

    init(role: PadLayout.AxisRole, info: AxisInfo) {
        self.role = role
        minimum = Double(info.minimum)
        maximum = Double(info.maximum)
        let initial = min(max(Double(info.value), minimum), maximum)
        let middle = (minimum + maximum) / 2
        switch role {
        case .directions:
            // A worn stick rests beside the middle. One that says more than a little is held, or has not spoken yet.
            rest = abs(initial - middle) <= (maximum - minimum) * 0.1 ? initial : middle
        case .trigger(_, .minimum): rest = minimum
        case .trigger(_, .initial): rest = initial
        }
    }

    mutating func move(to raw: Int32) {
        let value = min(max(Double(raw), minimum), maximum)
        let travel: Double
        let target: PadButton
        switch role {
        case .directions(let negative, let positive):
            let isPositive = value >= rest
            target = isPositive ? positive : negative
            travel = isPositive ? part(value - rest, of: maximum - rest) : part(rest - value, of: rest - minimum)
        case .trigger(let button, _):
            target = button
            // One that says the middle at first has not spoken yet, and most rest at the lower end.
            let isRising = part(rest - minimum, of: maximum - minimum) < 0.75
            // The first value was a guess of the kernel's if the axis goes beyond it on the side it rests at.
            if isRising { rest = min(rest, value) } else { rest = max(rest, value) }
            travel = isRising ? part(value - rest, of: maximum - rest) : part(rest - value, of: rest - minimum)
        }
        if let now = held, now != target || travel < PadInterpreter.releaseAt { held = nil }
        if held == nil, travel > PadInterpreter.pressAt { held = target }
    }

    private func part(_ distance: Double, of whole: Double) -> Double { whole > 0 ? distance / whole : 0 }
}
