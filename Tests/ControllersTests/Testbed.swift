import Controllers
import EvdevKit
import Glibc
import SystemKit

/// A made-up `/sys` and `/dev/input` with devices of ours, through umockdev.
///
/// Works only in a process that was started by `umockdev-wrapper`; its library is loaded when needed, so that
/// nobody else has to have it.
final class Testbed {
    static let isMissing: String? = {
        guard Library.shared != nil else { return "needs umockdev (Debian: umockdev, libumockdev0)" }
        return isBelowWrapper ? nil : "needs to run below umockdev-wrapper: Tests/EndToEnd/pads does that"
    }()

    private let library: Library
    private let pointer: OpaquePointer
    private var number = 0

    init?() {
        guard let library = Library.shared, isBelowWrapper else { return nil }
        // So that a thread without root's rights finds its way; what a node allows is set for itself.
        umask(0)
        guard let pointer = library.new() else { return nil }
        let root = String(cString: library.root(pointer))
        for folder in [root, root + "/ioctl"] { chmod(folder, 0o755) }
        chmod(root + "/ioctl/_default", 0o777)
        self.library = library
        self.pointer = pointer
    }

    deinit { library.unreference(pointer) }

    /// A device that was plugged in.
    struct Plugged {
        let node: BytePath
        let devicePath: String
        let descriptor: Int32
        let parentPath: String
    }

    /// Makes the thing in one's hand, to which nodes and a battery may belong.
    ///
    /// - Returns: its folder below `/sys`.
    func hold(subsystem: String = "hid") -> String? {
        number += 1
        let path = "/devices/platform/thing\(number)"
        let type = subsystem == "usb" ? "E: DEVTYPE=usb_device\n" : ""
        return library.add(pointer, "P: \(path)\nE: SUBSYSTEM=\(subsystem)\n\(type)\n", nil) != 0 ? path : nil
    }

    /// Gives a thing a battery.
    ///
    /// - Returns: its folder below `/sys`.
    func addBattery(to thing: String, capacity: Int, status: String) -> String? {
        number += 1
        let path = thing + "/power_supply/pad-battery\(number)"
        let description = """
            P: \(path)
            E: SUBSYSTEM=power_supply
            A: type=Battery
            A: scope=Device
            A: capacity=\(capacity)
            A: status=\(status)

            """
        return library.add(pointer, description, nil) != 0 ? path : nil
    }

    /// Changes an attribute in `/sys` and tells so through udev.
    func change(_ path: String, _ name: String, to value: String) {
        library.setAttribute(pointer, "/sys" + path, name, value)
        library.tell(pointer, "/sys" + path, "change")
    }

    /// Makes a device and tells it through udev; a node of root's that nobody else may read.
    ///
    /// - Parameter thing: what it is a part of.
    func plug(_ device: Device, unique: String = "", port: String = "usb-1/input0", thing: String? = nil) -> Plugged? {
        number += 1
        let parent = (thing ?? "/devices/platform/test\(number)") + "/input/input\(number)"
        let path = parent + "/event\(number)"
        let node = "/dev/input/event\(number)"
        let ids = device.identity
        let words = { (numbers: [UInt16]) in bitmapText(Set(numbers)) }
        let capabilities = device.capabilities
        let description = """
            P: \(path)
            N: input/event\(number)
            E: DEVNAME=\(node)
            E: SUBSYSTEM=input
            E: MAJOR=13
            E: MINOR=\(64 + number)
            E: USEC_INITIALIZED=1
            E: ID_INPUT=1
            A: dev=13:\(64 + number)

            P: \(parent)
            E: SUBSYSTEM=input
            E: PRODUCT=\(ids.bus)/\(ids.vendor)/\(ids.product)/1
            A: name=\(device.name)
            A: capabilities/key=\(words(capabilities.keys.map(\.rawValue)))
            A: capabilities/abs=\(words(capabilities.axes.keys.map(\.rawValue)))
            A: capabilities/rel=\(words(Array(capabilities.relative)))
            A: properties=\(words(capabilities.properties.map(\.rawValue)))
            A: id/bustype=\(String(ids.bus, radix: 16))
            A: id/vendor=\(String(ids.vendor, radix: 16))
            A: id/product=\(String(ids.product, radix: 16))
            A: id/version=\(String(ids.version, radix: 16))

            """
        let answers = BytePath("/tmp/retro-pads-\(getpid())-\(number).ioctl")
        defer { try? removeFile(answers) }
        // The testbed tells udev's listeners by itself, so the answers have to be there before the device.
        guard (try? replaceFile(at: answers, with: Array(ioctlAnswers(device, unique, port).utf8))) != nil,
            answers.withCString({ library.loadAnswers(pointer, node, $0, nil) }) != 0,
            library.add(pointer, description, nil) != 0
        else { return nil }
        return Plugged(
            node: BytePath(node), devicePath: path, descriptor: library.descriptor(pointer, node), parentPath: parent)
    }

