extension MappingWizard {
    /// A word about what was just pressed.
    public enum Notice: Sendable, Equatable {
        /// The control has a function already.
        case alreadyUsed(Control, by: PadFunction)
        /// The menu cannot be used without it.
        case cannotSkip(PadFunction)
        /// Too short to be meant.
        case tooShort

        /// A sentence without a full stop, with the names of an Xbox pad.
        public var sentence: String { sentence(for: .xbox) }

        /// A sentence without a full stop.
        ///
        /// - Parameter family: whose names the buttons have.
        public func sentence(for family: PadFamily) -> String {
            switch self {
            case .alreadyUsed(_, let function): "That is already \(function.title(on: family))"
            case .cannotSkip(let function): "The menu cannot do without \(function.title(on: family))"
            case .tooShort: "Hold it a little longer"
            }
        }
    }
}

extension PadFunction {
    /// Its name for people, as it is printed on a pad of that family.
    public func title(on family: PadFamily) -> String {
        switch self {
        case .up: "Up"
        case .down: "Down"
        case .left: "Left"
        case .right: "Right"
        case .south: ["playstation": "Cross", "nintendo": "B"][family.rawValue] ?? "A"
        case .east: ["playstation": "Circle", "nintendo": "A"][family.rawValue] ?? "B"
        case .west: ["playstation": "Square", "nintendo": "Y"][family.rawValue] ?? "X"
        case .north: ["playstation": "Triangle", "nintendo": "X"][family.rawValue] ?? "Y"
        case .start: "Start"
        case .select: "Select"
        case .l: family == .playstation ? "L1" : "L"
        case .r: family == .playstation ? "R1" : "R"
        case .l2: family == .nintendo ? "ZL" : "L2"
        case .r2: family == .nintendo ? "ZR" : "R2"
        case .l3: "L3"
        case .r3: "R3"
        case .leftUp: "Left stick up"
        case .leftDown: "Left stick down"
        case .leftLeft: "Left stick left"
        case .leftRight: "Left stick right"
        case .rightUp: "Right stick up"
        case .rightDown: "Right stick down"
        case .rightLeft: "Right stick left"
        case .rightRight: "Right stick right"
        case .guide: "Guide"
        case .hotkey: "Hotkey"
        }
    }
}
