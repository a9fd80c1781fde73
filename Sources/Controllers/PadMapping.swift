public import EvdevKit

/// Where an axis rests and how far it goes, where that is known better than from what its driver declares.
public struct AxisTravel: Sendable, Hashable {
    /// The value when nobody touches it.
    public enum Rest: Sendable, Hashable {
        /// In the middle of its range, or a little beside it if it says so when it is opened: a stick.
        case middle
        /// At the lowest value, whatever it says at first: a trigger.
        case minimum
        /// At the highest value: an inverted trigger.
        case maximum
        /// Where it is when the device is opened.
        case initial
        /// Measured.
        case value(Int32)
    }

    /// The value when nobody touches it.
    public var rest: Rest
    /// The lowest value that it really reaches; `nil` for the declared one.
    public var minimum: Int32?
    /// The highest value that it really reaches; `nil` for the declared one.
    public var maximum: Int32?

    /// A travel with all its parts.
    public init(rest: Rest, minimum: Int32? = nil, maximum: Int32? = nil) {
        self.rest = rest
        self.minimum = minimum
        self.maximum = maximum
    }
}

/// Which controls of a device have which functions.
///
/// A function may have several controls: D-pads that are a hat and four buttons at once, triggers that are a button
/// and an axis.
public struct PadMapping: Sendable, Equatable {
    /// The controls of each function, the preferred one first; a function without controls is absent.
    public var controls: [PadFunction: [Control]]
    /// What is known about axes; the others rest in the middle.
    public var travels: [AxisCode: AxisTravel]

    /// A mapping with all its parts.
    public init(controls: [PadFunction: [Control]] = [:], travels: [AxisCode: AxisTravel] = [:]) {
        self.controls = controls.filter { !$0.value.isEmpty }
        self.travels = travels
    }

    /// Whether it has no control at all.
    public var isEmpty: Bool { controls.isEmpty }

    /// The preferred control of each function.
    public var bindings: [PadFunction: Control] { controls.compactMapValues(\.first) }

    /// Whether the menu can be used with it: it has directions and a button that accepts.
    ///
    /// A stick serves where there is no D-pad.
    public var isUsable: Bool {
        let stick = zip(PadFunction.dpad, PadFunction.leftStick)
        return controls[.south] != nil && stick.allSatisfy { controls[$0] != nil || controls[$1] != nil }
    }

    /// The function whose control, held, makes commands of others: what was mapped for that, else Select.
    ///
    /// `nil` where the pad has neither.
    public var modifier: PadFunction? {
        controls[.hotkey] != nil ? .hotkey : controls[.select] != nil ? .select : nil
    }

    /// Adds a control to a function, behind those that it has.
    public mutating func add(_ control: Control, for function: PadFunction) {
        if controls[function, default: []].contains(control) { return }
        controls[function, default: []].append(control)
    }
}

/// Who said what a pad's controls are for.
public enum MappingSource: String, Sendable, Equatable, CaseIterable {
    /// The person.
    case user
    /// A database of game controllers.
    case database
    /// The kernel's convention about gamepads.
    case kernel
    /// Nobody: the mapping is empty or a guess.
    case none
}
