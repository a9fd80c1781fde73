internal import EvdevKit
public import SystemKit

/// A controller profile for an emulator: the file's name and content; writing it is the launcher's business.
public struct GeneratedProfile: Sendable, Equatable {
    /// The file's name, without a folder.
    public let name: BytePath
    /// The content.
    public let contents: [UInt8]

    /// A profile with both parts.
    public init(name: BytePath, contents: [UInt8]) {
        self.name = name
        self.contents = contents
    }
}

/// How RetroArch's udev joypad driver numbers a device's controls.
struct RetroArchNumbering {
    let buttons: [KeyCode: Int]
    let axes: [AxisCode: Int]

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
        let ordered = ranges.flatMap { sorted.filter($0) }
        buttons = Dictionary(uniqueKeysWithValues: zip(ordered, 0...))
        // Hats count apart, and an axis without a range does not count.
        let usable = capabilities.axes.filter { code, info in
            code < .misc && !code.isHat && info.maximum > info.minimum
        }
        axes = Dictionary(uniqueKeysWithValues: zip(usable.keys.sorted(), 0...))
    }
}

/// RetroArch's autoconfig file for a pad.
///
/// RetroArch chooses a file by vendor, product and name, which it finds inside; the file's own name does not matter.
public func retroArchAutoconfig(for pad: PadInfo) -> GeneratedProfile {
    let name = pad.name
    let identity = pad.identity
    let numbering = RetroArchNumbering(pad.capabilities)
    var lines = ["input_driver = \"udev\""]
    // A quote would end the value early; without the name the ids still choose the file.
    if !name.contains("\""), !name.contains("\n") { lines.append("input_device = \"\(name)\"") }
    lines.append("input_vendor_id = \"\(identity.vendor)\"")
    lines.append("input_product_id = \"\(identity.product)\"")
    var bindings: [String: String] = [:]
    for (function, controls) in pad.mapping.controls {
        guard let entry = retroArchName(of: function) else { continue }
        for control in controls {
            guard let bound = numbering.value(of: control) else { continue }
            // A trigger's button and its axis may both be bound, but no second button.
            let key = "input_\(entry)_\(bound.kind)"
            if bindings[key] == nil { bindings[key] = bound.value }
        }
    }
    lines += bindings.sorted { $0.key < $1.key }.map { "\($0.key) = \"\($0.value)\"" }
    let file = safeFileName(name) + " (\(hexadecimal(identity.vendor))-\(hexadecimal(identity.product))).cfg"
    return GeneratedProfile(name: BytePath(file), contents: Array((lines.joined(separator: "\n") + "\n").utf8))
}

extension RetroArchNumbering {
    /// How a control is written: the end of the key, and the value.
    func value(of control: Control) -> (kind: String, value: String)? {
        switch control {
        case .key(let code): return buttons[code].map { ("btn", "\($0)") }
        case .axis(let code, let side) where code.isHat:
            let offset = Int(code.rawValue - AxisCode.hat0X.rawValue)
            let names = offset % 2 == 0 ? ("left", "right") : ("up", "down")
            return ("btn", "h\(offset / 2)\(side == .negative ? names.0 : names.1)")
        case .axis(let code, let side): return axes[code].map { ("axis", "\(side.rawValue)\($0)") }
        }
    }
}

/// RetroArch's name for a function: its pad is a Super Nintendo's, named by position.
private func retroArchName(of function: PadFunction) -> String? {
    switch function {
    case .south: "b"
    case .east: "a"
    case .west: "y"
    case .north: "x"
    case .up, .down, .left, .right, .start, .select, .l, .r, .l2, .r2, .l3, .r3: function.rawValue
    case .leftUp: "l_y_minus"
    case .leftDown: "l_y_plus"
    case .leftLeft: "l_x_minus"
    case .leftRight: "l_x_plus"
    case .rightUp: "r_y_minus"
    case .rightDown: "r_y_plus"
    case .rightLeft: "r_x_minus"
    case .rightRight: "r_x_plus"
    // Alone it would open RetroArch's own menu over the game.
    case .guide, .hotkey: nil
    }
}

/// The name with what file systems and shells dislike replaced; never empty, never hidden.
func safeFileName(_ name: String) -> String {
    let safe = name.unicodeScalars.map { scalar -> Character in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", " ", "-", "_", "(", ")", ",": Character(scalar)
        default: "_"
        }
    }
    let trimmed = String(safe.prefix(100)).split(separator: " ").joined(separator: " ")
    return trimmed.isEmpty ? "Controller" : trimmed
}
