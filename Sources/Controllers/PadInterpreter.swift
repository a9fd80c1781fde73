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
/// trigger): it is pressed once when the first goes down and released when the last goes up. Its size is fixed from
/// the start, whatever a device sends.
public struct PadInterpreter: Sendable {
    /// Presses beyond this part of the travel from rest.
    static let pressAt = 0.6
    /// Releases below this part; what lies between keeps the state, so noise cannot make it chatter.
    static let releaseAt = 0.4

    /// The button of each key, by its code.
    private let keys: [ButtonNumber]
    /// By code, while it is down.
    private var areDown: [Bool]
    /// The place of each axis in `axes`, by its code; -1 for one that means nothing.
    private let places: [Int]
    private var axes: [AxisState]
    /// How many controls hold each button.
    private var holders: [Int]
    /// The buttons that are held by something, a bit each.
    private var wanted: UInt32 = 0
    /// The buttons that were told as pressed.
    private var pressed: UInt32 = 0
    /// Of two opposite directions the one that came last.
    private var lastAcross = ButtonNumber.left
    private var lastAlong = ButtonNumber.up

    /// A pad at rest; a control that is held at this moment counts only after it was released.
    ///
    /// - Parameter capabilities: also tells the axes' ranges and first values.
    public init(capabilities: Capabilities, mapping: PadMapping) {
        var keys = [ButtonNumber](repeating: .none, count: Int(KeyCode.last.rawValue) + 1)
        var sides: [AxisCode: [AxisDirection: ButtonNumber]] = [:]
        // The modifier comes last: where it is a button with a function of its own, it is that button.
        for (function, controls) in mapping.controls.sorted(by: { $0.key < $1.key }) {
            guard let button = function.button.map(ButtonNumber.init) else { continue }
            for control in controls {
                switch control {
                case .key(let code):
                    guard keys.indices.contains(Int(code.rawValue)), keys[Int(code.rawValue)] == .none else { continue }
                    keys[Int(code.rawValue)] = button
                case .axis(let code, let side): sides[code, default: [:]][side] = sides[code]?[side] ?? button
                }
            }
        }
        self.keys = keys
        areDown = [Bool](repeating: false, count: keys.count)
        var places = [Int](repeating: -1, count: Int(AxisCode.last.rawValue) + 1)
        axes = []
        for (code, buttons) in sides where places.indices.contains(Int(code.rawValue)) {
            guard let info = capabilities.axes[code],
                let state = AxisState(buttons: buttons, info: info, travel: mapping.travels[code])
            else { continue }
            places[Int(code.rawValue)] = axes.count
            axes.append(state)
        }
        self.places = places
        holders = [Int](repeating: 0, count: ButtonNumber.buttons.count)
    }

    /// The buttons that are down now.
    public var held: Set<PadButton> {
        var buttons: Set<PadButton> = []
        ButtonNumber.forEach(in: pressed) { buttons.insert($0) }
        return buttons
    }

    /// Takes one event in; releases come before presses.
    public mutating func handle(_ event: InputEvent.Kind) -> [PadChange] {
        switch event {
        case .key(let code, let value):
            let index = Int(code.rawValue)
            guard index < keys.count, value != 2, keys[index] != .none, areDown[index] != (value != 0) else {
                return []
            }
            areDown[index] = value != 0
            return value == 0 ? hold(.none, instead: keys[index]) : hold(keys[index], instead: .none)
        case .axis(let code, let value):
            let index = Int(code.rawValue)
            guard index < places.count, places[index] >= 0 else { return [] }
            let place = places[index]
            let before = axes[place].held
            let after = axes[place].move(to: value)
            return after == before ? [] : hold(after, instead: before)
        case .dropped: return releaseAll()
        case .report, .other: return []
        }
    }

    /// Lets everything go: the device is gone, or nobody knows what it holds.
    public mutating func releaseAll() -> [PadChange] {
        for index in areDown.indices { areDown[index] = false }
        for index in axes.indices { axes[index].held = .none }
        for index in holders.indices { holders[index] = 0 }
        wanted = 0
        return settle()
    }

    private mutating func hold(_ button: ButtonNumber, instead old: ButtonNumber) -> [PadChange] {
        if old != .none {
            holders[old.index] -= 1
            if holders[old.index] == 0 { wanted &= ~old.bit }
        }
        if button != .none {
            holders[button.index] += 1
            wanted |= button.bit
            if button.bit & ButtonNumber.across != 0 { lastAcross = button }
            if button.bit & ButtonNumber.along != 0 { lastAlong = button }
        }
        return settle()
    }

