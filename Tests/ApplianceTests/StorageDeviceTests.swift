import SystemKit
import Testing

@testable import Appliance

@Suite("Disks and filesystems that are found by their numbers")
struct StorageDeviceTests {
    /// A machine whose `/sys` has a disk with two partitions.
    private func machine(
        _ disk: String, _ partition: String, number: String, kind: String = "ext4", origin: String = "/dev/root",
        sector: Int = 512
    ) throws -> (FakeMachine, Machine) {
        let fake = try FakeMachine()
        let folder = "sys/devices/x/\(disk)"
        try fake.file("\(folder)/dev", "200:0\n")
        try fake.file("\(folder)/size", "131072\n")
        try fake.file("\(folder)/ro", "0\n")
        try fake.file("\(folder)/uevent", "MAJOR=200\nDEVNAME=\(disk)\n")
        try fake.file("\(folder)/queue/logical_block_size", "\(sector)\n")
        try fake.file("\(folder)/\(partition)/dev", "\(number)\n")
        try fake.file("\(folder)/\(partition)/size", "65536\n")
        try fake.file("\(folder)/\(partition)/start", "8192\n")
        try fake.file("\(folder)/\(partition)/partition", "2\n")
        try fake.file("\(folder)/\(partition)/uevent", "DEVNAME=\(partition)\n")
        try createDirectories(fake.root.appending("sys/dev/block"))
        try createDirectories(fake.root.appending("sys/block"))
        try makeLink(
            to: BytePath("../../devices/x/\(disk)/\(partition)"), at: fake.root.appending("sys/dev/block/\(number)"))
        try makeLink(to: BytePath("../devices/x/\(disk)"), at: fake.root.appending("sys/block/\(disk)"))
        try fake.file(
            "proc/self/mountinfo",
            "20 1 \(kind == "btrfs" ? "0:27" : number) / / rw,noatime shared:1 - \(kind) \(origin) rw\n")
        let data = DataPlaces(root: "/srv/retro", roms: "/srv/retro/roms", state: "/s", configuration: "/c")
        return (
            fake, Machine(files: .init(filesystem: fake.root), programs: Programs(folders: []), data: data)
        )
    }

    @Test(
        "root's disk and partition are found whatever they are called",
        arguments: [
            ("mmcblk0", "mmcblk0p2", "179:2"), ("nvme0n1", "nvme0n1p2", "259:1"), ("sda", "sda2", "8:2"),
            ("vda", "vda2", "254:2"), ("loop0", "loop0p2", "259:7"), ("nvme10n12", "nvme10n12p13", "259:300"),
        ])
    func names(_ disk: String, _ partition: String, _ number: String) throws {
        let (fake, machine) = try machine(disk, partition, number: number, sector: 4096)
        defer { withExtendedLifetime(fake) {} }
        let target = try ExpandTarget.find(nil, on: machine)
        #expect(target.isRoot)
        #expect(target.device.node == machine.path("dev/\(partition)"))
        #expect(target.disk?.node == machine.path("dev/\(disk)"))
        #expect(target.device.partition == 2)
        #expect(target.device.startBytes == 8192 * 512)
        let size: Int64 = 131072 * 512
        #expect(target.disk?.sizeBytes == size)
        #expect(target.device.sectorBytes == 4096)
    }

    @Test("btrfs has a number of its own at its mount: its only device is root's")
    func btrfs() throws {
        let (fake, machine) = try machine("mmcblk0", "mmcblk0p2", number: "179:2", kind: "btrfs")
        #expect(throws: ApplianceError.self) { try ExpandTarget.find(nil, on: machine) }
        let devices = fake.root.appending("sys/fs/btrfs/6d3c-uuid/devices")
        try createDirectories(devices)
        try makeLink(
            to: BytePath("../../../../devices/x/mmcblk0/mmcblk0p2"), at: devices.appending("mmcblk0p2"))
        #expect(try ExpandTarget.find(nil, on: machine).device.name == "mmcblk0p2")
    }

    @Test("an overlay as root is refused with what to do")
    func overlay() throws {
        let (fake, machine) = try machine("mmcblk0", "mmcblk0p2", number: "0:30", kind: "overlay", origin: "overlay")
        defer { withExtendedLifetime(fake) {} }
        #expect(refusal { _ = try ExpandTarget.find(nil, on: machine) }.contains("raspi-config"))
    }

