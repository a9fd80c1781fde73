internal import EvdevKit

/// How SDL 2 numbers a device's controls under Linux.
///
/// Read in the source of 2.26.5 and seen with the real library (docs/controllers.md).
struct SDLNumbering {
    private(set) var buttons: [KeyCode] = []
    private(set) var axes: [AxisCode] = []
    /// The horizontal axis of each hat; the vertical one follows it in the kernel's numbers.
    private(set) var hats: [AxisCode] = []

    init(_ capabilities: Capabilities) {
        // Joysticks' and pads' buttons first; what is numbered below comes after them.
        let keys = capabilities.keys.filter { $0 < .last }.sorted()
        buttons = keys.filter { $0 >= .joystick } + keys.filter { $0 < .joystick }
        for number in stride(from: AxisCode.hat0X.rawValue, through: AxisCode.hat3Y.rawValue, by: 2) {
            let across = AxisCode(rawValue: number)
            let pair = [across, AxisCode(rawValue: number + 1)].compactMap { capabilities.axes[$0] }
            if !pair.isEmpty, pair.allSatisfy({ $0.minimum == -1 && $0.maximum == 1 }) || pair.allSatisfy(isPlain) {
                hats.append(across)
            }
        }
        axes = capabilities.axes.keys.filter { $0 < .last && !isInHat($0) }.sorted()
    }

    /// A trigger or pad in a hat's place says how fine or noisy it is, a switch does not.
    private func isPlain(_ info: AxisInfo) -> Bool { info.fuzz == 0 && info.flat == 0 && info.resolution == 0 }

    private func isInHat(_ code: AxisCode) -> Bool {
        code.isHat && hats.contains(AxisCode(rawValue: code.rawValue & ~1))
    }
}

/// A control as SDL writes it: `b3`, `a1`, `+a1`, `a1~`, `h0.4`.
enum SDLInput: Hashable, Sendable {
    /// A button by its number.
    case button(Int)
    /// An axis by its number: all of it or one half, and whether it is turned round.
    case axis(Int, half: AxisDirection?, isInverted: Bool)
    /// One direction of a hat: 1 up, 2 right, 4 down, 8 left.
    case hat(Int, direction: Int)

    /// The numbers that are believed: no device has so many controls.
    static let numbers = 0..<1000

    init?(_ text: Substring) {
        var rest = text
        let half = rest.first.flatMap { AxisDirection(rawValue: String($0)) }
        if half != nil { rest.removeFirst() }
        let isInverted = rest.last == "~"
        if isInverted { rest.removeLast() }
        let kind = rest.popFirst()
        let numbers = rest.split(separator: ".", omittingEmptySubsequences: false).map { SDLInput.number($0) }
        switch (kind, numbers.count) {
        case ("b", 1):
            guard let number = numbers[0], half == nil, !isInverted else { return nil }
            self = .button(number)
        case ("a", 1):
            guard let number = numbers[0] else { return nil }
            self = .axis(number, half: half, isInverted: isInverted)
        case ("h", 2):
            guard let number = numbers[0], let direction = numbers[1], [1, 2, 4, 8].contains(direction), half == nil,
                !isInverted
            else { return nil }
            self = .hat(number, direction: direction)
        default: return nil
        }
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text),
            numbers.contains(number)
        else {
            return nil
        }
        return number
    }

    /// As it stands in a mapping.
    var text: String {
        switch self {
        case .button(let number): "b\(number)"
        case .axis(let number, let half, let isInverted): "\(half?.rawValue ?? "")a\(number)\(isInverted ? "~" : "")"
        case .hat(let number, let direction): "h\(number).\(direction)"
        }
    }
}

extension SDLNumbering {
    /// The control that a button or hat is; `nil` where the device has none of that number.
    func control(of input: SDLInput) -> Control? {
        switch input {
        case .button(let number): return buttons.indices.contains(number) ? .key(buttons[number]) : nil
        case .hat(let number, let direction):
            guard hats.indices.contains(number) else { return nil }
            let isAlong = direction == 1 || direction == 4
            let code = isAlong ? AxisCode(rawValue: hats[number].rawValue + 1) : hats[number]
            return .axis(code, direction == 1 || direction == 8 ? .negative : .positive)
        case .axis: return nil
        }
    }

    /// The axis of a number; `nil` where the device has none.
    func axis(_ number: Int) -> AxisCode? { axes.indices.contains(number) ? axes[number] : nil }

    /// How a control is written that is pressed or not; `nil` where SDL does not see it.
    ///
    /// - Parameter travel: what is known about an axis: where it rests decides whether all of it or half is meant.
    func input(for control: Control, travel: AxisTravel?) -> SDLInput? {
        switch control {
        case .key(let code): return buttons.firstIndex(of: code).map { .button($0) }
        case .axis(let code, let side):
            let isAlong = code.rawValue % 2 == 1
            if code.isHat, let hat = hats.firstIndex(of: AxisCode(rawValue: code.rawValue & ~1)) {
                let direction = isAlong ? (side == .negative ? 1 : 4) : (side == .negative ? 8 : 2)
                return .hat(hat, direction: direction)
            }
            guard let number = axes.firstIndex(of: code) else { return nil }
            switch (travel?.rest, side) {
            case (.minimum, .positive): return .axis(number, half: nil, isInverted: false)
            case (.maximum, .negative): return .axis(number, half: nil, isInverted: true)
            default: return .axis(number, half: side, isInverted: false)
            }
        }
    }
}
