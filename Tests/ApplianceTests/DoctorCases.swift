import Glibc
import SQLiteKit
import SystemKit

@testable import Appliance

private let raspberry = "proc/device-tree/model"
private let flags = "sys/devices/platform/soc/soc:firmware/get_throttled"

private func space(_ free: Int64, files: Int64? = 100_000, readOnly: Bool = false) -> @Sendable (BytePath) -> DiskSpace?
{
    { _ in DiskSpace(totalBytes: 32 << 30, freeBytes: free, isReadOnly: readOnly, freeFiles: files) }
}

func fakeProgram(_ fake: FakeMachine, _ name: String, _ script: String) throws {
    try fake.file("bin/\(name)", "#!/bin/sh\n\(script)\n", permissions: 0o755)
}

private func stateFile(_ fake: FakeMachine, _ name: String, _ text: String = "") throws {
    try fake.file("srv/retro/.retro/\(name)", text)
}

/// A card whose second partition holds the system: sizes in sectors of 512 bytes.
private func card(_ fake: FakeMachine, whole: Int64, size: Int64, next: Int64? = nil) throws {
    let disk = "sys/devices/mmc/block/mmcblk0"
    try fake.file("\(disk)/size", "\(whole)\n")
    var parts: [(String, Int64, Int64)] = [("mmcblk0p1", 8192, 1_048_576), ("mmcblk0p2", 1_056_768, size)]
    if let next { parts.append(("mmcblk0p3", next, 1000)) }
    try fake.file("\(disk)/dev", "179:0\n")
    for (index, (name, start, size)) in parts.enumerated() {
        try fake.file("\(disk)/\(name)/dev", "179:\(index + 1)\n")
        try fake.file("\(disk)/\(name)/partition", "1\n")
        try fake.file("\(disk)/\(name)/start", "\(start)\n")
        try fake.file("\(disk)/\(name)/size", "\(size)\n")
    }
    try createDirectories(fake.root.appending("sys/dev/block"))
    try makeLink(to: fake.root.appending("\(disk)/mmcblk0p2"), at: fake.root.appending("sys/dev/block/179:2"))
    try fake.file("proc/self/mountinfo", "20 1 179:2 / / rw - ext4 /dev/mmcblk0p2 rw\n")
}

private func openData(_ fake: FakeMachine) throws {
    try createDirectories(fake.root.appending("srv/retro/.retro"))
    try setPermissions(fake.root.appending("srv/retro"), 0o777)
    try setPermissions(fake.root.appending("srv/retro/.retro"), 0o777)
}

private func database(_ fake: FakeMachine, damage: Bool = false) throws {
    try openData(fake)
    let path = fake.root.appending("srv/retro/.retro/user.sqlite")
    let connection = try Connection(path)
    try connection.execute("CREATE TABLE a (b); CREATE INDEX c ON a (b)")
    for number in 0..<2000 { try connection.run("INSERT INTO a VALUES (?)", [.integer(Int64(number))]) }
    connection.close()
    guard damage else { return }
    var bytes = try readFile(path)
    for index in 5000..<9000 { bytes[index] = 0x5A }
    try replaceFile(at: path, with: bytes)
}

extension DoctorCase {
    static let all = disk + power + clock + devices + accounts + data + network + boot

