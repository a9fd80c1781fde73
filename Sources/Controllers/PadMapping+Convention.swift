public import EvdevKit

extension PadMapping {
    /// What the kernel's convention says about a device (Documentation/input/gamepad.rst), with the habits of drivers.
    ///
    /// - Returns: `nil` for a device whose driver numbers its buttons without saying where they are.
    public init?(convention capabilities: Capabilities, identity: PadIdentity, name: String) {
        guard Convention.isGamepad(capabilities) else { return nil }
        self = Convention(capabilities: capabilities, identity: identity, name: name).mapping
    }

    /// The most likely meaning of a device's controls, for one about which nobody says anything.
    public init(guess capabilities: Capabilities, identity: PadIdentity, name: String) {
        self = Convention(capabilities: capabilities, identity: identity, name: name).mapping
    }
}

/// Makes mappings without asking anybody.
private struct Convention {
    let capabilities: Capabilities
    let identity: PadIdentity
    let name: String

    var mapping: PadMapping {
        if isLeftJoyCon { return sidewaysLeft }
        var mapping = PadMapping()
        // A button goes before an axis that means the same.
        let keys = Convention.isGamepad(capabilities) ? gamepadKeys : joystickKeys
        for (function, code) in keys.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
            mapping.add(.key(code), for: function)
        }
        addDirections(to: &mapping)
        addTriggers(to: &mapping)
        addRightStick(to: &mapping)
        return mapping
    }

    static func isGamepad(_ capabilities: Capabilities) -> Bool {
        capabilities.keys.contains { (KeyCode.south...KeyCode.thumbRight).contains($0) }
            || capabilities.keys.contains(.dpadUp)
    }

    // MARK: One half of a Switch's pad

    /// A left Joy-Con alone: no button of it is where the convention has one that accepts.
    private var isLeftJoyCon: Bool {
        identity.vendor == 0x057E && identity.product == 0x2006 && capabilities.keys.contains(.dpadLeft)
    }

    /// Held like a pad, with the rail upwards: its four buttons are the face and its stick lies a quarter turned.
    private var sidewaysLeft: PadMapping {
        let keys: [(PadFunction, KeyCode)] = [
            (.south, .dpadLeft), (.east, .dpadDown), (.west, .dpadUp), (.north, .dpadRight), (.start, .select),
            (.l, .shoulderRight), (.r, .triggerRight), (.l3, .thumbLeft),
        ]
        var mapping = PadMapping()
        for (function, code) in keys where capabilities.keys.contains(code) { mapping.add(.key(code), for: function) }
        if has(.x, steps: 2), has(.y, steps: 2) {
            pair(.x, .down, .up, to: &mapping)
            pair(.y, .left, .right, to: &mapping)
        }
        return mapping
    }

    // MARK: Buttons

    private var gamepadKeys: [(PadFunction, KeyCode)] {
        var keys: [(PadFunction, KeyCode)] = [
            (.south, .south), (.east, .east), (.l, .shoulderLeft), (.r, .shoulderRight), (.l2, .triggerLeft),
            (.r2, .triggerRight), (.select, .select), (.start, .start), (.guide, .mode), (.l3, .thumbLeft),
            (.r3, .thumbRight), (.up, .dpadUp), (.down, .dpadDown), (.left, .dpadLeft), (.right, .dpadRight),
        ]
        // The drivers for Sony's and Nintendo's pads mean positions; all others mean the letters X and Y, which
        // share the codes of north and west but sit the other way round on the pads that print them.
        let meansPositions = PadFamily(identity: identity, name: name) == .playstation || identity.vendor == 0x057E
        keys.append((meansPositions || hasNintendoLetters ? .north : .west, .north))
        keys.append((meansPositions || hasNintendoLetters ? .west : .north, .west))
        if hasNintendoLetters {
            keys.removeAll { $0.1 == .south || $0.1 == .east }
            keys += [(.east, .south), (.south, .east)]
        }
        if !capabilities.keys.contains(.select) { keys.append((.select, .back)) }
        if !capabilities.keys.contains(.mode) { keys.append((.guide, .homePage)) }
        // The receiver for wireless Xbox 360 pads sends the D-pad as the first four of these, and as a hat.
        if identity.vendor == 0x045E {
            for (index, function) in [PadFunction.left, .right, .up, .down].enumerated() {
                keys.append((function, KeyCode.triggerHappy.advanced(by: index)))
            }
        }
        return keys.filter { capabilities.keys.contains($0.1) }
    }

    /// 8BitDo's pads without a driver of their own number by the printed letters, which sit where Nintendo has them.
    private var hasNintendoLetters: Bool {
        // Between A, B and X, Y the letters C and Z are counted: no driver that knows the pad does so.
        identity.vendor == 0x2DC8
            && capabilities.keys.isSuperset(of: [KeyCode(rawValue: 0x132), KeyCode(rawValue: 0x135)])
    }

    /// Plain joysticks number their buttons without saying where they are: the order that most pads with so many
    /// buttons have.
    private var joystickKeys: [(PadFunction, KeyCode)] {
        let codes = capabilities.keys.filter { (KeyCode.joystick...KeyCode.joystickLast).contains($0) }.sorted()
        let order: [PadFunction]
        switch codes.count {
        // Sticks: the trigger accepts, the next goes back.
        case ..<8: order = [.south, .east, .west, .north, .select, .start, .l]
        // Pads like a Super Nintendo's.
        case 8, 9: order = [.east, .south, .north, .west, .l, .r, .select, .start, .guide]
        // Logitech begins at the left and goes round counter-clockwise.
        case _ where identity.vendor == 0x046D:
            order = [.west, .south, .east, .north, .l, .r, .l2, .r2, .select, .start, .l3, .r3, .guide]
        // PlayStation adapters and their countless copies begin at the top and go round clockwise.
        default: order = [.north, .east, .south, .west, .l, .r, .l2, .r2, .select, .start, .l3, .r3, .guide]
        }
        return Array(zip(order, codes))
    }

    // MARK: Axes

    private func has(_ code: AxisCode, steps: Int64 = 1) -> Bool {
        guard let info = capabilities.axes[code] else { return false }
        return Int64(info.maximum) - Int64(info.minimum) >= steps
    }

    private func addDirections(to mapping: inout PadMapping) {
        if has(.hat0X, steps: 2) { pair(.hat0X, .left, .right, to: &mapping) }
        if has(.hat0Y, steps: 2) { pair(.hat0Y, .up, .down, to: &mapping) }
        // A stick beside a D-pad is the stick; alone it is the D-pad.
        let isAlone = mapping.controls[.up] == nil
        // Two values make a switch, not two directions around a rest.
        if has(.x, steps: 2) {
            pair(.x, isAlone ? .left : .leftLeft, isAlone ? .right : .leftRight, to: &mapping)
        }
        if has(.y, steps: 2) { pair(.y, isAlone ? .up : .leftUp, isAlone ? .down : .leftDown, to: &mapping) }
    }

    private func pair(
        _ code: AxisCode, _ negative: PadFunction, _ positive: PadFunction, to mapping: inout PadMapping
    ) {
        mapping.add(.axis(code, .negative), for: negative)
        mapping.add(.axis(code, .positive), for: positive)
    }

    /// The axes of the two triggers, left first.
    private var triggers: [AxisCode] {
        // Bluetooth pads: Z and RZ are the right stick.
        if capabilities.axes[.gas] != nil || capabilities.axes[.brake] != nil { return [.brake, .gas] }
        if capabilities.axes[.hat2X] != nil, capabilities.axes[.hat2Y] != nil, capabilities.axes[.z] == nil {
            return [.hat2Y, .hat2X]
        }
        let hasRightStick = capabilities.axes[.rx] != nil && capabilities.axes[.ry] != nil
        guard Convention.isGamepad(capabilities), hasRightStick || zAxesRestAtAnEnd else { return [] }
        return [.z, .rz]
    }

    private func addTriggers(to mapping: inout PadMapping) {
        // The drivers for Microsoft's and Sony's pads are known to rest at the lowest value, even where the first one
        // that the kernel tells is another; about others the first value is all there is.
        let lower = name.lowercased()
        let isKnown = [0x045E, 0x054C].contains(identity.vendor) || lower.contains("x-box") || lower.contains("xbox")
        let present = zip(triggers, [PadFunction.l2, .r2]).filter { has($0.0) }
        // One that says the middle at first has not spoken yet, and most rest at the lower end. Both triggers of a pad
        // rest at the same end: one alone that says the upper one is held at this moment.
        let isRising =
            isKnown
            || present.contains { code, _ in
                guard let info = capabilities.axes[code] else { return false }
                return (Double(info.value) - Double(info.minimum)) / (Double(info.maximum) - Double(info.minimum))
                    < 0.75
            }
        for (code, function) in present {
            mapping.add(.axis(code, isRising ? .positive : .negative), for: function)
            mapping.travels[code] = AxisTravel(rest: isKnown ? .minimum : .initial)
        }
    }

    private func addRightStick(to mapping: inout PadMapping) {
        for (across, along) in [(AxisCode.rx, AxisCode.ry), (.z, .rz)]
        where has(across, steps: 2) && has(along, steps: 2) && !triggers.contains(across) {
            pair(across, .rightLeft, .rightRight, to: &mapping)
            pair(along, .rightUp, .rightDown, to: &mapping)
            return
        }
    }

    /// Without a right stick of its own a pad's Z and RZ may be either; a stick rests in the middle.
    private var zAxesRestAtAnEnd: Bool {
        guard !capabilities.keys.contains(.triggerLeft), !capabilities.keys.contains(.triggerRight) else {
            return false
        }
        let infos = [AxisCode.z, .rz].compactMap { capabilities.axes[$0] }
        return !infos.isEmpty
            && infos.allSatisfy { info in
                let span = Double(info.maximum) - Double(info.minimum)
                guard span > 0 else { return false }
                let place = (Double(info.value) - Double(info.minimum)) / span
                return place < 0.1 || place > 0.9
            }
    }
}