    /// Compares what is held with what was told.
    private mutating func settle() -> [PadChange] {
        var now = wanted
        // Opposite directions at once exist on arcade panels and worn pads; no list can move both ways.
        if now & ButtonNumber.across == ButtonNumber.across { now &= ~ButtonNumber.across | lastAcross.bit }
        if now & ButtonNumber.along == ButtonNumber.along { now &= ~ButtonNumber.along | lastAlong.bit }
        guard now != pressed else { return [] }
        var changes: [PadChange] = []
        ButtonNumber.forEach(in: pressed & ~now) { changes.append(PadChange($0, isPressed: false)) }
        ButtonNumber.forEach(in: now & ~pressed) { changes.append(PadChange($0, isPressed: true)) }
        pressed = now
        return changes
    }
}

/// A button as a small number, so that no event has to look anything up.
private struct ButtonNumber: Sendable, Equatable {
    static let buttons = PadButton.allCases
    static let none = ButtonNumber(rawValue: -1)
    static let left = ButtonNumber(.left)
    static let up = ButtonNumber(.up)
    static let across = left.bit | ButtonNumber(.right).bit
    static let along = up.bit | ButtonNumber(.down).bit

    private let rawValue: Int8

    private init(rawValue: Int8) { self.rawValue = rawValue }

    init(_ button: PadButton) {
        rawValue = Int8(ButtonNumber.buttons.firstIndex(of: button) ?? -1)
    }

    var index: Int { Int(rawValue) }
    var bit: UInt32 { 1 << UInt32(rawValue) }

    /// In the order in which buttons are declared.
    static func forEach(in bits: UInt32, _ body: (PadButton) -> Void) {
        var rest = bits
        while rest != 0 {
            body(buttons[rest.trailingZeroBitCount])
            rest &= rest - 1
        }
    }
}

/// One axis: where it rests, and which button it holds now.
private struct AxisState: Sendable {
    /// The least part of the whole range that a guessed rest must leave for a press: a trigger that was held when it
    /// was plugged in looks as if it rested at its end.
    private static let leastTravel = 0.25

    private let negative: ButtonNumber
    private let positive: ButtonNumber
    private let minimum: Double
    private let maximum: Double
    /// The first value was a guess of the kernel's, or it was held then: the rest may be farther out.
    private let learns: Bool
    private var rest: Double
    /// The values beyond which each side is pressed, and short of which it is released.
    private var pressAbove = Double.infinity
    private var releaseBelow = Double.infinity
    private var pressBelow = -Double.infinity
    private var releaseAbove = -Double.infinity
    /// It was held already when the device was opened, and was not let go since.
    private var isHeldFromBefore = false
    var held = ButtonNumber.none

    /// - Returns: `nil` for an axis that cannot move.
    init?(buttons: [AxisDirection: ButtonNumber], info: AxisInfo, travel: AxisTravel?) {
        var (low, high) = (travel?.minimum ?? info.minimum, travel?.maximum ?? info.maximum)
        if low >= high { (low, high) = (info.minimum, info.maximum) }
        guard low < high else { return nil }
        negative = buttons[.negative] ?? .none
        positive = buttons[.positive] ?? .none
        minimum = Double(low)
        maximum = Double(high)
        let initial = min(max(Double(info.value), minimum), maximum)
        let middle = (minimum + maximum) / 2
        switch travel?.rest ?? .middle {
        // A worn stick rests beside the middle. One that says more than a little is held, or has not spoken yet.
        case .middle: rest = abs(initial - middle) <= (maximum - minimum) * 0.1 ? initial : middle
        case .minimum: rest = minimum
        case .maximum: rest = maximum
        case .value(let value): rest = min(max(Double(value), minimum), maximum)
        case .initial: rest = initial
        }
        learns = travel?.rest == .initial && (negative == .none) != (positive == .none)
        setLimits()
        isHeldFromBefore = initial > pressAbove || initial < pressBelow
    }

    /// Takes a new value.
    ///
    /// - Returns: the button that is held now.
    mutating func move(to raw: Int32) -> ButtonNumber {
        var value = Double(raw)
        if value < minimum { value = minimum }
        if value > maximum { value = maximum }
        if learns, positive == .none ? value > rest : value < rest {
            rest = value
            setLimits()
        }
        if isHeldFromBefore {
            if value >= rest ? value >= releaseBelow : value <= releaseAbove { return .none }
            isHeldFromBefore = false
        }
        let target = value >= rest ? positive : negative
        if held != .none, held != target || (value >= rest ? value < releaseBelow : value > releaseAbove) {
            held = .none
        }
        if held == .none, value > pressAbove || value < pressBelow { held = target }
        return held
    }

    private mutating func setLimits() {
        let least = learns ? (maximum - minimum) * AxisState.leastTravel : 0
        let (up, down) = (maximum - rest, rest - minimum)
        let canRise = up > 0 && up >= least
        let canFall = down > 0 && down >= least
        pressAbove = canRise ? rest + up * PadInterpreter.pressAt : .infinity
        releaseBelow = canRise ? rest + up * PadInterpreter.releaseAt : .infinity
        pressBelow = canFall ? rest - down * PadInterpreter.pressAt : -.infinity
        releaseAbove = canFall ? rest - down * PadInterpreter.releaseAt : -.infinity
    }
}
