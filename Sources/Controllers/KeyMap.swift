internal import EvdevKit
internal import XInputKit

/// What keys mean: keycodes of the kernel as a US keyboard has them, and X's symbols.
enum KeyMap {
    /// A letter of the kernel's three rows.
    struct Letter: Sendable {
        let code: KeyCode
        let key: Key
    }

    static let letters: [Letter] =
        row("qwertyuiop", from: .upperRow) + row("asdfghjkl", from: .middleRow)
        + row("zxcvbnm", from: .lowerRow)

    static let digits: [Key] = [
        .digit1, .digit2, .digit3, .digit4, .digit5, .digit6, .digit7, .digit8, .digit9, .digit0,
    ]

    private static let functionKeys: [Key] = [.f1, .f2, .f3, .f4, .f5, .f6, .f7, .f8, .f9, .f10, .f11, .f12]

    /// The kernel's codes.
    static let codes: [KeyCode: Key] = {
        var map: [KeyCode: Key] = [
            .up: .up, .down: .down, .left: .left, .right: .right, .enter: .return, .keypadEnter: .return,
            .ok: .return, .remoteSelect: .return, .escape: .escape, .back: .escape, .exit: .escape,
            .backspace: .backspace, .space: .space, .tab: .tab, .leftShift: .leftShift, .rightShift: .rightShift,
            .leftControl: .leftControl, .rightControl: .rightControl, .leftAlt: .leftAlt, .rightAlt: .rightAlt,
            .capsLock: .capsLock, .insert: .insert, .delete: .delete, .home: .home, .end: .end, .pageUp: .pageUp,
            .pageDown: .pageDown, .minus: .minus, .equal: .equal, .leftBracket: .leftBracket,
            .rightBracket: .rightBracket, .backslash: .backslash, .semicolon: .semicolon, .apostrophe: .apostrophe,
            .grave: .grave, .comma: .comma, .period: .period, .slash: .slash, .f11: .f11, .f12: .f12,
        ]
        for letter in letters { map[letter.code] = letter.key }
        for (index, key) in digits.enumerated() { map[KeyCode.one.advanced(by: index)] = key }
        for (index, key) in functionKeys.prefix(10).enumerated() { map[KeyCode.f1.advanced(by: index)] = key }
        return map
    }()

    /// X's symbols.
    static let symbols: [KeySymbol: Key] = {
        var map: [KeySymbol: Key] = [
            .up: .up, .down: .down, .left: .left, .right: .right, .return: .return, .keypadEnter: .return,
            .escape: .escape, .backspace: .backspace, .tab: .tab, .leftShift: .leftShift, .rightShift: .rightShift,
            .leftControl: .leftControl, .rightControl: .rightControl, .leftAlt: .leftAlt, .rightAlt: .rightAlt,
            .level3Shift: .rightAlt, .capsLock: .capsLock, .insert: .insert, .delete: .delete, .home: .home,
            .end: .end, .pageUp: .pageUp, .pageDown: .pageDown, .menu: .menu,
        ]
        for (key, characters) in characters {
            for scalar in characters.plain.unicodeScalars { map[KeySymbol(rawValue: scalar.value)] = key }
        }
        for (index, key) in functionKeys.enumerated() { map[KeySymbol.f1.advanced(by: UInt32(index))] = key }
        return map
    }()

    /// What a US keyboard types, without and with Shift.
    static let characters: [Key: (plain: String, shifted: String)] = {
        var map: [Key: (plain: String, shifted: String)] = [
            .space: (" ", " "), .minus: ("-", "_"), .equal: ("=", "+"), .leftBracket: ("[", "{"),
            .rightBracket: ("]", "}"), .backslash: ("\\", "|"), .semicolon: (";", ":"), .apostrophe: ("'", "\""),
            .grave: ("`", "~"), .comma: (",", "<"), .period: (".", ">"), .slash: ("/", "?"),
        ]
        for letter in letters { map[letter.key] = (letter.key.rawValue, letter.key.rawValue.uppercased()) }
        for (index, pair) in zip(digits.indices, zip("1234567890", "!@#$%^&*()")) {
            map[digits[index]] = (String(pair.0), String(pair.1))
        }
        return map
    }()

    private static func row(_ letters: String, from first: KeyCode) -> [Letter] {
        letters.enumerated().compactMap { index, letter in
            Key(rawValue: String(letter)).map { Letter(code: first.advanced(by: index), key: $0) }
        }
    }
}

/// Makes key events out of a keyboard's: pure state, no device, no clock.
struct KeyInterpreter: Sendable {
    struct Change: Sendable, Equatable {
        let key: Key
        let isPressed: Bool
        let character: String?
    }

    private var held: Set<KeyCode> = []
    private var capsLock = false

    /// Takes one event in; repeats of the kernel are left out.
    mutating func handle(_ event: InputEvent.Kind) -> [Change] {
        switch event {
        case .key(let code, let value):
            guard let key = KeyMap.codes[code] else { return [] }
            if value == 0 {
                return held.remove(code) == nil ? [] : [Change(key: key, isPressed: false, character: nil)]
            }
            guard value == 1, held.insert(code).inserted else { return [] }
            if key == .capsLock { capsLock.toggle() }
            return [Change(key: key, isPressed: true, character: character(of: key))]
        case .dropped: return releaseAll()
        case .axis, .report, .other: return []
        }
    }

    /// Lets everything go.
    mutating func releaseAll() -> [Change] {
        let keys = held.sorted().compactMap { KeyMap.codes[$0] }
        held.removeAll()
        return keys.map { Change(key: $0, isPressed: false, character: nil) }
    }

    private func character(of key: Key) -> String? {
        // Control and Alt make commands of letters.
        let modifiers: Set<KeyCode> = [.leftControl, .rightControl, .leftAlt, .rightAlt]
        guard held.isDisjoint(with: modifiers), let pair = KeyMap.characters[key] else { return nil }
        let shift = held.contains(.leftShift) || held.contains(.rightShift)
        let isLetter = pair.plain != pair.plain.uppercased()
        return shift != (capsLock && isLetter) ? pair.shifted : pair.plain
    }
}
