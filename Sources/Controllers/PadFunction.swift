/// What a control of a pad is for: a row of the mapping wizard, and a key of a profile.
///
/// The raw values are the names in profiles and in `retro-admin`'s output. Face buttons go by position, and their
/// names there are those of an Xbox pad and of SDL: `a` is the lower one, whatever is printed on it.
public enum PadFunction: String, Sendable, CaseIterable, Hashable, Comparable {
    /// D-pad up.
    case up
    /// D-pad down.
    case down
    /// D-pad left.
    case left
    /// D-pad right.
    case right
    /// Lower face button.
    case south = "a"
    /// Right face button.
    case east = "b"
    /// Left face button.
    case west = "x"
    /// Upper face button.
    case north = "y"
    /// Start, Options, plus.
    case start
    /// Select, Back, Share, minus.
    case select
    /// Left shoulder.
    case l
    /// Right shoulder.
    case r
    /// Left trigger.
    case l2
    /// Right trigger.
    case r2
    /// Left stick pressed.
    case l3
    /// Right stick pressed.
    case r3
    /// Left stick up.
    case leftUp
    /// Left stick down.
    case leftDown
    /// Left stick left.
    case leftLeft
    /// Left stick right.
    case leftRight
    /// Right stick up.
    case rightUp
    /// Right stick down.
    case rightDown
    /// Right stick left.
    case rightLeft
    /// Right stick right.
    case rightRight
    /// The maker's own button in the middle.
    case guide
    /// Held together with another button it is a command to the emulator; may be a control that has a function already.
    case hotkey

    /// In the order in which they are declared, which is the order of a pad's description.
    public static func < (left: PadFunction, right: PadFunction) -> Bool { left.order < right.order }

    private static let orders: [PadFunction: Int] = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))
    private var order: Int { PadFunction.orders[self] ?? 0 }

    /// The directions of the D-pad.
    public static let dpad: [PadFunction] = [.up, .down, .left, .right]
    /// The directions of the left stick.
    public static let leftStick: [PadFunction] = [.leftUp, .leftDown, .leftLeft, .leftRight]
    /// The directions of the right stick.
    public static let rightStick: [PadFunction] = [.rightUp, .rightDown, .rightLeft, .rightRight]

    /// What it does in the menu: both the D-pad and the left stick choose, the right stick does nothing.
    public var button: PadButton? {
        switch self {
        case .up, .leftUp: .up
        case .down, .leftDown: .down
        case .left, .leftLeft: .left
        case .right, .leftRight: .right
        case .south: .south
        case .east: .east
        case .west: .west
        case .north: .north
        case .start: .start
        case .select: .select
        case .l: .l
        case .r: .r
        case .l2: .l2
        case .r2: .r2
        case .l3: .l3
        case .r3: .r3
        case .guide: .guide
        case .hotkey: .hotkey
        case .rightUp, .rightDown, .rightLeft, .rightRight: nil
        }
    }
}
