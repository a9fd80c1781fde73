internal import CUdev
internal import Glibc
public import SystemKit

/// An event node as udev knows it.
public struct InputNode: Sendable, Equatable {
    /// The folder in `/sys`; another one every time the device is plugged in.
    public let systemPath: BytePath
    /// The node, e.g. `/dev/input/event3`.
    public let node: BytePath
    /// Whether udev's rules have run for it, so that its mode is final.
    public let isInitialized: Bool
    /// Whether udev takes it for a joystick or gamepad.
    public let isTaggedJoystick: Bool
    /// The folder in `/sys` of the thing in one's hand: the USB device, or the HID device of a Bluetooth pad.
    public let physicalDevice: BytePath?
    /// What sysfs says about its abilities; `nil` where it says nothing.
    public let capabilities: Capabilities?
    /// What sysfs says about its make; `nil` where it says nothing.
    public let identity: DeviceIdentity?
}

/// A change of the set of event nodes.
public enum UdevChange: Sendable, Equatable {
    /// A node is there, or something about it (its mode) changed.
    case present(InputNode)
    /// A node went; only its folder in `/sys` and its path are known.
    case removed(systemPath: BytePath, node: BytePath?)
    /// A battery or charger has something new to say, or came; its folder in `/sys`.
    case power(systemPath: BytePath)
    /// Changes were lost: enumerate again.
    case overflow
}

/// Finds event nodes through libudev and hears of new ones; for one thread.
public final class UdevMonitor {
    /// The descriptor for a poll set, readable when `next` has something.
    public let rawDescriptor: Int32

    private let context: OpaquePointer
    private let monitor: OpaquePointer
    private let hasDaemon: Bool

    /// Starts listening, so that nothing is missed between `enumerate` and the first `next`.
    ///
    /// - Throws: `SystemError` of libudev.
    public init() throws(SystemError) {
        guard let context = udev_new() else { throw SystemError(call: "udev_new", subject: "", code: errno) }
        // Without a running udev nobody would send its events; the kernel's own then have to do.
        hasDaemon = fileExists("/run/udev/control") || fileExists("/run/udev/data")
        guard let monitor = udev_monitor_new_from_netlink(context, hasDaemon ? "udev" : "kernel") else {
            let code = errno
            udev_unref(context)
            throw SystemError(call: "udev_monitor_new_from_netlink", subject: "", code: code)
        }
        udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil)
        udev_monitor_filter_add_match_subsystem_devtype(monitor, "power_supply", nil)
        // A hub full of pads sends a burst; without the right to enlarge the buffer an overflow is handled anyway.
        udev_monitor_set_receive_buffer_size(monitor, 1 << 20)
        let result = udev_monitor_enable_receiving(monitor)
        guard result >= 0 else {
            udev_monitor_unref(monitor)
            udev_unref(context)
            throw SystemError(call: "udev_monitor_enable_receiving", subject: "", code: -result)
        }
        self.context = context
        self.monitor = monitor
        rawDescriptor = udev_monitor_get_fd(monitor)
    }

    deinit {
        udev_monitor_unref(monitor)
        udev_unref(context)
    }

    /// All event nodes there are now, by number.
    public func enumerate() -> [InputNode] {
        guard let enumeration = udev_enumerate_new(context) else { return [] }
        defer { udev_enumerate_unref(enumeration) }
        udev_enumerate_add_match_subsystem(enumeration, "input")
        udev_enumerate_add_match_sysname(enumeration, "event*")
        udev_enumerate_scan_devices(enumeration)
        var nodes: [InputNode] = []
        var entry = udev_enumerate_get_list_entry(enumeration)
        while let current = entry {
            if let path = udev_list_entry_get_name(current),
                let device = udev_device_new_from_syspath(context, path)
            {
                if let node = inputNode(device) { nodes.append(node) }
                udev_device_unref(device)
            }
            entry = udev_list_entry_get_next(current)
        }
        return nodes.sorted { ($0.node.bytes.count, $0.node) < ($1.node.bytes.count, $1.node) }
    }

    /// The next change that has arrived; `nil` when there is none.
    public func next() -> UdevChange? {
        while true {
            errno = 0
            guard let device = udev_monitor_receive_device(monitor) else {
                return errno == ENOBUFS ? .overflow : nil
            }
            defer { udev_device_unref(device) }
            if let subsystem = udev_device_get_subsystem(device), strcmp(subsystem, "power_supply") == 0 {
                guard let path = bytes(udev_device_get_syspath(device)) else { continue }
                return .power(systemPath: path)
            }
            guard bytes(udev_device_get_sysname(device))?.bytes.starts(with: "event".utf8) == true else { continue }
            if let action = udev_device_get_action(device), strcmp(action, "remove") == 0 {
                guard let path = bytes(udev_device_get_syspath(device)) else { continue }
                return .removed(systemPath: path, node: bytes(udev_device_get_devnode(device)))
            }
            if let node = inputNode(device) { return .present(node) }
        }
    }

    private func inputNode(_ device: OpaquePointer) -> InputNode? {
        guard let path = bytes(udev_device_get_syspath(device)), let node = bytes(udev_device_get_devnode(device))
        else { return nil }
        // Parents belong to their child and are not released here.
        let parent = udev_device_get_parent_with_subsystem_devtype(device, "input", nil)
        let physical =
            udev_device_get_parent_with_subsystem_devtype(device, "usb", "usb_device")
            ?? udev_device_get_parent_with_subsystem_devtype(device, "hid", nil)
        let tag = udev_device_get_property_value(device, "ID_INPUT_JOYSTICK")
        return InputNode(
            systemPath: path, node: node,
            isInitialized: !hasDaemon || udev_device_get_is_initialized(device) == 1,
            isTaggedJoystick: tag.map { strcmp($0, "1") == 0 } ?? false,
            physicalDevice: physical.flatMap { bytes(udev_device_get_syspath($0)) },
            capabilities: parent.flatMap(systemCapabilities), identity: parent.flatMap(systemIdentity))
    }
}

private func bytes(_ pointer: UnsafePointer<CChar>?) -> BytePath? { pointer.map(BytePath.init(cString:)) }

private func attribute(_ name: String, of device: OpaquePointer) -> String? {
    udev_device_get_sysattr_value(device, name).map(String.init(cString:))
}

private func systemCapabilities(_ device: OpaquePointer) -> Capabilities? {
    guard let keys = attribute("capabilities/key", of: device), let axes = attribute("capabilities/abs", of: device)
    else { return nil }
    return Capabilities(
        keyBitmap: keys, axisBitmap: axes, relativeBitmap: attribute("capabilities/rel", of: device) ?? "",
        propertyBitmap: attribute("properties", of: device) ?? "")
}

private func systemIdentity(_ device: OpaquePointer) -> DeviceIdentity? {
    func number(_ name: String) -> UInt16? { attribute("id/" + name, of: device).flatMap { UInt16($0, radix: 16) } }
    guard let bus = number("bustype"), let vendor = number("vendor"), let product = number("product") else {
        return nil
    }
    return DeviceIdentity(bus: bus, vendor: vendor, product: product, version: number("version") ?? 0)
}
