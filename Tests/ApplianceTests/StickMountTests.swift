import SystemKit
import Testing

@testable import Appliance

@Suite("Mounting USB sticks")
struct StickMountTests {
    private let one: FakeMachine

    init() throws {
        one = try FakeMachine()
        for (name, place) in [("sda", "pci/usb1/1-1"), ("sdb", "pci/ata1"), ("sdc", "pci/usb1/1-2")] {
            let disk = "sys/devices/\(place)/block/\(name)"
            try one.file("\(disk)/removable", "0\n")
            try one.file("\(disk)/\(name)1/partition", "1\n")
            try createDirectories(one.root.appending("sys/class/block"))
            try makeLink(to: one.root.appending(disk), at: one.root.appending("sys/class/block/\(name)"))
            try makeLink(to: one.root.appending("\(disk)/\(name)1"), at: one.root.appending("sys/class/block/\(name)1"))
        }
        try one.file("etc/passwd", "retro:x:1042:1043::/home/retro:/bin/sh\n")
        try mounts("")
        // Programs that do to the table what the real ones do to the kernel's, and note how they were called.
        try one.program("blkid", "cat \"$ROOT/blkid\"")
        try one.program(
            "mount",
            """
            echo "$*" >> "$ROOT/calls"
            [ -e "$ROOT/refuse-$2" ] && { echo "unknown filesystem type" >&2; exit 32; }
            while [ $# -gt 1 ]; do shift; case "$1" in --source) s=$2 ;; --target) t=$2 ;; esac; done
            echo "90 1 8:1 / $t rw - vfat $s rw" >> "$ROOT/proc/self/mountinfo"
            """)
        try one.program(
            "umount",
            "echo \"umount $*\" >> \"$ROOT/calls\"; grep -v media/retro \"$ROOT/proc/self/mountinfo\" > \"$ROOT/m\"; "
                + "cat \"$ROOT/m\" > \"$ROOT/proc/self/mountinfo\"")
    }

    private func mounts(_ lines: String) throws {
        try one.file("proc/self/mountinfo", "20 1 179:2 / / rw - ext4 /dev/sdc1 rw\n" + lines)
    }

    private func filesystem(_ kind: String, label: String) throws {
        try one.file("blkid", "DEVNAME=/dev/sda1\nLABEL=\(label)\nUUID=1A2B-3C4D\nTYPE=\(kind)\n")
    }

    private func calls() -> String {
        (try? readFile(one.root.appending("calls"))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    @Test("a FAT stick is mounted for the player, without devices, programs and setuid, written through, and taken out")
    func fat() throws {
        try filesystem("vfat", label: #"My\ Games"#)
        let plan = try StickChange.mount(device: "sda1").plan(on: one.machine)
        #expect(calls().isEmpty)
        try plan.apply()
        let point = one.root.appending("media/retro/My_Games")
        #expect(
            calls()
                == "-t vfat -o nosuid,nodev,noexec,noatime,uid=1042,gid=1043,fmask=0113,dmask=0002,utf8=1,flush "
                + "--source /dev/sda1 --target \(point)\n")
        #expect(try StickChange.mount(device: "/dev/sda1").plan(on: one.machine).steps.isEmpty)
        try StickChange.unmount(device: "sda1").plan(on: one.machine).apply()
        #expect(calls().hasSuffix("umount -- \(point)\n"))
        #expect(!fileExists(point))
        #expect(try StickChange.unmount(device: "sda1").plan(on: one.machine).steps.isEmpty)
    }

    @Test("of a stick that is gone the mount is let go")
    func gone() throws {
        try filesystem("exfat", label: "X")
        try StickChange.mount(device: "sda1").plan(on: one.machine).apply()
        try removeFile(one.root.appending("sys/class/block/sda1"))
        try StickChange.unmount(device: "sda1").plan(on: one.machine).apply()
        #expect(calls().hasSuffix("umount -l -- \(one.root)/media/retro/X\n"))
    }

    @Test("a disk inside the machine, the disk that it runs from, and what is no device are refused")
    func refusals() throws {
        try filesystem("vfat", label: "X")
        for device in ["sdb1", "sdc1", "sdc", "sdz1"] {
            #expect(throws: ApplianceError.self) {
                _ = try StickChange.mount(device: device).plan(on: one.machine)
            }
        }
        for device in ["", "../sda1", "sda1;x", "SDA1", "/etc/passwd", "-o", "1sda", "sda1\n", "ä"] {
            #expect(throws: ApplianceError.badValue(of: "the device", expected: "a name like sda1")) {
                _ = try StickChange.mount(device: device).plan(on: one.machine)
            }
        }
        for kind in ["squashfs", "swap", "LVM2_member", "crypto_LUKS", ""] {
            try filesystem(kind, label: "X")
            #expect(throws: ApplianceError.self) {
                _ = try StickChange.mount(device: "sda1").plan(on: one.machine)
            }
        }
        #expect(calls().isEmpty)
    }

    @Test(
        "a label becomes the name of a folder and nothing else",
        arguments: [
            ("../../etc", "______etc"), ("a/b", "a_b"), ("..", nil), ("", nil), ("-o", "_-o"), ("Spiele ü", "Spiele__"),
            ("$(reboot)", "__reboot_"), (String(repeating: "x", count: 300), String(repeating: "x", count: 48)),
        ] as [(String, String?)])
    func labels(label: String, name: String?) {
        #expect(StickMount.sanitised(label) == name)
    }

    @Test("a second stick of the same label gets another folder; what one program cannot mount another may")
    func names() throws {
        try filesystem("ntfs", label: "GAMES")
        try mounts("30 1 8:33 / \(one.root)/media/retro/GAMES rw - vfat /dev/sdd1 rw\n")
        try one.file("refuse-ntfs3", "")
        try StickChange.mount(device: "sda1").plan(on: one.machine).apply()
        #expect(calls().contains("-t ntfs-3g "))
        #expect(calls().hasSuffix("--target \(one.root)/media/retro/GAMES-2\n"))
    }
}
