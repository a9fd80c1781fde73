/// The wizard's questions and what belongs together among them.
public enum WizardRows {
    /// The questions in their order: what the menu needs first, the rest from the front of a pad to its back.
    public static let order: [PadFunction] =
        PadFunction.dpad
        + [.south, .east, .west, .north, .start, .select, .l, .r, .l2, .r2, .l3, .r3]
        + PadFunction.leftStick + PadFunction.rightStick + [.hotkey]

    /// What the menu cannot do without.
    public static let required: Set<PadFunction> = Set(PadFunction.dpad + [.south])

    /// The rows that can be skipped together with that one.
    static func group(of function: PadFunction) -> [PadFunction]? {
        [PadFunction.leftStick, PadFunction.rightStick].first { $0.contains(function) }
    }

    /// Whether one pushes something to a side for it.
    static func isDirection(_ function: PadFunction) -> Bool {
        PadFunction.dpad.contains(function) || group(of: function) != nil
    }
}
