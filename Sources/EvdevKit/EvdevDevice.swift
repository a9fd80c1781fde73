internal import CEvdev
internal import Glibc
public import SystemKit

/// An open event node (`/dev/input/event*`), read without blocking; for one thread.
public final class EvdevDevice {
    /// The node it was opened at.
    public let node: BytePath
    /// What the device calls itself; bytes that are no UTF-8 are replaced.
    public let name: String
    /// The address or serial number; empty where the device has none.
    public let unique: String
    /// The port it hangs on, e.g. `usb-0000:00:14.0-2/input0`; empty where the driver does not say.
    public let physicalPath: String
    /// Bus, vendor, product and version.
    public let identity: DeviceIdentity
    /// What it can send, with the axes' values at opening.
    public let capabilities: Capabilities
    /// The descriptor for a poll set.
    public let rawDescriptor: Int32

    private let descriptor: Descriptor
    private let handle: OpaquePointer
    private let hasMonotonicTime: Bool

    /// Opens a node for reading.
    ///
    /// - Throws: `SystemError` of `open`, or of libevdev where the node is no event device.
    public init(node: BytePath) throws(SystemError) {
        self.node = node
        descriptor = try Descriptor.open(node, flags: O_RDONLY | O_NONBLOCK)
        rawDescriptor = descriptor.rawValue
        var pointer: OpaquePointer?
        let result = libevdev_new_from_fd(descriptor.rawValue, &pointer)
        guard result == 0, let pointer else {
            throw SystemError(call: "libevdev_new_from_fd", path: node, code: result == 0 ? ENODEV : -result)
        }
        handle = pointer
        // Without it the times are the wall clock's, which may jump; then the time of reading is used instead.
        hasMonotonicTime = libevdev_set_clock_id(pointer, CLOCK_MONOTONIC) == 0
        name = text(libevdev_get_name(pointer))
        unique = text(libevdev_get_uniq(pointer))
        physicalPath = text(libevdev_get_phys(pointer))
        identity = DeviceIdentity(
            bus: UInt16(truncatingIfNeeded: libevdev_get_id_bustype(pointer)),
            vendor: UInt16(truncatingIfNeeded: libevdev_get_id_vendor(pointer)),
            product: UInt16(truncatingIfNeeded: libevdev_get_id_product(pointer)),
            version: UInt16(truncatingIfNeeded: libevdev_get_id_version(pointer)))
        capabilities = readCapabilities(pointer)
    }

    deinit { libevdev_free(handle) }

    /// What it can send, with the axes' values after the last event that was read.
    public var currentCapabilities: Capabilities {
        var current = capabilities
        for code in capabilities.axes.keys {
            current.axes[code]?.value = libevdev_get_event_value(handle, UInt32(EV_ABS), UInt32(code.rawValue))
        }
        return current
    }

    /// Hands over what has arrived, oldest first, and returns when nothing is left or after `limit` events.
    ///
    /// After lost events `.dropped` comes first, then the differences to what was known, then `.report`.
    /// - Returns: whether there may be more to read at once.
    /// - Throws: `SystemError`, `ENODEV` when the device is gone.
    public func read(limit: Int = 512, _ body: (InputEvent) -> Void) throws(SystemError) -> Bool {
        var event = input_event()
        var count = 0
        while count < limit {
            let status = libevdev_next_event(handle, LIBEVDEV_READ_FLAG_NORMAL.rawValue, &event)
            switch status {
            case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue): body(converted(event))
            case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue): for event in try resynchronized() { body(event) }
            case -EAGAIN: return false
            case -EINTR: continue
            default: throw SystemError(call: "read", path: node, code: -status)
            }
            count += 1
        }
        return true
    }

    /// Asks the kernel for the state after events were lost, to the end, so that nobody acts on half of it.
    private func resynchronized() throws(SystemError) -> [InputEvent] {
        var event = input_event()
        var events = [InputEvent(.dropped, time: .now)]
        while true {
            let status = libevdev_next_event(handle, LIBEVDEV_READ_FLAG_SYNC.rawValue, &event)
            switch status {
            case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue): events.append(converted(event))
            case -EINTR: continue
            case -EAGAIN, Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
                events.append(InputEvent(.report, time: .now))
                return events
            default: throw SystemError(call: "read", path: node, code: -status)
            }
        }
    }

    private func converted(_ event: input_event) -> InputEvent {
        let time =
            hasMonotonicTime
            ? MonotonicInstant(
                nanoseconds: Int64(event.time.tv_sec) * 1_000_000_000 + Int64(event.time.tv_usec) * 1000) : .now
        switch Int32(event.type) {
        case EV_KEY: return InputEvent(.key(KeyCode(rawValue: event.code), value: event.value), time: time)
        case EV_ABS: return InputEvent(.axis(AxisCode(rawValue: event.code), value: event.value), time: time)
        case EV_SYN where Int32(event.code) == SYN_REPORT: return InputEvent(.report, time: time)
        // libevdev announces the loss by its own status; the raw event only marks where it began.
        default:
            return InputEvent(.other(type: event.type, code: event.code, value: event.value), time: time)
        }
    }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String {
    guard let pointer else { return "" }
    return String(decoding: BytePath(cString: pointer).bytes, as: UTF8.self)
}

private func readCapabilities(_ handle: OpaquePointer) -> Capabilities {
    func codes(_ type: Int32, _ highest: Int32) -> [UInt16] {
        guard libevdev_has_event_type(handle, UInt32(type)) == 1 else { return [] }
        return (0...UInt16(highest)).filter { libevdev_has_event_code(handle, UInt32(type), UInt32($0)) == 1 }
    }
    var result = Capabilities(
        keys: Set(codes(EV_KEY, KEY_MAX).map(KeyCode.init(rawValue:))),
        relative: Set(codes(EV_REL, REL_MAX)),
        properties: Set(
            (0...UInt16(INPUT_PROP_MAX)).filter { libevdev_has_property(handle, UInt32($0)) == 1 }
                .map(InputProperty.init(rawValue:))))
    for code in codes(EV_ABS, ABS_MAX) {
        guard let info = libevdev_get_abs_info(handle, UInt32(code))?.pointee else { continue }
        result.axes[AxisCode(rawValue: code)] = AxisInfo(
            value: info.value, minimum: info.minimum, maximum: info.maximum, fuzz: info.fuzz, flat: info.flat,
            resolution: info.resolution)
    }
    return result
}
