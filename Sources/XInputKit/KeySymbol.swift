internal import CXInput

/// What is printed on a key, as X numbers it (keysymdef.h): Latin letters and digits are their ASCII codes.
public struct KeySymbol: RawRepresentable, Hashable, Sendable {
    /// X's number.
    public let rawValue: UInt32

    /// A symbol by its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ constant: Int32) { rawValue = UInt32(bitPattern: constant) }

    /// The symbol `distance` numbers further; F1 to F12 follow each other.
    public func advanced(by distance: UInt32) -> KeySymbol { KeySymbol(rawValue: rawValue &+ distance) }

    /// `XK_Up`.
    public static let up = KeySymbol(XK_Up)
    /// `XK_Down`.
    public static let down = KeySymbol(XK_Down)
    /// `XK_Left`.
    public static let left = KeySymbol(XK_Left)
    /// `XK_Right`.
    public static let right = KeySymbol(XK_Right)
    /// `XK_Return`.
    public static let `return` = KeySymbol(XK_Return)
    /// `XK_KP_Enter`.
    public static let keypadEnter = KeySymbol(XK_KP_Enter)
    /// `XK_Escape`.
    public static let escape = KeySymbol(XK_Escape)
    /// `XK_BackSpace`.
    public static let backspace = KeySymbol(XK_BackSpace)
    /// `XK_Delete`.
    public static let delete = KeySymbol(XK_Delete)
    /// `XK_Insert`.
    public static let insert = KeySymbol(XK_Insert)
    /// `XK_Home`.
    public static let home = KeySymbol(XK_Home)
    /// `XK_End`.
    public static let end = KeySymbol(XK_End)
    /// `XK_Page_Up`.
    public static let pageUp = KeySymbol(XK_Page_Up)
    /// `XK_Page_Down`.
    public static let pageDown = KeySymbol(XK_Page_Down)
    /// `XK_Tab`.
    public static let tab = KeySymbol(XK_Tab)
    /// `XK_Menu`.
    public static let menu = KeySymbol(XK_Menu)
    /// `XK_Shift_L`.
    public static let leftShift = KeySymbol(XK_Shift_L)
    /// `XK_Shift_R`.
    public static let rightShift = KeySymbol(XK_Shift_R)
    /// `XK_Control_L`.
    public static let leftControl = KeySymbol(XK_Control_L)
    /// `XK_Control_R`.
    public static let rightControl = KeySymbol(XK_Control_R)
    /// `XK_Alt_L`.
    public static let leftAlt = KeySymbol(XK_Alt_L)
    /// `XK_Alt_R`.
    public static let rightAlt = KeySymbol(XK_Alt_R)
    /// `XK_ISO_Level3_Shift`: the right Alt key of most layouts.
    public static let level3Shift = KeySymbol(rawValue: 0xFE03)
    /// `XK_Caps_Lock`.
    public static let capsLock = KeySymbol(XK_Caps_Lock)
    /// `XK_F1`.
    public static let f1 = KeySymbol(XK_F1)
}

/// A key that went down or up somewhere on an X display.
public struct RawKey: Sendable, Equatable {
    /// The server's number of the key, 8 to 255.
    public let keycode: UInt8
    /// What is printed on it in the first layout, without modifiers; `nil` for a key without meaning.
    public let symbol: KeySymbol?
    /// Down or up. A held key may come down again and again.
    public let isPressed: Bool

    /// A key event with all its parts.
    public init(keycode: UInt8, symbol: KeySymbol?, isPressed: Bool) {
        self.keycode = keycode
        self.symbol = symbol
        self.isPressed = isPressed
    }
}

/// Why keys of an X display cannot be heard.
public enum XInputError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No connection to the display of this name.
    case noDisplay(String)
    /// The server has no XInput 2.1, without which keys are hidden while a program grabs the keyboard.
    case noXInput2(String)

    /// A sentence.
    public var description: String {
        switch self {
        case .noDisplay(let name): "The X display \(name) cannot be reached."
        case .noXInput2(let name): "The X display \(name) has no XInput 2.1."
        }
    }
}
