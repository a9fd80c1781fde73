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

/// Which commands a pad gives to RetroArch while its modifier is held.
///
/// A pad without a modifier or without Start gets none: commands without a way out, or that act when nothing is held,
/// are worse than none.
public enum RetroArchHotkeys: Sendable, Equatable {
    /// None.
    case none
    /// All but leaving: the menu ends a game by itself, in every emulator alike.
    case withoutExit
    /// Leaving with Start, too, for machines that have no such menu.
    case complete
}

/// RetroArch's autoconfig file for a pad.
///
/// RetroArch chooses a file by vendor, product and name, which it finds inside; the file's own name does not matter.
public func retroArchAutoconfig(
    for pad: PadInfo, hotkeys: RetroArchHotkeys = .withoutExit
) -> GeneratedProfile {
    let name = pad.name
    let identity = pad.identity
    var lines = ["input_driver = \"udev\""]
    // A quote would end the value early, and a line's end the line; without the name the ids still choose the file. An
    // accent behind the quote makes one character of both, but not one byte.
    let isPlain = name.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
    if isPlain { lines.append("input_device = \"\(name)\"") }
    lines.append("input_vendor_id = \"\(identity.vendor)\"")
    lines.append("input_product_id = \"\(identity.product)\"")
    let bindings = pad.retroArchBindings.merging(pad.retroArchCommands(hotkeys)) { mine, _ in mine }
    lines += bindings.sorted { $0.key < $1.key }.map { "input_\($0.key) = \"\($0.value)\"" }
    let file = safeFileName(name) + " (\(hexadecimal(identity.vendor))-\(hexadecimal(identity.product))).cfg"
    return GeneratedProfile(name: BytePath(file), contents: Array((lines.joined(separator: "\n") + "\n").utf8))
}

extension PadInfo {
    /// What RetroArch's configuration says about one player's pad, by the part of a key behind `input_player1_`.
    public var retroArchBindings: [String: String] {
        var bindings: [String: String] = [:]
        for (function, controls) in mapping.controls {
            if let entry = retroArchName(of: function) { add(controls, as: entry, to: &bindings) }
        }
        return bindings
    }

    /// Commands: what is pressed while the modifier is held.
    fileprivate func retroArchCommands(_ hotkeys: RetroArchHotkeys) -> [String: String] {
        guard hotkeys != .none, let modifier = modifierControls, let exit = mapping.controls[.start] else { return [:] }
        var bindings: [String: String] = [:]
        add(modifier, as: "enable_hotkey", to: &bindings)
        guard !bindings.isEmpty else { return [:] }
        // As in RetroPie, so that people who come from there find them.
        let functions: [(String, PadFunction)] = [
            ("save_state", .r), ("load_state", .l), ("state_slot_decrease", .left), ("state_slot_increase", .right),
            ("menu_toggle", .north), ("reset", .south), ("toggle_fast_forward", .r2),
        ]
        var commands = functions.map { ($0.0, mapping.controls[$0.1] ?? []) }
        if hotkeys == .complete { commands.append(("exit_emulator", exit)) }
        for (entry, controls) in commands where Set(controls).isDisjoint(with: modifier) {
            add(controls, as: entry, to: &bindings)
        }
        // A way in without a way out is worse than neither.
        let canExit = bindings.keys.contains { $0.hasPrefix("exit_emulator") }
        return hotkeys == .complete && !canExit ? [:] : bindings
    }

    /// What must be held, as the chord that leaves a game has it.
    var modifierControls: [Control]? {
        guard let chord else { return nil }
        // A modifier that is mapped to Start is none: then it is Select.
        let isSelect = chord.modifier == .select && mapping.controls[.select] != nil
        let start = mapping.controls[.start] ?? []
        return mapping.controls[isSelect ? .select : .hotkey].map { $0.filter { !start.contains($0) } }
    }

    private func add(_ controls: [Control], as entry: String, to bindings: inout [String: String]) {
        let numbering = RetroArchNumbering(capabilities)
        for control in controls {
            guard let bound = numbering.value(of: control) else { continue }
            // A trigger's button and its axis may both be bound, but no second button.
            let key = "\(entry)_\(bound.kind)"
            if bindings[key] == nil { bindings[key] = bound.value }
        }
    }
}

/// RetroArch's name for a function: its pad is a Super Nintendo's, named by position.
func retroArchName(of function: PadFunction) -> String? {
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
