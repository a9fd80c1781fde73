public import EvdevKit

/// To which side an axis is moved.
public enum AxisDirection: String, Sendable, Hashable, Comparable {
    /// Towards the lowest value: left or up on most sticks.
    case negative = "-"
    /// Towards the highest value.
    case positive = "+"

    /// The other side.
    public var opposite: AxisDirection { self == .negative ? .positive : .negative }

    /// Negative first.
    public static func < (left: AxisDirection, right: AxisDirection) -> Bool { left == .negative && right == .positive }
}

/// One thing that can be pressed on a device, as the kernel numbers it; a stick or a hat is four of them.
///
/// Its text is `button 304` or `axis 17 -`, with the codes of linux/input-event-codes.h.
public enum Control: Sendable, Hashable, Comparable, CustomStringConvertible, LosslessStringConvertible {
    /// A button or key.
    case key(KeyCode)
    /// An axis, moved away from its rest to one side.
    case axis(AxisCode, AxisDirection)

    /// Reads the text form; `nil` for anything else.
    public init?(_ description: String) {
        let words = description.split(separator: " ")
        guard words.count >= 2, let number = UInt16(words[1]) else { return nil }
        switch (words[0], words.count) {
        case ("button", 2) where number <= KeyCode.last.rawValue: self = .key(KeyCode(rawValue: number))
        case ("axis", 3) where number <= AxisCode.last.rawValue:
            guard let direction = AxisDirection(rawValue: String(words[2])) else { return nil }
            self = .axis(AxisCode(rawValue: number), direction)
        default: return nil
        }
    }

    /// The text form.
    public var description: String {
        switch self {
        case .key(let code): "button \(code.rawValue)"
        case .axis(let code, let direction): "axis \(code.rawValue) \(direction.rawValue)"
        }
    }

    /// Buttons first, then axes, by number.
    public static func < (left: Control, right: Control) -> Bool {
        switch (left, right) {
        case (.key(let left), .key(let right)): left < right
        case (.axis(let left, let one), .axis(let right, let two)): (left, one) < (right, two)
        case (.key, .axis): true
        case (.axis, .key): false
        }
    }
}
