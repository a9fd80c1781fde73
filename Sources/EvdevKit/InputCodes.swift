internal import CEvdev

/// An `EV_KEY` code of linux/input-event-codes.h: keys of keyboards and buttons of everything else.
public struct KeyCode: RawRepresentable, Hashable, Sendable, Comparable {
    /// The kernel's number.
    public let rawValue: UInt16

    /// A code by its number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    fileprivate init(_ constant: Int32) { rawValue = UInt16(truncatingIfNeeded: constant) }

    /// By number.
    public static func < (left: KeyCode, right: KeyCode) -> Bool { left.rawValue < right.rawValue }

    /// The code that lies so many numbers further.
    public func advanced(by distance: Int) -> KeyCode {
        KeyCode(rawValue: UInt16(clamping: Int(rawValue) + distance))
    }
}

extension KeyCode {
    /// `BTN_SOUTH`, also called `BTN_A` and `BTN_GAMEPAD`: the first of the gamepad codes.
    public static let south = KeyCode(BTN_SOUTH)
    /// `BTN_EAST`, also called `BTN_B`.
    public static let east = KeyCode(BTN_EAST)
    /// `BTN_NORTH`, also called `BTN_X`, which on an Xbox pad is printed on the left button.
    public static let north = KeyCode(BTN_NORTH)
    /// `BTN_WEST`, also called `BTN_Y`, which on an Xbox pad is printed on the upper button.
    public static let west = KeyCode(BTN_WEST)
    /// `BTN_TL`.
    public static let shoulderLeft = KeyCode(BTN_TL)
    /// `BTN_TR`.
    public static let shoulderRight = KeyCode(BTN_TR)
    /// `BTN_TL2`.
    public static let triggerLeft = KeyCode(BTN_TL2)
    /// `BTN_TR2`.
    public static let triggerRight = KeyCode(BTN_TR2)
    /// `BTN_SELECT`.
    public static let select = KeyCode(BTN_SELECT)
    /// `BTN_START`.
    public static let start = KeyCode(BTN_START)
    /// `BTN_MODE`.
    public static let mode = KeyCode(BTN_MODE)
    /// `BTN_THUMBL`.
    public static let thumbLeft = KeyCode(BTN_THUMBL)
    /// `BTN_THUMBR`, the last of the gamepad codes.
    public static let thumbRight = KeyCode(BTN_THUMBR)
    /// `BTN_DPAD_UP`.
    public static let dpadUp = KeyCode(BTN_DPAD_UP)
    /// `BTN_DPAD_DOWN`.
    public static let dpadDown = KeyCode(BTN_DPAD_DOWN)
    /// `BTN_DPAD_LEFT`.
    public static let dpadLeft = KeyCode(BTN_DPAD_LEFT)
    /// `BTN_DPAD_RIGHT`.
    public static let dpadRight = KeyCode(BTN_DPAD_RIGHT)
    /// `BTN_TRIGGER`, also called `BTN_JOYSTICK`: the first of the plain joystick codes.
    public static let joystick = KeyCode(BTN_JOYSTICK)
    /// `BTN_DEAD`, the last of the plain joystick codes.
    public static let joystickLast = KeyCode(BTN_DEAD)
    /// `BTN_TRIGGER_HAPPY1`: the first of forty further buttons.
    public static let triggerHappy = KeyCode(BTN_TRIGGER_HAPPY1)
    /// `BTN_MISC`, where buttons begin and keyboard keys end.
    public static let firstButton = KeyCode(BTN_MISC)
    /// `KEY_MAX`.
    public static let last = KeyCode(KEY_MAX)

    /// `BTN_LEFT` of a mouse.
    public static let mouseLeft = KeyCode(BTN_LEFT)
    /// `BTN_TOUCH` of a touchpad, screen or tablet.
    public static let touch = KeyCode(BTN_TOUCH)
    /// `BTN_TOOL_FINGER`.
    public static let toolFinger = KeyCode(BTN_TOOL_FINGER)
    /// `BTN_TOOL_PEN`.
    public static let toolPen = KeyCode(BTN_TOOL_PEN)
    /// `BTN_STYLUS`.
    public static let stylus = KeyCode(BTN_STYLUS)
}

