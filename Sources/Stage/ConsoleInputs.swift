internal import SystemKit

/// Sleeping on a bare console, where SDL has no sleep and would look at its devices every millisecond.
///
/// The keyboards and mice that SDL opened are found in `/proc/self/fd`; gamepads, which other parts of the process
/// open, are told apart by what the device can do. The kernel's device list says when one comes or goes.
final class ConsoleInputs {
    private var descriptors: [Int32] = []
    private let list: DeviceList?
    private var unsettledUntil: MonotonicInstant?

    init() {
        list = try? DeviceList()
        descriptors = ConsoleInputs.openInputs()
    }

    /// Sleeps until the bell rings, or a device says something or comes or goes.
    func wait(bell: Int32, seconds: Double?) {
        let now = MonotonicInstant.now
        var limit = seconds
        if let until = unsettledUntil {
            // SDL opens a new device when udev has named it, a little after the kernel has it.
            descriptors = ConsoleInputs.openInputs()
            if until <= now { unsettledUntil = nil } else { limit = min(seconds ?? 0.1, 0.1) }
        }
        let ready = waitReadable([bell] + descriptors + (list.map { [$0.descriptor.rawValue] } ?? []), seconds: limit)
        if let list, ready.contains(list.descriptor.rawValue) { unsettledUntil = now.advanced(bySeconds: 2) }
    }

    private static func openInputs() -> [Int32] {
        guard let names = try? directoryNames("/proc/self/fd") else { return [] }
        return names.compactMap { name in
            guard let number = Int32(name.displayString),
                let target = try? resolvedPath(BytePath("/proc/self/fd").appending(name)),
                target.parent == "/dev/input", isForPeople(target.name)
            else { return nil }
            return number
        }
    }

    /// Whether a device is a keyboard (has Enter), a mouse (moves) or a touch screen.
    private static func isForPeople(_ name: BytePath) -> Bool {
        let folder = BytePath("/sys/class/input").appending(name).appending("device/capabilities")
        let enter = 28
        let touch = 0x14A
        return has(enter, folder.appending("key")) || has(touch, folder.appending("key"))
            || (has(0, folder.appending("rel")) && has(1, folder.appending("rel")))
    }

    /// Whether a bit is set in the kernel's hexadecimal words, the highest first.
    private static func has(_ bit: Int, _ path: BytePath) -> Bool {
        guard let bytes = try? readFile(path, limit: 4096) else { return false }
        let words = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        let index = words.count - 1 - bit / Int.bitWidth
        guard index >= 0, let word = UInt64(words[index], radix: 16) else { return false }
        return word >> UInt64(bit % Int.bitWidth) & 1 == 1
    }
}

/// The kernel's list of input devices; readable whenever one came or went.
private final class DeviceList {
    let descriptor: Descriptor

    init() throws(SystemError) {
        // 0 is O_RDONLY.
        descriptor = try Descriptor.open("/proc/bus/input/devices", flags: 0)
    }
}
