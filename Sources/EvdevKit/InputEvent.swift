public import SystemKit

/// One event of a device, as far as this project listens to it.
public struct InputEvent: Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// A key or button: 0 up, 1 down, 2 repeated.
        case key(KeyCode, value: Int32)
        /// An axis has a new value.
        case axis(AxisCode, value: Int32)
        /// Everything since the last report belongs together (`SYN_REPORT`).
        case report
        /// Events were lost; what follows until the next report brings the state up to date.
        case dropped
        /// Another type: the kernel's type, code and value.
        case other(type: UInt16, code: UInt16, value: Int32)
    }

    /// What happened.
    public let kind: Kind
    /// When, on the monotonic clock.
    public let time: MonotonicInstant

    /// An event with all its parts.
    public init(_ kind: Kind, time: MonotonicInstant) {
        self.kind = kind
        self.time = time
    }
}

/// `struct input_id` of a device.
public struct DeviceIdentity: Sendable, Hashable {
    /// `BUS_USB` is 3, `BUS_BLUETOOTH` is 5.
    public let bus: UInt16
    /// Vendor id.
    public let vendor: UInt16
    /// Product id.
    public let product: UInt16
    /// Version.
    public let version: UInt16

    /// An identity with all its parts.
    public init(bus: UInt16, vendor: UInt16, product: UInt16, version: UInt16) {
        self.bus = bus
        self.vendor = vendor
        self.product = product
        self.version = version
    }
}
