public import EvdevKit
public import SystemKit

extension PadInfo {
    /// All keyboards together, as one pad that can be set up: its controls are the keys.
    public static let keyboard = PadInfo(
        id: keyboardPad, node: "", facts: .keyboard, family: .keyboard, mapping: PadMapping(), source: .none)
}

extension DeviceFacts {
    /// What stands for all keyboards together where a device's facts are asked for.
    public static let keyboard = DeviceFacts(
        name: "Keyboard", identity: PadIdentity(bus: 0, vendor: 0, product: 0, version: 0), device: "keyboard",
        capabilities: Capabilities(keys: Set(KeyMap.codes.keys)))
}

extension InputEvent {
    /// The event that a keyboard's node sends for a key.
    ///
    /// - Returns: `nil` for a key that has no number of its own.
    public init?(_ key: Key, isPressed: Bool, time: MonotonicInstant) {
        guard let code = InputEvent.codes[key] else { return nil }
        self.init(.key(code, value: isPressed ? 1 : 0), time: time)
    }

    /// Of several codes for one key the lowest, which is the one in the main block.
    private static let codes: [Key: KeyCode] = Dictionary(
        KeyMap.codes.map { ($0.value, $0.key) }, uniquingKeysWith: { min($0, $1) })
}
