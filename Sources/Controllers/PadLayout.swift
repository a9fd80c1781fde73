public import EvdevKit

/// Which of a device's controls is which of a pad's: the kernel's gamepad convention, or what a person mapped.
public struct PadLayout: Sendable, Equatable {
    /// What an axis does.
    public enum AxisRole: Sendable, Equatable {
        /// Two opposite directions, such as a hat or a stick.
        case directions(negative: PadButton, positive: PadButton)
        /// One button, pulled away from where it rests.
        case trigger(PadButton, restsAt: Rest)
    }

    /// Where a trigger rests.
    public enum Rest: Sendable, Equatable {
        /// At the lowest value, whatever it says at first.
        case minimum
        /// Where it is when the device is opened.
        case initial
    }

    /// The buttons.
    public var keys: [KeyCode: PadButton]
    /// The axes.
    public var axes: [AxisCode: AxisRole]

    /// A layout with all its parts.
    public init(keys: [KeyCode: PadButton], axes: [AxisCode: AxisRole]) {
        self.keys = keys
        self.axes = axes
    }

    /// What can be known without asking anybody (Documentation/input/gamepad.rst of the kernel, and habits of makers).
    public init(convention capabilities: Capabilities, identity: PadIdentity, name: String) {
        let family = PadFamily(identity: identity, name: name)
        keys =
            PadLayout.isGamepad(capabilities)
            ? PadLayout.gamepadKeys(capabilities, family: family, identity: identity)
            : PadLayout.joystickKeys(capabilities, identity: identity)
        axes = PadLayout.axisRoles(capabilities, rest: PadLayout.triggerRest(identity: identity, name: name))
    }

    private static func isGamepad(_ capabilities: Capabilities) -> Bool {
        capabilities.keys.contains { (KeyCode.south...KeyCode.thumbRight).contains($0) }
            || capabilities.keys.contains(.dpadUp)
    }

    private static func gamepadKeys(
        _ capabilities: Capabilities, family: PadFamily, identity: PadIdentity
    ) -> [KeyCode: PadButton] {
        var keys: [KeyCode: PadButton] = [
            .south: .south, .east: .east, .shoulderLeft: .l, .shoulderRight: .r, .triggerLeft: .l2,
            .triggerRight: .r2, .select: .select, .start: .start, .mode: .guide, .thumbLeft: .l3, .thumbRight: .r3,
            .dpadUp: .up, .dpadDown: .down, .dpadLeft: .left, .dpadRight: .right,
        ]
        // The drivers for Sony's and Nintendo's pads mean positions; all others mean the letters X and Y, which
        // share the codes of north and west but sit the other way round on the pads that print them.
        let meansPositions = family == .playstation || identity.vendor == 0x057E
        keys[.north] = meansPositions ? .north : .west
        keys[.west] = meansPositions ? .west : .north
        if !capabilities.keys.contains(.select) { keys[.back] = .select }
        if !capabilities.keys.contains(.mode) { keys[.homePage] = .guide }
        // The receiver for wireless Xbox 360 pads sends the D-pad as the first four of these, and as a hat.
        if identity.vendor == 0x045E {
            let dpad: [PadButton] = [.left, .right, .up, .down]
            for (index, button) in dpad.enumerated() { keys[KeyCode.triggerHappy.advanced(by: index)] = button }
        }
        return keys.filter { capabilities.keys.contains($0.key) }
    }

    /// Plain joysticks number their buttons without saying where they are: the order that most pads with so many
    /// buttons have.
    private static func joystickKeys(
        _ capabilities: Capabilities, identity: PadIdentity
    ) -> [KeyCode: PadButton] {
        let codes = capabilities.keys.filter { (KeyCode.joystick...KeyCode.joystickLast).contains($0) }.sorted()
        let order: [PadButton]
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
        return Dictionary(uniqueKeysWithValues: zip(codes, order))
    }

    /// The drivers for Microsoft's and Sony's pads are known to rest at the lowest value, even where the first one that
    /// the kernel tells is another; about others the first value is all there is.
    private static func triggerRest(identity: PadIdentity, name: String) -> Rest {
        let name = name.lowercased()
        let isKnown = [0x045E, 0x054C].contains(identity.vendor) || name.contains("x-box") || name.contains("xbox")
        return isKnown ? .minimum : .initial
    }

    private static func axisRoles(_ capabilities: Capabilities, rest: Rest) -> [AxisCode: AxisRole] {
        let across = AxisRole.directions(negative: .left, positive: .right)
        let along = AxisRole.directions(negative: .up, positive: .down)
        var roles: [AxisCode: AxisRole] = [.x: across, .y: along, .hat0X: across, .hat0Y: along]
        let has = { (code: AxisCode) in capabilities.axes[code] != nil }
        if has(.gas) || has(.brake) {
            // Bluetooth pads: Z and RZ are the right stick.
            roles[.gas] = .trigger(.r2, restsAt: rest)
            roles[.brake] = .trigger(.l2, restsAt: rest)
        } else if has(.hat2X) && has(.hat2Y) && !has(.z) {
            roles[.hat2X] = .trigger(.r2, restsAt: rest)
            roles[.hat2Y] = .trigger(.l2, restsAt: rest)
        } else if isGamepad(capabilities), has(.rx) && has(.ry) || zAxesRestAtAnEnd(capabilities) {
            roles[.z] = .trigger(.l2, restsAt: rest)
            roles[.rz] = .trigger(.r2, restsAt: rest)
        }
        return roles.filter { code, role in
            guard let info = capabilities.axes[code], info.maximum > info.minimum else { return false }
            if case .trigger = role { return true }
            // Two values make a switch, not two directions around a rest.
            return Int64(info.maximum) - Int64(info.minimum) >= 2
        }
    }

    /// Without a right stick of its own a pad's Z and RZ may be either; a stick rests in the middle.
    private static func zAxesRestAtAnEnd(_ capabilities: Capabilities) -> Bool {
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