    private static let disk: [DoctorCase] = [
        .init("disk-space", .ok),
        .init("disk-space", .warning, "900 MB") { $1.space = space(900_000_000) },
        .init("disk-space", .failed, "50 MB") { $1.space = space(50_000_000) },
        .init("disk-files", .ok),
        .init("disk-files", .ok, "does not count") { $1.space = space(1 << 34, files: nil) },
        .init("disk-files", .warning) { $1.space = space(1 << 34, files: 500) },
        .init("disk-files", .failed) { $1.space = space(1 << 34, files: 0) },
        .init("disk-writable", .ok),
        .init("disk-writable", .failed, "can only be read") { $1.space = space(1 << 34, readOnly: true) },
        .init("disk-speed", .ok, "10 ms"),
        .init("disk-speed", .warning, "900 ms") { $1.durableWrite = { _ in 0.9 } },
        .init("disk-speed", .failed) { $1.durableWrite = { _ in 5 } },
        .init("disk-errors", .ok, "may not be read"),
        .init("disk-errors", .ok, "no fault") { fake, _ in
            try fakeProgram(
                fake, "dmesg",
                "echo '[1] EXT4-fs (mmcblk0p2): mounted filesystem'; echo '[2] I/O error, dev sr0, sector 0 op 0x0'")
        },
        .init("disk-errors", .failed, "2 faults") { fake, _ in
            try fakeProgram(
                fake, "dmesg",
                "echo '[3] blk_update_request: I/O error, dev mmcblk0, sector 8'; echo '[4] EXT4-fs error (device x): y'"
            )
        },
        .init("root-expanded", .ok, "no partition"),
        .init("root-expanded", .ok, "up to its end") { fake, context in
            try card(fake, whole: 62_333_952, size: 61_277_184)
            context.space = { _ in DiskSpace(totalBytes: 30_000_000_000, freeBytes: 1 << 30, isReadOnly: false) }
        },
        .init("root-expanded", .ok, "up to its end") { fake, context in
            try card(fake, whole: 62_333_952, size: 7_000_000, next: 8_056_768)
            context.space = { _ in DiskSpace(totalBytes: 3_500_000_000, freeBytes: 1 << 30, isReadOnly: false) }
        },
        .init("root-expanded", .warning, "behind the system's partition") { fake, _ in
            try card(fake, whole: 62_333_952, size: 7_000_000)
        },
        .init("root-expanded", .warning, "of a partition of") { fake, context in
            try card(fake, whole: 62_333_952, size: 61_277_184)
            context.space = { _ in DiskSpace(totalBytes: 4_000_000_000, freeBytes: 1 << 30, isReadOnly: false) }
        },
        .init("root-expanded", .warning, "not at its end") { fake, context in
            try card(fake, whole: 62_333_952, size: 61_277_184)
            try fake.file("var/lib/retro-machine/storage/expand.json", "{\"identifier\":\"x\"}")
            context.space = { _ in DiskSpace(totalBytes: 30_000_000_000, freeBytes: 1 << 30, isReadOnly: false) }
        },
        .init("swap", .ok, "no swap"),
        .init("swap", .ok) { fake, _ in
            try fake.file(raspberry, "Raspberry Pi 4\0")
            try fake.file("proc/swaps", "Filename\tType\n/dev/zram0 partition 1 0 100\n")
        },
        .init("swap", .warning, "/var/swap") { fake, _ in
            try fake.file(raspberry, "Raspberry Pi 4\0")
            try fake.file("proc/swaps", "Filename\tType\n/var/swap file 102396 0 -2\n")
        },
    ]