    @Test(
        "a mapped device is refused by what it is made of",
        arguments: [
            ("LVM-9f2d", "lvextend"), ("CRYPT-LUKS2-1234-root", "cryptsetup"), ("mpath-3600", "mapped onto"),
        ])
    func mapped(_ identifier: String, _ word: String) throws {
        let (fake, machine) = try machine("dm-0", "unused", number: "253:1")
        try fake.file("sys/devices/x/dm-0/dm/uuid", identifier + "\n")
        try makeLink(to: "../../devices/x/dm-0", at: fake.root.appending("sys/dev/block/200:0"))
        try fake.file("proc/self/mountinfo", "20 1 200:0 / / rw - ext4 /dev/mapper/root rw\n")
        #expect(refusal { _ = try Expansion.prepare(nil, on: machine) }.contains(word))
    }

    @Test("a disk that cannot be written to, and a filesystem on a whole disk, are refused before anything is read")
    func unwritable() throws {
        let (fake, machine) = try machine("sda", "sda2", number: "8:2")
        try fake.file("sys/devices/x/sda/ro", "1\n")
        #expect(refusal { _ = try Expansion.prepare(nil, on: machine) }.contains("cannot be written to"))
        try makeLink(to: "../../devices/x/sda", at: fake.root.appending("sys/dev/block/200:0"))
        try fake.file("proc/self/mountinfo", "20 1 200:0 / / rw - ext4 /dev/sda rw\n")
        #expect(refusal { _ = try Expansion.prepare(nil, on: machine) }.contains("without a partition table"))
    }

    @Test(
        "only nodes of block devices are taken, whoever asks",
        arguments: ["sda1", "../etc/passwd", "/etc/passwd", "/dev/../etc/passwd", "/dev/a\0b", "", "/dev/nothing"])
    func named(_ name: String) throws {
        let (fake, machine) = try machine("sda", "sda2", number: "8:2")
        try fake.file("etc/passwd", "root\n")
        try fake.file("dev/null", "")
        #expect(throws: ApplianceError.self) { try ExpandTarget.find(name, on: machine) }
        #expect(throws: ApplianceError.self) { try MachineChange.storage(.expand(device: name)).plan(on: machine) }
    }

    @Test("filesystems are told by their first blocks")
    func kinds() {
        func kind(_ offset: Int, _ bytes: [UInt8]) -> FilesystemFacts.Kind {
            var all = [UInt8](repeating: 0, count: 128 << 10)
            all.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
            return FilesystemFacts(all).kind
        }
        #expect(kind(0, Array("XFSB".utf8)) == .xfs)
        #expect(kind(1080, [0x53, 0xEF]) == .ext2)
        #expect(kind(65600, Array("_BHRfS_M".utf8)) == .btrfs)
        #expect(kind(1024, [0x10, 0x20, 0xF5, 0xF2]) == .f2fs)
        #expect(kind(0, [0x4C, 0x55, 0x4B, 0x53, 0xBA, 0xBE]) == .luks)
        #expect(kind(512, Array("LABELONE".utf8)) == .lvm)
        #expect(kind(4086, Array("SWAPSPACE2".utf8)) == .swap)
        #expect(kind(3, Array("EXFAT   ".utf8)) == .exfat)
        #expect(kind(3, Array("NTFS    ".utf8)) == .ntfs)
        #expect(kind(100, [1]) == .unknown)
        #expect(FilesystemFacts([]).kind == .unknown)
    }

    @Test("sizes of any bytes from a disk do no harm")
    func hostileSizes() {
        var bytes = [UInt8](repeating: 0xFF, count: 128 << 10)
        bytes.replaceSubrange(1080..<1082, with: [0x53, 0xEF])
        #expect(FilesystemFacts(bytes).kind.isExt)
        bytes.replaceSubrange(1080..<1082, with: [0, 0])
        bytes.replaceSubrange(65600..<65608, with: Array("_BHRfS_M".utf8))
        #expect(FilesystemFacts(bytes).kind == .btrfs)
        bytes.replaceSubrange(0..<4, with: Array("XFSB".utf8))
        bytes[65600] = 0
        #expect(FilesystemFacts(bytes).kind == .xfs)
    }

    @Test("sizes are told in the units that partitions have")
    func sizes() {
        #expect(binarySizeText(31_268_536_320) == "29.1 GiB")
        #expect(binarySizeText(64 << 20) == "64.0 MiB")
        #expect(binarySizeText(512) == "0.5 KiB")
    }

    @Test("a note of what is under way is read again, and a damaged one is none")
    func note() throws {
        let (fake, machine) = try machine("sda", "sda2", number: "8:2")
        #expect(PendingExpansion.read(machine) == nil)
        let note = PendingExpansion(device: "/dev/sda2", identifier: "3c2bcb52-02")
        try note.write(machine)
        #expect(PendingExpansion.read(machine) == note)
        try fake.file("var/lib/retro-machine/storage/expand.json", "{\"device\":")
        #expect(PendingExpansion.read(machine) == nil)
        try PendingExpansion.remove(machine)
        try PendingExpansion.remove(machine)
    }
}
