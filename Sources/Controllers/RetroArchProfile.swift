public import EvdevKit
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

/// RetroArch's autoconfig file for a pad laid out by convention.
public func retroArchAutoconfig(for pad: PadInfo) -> GeneratedProfile {
    let layout = PadLayout(convention: pad.capabilities, identity: pad.identity, name: pad.name)
    return retroArchAutoconfig(
        name: pad.name, identity: pad.identity, family: pad.family, capabilities: pad.capabilities, layout: layout)
}

/// RetroArch's autoconfig file for a pad with a given layout.
///
/// RetroArch chooses a file by vendor, product and name, which it finds inside; the file's own name does not matter.
public func retroArchAutoconfig(
    name: String, identity: PadIdentity, family: PadFamily, capabilities: Capabilities, layout: PadLayout
) -> GeneratedProfile {
    let numbering = RetroArchNumbering(capabilities)
    var lines = ["input_driver = \"udev\""]
    // A quote would end the value early; without the name the ids still choose the file.
    if !name.contains("\""), !name.contains("\n") { lines.append("input_device = \"\(name)\"") }
    lines.append("input_vendor_id = \"\(identity.vendor)\"")
    lines.append("input_product_id = \"\(identity.product)\"")
    var bindings: [String: String] = [:]
    for (code, role) in layout.axes.sorted(by: { $0.key < $1.key }) {
        bind(code, role, capabilities, numbering, into: &bindings)
    }
    for (code, button) in layout.keys.sorted(by: { $0.key < $1.key }) {
        guard let number = numbering.buttons[code], let control = retroPadName(of: button) else { continue }
        // A hat already is the D-pad; a trigger's key and its axis may both be bound.
        let entry = "input_\(control)_btn"
        if bindings[entry] == nil { bindings[entry] = "\(number)" }
    }
    addSticks(capabilities, numbering, layout, into: &bindings)
    lines += bindings.sorted { $0.key < $1.key }.map { "\($0.key) = \"\($0.value)\"" }
    let file = fileName(name) + " (\(hexadecimal(identity.vendor))-\(hexadecimal(identity.product))).cfg"
    return GeneratedProfile(name: BytePath(file), contents: Array((lines.joined(separator: "\n") + "\n").utf8))
}

/// RetroArch's name for a button: its pad is a Super Nintendo's, named by position.
private func retroPadName(of button: PadButton) -> String? {
    switch button {
    case .south: "b"
    case .east: "a"
    case .west: "y"
    case .north: "x"
    case .up, .down, .left, .right, .start, .select, .l, .r, .l2, .r2, .l3, .r3: button.rawValue
    // Alone it would open RetroArch's own menu over the game.
    case .guide: nil
    }
}

private func bind(
    _ code: AxisCode, _ role: PadLayout.AxisRole, _ capabilities: Capabilities, _ numbering: RetroArchNumbering,
    into bindings: inout [String: String]
) {
    switch role {
    case .directions(let negative, let positive):
        if code.isHat {
            let hat = Int(code.rawValue - AxisCode.hat0X.rawValue) / 2
            bindings["input_\(negative.rawValue)_btn"] = "h\(hat)\(negative.rawValue)"
            bindings["input_\(positive.rawValue)_btn"] = "h\(hat)\(positive.rawValue)"
        } else if let number = numbering.axes[code], !hasDpad(capabilities) {
            // A stick beside a D-pad is the stick; alone it is the D-pad.
            bindings["input_\(negative.rawValue)_axis"] = "-\(number)"
            bindings["input_\(positive.rawValue)_axis"] = "+\(number)"
        }
    case .trigger(let button, _):
        // Hats as triggers have no number among RetroArch's axes.
        guard let number = numbering.axes[code] else { return }
        bindings["input_\(button.rawValue)_axis"] = "+\(number)"
    }
}

private func hasDpad(_ capabilities: Capabilities) -> Bool {
    capabilities.axes[.hat0X] != nil || capabilities.keys.contains(.dpadUp)
}

private func addSticks(
    _ capabilities: Capabilities, _ numbering: RetroArchNumbering, _ layout: PadLayout,
    into bindings: inout [String: String]
) {
    func stick(_ name: String, _ x: AxisCode, _ y: AxisCode) {
        guard let across = numbering.axes[x], let along = numbering.axes[y] else { return }
        bindings["input_\(name)_x_minus_axis"] = "-\(across)"
        bindings["input_\(name)_x_plus_axis"] = "+\(across)"
        bindings["input_\(name)_y_minus_axis"] = "-\(along)"
        bindings["input_\(name)_y_plus_axis"] = "+\(along)"
    }
    if hasDpad(capabilities) { stick("l", .x, .y) }
    if capabilities.axes[.rx] != nil, capabilities.axes[.ry] != nil {
        stick("r", .rx, .ry)
    } else if layout.axes[.z] == nil, layout.axes[.rz] == nil {
        stick("r", .z, .rz)
    }
}

/// The name with what file systems and shells dislike replaced; never empty, never hidden.
private func fileName(_ name: String) -> String {
    let safe = name.unicodeScalars.map { scalar -> Character in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", " ", "-", "_", "(", ")", ",": Character(scalar)
        default: "_"
        }
    }
    let trimmed = String(safe.prefix(100)).split(separator: " ").joined(separator: " ")
    return trimmed.isEmpty ? "Controller" : trimmed
}