extension KeyCode {
    /// `KEY_UP`.
    public static let up = KeyCode(KEY_UP)
    /// `KEY_DOWN`.
    public static let down = KeyCode(KEY_DOWN)
    /// `KEY_LEFT`.
    public static let left = KeyCode(KEY_LEFT)
    /// `KEY_RIGHT`.
    public static let right = KeyCode(KEY_RIGHT)
    /// `KEY_ENTER`.
    public static let enter = KeyCode(KEY_ENTER)
    /// `KEY_KPENTER`.
    public static let keypadEnter = KeyCode(KEY_KPENTER)
    /// `KEY_OK`, on remote controls.
    public static let ok = KeyCode(KEY_OK)
    /// `KEY_SELECT`, on remote controls.
    public static let remoteSelect = KeyCode(KEY_SELECT)
    /// `KEY_ESC`.
    public static let escape = KeyCode(KEY_ESC)
    /// `KEY_BACK`, on remote controls and some pads.
    public static let back = KeyCode(KEY_BACK)
    /// `KEY_EXIT`, on remote controls.
    public static let exit = KeyCode(KEY_EXIT)
    /// `KEY_HOMEPAGE`, on some pads.
    public static let homePage = KeyCode(KEY_HOMEPAGE)
    /// `KEY_BACKSPACE`.
    public static let backspace = KeyCode(KEY_BACKSPACE)
    /// `KEY_SPACE`.
    public static let space = KeyCode(KEY_SPACE)
    /// `KEY_TAB`.
    public static let tab = KeyCode(KEY_TAB)
    /// `KEY_LEFTSHIFT`.
    public static let leftShift = KeyCode(KEY_LEFTSHIFT)
    /// `KEY_RIGHTSHIFT`.
    public static let rightShift = KeyCode(KEY_RIGHTSHIFT)
    /// `KEY_LEFTCTRL`.
    public static let leftControl = KeyCode(KEY_LEFTCTRL)
    /// `KEY_RIGHTCTRL`.
    public static let rightControl = KeyCode(KEY_RIGHTCTRL)
    /// `KEY_LEFTALT`.
    public static let leftAlt = KeyCode(KEY_LEFTALT)
    /// `KEY_RIGHTALT`.
    public static let rightAlt = KeyCode(KEY_RIGHTALT)
    /// `KEY_CAPSLOCK`.
    public static let capsLock = KeyCode(KEY_CAPSLOCK)
    /// `KEY_NUMLOCK`.
    public static let numLock = KeyCode(KEY_NUMLOCK)
    /// `KEY_INSERT`.
    public static let insert = KeyCode(KEY_INSERT)
    /// `KEY_DELETE`.
    public static let delete = KeyCode(KEY_DELETE)
    /// `KEY_HOME`.
    public static let home = KeyCode(KEY_HOME)
    /// `KEY_END`.
    public static let end = KeyCode(KEY_END)
    /// `KEY_PAGEUP`.
    public static let pageUp = KeyCode(KEY_PAGEUP)
    /// `KEY_PAGEDOWN`.
    public static let pageDown = KeyCode(KEY_PAGEDOWN)
    /// `KEY_MUTE`.
    public static let mute = KeyCode(KEY_MUTE)
    /// `KEY_CALC`.
    public static let calculator = KeyCode(KEY_CALC)
    /// `KEY_MAIL`.
    public static let mail = KeyCode(KEY_MAIL)
    /// `KEY_PLAYPAUSE`.
    public static let playPause = KeyCode(KEY_PLAYPAUSE)
    /// `KEY_1`: the digits 1 to 9 and 0 follow each other.
    public static let one = KeyCode(KEY_1)
    /// `KEY_F1`: F1 to F10 follow each other.
    public static let f1 = KeyCode(KEY_F1)
    /// `KEY_F11`.
    public static let f11 = KeyCode(KEY_F11)
    /// `KEY_F12`.
    public static let f12 = KeyCode(KEY_F12)
    /// `KEY_Q`: the upper row of letters follows.
    public static let upperRow = KeyCode(KEY_Q)
    /// `KEY_A`: the middle row of letters follows.
    public static let middleRow = KeyCode(KEY_A)
    /// `KEY_Z`: the lower row of letters follows.
    public static let lowerRow = KeyCode(KEY_Z)
    /// `KEY_MINUS`.
    public static let minus = KeyCode(KEY_MINUS)
    /// `KEY_EQUAL`.
    public static let equal = KeyCode(KEY_EQUAL)
    /// `KEY_LEFTBRACE`.
    public static let leftBracket = KeyCode(KEY_LEFTBRACE)
    /// `KEY_RIGHTBRACE`.
    public static let rightBracket = KeyCode(KEY_RIGHTBRACE)
    /// `KEY_SEMICOLON`.
    public static let semicolon = KeyCode(KEY_SEMICOLON)
    /// `KEY_APOSTROPHE`.
    public static let apostrophe = KeyCode(KEY_APOSTROPHE)
    /// `KEY_GRAVE`.
    public static let grave = KeyCode(KEY_GRAVE)
    /// `KEY_BACKSLASH`.
    public static let backslash = KeyCode(KEY_BACKSLASH)
    /// `KEY_COMMA`.
    public static let comma = KeyCode(KEY_COMMA)
    /// `KEY_DOT`.
    public static let period = KeyCode(KEY_DOT)
    /// `KEY_SLASH`.
    public static let slash = KeyCode(KEY_SLASH)
}

