public import EvdevKit

/// What an event device is, judged by what it can send.
public enum DeviceKind: Sendable, Equatable {
    /// A gamepad, joystick or arcade panel that moves the menu and plays.
    case pad
    /// A keyboard or remote control.
    case keyboard
    /// Something else, which must never become a player.
    case other(Reason)

    /// Why a device is neither.
    public enum Reason: String, Sendable {
        /// The axes are accelerations: the motion sensor of a pad or a laptop.
        case motionSensor
        /// A touchpad, touch screen or drawing tablet.
        case touch
        /// A mouse or trackball.
        case mouse
        /// Volume, brightness and power keys.
        case mediaKeys
        /// A plain joystick's buttons, but nothing that could point: foot pedals, keyboards with odd claims.
        case noDirections
        /// No button at all.
        case noButtons
    }

    /// Judges a set of capabilities.
    ///
    /// Devices claim more than they are: keyboards set joystick buttons and touchpads set `BTN_0`. So what speaks
    /// against a pad is looked at first, and one gamepad code (`BTN_SOUTH` and its neighbours) weighs more than any
    /// number of plain joystick codes.
    public init(of capabilities: Capabilities) {
        let keys = capabilities.keys
        if capabilities.properties.contains(.accelerometer) {
            self = .other(.motionSensor)
        } else if DeviceKind.isTouch(capabilities) {
            self = .other(.touch)
        } else if keys.contains(.mouseLeft) && capabilities.relative.isSuperset(of: [0, 1]) {
            self = .other(.mouse)
        } else if DeviceKind.letterCount(keys) >= 10 {
            self = .keyboard
        } else if DeviceKind.isGamepad(capabilities) {
            self = .pad
        } else if DeviceKind.isRemoteControl(keys) {
            self = .keyboard
        } else if keys.isEmpty {
            self = .other(.noButtons)
        } else if !keys.contains(where: { (KeyCode.joystick...KeyCode.joystickLast).contains($0) }) {
            self = .other(keys.contains { $0 < .firstButton } ? .mediaKeys : .noDirections)
        } else if DeviceKind.controlKeys.intersection(keys).count >= 4 {
            self = .other(.mediaKeys)
        } else if DeviceKind.hasDirections(capabilities) {
            self = .pad
        } else {
            self = .other(.noDirections)
        }
    }

    /// Keys that only keyboards and their media-key halves have.
    private static let controlKeys: Set<KeyCode> = [
        .leftControl, .capsLock, .numLock, .insert, .mute, .calculator, .mail, .playPause,
    ]

    private static func isTouch(_ capabilities: Capabilities) -> Bool {
        let telling: Set<InputProperty> = [.pointer, .direct, .buttonPad, .semiTouch, .topButtonPad]
        if !telling.isDisjoint(with: capabilities.properties) { return true }
        let tools: Set<KeyCode> = [.touch, .toolFinger, .toolPen, .stylus]
        if !tools.isDisjoint(with: capabilities.keys) { return true }
        return capabilities.axes[.touchX] != nil && capabilities.axes[.touchSlot] != nil
    }

    private static func letterCount(_ keys: Set<KeyCode>) -> Int {
        Set(KeyMap.letters.map(\.code)).intersection(keys).count
    }

    private static func isGamepad(_ capabilities: Capabilities) -> Bool {
        let keys = capabilities.keys
        let codes = keys.count { (KeyCode.south...KeyCode.thumbRight).contains($0) }
        let dpad = keys.count { (KeyCode.dpadUp...KeyCode.dpadRight).contains($0) }
        if dpad == 4 { return true }
        guard codes > 0 else { return false }
        // One button of a headset or a tablet frame is no pad.
        return keys.contains(.south) || codes >= 2 && hasDirections(capabilities)
    }

    private static func isRemoteControl(_ keys: Set<KeyCode>) -> Bool {
        keys.isSuperset(of: [.up, .down, .left, .right])
            && !keys.isDisjoint(with: [.enter, .keypadEnter, .ok, .remoteSelect])
    }

    private static func hasDirections(_ capabilities: Capabilities) -> Bool {
        let axes = capabilities.axes
        return axes[.x] != nil && axes[.y] != nil || axes[.hat0X] != nil && axes[.hat0Y] != nil
    }
}

/// What is the same for all event nodes of one thing in a person's hand.
///
/// A pad may be three nodes (buttons, motion, touchpad), and a hub may hold two equal pads.
/// - Parameter physicalDevice: the folder in `/sys` of the USB or HID device, where udev knows it.
public func deviceGroup(
    unique: String, physicalPath: String, identity: PadIdentity, physicalDevice: String?
) -> String {
    // Cheap pads share one serial number; together with the ids it at least cannot join different products, and the
    // port, where known, tells equal ones apart.
    let product = "\(hexadecimal(identity.bus)):\(hexadecimal(identity.vendor)):\(hexadecimal(identity.product))"
    if identity.bus == bluetoothBus, !unique.isEmpty { return "\(product) \(unique.lowercased())" }
    if let physicalDevice { return physicalDevice }
    if let slash = physicalPath.lastIndex(of: "/"), slash != physicalPath.startIndex {
        return "\(product) \(physicalPath[..<slash])"
    }
    return "\(product) \(unique.isEmpty ? physicalPath : unique)"
}

private let bluetoothBus: UInt16 = 5

/// Four lower-case digits, as `lsusb` prints ids.
func hexadecimal(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
}

extension PadFamily {
    /// Judges by vendor, and by name where the vendor makes adapters for all.
    public init(identity: PadIdentity, name: String) {
        let name = name.lowercased()
        func says(_ words: [String]) -> Bool { words.contains { name.contains($0) } }
        switch (identity.vendor, identity.product) {
        case (0x054C, _): self = .playstation
        case (0x057E, _), (0x0583, 0x2060), (0x0810, 0xE501), (0x0079, 0x0011): self = .nintendo
        case (0x045E, _): self = .xbox
        default:
            if says(["playstation", "dualshock", "dualsense", "sony", "ps2", "ps3", "ps4", "ps5"]) {
                self = .playstation
            } else if says([
                "nintendo", "switch", "joy-con", "snes", "sfc", "famicom", "super nes", "nes30", "sn30", "sf30", "fc30",
            ]) {
                self = .nintendo
            } else {
                self = .xbox
            }
        }
    }
}