    /// Sets a node's mode.
    func allow(_ node: String, _ mode: mode_t) {
        chmod(node, mode)
        // A made-up node is a link; inotify tells of a real one's mode by itself.
        let path = String(cString: library.root(pointer)) + node
        utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW)
    }

    func tell(_ plugged: Plugged, _ action: String) { library.tell(pointer, "/sys" + plugged.devicePath, action) }

    /// Takes the device away; udev tells so first, or only the descriptor dies, as it may be with a real one.
    func unplug(_ plugged: Plugged, isTold: Bool) {
        if isTold {
            tell(plugged, "remove")
        } else {
            // The testbed owns the other end, so its number has to stay valid.
            let nothing = open("/dev/null", O_RDWR)
            dup2(nothing, plugged.descriptor)
            close(nothing)
        }
        library.remove(pointer, "/sys" + plugged.devicePath)
        library.remove(pointer, "/sys" + plugged.parentPath)
    }

    /// Sends events the way the kernel would.
    func send(_ plugged: Plugged, _ events: [(type: UInt16, code: UInt16, value: Int32)]) {
        var records: [input_record] = events.map { input_record(type: $0.type, code: $0.code, value: $0.value) }
        records.append(input_record(type: 0, code: 0, value: 0))
        records.withUnsafeBytes { buffer in _ = write(plugged.descriptor, buffer.baseAddress, buffer.count) }
    }
}

/// The library itself can tell only once a testbed exists.
private var isBelowWrapper: Bool {
    getenv("LD_PRELOAD").map { strstr($0, "libumockdev-preload") != nil } ?? false
}

/// `struct input_event` of a 64-bit kernel.
private struct input_record {
    var seconds: Int = 0
    var microseconds: Int = 0
    var type: UInt16
    var code: UInt16
    var value: Int32
}

/// The functions of libumockdev that are used here.
private struct Library: Sendable {
    typealias GError = UnsafeMutablePointer<OpaquePointer?>
    typealias Text = UnsafePointer<CChar>

    let new: @convention(c) () -> OpaquePointer?
    let unreference: @convention(c) (OpaquePointer) -> Void
    let add: @convention(c) (OpaquePointer, Text, GError?) -> Int32
    let loadAnswers: @convention(c) (OpaquePointer, Text, Text, GError?) -> Int32
    let tell: @convention(c) (OpaquePointer, Text, Text) -> Void
    let remove: @convention(c) (OpaquePointer, Text) -> Void
    let setAttribute: @convention(c) (OpaquePointer, Text, Text, Text) -> Void
    let descriptor: @convention(c) (OpaquePointer, Text) -> Int32
    let root: @convention(c) (OpaquePointer) -> Text

    static let shared: Library? = {
        guard let handle = dlopen("libumockdev.so.0", RTLD_NOW) else { return nil }
        func find<Function>(_ name: String, as type: Function.Type) -> Function? {
            dlsym(handle, name).map { unsafeBitCast($0, to: type) }
        }
        guard
            let new = find("umockdev_testbed_new", as: (@convention(c) () -> OpaquePointer?).self),
            let unreference = find("g_object_unref", as: (@convention(c) (OpaquePointer) -> Void).self),
            let add = find(
                "umockdev_testbed_add_from_string", as: (@convention(c) (OpaquePointer, Text, GError?) -> Int32).self),
            let load = find(
                "umockdev_testbed_load_ioctl",
                as: (@convention(c) (OpaquePointer, Text, Text, GError?) -> Int32).self),
            let tell = find(
                "umockdev_testbed_uevent", as: (@convention(c) (OpaquePointer, Text, Text) -> Void).self),
            let remove = find(
                "umockdev_testbed_remove_device", as: (@convention(c) (OpaquePointer, Text) -> Void).self),
            let setAttribute = find(
                "umockdev_testbed_set_attribute",
                as: (@convention(c) (OpaquePointer, Text, Text, Text) -> Void).self),
            let descriptor = find(
                "umockdev_testbed_get_dev_fd", as: (@convention(c) (OpaquePointer, Text) -> Int32).self),
            let root = find("umockdev_testbed_get_root_dir", as: (@convention(c) (OpaquePointer) -> Text).self)
        else { return nil }
        return Library(
            new: new, unreference: unreference, add: add, loadAnswers: load, tell: tell,
            remove: remove, setAttribute: setAttribute, descriptor: descriptor, root: root)
    }()
}