/// An `EV_ABS` code of linux/input-event-codes.h.
public struct AxisCode: RawRepresentable, Hashable, Sendable, Comparable {
    /// The kernel's number.
    public let rawValue: UInt16

    /// A code by its number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    fileprivate init(_ constant: Int32) { rawValue = UInt16(truncatingIfNeeded: constant) }

    /// By number.
    public static func < (left: AxisCode, right: AxisCode) -> Bool { left.rawValue < right.rawValue }

    /// Whether it is one of `ABS_HAT0X` to `ABS_HAT3Y`.
    public var isHat: Bool { (AxisCode.hat0X...AxisCode.hat3Y).contains(self) }

    /// `ABS_X`.
    public static let x = AxisCode(ABS_X)
    /// `ABS_Y`.
    public static let y = AxisCode(ABS_Y)
    /// `ABS_Z`.
    public static let z = AxisCode(ABS_Z)
    /// `ABS_RX`.
    public static let rx = AxisCode(ABS_RX)
    /// `ABS_RY`.
    public static let ry = AxisCode(ABS_RY)
    /// `ABS_RZ`.
    public static let rz = AxisCode(ABS_RZ)
    /// `ABS_GAS`: the right trigger of pads that use `ABS_Z` and `ABS_RZ` for the right stick.
    public static let gas = AxisCode(ABS_GAS)
    /// `ABS_BRAKE`: the left trigger of such pads.
    public static let brake = AxisCode(ABS_BRAKE)
    /// `ABS_HAT0X`.
    public static let hat0X = AxisCode(ABS_HAT0X)
    /// `ABS_HAT0Y`.
    public static let hat0Y = AxisCode(ABS_HAT0Y)
    /// `ABS_HAT2X`: the right trigger in the kernel's gamepad convention.
    public static let hat2X = AxisCode(ABS_HAT2X)
    /// `ABS_HAT2Y`: the left trigger in the kernel's gamepad convention.
    public static let hat2Y = AxisCode(ABS_HAT2Y)
    /// `ABS_HAT3Y`, the last of the hats.
    public static let hat3Y = AxisCode(ABS_HAT3Y)
    /// `ABS_MAX`.
    public static let last = AxisCode(ABS_MAX)
    /// `ABS_MISC`, where axes of joysticks end.
    public static let misc = AxisCode(ABS_MISC)
    /// `ABS_MT_SLOT`, the first code of multi-touch.
    public static let touchSlot = AxisCode(ABS_MT_SLOT)
    /// `ABS_MT_POSITION_X`.
    public static let touchX = AxisCode(ABS_MT_POSITION_X)
}

/// An `INPUT_PROP_` number: what sort of thing a device says it is.
public struct InputProperty: RawRepresentable, Hashable, Sendable {
    /// The kernel's number.
    public let rawValue: UInt16

    /// A property by its number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// `INPUT_PROP_POINTER`: moves a pointer.
    public static let pointer = InputProperty(rawValue: UInt16(INPUT_PROP_POINTER))
    /// `INPUT_PROP_DIRECT`: a touch screen.
    public static let direct = InputProperty(rawValue: UInt16(INPUT_PROP_DIRECT))
    /// `INPUT_PROP_BUTTONPAD`: a touchpad that is a button itself.
    public static let buttonPad = InputProperty(rawValue: UInt16(INPUT_PROP_BUTTONPAD))
    /// `INPUT_PROP_SEMI_MT`: a touchpad that sees the box around the fingers only.
    public static let semiTouch = InputProperty(rawValue: UInt16(INPUT_PROP_SEMI_MT))
    /// `INPUT_PROP_TOPBUTTONPAD`: a touchpad with soft buttons above.
    public static let topButtonPad = InputProperty(rawValue: UInt16(INPUT_PROP_TOPBUTTONPAD))
    /// `INPUT_PROP_ACCELEROMETER`: the axes are accelerations.
    public static let accelerometer = InputProperty(rawValue: UInt16(INPUT_PROP_ACCELEROMETER))
}
