internal import EvdevKit

extension PadInfo {
    /// What RetroArch's configuration says about a keyboard that plays: keys by the part behind `input_player1_`.
    ///
    /// RetroArch has the keyboard's names for this only, not numbers of a device.
    public var retroArchKeys: [String: String] {
        var bindings: [String: String] = [:]
        for (function, controls) in mapping.controls {
            guard let entry = retroArchName(of: function) else { continue }
            for control in controls {
                guard case .key(let code) = control, let name = RetroArchKeyNames.names[code] else { continue }
                bindings[entry] = name
                break
            }
        }
        return bindings
    }
}

/// RetroArch's names of keys, compared with those in the program.
enum RetroArchKeyNames {
    static let names: [KeyCode: String] = {
        var names: [KeyCode: String] = [
            .up: "up", .down: "down", .left: "left", .right: "right", .enter: "enter", .keypadEnter: "kp_enter",
            .tab: "tab", .insert: "insert", .delete: "del", .end: "end", .home: "home", .rightShift: "rshift",
            .leftShift: "shift", .leftControl: "ctrl", .rightControl: "rctrl", .leftAlt: "alt", .rightAlt: "ralt",
            .space: "space", .escape: "escape", .pageUp: "pageup", .pageDown: "pagedown", .capsLock: "capslock",
            .numLock: "numlock", .backspace: "backspace", .period: "period", .comma: "comma", .slash: "slash",
            .semicolon: "semicolon", .apostrophe: "quote", .minus: "minus", .equal: "equals",
            .leftBracket: "leftbracket", .rightBracket: "rightbracket", .backslash: "backslash", .grave: "tilde",
            .f11: "f11", .f12: "f12",
        ]
        for letter in KeyMap.letters { names[letter.code] = letter.key.rawValue }
        for index in 0..<10 {
            names[KeyCode.one.advanced(by: index)] = "num\((index + 1) % 10)"
            names[KeyCode.f1.advanced(by: index)] = "f\(index + 1)"
        }
        // The keypad: 7 8 9 minus, 4 5 6 plus, 1 2 3, 0 and the point.
        for (index, name) in [
            "keypad7", "keypad8", "keypad9", "subtract", "keypad4", "keypad5", "keypad6", "add", "keypad1", "keypad2",
            "keypad3", "keypad0", "kp_period",
        ].enumerated() {
            names[KeyCode.keypad7.advanced(by: index)] = name
        }
        names[.keypadMultiply] = "multiply"
        names[.keypadDivide] = "divide"
        return names
    }()
}

extension KeyCode {
    /// `KEY_KP7`, from which the keypad's keys follow each other row by row.
    fileprivate static let keypad7 = KeyCode(rawValue: 71)
    /// `KEY_KPASTERISK`.
    fileprivate static let keypadMultiply = KeyCode(rawValue: 55)
    /// `KEY_KPSLASH`.
    fileprivate static let keypadDivide = KeyCode(rawValue: 98)
}
