/// A key of a keyboard or remote control, by what a US keyboard has printed on it.
public enum Key: String, Sendable, CaseIterable, Codable {
    /// Arrow up.
    case up
    /// Arrow down.
    case down
    /// Arrow left.
    case left
    /// Arrow right.
    case right
    /// Return, Enter of the keypad, OK of a remote control.
    case `return`
    /// Escape, Back or Exit of a remote control.
    case escape
    /// Backspace.
    case backspace
    /// The space bar.
    case space
    /// Tabulator.
    case tab
    /// Shift on the left.
    case leftShift
    /// Shift on the right.
    case rightShift
    /// Control on the left.
    case leftControl
    /// Control on the right.
    case rightControl
    /// Alt on the left.
    case leftAlt
    /// Alt on the right.
    case rightAlt
    /// Caps Lock.
    case capsLock
    /// Insert.
    case insert
    /// Delete.
    case delete
    /// Home.
    case home
    /// End.
    case end
    /// Page up.
    case pageUp
    /// Page down.
    case pageDown
    /// The menu key.
    case menu
    /// Function keys.
    case f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12
    /// Letters.
    case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z
    /// The digits of the upper row.
    case digit0, digit1, digit2, digit3, digit4, digit5, digit6, digit7, digit8, digit9
    /// Punctuation, by its unshifted character.
    case minus, equal, leftBracket, rightBracket, backslash, semicolon, apostrophe, grave, comma, period, slash
}

/// The number that stands for all keyboards where a pad's number is asked for; pads count from 1.
public let keyboardPad = 0

/// The pad's button that a key stands for in the chord that leaves a game.
///
/// These are RetroArch's own keyboard defaults, so that one pair of keys works in every emulator: Right Shift is
/// Select and Return is Start.
public func chordButton(for key: Key) -> PadButton? {
    switch key {
    case .rightShift: .select
    case .return: .start
    default: nil
    }
}
