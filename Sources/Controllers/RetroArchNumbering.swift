internal import EvdevKit
public import SystemKit

/// How RetroArch's udev joypad driver numbers a device's controls; seen with RetroArch 1.14 itself.
struct RetroArchNumbering {
    /// More it does not look at.
    private static let mostButtons = 64
    private static let mostAxes = 32

    let buttons: [KeyCode: Int]
    let axes: [AxisCode: Int]
    private let digitalHats: Set<AxisCode>

    init(_ capabilities: Capabilities) {
        // The arrow keys first, then all buttons, then the keyboard's keys below and above the arrows.
        let arrows = KeyCode.up...KeyCode(rawValue: KeyCode.down.rawValue)
        let ranges: [(KeyCode) -> Bool] = [
            { arrows.contains($0) },
            { $0 >= .firstButton && $0 < .last },
            { $0 < arrows.lowerBound },
            { $0 > arrows.upperBound && $0 < .firstButton },
        ]
        let sorted = capabilities.keys.sorted()
        let ordered = ranges.flatMap { sorted.filter($0) }.prefix(RetroArchNumbering.mostButtons)
        buttons = Dictionary(uniqueKeysWithValues: zip(ordered, 0...))
        // RetroArch keeps a hat's value in one signed byte: a touchpad that is told as a hat would turn round in it.
        digitalHats = Set(
            capabilities.axes.filter { $0.key.isHat && $0.value.minimum >= -128 && $0.value.maximum <= 127 }.keys)
        // Hats count apart, and an axis without a range does not count.
        let usable = capabilities.axes.filter { code, info in
            code < .misc && !code.isHat && info.maximum > info.minimum
        }
        axes = Dictionary(uniqueKeysWithValues: zip(usable.keys.sorted().prefix(RetroArchNumbering.mostAxes), 0...))
    }

    /// How a control is written: the end of the key, and the value.
    func value(of control: Control) -> (kind: String, value: String)? {
        switch control {
        case .key(let code): return buttons[code].map { ("btn", "\($0)") }
        case .axis(let code, let side) where code.isHat:
            guard digitalHats.contains(code) else { return nil }
            let offset = Int(code.rawValue - AxisCode.hat0X.rawValue)
            let names = offset % 2 == 0 ? ("left", "right") : ("up", "down")
            return ("btn", "h\(offset / 2)\(side == .negative ? names.0 : names.1)")
        // An axis counts from its middle: one that rests at its upper end is pressed at the lower one.
        case .axis(let code, let side): return axes[code].map { ("axis", "\(side.rawValue)\($0)") }
        }
    }
}

/// The numbers that RetroArch gives to pads at its start; a player is assigned one of them.
public struct RetroArchPorts: Sendable, Equatable {
    /// How many pads it looks at.
    static let most = 16

    /// The event nodes, the first of number 0.
    public let nodes: [BytePath]

    /// Ports as given, for tests.
    public init(nodes: [BytePath]) { self.nodes = Array(nodes.prefix(RetroArchPorts.most)) }

    /// Asks udev, as RetroArch will.
    public static func read() -> RetroArchPorts { RetroArchPorts(nodes: joystickNodesInUdevOrder()) }

    /// The number of the pad of each player: the given pads first, then what else is or may be plugged in.
    ///
    /// - Parameter pads: in the order of the players; those that RetroArch does not see leave no gap.
    /// - Returns: a number for every player from the first; empty where no pad is known.
    public func numbers(for pads: [PadInfo], players: Int) -> [Int] {
        let chosen = pads.compactMap { pad in nodes.firstIndex(of: pad.node) }
        guard !chosen.isEmpty else { return [] }
        let others = (0..<max(RetroArchPorts.most, players)).filter { !chosen.contains($0) }
        return Array((chosen + others).prefix(players))
    }
}