    private static let power: [DoctorCase] = [
        .init("power-supply", .ok, "does not tell"),
        .init("power-supply", .ok, "right since") { fake, _ in try fake.file(flags, "0\n") },
        .init("power-supply", .failed, "right now") { fake, _ in try fake.file(flags, "50005\n") },
        .init("power-supply", .warning, "since the start") { fake, _ in try fake.file(flags, "0x50000\n") },
        .init("power-supply", .failed) { fake, _ in
            try fake.file("sys/class/hwmon/hwmon1/name", "rpi_volt\n")
            try fake.file("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
        },
        .init("power-supply", .failed) { fake, _ in
            try fake.file(raspberry, "Raspberry Pi 3\0")
            try fakeProgram(fake, "vcgencmd", "echo throttled=0x50005")
        },
        .init("throttled", .ok) { fake, _ in try fake.file(flags, "10000\n") },
        .init("throttled", .warning) { fake, _ in try fake.file(flags, "e0000\n") },
        .init("throttled", .failed) { fake, _ in try fake.file(flags, "4\n") },
        .init("temperature", .ok, "does not tell"),
        .init("temperature", .ok, "52") { fake, _ in try fake.file("sys/class/thermal/thermal_zone0/temp", "51800\n") },
        .init("temperature", .warning) { fake, _ in try fake.file("sys/class/thermal/thermal_zone0/temp", "80000\n") },
        .init("temperature", .failed) { fake, _ in try fake.file("sys/class/thermal/thermal_zone0/temp", "86000\n") },
        .init("memory", .ok) { fake, _ in
            try fake.file("proc/meminfo", "MemTotal: 4000000 kB\nMemAvailable: 3000000 kB\n")
        },
        .init("memory", .warning) { fake, _ in
            try fake.file("proc/meminfo", "MemTotal: 4000000 kB\nMemAvailable: 150000 kB\n")
        },
        .init("memory", .failed) { fake, _ in
            try fake.file("proc/meminfo", "MemTotal: 1000000 kB\nMemAvailable: 20000 kB\n")
        },
    ]

    private static let clock: [DoctorCase] = [
        .init("clock-set", .ok, "2026"),
        .init("clock-set", .failed, "1970") { $1.now = 100 },
        .init("clock-set", .failed) { $1.now = 5e9 },
        .init("clock-synchronised", .ok, "no systemd"),
        .init("clock-synchronised", .ok) { fake, _ in
            try createDirectories(fake.root.appending("run/systemd/system"))
            try fake.file("run/systemd/timesync/synchronized", "")
        },
        .init("clock-synchronised", .warning) { fake, _ in
            try createDirectories(fake.root.appending("run/systemd/system"))
        },
        .init("time-jump", .ok, "no log"),
        .init("time-jump", .ok, "did not jump") { fake, _ in
            try stateFile(fake, "menu.log", "2026-11-30T10:00:00Z 5.000 info: a\n2026-11-30T10:00:01Z 6.000 info: b\n")
        },
        .init("time-jump", .warning, "days ahead") { fake, _ in
            try stateFile(fake, "menu.log", "1970-01-01T00:00:05Z 5.000 info: a\n2026-11-30T10:00:01Z 6.000 info: b\n")
        },
        .init("time-zone", .ok) { fake, _ in try fake.file("etc/localtime", "TZif") },
        .init("time-zone", .warning),
        .init("time-zone", .failed) { fake, _ in
            try createDirectories(fake.root.appending("etc"))
            try makeLink(to: "/nowhere/at/all", at: fake.root.appending("etc/localtime"))
        },
    ]

    private static let devices: [DoctorCase] = [
        .init("input-permissions", .ok, "no input device"),
        .init("input-permissions", .ok) { fake, _ in try fake.file("dev/input/event0", "", permissions: 0o664) },
        .init("input-permissions", .failed, "event1") { fake, _ in
            try fake.file("dev/input/event0", "", permissions: 0o664)
            try fake.file("dev/input/event1", "", permissions: 0o660)
        },
        .init("graphics-permissions", .ok) { fake, _ in try fake.file("dev/dri/card0", "", permissions: 0o666) },
        .init("graphics-permissions", .failed) { fake, _ in try fake.file("dev/dri/card0", "", permissions: 0o664) },
        .init("display", .ok, "HDMI-A-1") { fake, _ in
            try fake.file("sys/class/drm/card1-HDMI-A-1/status", "connected\n")
            try fake.file("sys/class/drm/card1-HDMI-A-2/status", "disconnected\n")
        },
        .init("display", .warning) { fake, _ in
            try fake.file("sys/class/drm/card1-HDMI-A-1/status", "disconnected\n")
        },
        .init("sound", .ok) { fake, _ in
            try fake.file("proc/asound/cards", " 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n")
        },
        .init("sound", .failed) { fake, _ in try fake.file("proc/asound/cards", "--- no soundcards ---\n") },
        .init("account-groups", .ok) { fake, context in
            try fake.file("etc/group", "input:x:1:\nvideo:x:2:\n")
            context.player = PlayerAccount(name: "retro", user: 9, groups: [1: "input", 2: "video"], home: "/")
        },
        .init("account-groups", .failed, "input, render") { fake, context in
            try fake.file("etc/group", "input:x:1:\nvideo:x:2:\nrender:x:3:\n")
            context.player = PlayerAccount(name: "retro", user: 9, groups: [2: "video"], home: "/")
        },
    ]

    private static let perl: @Sendable (inout DoctorContext) -> Void = {
        $0.machine.programs.folders.append("/usr/bin")
    }

    private static let accounts: [DoctorCase] = [
        .init("default-password", .ok, "no account has a password"),
        .init("default-password", .ok, "well-known") { fake, context in
            perl(&context)
            try fake.file("etc/shadow", "root:*:1::::::\npi:\(unknown):1::::::\nlocked:!\(sha512):1::::::\n")
        },
        .init("default-password", .warning, "pi has") { fake, context in
            perl(&context)
            try fake.file("etc/shadow", "root:*:1::::::\npi:\(sha512):1::::::\n")
        },
        .init("default-password", .failed, "SSH is on") { fake, context in
            perl(&context)
            try fake.file("etc/shadow", "pi:\(yescrypt):1::::::\n")
            try fake.file("proc/12/comm", "sshd\n")
        },
        .init("default-password", .failed, "needs no password") { fake, _ in
            try fake.file("etc/shadow", "root:*:1\npi::1::::::\n")
        },
        .init("ssh-host-keys", .ok, "no SSH server"),
        .init("ssh-host-keys", .ok, "has its keys") { fake, _ in
            try fake.file("usr/sbin/sshd", "")
            try fake.file(
                "etc/ssh/ssh_host_rsa_key",
                "-----BEGIN OPENSSH PRIVATE KEY-----\nx\n-----END OPENSSH PRIVATE KEY-----\n")
        },
        .init("ssh-host-keys", .failed, "ssh_host_rsa_key") { fake, _ in
            try fake.file("usr/sbin/sshd", "")
            try fake.file("etc/ssh/ssh_host_rsa_key", "\0\0\0")
        },
        .init("ssh-host-keys", .failed, "no keys") { fake, _ in
            try fake.file("usr/sbin/sshd", "")
            try fake.file("proc/12/comm", "sshd\n")
        },
        .init("login-shell", .ok) { fake, _ in try createDirectories(fake.root.appending("home/retro")) },
        .init("login-shell", .warning, "/home/retro"),
        .init("login-shell", .failed) { fake, context in
            try createDirectories(fake.root.appending("etc/retro"))
            context.player = PlayerAccount(name: "retro", user: nil, groups: [:], home: "/")
        },
    ]

    private static let data: [DoctorCase] = [
        .init("data-folder", .ok) { fake, _ in try openData(fake) },
        .init("data-folder", .failed, "may not write"),
        .init("data-folder", .failed, "is not there") { fake, _ in removeRecursively(fake.root.appending("srv/retro"))
        },
        .init("data-owners", .ok) { $1.player = PlayerAccount(name: "r", user: nil, groups: [:], home: "/") },
        .init("data-owners", .failed, "does not belong") { fake, _ in try stateFile(fake, "user.sqlite") },
        .init("games-readable", .ok) { fake, _ in try fake.file("srv/retro/roms/nes/a.nes", "") },
        .init("games-readable", .warning, "b.nes") { fake, _ in
            try fake.file("srv/retro/roms/nes/a.nes", "")
            try fake.file("srv/retro/roms/nes/b.nes", "", permissions: 0o640)
        },
        .init("databases", .ok, "no database"),
        .init("databases", .ok, "sound") { fake, _ in try database(fake) },
        .init("databases", .failed, "damaged") { fake, _ in try database(fake, damage: true) },
        .init("databases", .failed, "damaged") { fake, _ in
            try stateFile(fake, "catalog.sqlite", String(repeating: "no database ", count: 200))
        },
        .init("database-copies", .ok) { fake, context in
            try stateFile(fake, "user.sqlite")
            try stateFile(fake, "backups/user-3.sqlite")
            context.now = wallClockSeconds()
        },
        .init("database-copies", .warning, "no copy") { fake, context in
            try stateFile(fake, "user.sqlite")
            context.now = wallClockSeconds() + 30 * 86400
        },
        .init("damaged-files", .ok),
        .init("damaged-files", .warning, "user.sqlite.damaged-1") { fake, _ in
            try stateFile(fake, "user.sqlite.damaged-1")
            try stateFile(fake, "user.sqlite.damaged-1-wal")
        },
        .init("restore-finished", .ok),
        .init("restore-finished", .failed) { fake, _ in try stateFile(fake, "restore-unfinished") },
        .init("log", .ok, "no log"),
        .init("log", .ok) { fake, _ in try stateFile(fake, "menu.log", "2026-11-30T10:00:00Z 5.000 info: well\n") },
        .init("log", .warning, "an error") { fake, _ in
            try stateFile(fake, "menu.log", "2026-11-30T10:00:00Z 5.000 error: the picture\u{1B}[31m is bad\n")
        },
        .init("log", .failed, "a crash") { fake, _ in
            try stateFile(fake, "menu.log", "retro-menu/X.swift:1: Fatal error: Index out of range\n")
        },
        .init("emulator-configuration", .ok) { fake, _ in
            try fake.file("home/retro/.config/retroarch/retroarch.cfg", "video_driver = \"gl\"\n")
        },
        .init("emulator-configuration", .failed, "is empty") { fake, _ in
            try fake.file("home/retro/.config/retroarch/retroarch.cfg", "")
        },
        .init("emulator-configuration", .failed, "damaged") { fake, _ in
            try fake.file("home/retro/.config/retroarch/retroarch.cfg", "a\0\0\0")
        },
    ]
}
