internal import CUdev
internal import Glibc
public import SystemKit

/// The event nodes of joysticks in the order in which programs find them that go through libudev's list, as RetroArch
/// does: by their folders in `/sys` and not by number. Nodes that this process may not open for writing are left out,
/// because such programs pass over them.
public func joystickNodesInUdevOrder() -> [BytePath] {
    guard let context = udev_new() else { return [] }
    defer { udev_unref(context) }
    guard let enumeration = udev_enumerate_new(context) else { return [] }
    defer { udev_enumerate_unref(enumeration) }
    udev_enumerate_add_match_property(enumeration, "ID_INPUT_JOYSTICK", "1")
    udev_enumerate_add_match_subsystem(enumeration, "input")
    udev_enumerate_scan_devices(enumeration)
    var nodes: [BytePath] = []
    var entry = udev_enumerate_get_list_entry(enumeration)
    while let current = entry {
        entry = udev_list_entry_get_next(current)
        guard let path = udev_list_entry_get_name(current), let device = udev_device_new_from_syspath(context, path)
        else { continue }
        defer { udev_device_unref(device) }
        guard let node = udev_device_get_devnode(device).map(BytePath.init(cString:)),
            node.name.bytes.starts(with: "event".utf8), node.withCString({ access($0, R_OK | W_OK) }) == 0
        else { continue }
        nodes.append(node)
    }
    return nodes
}
