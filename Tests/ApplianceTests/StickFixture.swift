import Appliance
import Glibc
import SystemKit

/// A machine with a folder of games and a stick that is a folder.
final class StickMachine {
    let fake: FakeMachine
    let machine: Machine
    let point: BytePath
    private let mounts: [String]

    static let rules = StickRules(
        system: { folder in
            let name = String(decoding: folder.map(asciiLowercased), as: UTF8.self)
            return ["nes": "nes", "famicom": "nes", "psx": "psx"][name]
        },
        isGame: { system, name in
            let suffix = name.fileExtension.map { String(decoding: $0, as: UTF8.self) }
            return suffix.map((system == "nes" ? ["nes", "zip"] : ["cue", "bin", "iso"]).contains) ?? false
        })

    init() throws {
        fake = try FakeMachine()
        machine = fake.machine
        point = fake.root.appending("media/retro/GAMES")
        try createDirectories(point)
        try createDirectories(machine.data.roms.appending("nes"))
        try createDirectories(machine.data.state)
        mounts = ["20 1 179:2 / / rw - ext4 /dev/mmcblk0p2 rw", "22 1 8:1 / \(point) rw - vfat /dev/sda1 rw"]
        try fake.file("sys/devices/pci/usb1/1-1/block/sda/sda1/partition", "1\n")
        try fake.file("sys/devices/pci/usb1/1-1/block/sda/removable", "1\n")
        try createDirectories(fake.root.appending("sys/dev/block"))
        try makeLink(
            to: fake.root.appending("sys/devices/pci/usb1/1-1/block/sda/sda1"),
            at: fake.root.appending("sys/dev/block/8:1"))
        try plug()
    }

    func plug() throws {
        if !fileExists(fake.root.appending("sys/dev/block/8:1")) {
            try makeLink(
                to: fake.root.appending("sys/devices/pci/usb1/1-1/block/sda/sda1"),
                at: fake.root.appending("sys/dev/block/8:1"))
        }
        try fake.file("proc/self/mountinfo", mounts.map { $0 + "\n" }.joined())
    }

    /// Its disk is gone, and its filesystem is still mounted, as the kernel leaves it.
    func unplug() { try? removeFile(fake.root.appending("sys/dev/block/8:1")) }

    var stick: Stick { Stick.plugged(on: machine).first ?? Stick(identity: "", label: "", point: "", kind: "") }
    var roms: BytePath { machine.data.roms }

    @discardableResult
    func put(_ path: BytePath, _ bytes: [UInt8]) throws -> BytePath {
        let full = point.appending(path)
        try createDirectories(full.parent)
        try replaceFile(at: full, with: bytes)
        return full
    }

    func put(_ path: BytePath, _ text: String) throws { try put(path, Array(text.utf8)) }

    func has(_ path: BytePath, _ text: String) throws {
        let full = roms.appending(path)
        try createDirectories(full.parent)
        try replaceFile(at: full, with: Array(text.utf8))
    }

    func text(_ path: BytePath) -> String? {
        (try? readFile(roms.appending(path))).map { String(decoding: $0, as: UTF8.self) }
    }

    func copy(
        shouldStop: @escaping () -> Bool = { false }, tell: @escaping (StickJournal) -> Void = { _ in }
    ) throws(ApplianceError) -> StickJournal {
        try StickCopy(stick, on: machine, rules: StickMachine.rules, shouldStop: shouldStop, tell: tell).run()
    }

    func facts() throws -> StickFacts { try StickFacts.read(point, rules: StickMachine.rules) }
    func plan() throws -> StickPlan { try StickPlan(facts(), data: machine.data, rules: StickMachine.rules) }

    /// Half files that are left anywhere.
    func halves() -> [BytePath] {
        (try? directoryNames(roms))?.flatMap { system in
            ((try? directoryNames(roms.appending(system))) ?? []).filter { $0.bytes.first == UInt8(ascii: ".") }
        } ?? []
    }
}

/// Bytes of which each 64 KiB are others, the same in every run.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    let block = (0..<(64 << 10)).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
        let start = bytes.count
        bytes.append(contentsOf: block.prefix(count - start))
        bytes[start] = UInt8(truncatingIfNeeded: start >> 16)
        bytes[start + 1] = UInt8(truncatingIfNeeded: start >> 24) ^ UInt8(truncatingIfNeeded: seed)
    }
    return bytes
}

func makePipe(_ path: BytePath) { _ = path.withCString { mkfifo($0, 0o644) } }

func setTime(_ path: BytePath, seconds: Int) {
    let touch = Spawn(
        program: "/usr/bin/touch", arguments: ["touch", "-d", BytePath("@\(seconds)"), "--", path], environment: [])
    _ = try? runProgram(touch)
}

/// A file of a size that takes no room.
func makeSparse(_ path: BytePath, bytes: Int) throws {
    try createDirectories(path.parent)
    let file = path.withCString { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644) }
    _ = ftruncate(file, off_t(bytes))
    close(file)
}
