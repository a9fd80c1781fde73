internal import EvdevKit

extension PadInfo {
    /// How many buttons it has.
    public var buttonCount: Int { capabilities.keys.count }

    /// How many sticks it seems to have beside its directions.
    public var stickCount: Int {
        if mapping.controls[.rightUp] != nil || mapping.controls[.rightLeft] != nil { return 2 }
        if mapping.controls[.leftUp] != nil { return 1 }
        // Two axes are the directions. Whether more of them are sticks or triggers, nobody can tell.
        let axes = capabilities.axes.keys.count { !$0.isHat }
        return source == .none && axes >= 4 ? 2 : 0
    }

    /// What a person may call one of its controls: `Button 3`, `Axis 2 −`, `Hat ↑`; on a keyboard the key's name.
    ///
    /// Buttons and axes count from 1 in the order in which the kernel numbers them, as on most testers of pads.
    public func title(of control: Control) -> String {
        switch control {
        case .key(let code):
            if let key = KeyMap.codes[code], code < .firstButton { return key.title }
            // Keys that a pad has beside its buttons come after them, as in every emulator.
            let buttons = capabilities.keys.sorted { ($0 < .firstButton ? 1 : 0, $0) < ($1 < .firstButton ? 1 : 0, $1) }
            guard let index = buttons.firstIndex(of: code) else { return "Button \(code.rawValue)" }
            return "Button \(index + 1)"
        case .axis(let code, let side) where code.isHat:
            let distance = Int(code.rawValue - AxisCode.hat0X.rawValue)
            let arrow =
                distance % 2 == 0 ? (side == .negative ? "←" : "→") : (side == .negative ? "↑" : "↓")
            return distance < 2 ? "Hat \(arrow)" : "Hat \(distance / 2 + 1) \(arrow)"
        case .axis(let code, let side):
            let axes = capabilities.axes.keys.filter { !$0.isHat }.sorted()
            let number = axes.firstIndex(of: code).map { $0 + 1 } ?? Int(code.rawValue)
            return "Axis \(number) \(side == .negative ? "−" : "+")"
        }
    }
}

extension PadFunction {
    /// What a person calls it, with the letters that pads of a family have printed on them.
    public func title(on family: PadFamily) -> String {
        switch self {
        case .up: "D-pad up"
        case .down: "D-pad down"
        case .left: "D-pad left"
        case .right: "D-pad right"
        case .south, .east, .west, .north: faceTitle(family)
        case .start: family == .playstation ? "Options" : family == .nintendo ? "Plus" : "Start"
        case .select: family == .playstation ? "Share" : family == .nintendo ? "Minus" : "Select"
        case .l: family == .playstation ? "L1" : family == .xbox ? "LB" : "L"
        case .r: family == .playstation ? "R1" : family == .xbox ? "RB" : "R"
        case .l2: family == .nintendo ? "ZL" : family == .xbox ? "LT" : "L2"
        case .r2: family == .nintendo ? "ZR" : family == .xbox ? "RT" : "R2"
        case .l3: "Left stick pressed"
        case .r3: "Right stick pressed"
        case .leftUp: "Left stick up"
        case .leftDown: "Left stick down"
        case .leftLeft: "Left stick left"
        case .leftRight: "Left stick right"
        case .rightUp: "Right stick up"
        case .rightDown: "Right stick down"
        case .rightLeft: "Right stick left"
        case .rightRight: "Right stick right"
        case .guide: "Home"
        case .hotkey: "Hotkey"
        }
    }

    private func faceTitle(_ family: PadFamily) -> String {
        switch (family, self) {
        case (.playstation, .south): "Cross"
        case (.playstation, .east): "Circle"
        case (.playstation, .west): "Square"
        case (.playstation, _): "Triangle"
        case (.nintendo, .south): "B"
        case (.nintendo, .east): "A"
        case (.nintendo, .west): "Y"
        case (.nintendo, _): "X"
        case (_, .south): "A"
        case (_, .east): "B"
        case (_, .west): "X"
        default: "Y"
        }
    }
}

extension Key {
    /// What is printed on it.
    public var title: String {
        switch self {
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .return: "Enter"
        case .escape: "Esc"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .leftShift: "L-Shift"
        case .rightShift: "R-Shift"
        case .leftControl: "L-Ctrl"
        case .rightControl: "R-Ctrl"
        case .leftAlt: "L-Alt"
        case .rightAlt: "R-Alt"
        case .capsLock: "Caps"
        case .insert: "Ins"
        case .delete: "Del"
        case .backspace: "Backspace"
        default: KeyMap.characters[self].map { $0.plain == " " ? "Space" : $0.plain.uppercased() } ?? capitalName
        }
    }

    private var capitalName: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