/// Hexadecimal machine words, the highest first, as sysfs prints them.
private func bitmapText(_ bits: Set<UInt16>) -> String {
    let count = Int(bits.max() ?? 0) / 64 + 1
    var words = [UInt64](repeating: 0, count: count)
    for bit in bits { words[Int(bit) / 64] |= 1 << UInt64(bit % 64) }
    return words.reversed().map { String($0, radix: 16) }.joined(separator: " ")
}

/// What the kernel answers to the questions of libevdev, in umockdev's text form.
private func ioctlAnswers(_ device: Device, _ unique: String, _ port: String) -> String {
    let capabilities = device.capabilities
    func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
    func bits(_ numbers: some Sequence<UInt16>, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        for number in numbers { bytes[Int(number) / 8] |= 1 << UInt8(number % 8) }
        return bytes
    }
    func words(_ numbers: [Int32]) -> [UInt8] {
        numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    }
    func text(_ string: String) -> [UInt8] {
        Array(string.utf8) + [UInt8](repeating: 0, count: 255 - string.utf8.count)
    }
    let ids = [device.identity.bus, device.identity.vendor, device.identity.product, device.identity.version]
    var types: Set<UInt16> = [0]
    if !capabilities.keys.isEmpty { types.insert(1) }
    if !capabilities.relative.isEmpty { types.insert(2) }
    if !capabilities.axes.isEmpty { types.insert(3) }
    let empty = [UInt8](repeating: 0, count: 96)
    var lines = [
        "EVIOCGVERSION 0 01000100",
        "EVIOCGID 0 \(hex(ids.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }))",
        "EVIOCGNAME(0) \(device.name.utf8.count + 1) \(hex(text(device.name)))",
        "EVIOCGPHYS(0) \(port.utf8.count + 1) \(hex(text(port)))",
        "EVIOCGPROP(0) 8 \(hex(bits(capabilities.properties.map(\.rawValue), count: 8)))",
        "EVIOCGBIT(0) 8 \(hex(bits(types, count: 8)))",
        "EVIOCGBIT(1) 96 \(hex(bits(capabilities.keys.map(\.rawValue), count: 96)))",
        "EVIOCGBIT(2) 8 \(hex(bits(capabilities.relative, count: 8)))",
        "EVIOCGBIT(3) 8 \(hex(bits(capabilities.axes.keys.map(\.rawValue), count: 8)))",
        "EVIOCGKEY(0) 96 \(hex(empty))",
    ]
    if !unique.isEmpty { lines.append("EVIOCGUNIQ(0) \(unique.utf8.count + 1) \(hex(text(unique)))") }
    for type in [4, 5, 17, 18] { lines.append("EVIOCGBIT(\(type)) 8 \(hex(empty.prefix(8)))") }
    for name in ["EVIOCGLED(0)", "EVIOCGSW(0)"] { lines.append("\(name) 8 \(hex(empty.prefix(8)))") }
    lines.append("EVIOCGBIT(21) 16 \(hex(empty.prefix(16)))")
    for (code, info) in capabilities.axes.sorted(by: { $0.key < $1.key }) {
        let name = code == .x ? "EVIOCGABS" : "EVIOCGABS(\(code.rawValue))"
        lines.append(
            "\(name) 0 \(hex(words([info.value, info.minimum, info.maximum, info.fuzz, info.flat, info.resolution])))")
    }
    return lines.joined(separator: "\n") + "\n"
}
