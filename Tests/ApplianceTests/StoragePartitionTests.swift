import SystemKit
import Testing

@testable import Appliance

@Suite("Partition tables and how far a partition can grow")
struct StoragePartitionTests {
    private let mib = 2048

    @Test("a partition that is followed by free space grows to the disk's end, and keeps id and start")
    func mbr() throws {
        var disk = StorageDisk(sectors: 64 * mib)
        disk.mbr([(0x0C, 8192, 16384), (0x83, 24576, 32768)])
        let table = try disk.table()
        #expect(table.identifier == "3c2bcb52")
        #expect(table.entries.map(\.identifier) == ["3c2bcb52-01", "3c2bcb52-02"])
        let plan = try disk.plan(2)
        #expect(plan.size == Int64(64 * mib - 24576))
        #expect(plan.result.entry(1) == table.entry(1))
        #expect(plan.result.entry(2)?.start == 24576)
    }

    @Test("less than a MiB is nothing to gain (B076)", arguments: [0, 1, 2047])
    func full(_ left: Int) throws {
        var disk = StorageDisk(sectors: 64 * mib)
        disk.mbr([(0x0C, 8192, 16384), (0x83, 24576, 64 * mib - 24576 - left)])
        let plan = try disk.plan(2)
        #expect(!plan.isNeeded)
        #expect(plan.blocked == nil)
    }

    @Test("order on the disk counts, not numbers; the gap ends where the next one begins (B077)")
    func order() throws {
        var disk = StorageDisk(sectors: 64 * mib)
        disk.mbr([(0x0C, 2048, 4096), (0x83, 20480, 8192), (0x83, 8192, 8192), (0x83, 65536, 4096)])
        #expect(try disk.plan(2).size == 65536 - 20480)
        #expect(try disk.plan(3).size == 20480 - 8192)
        #expect(try disk.plan(4).size == Int64(64 * mib - 65536))
    }

    @Test("a partition right behind is in the way, and is named, where there is room behind it")
    func blocked() throws {
        var disk = StorageDisk(sectors: 64 * mib)
        disk.mbr([(0x0C, 2048, 4096), (0x83, 8192, 8192), (0x82, 16384, 8192)])
        let plan = try disk.plan(2)
        #expect(!plan.isNeeded)
        #expect(plan.blocked?.number == 3)
        #expect(plan.blocked?.sectors == Int64(64 * mib - 24576))
    }

    @Test("a logical partition grows with the extended one around it, but only up to the record of the next")
    func logical() throws {
        var disk = StorageDisk(sectors: 64 * mib)
        disk.mbr([(0x0C, 2048, 4096), (0x05, 8192, 40960)])
        disk.mbr(at: 8192, [(0x83, 2048, 8192), (0x05, 20480, 12288)])
        disk.mbr(at: 28672, [(0x83, 2048, 8192)])
        let table = try disk.table()
        #expect(table.entries.map(\.number) == [1, 2, 5, 6])
        #expect(table.entries.map(\.start) == [2048, 8192, 10240, 30720])
        let first = try disk.plan(5)
        #expect(first.size == 28672 - 10240)
        #expect(first.extended == nil)
        let last = try disk.plan(6)
        #expect(last.size == Int64(64 * mib - 30720))
        #expect(last.extended?.size == Int64(64 * mib - 8192))
    }

    @Test("a chain of logical partitions that goes in circles, or leads out, is refused", arguments: [0, 99_999])
    func circles(_ next: Int) throws {
        var disk = StorageDisk(sectors: 64 * mib)
        disk.mbr([(0x05, 8192, 40960)])
        disk.mbr(at: 8192, [(0x83, 2048, 8192), (0x05, next, 4096)])
        #expect(refusal { _ = try disk.table() }.contains("logical partitions"))
    }

    @Test("no partition of an MBR reaches behind what its numbers can say")
    func twoTebibytes() throws {
        let entry = PartitionTable.Entry(
            number: 1, start: 2048, size: 4096, type: "83", identifier: "x-01", role: .primary, remainder: [])
        let table = PartitionTable(
            scheme: .mbr, identifier: "x", sectorBytes: 512, sectors: 8 << 30, entries: [entry],
            limit: min(8 << 30, Int64(UInt32.max)), gpt: nil)
        #expect(try PartitionPlan(table, number: 1).size == Int64(UInt32.max) - 2048)
    }

    @Test("GPT of an image: the backup moves first, and the partition ends at the last usable sector (B080)")
    func gpt() throws {
        var disk = StorageDisk(sectors: 128 * mib)
        disk.gpt([(2048, 34815), (34816, 94815)], of: 64 * mib)
        let table = try disk.table()
        #expect(table.gpt?.isComplete == false)
        #expect(table.gpt?.backup != nil)
        let plan = try disk.plan(2)
        #expect(plan.movesBackup)
        #expect(plan.size == Int64(128 * mib - 33 - 34816))
    }

    @Test("with sectors of 4096 bytes GPT keeps five of them")
    func sectors4096() throws {
        var disk = StorageDisk(sectors: 16384, sector: 4096)
        disk.gpt([(256, 4095)])
        let plan = try disk.plan(1)
        #expect(plan.size == 16384 - 5 - 256)
        #expect(!plan.movesBackup)
    }

    @Test("an image that was cut short is refused, whatever is missing of it (B080)", arguments: [60, 63])
    func cutShort(_ mebibytes: Int) throws {
        var disk = StorageDisk(sectors: 64 * mib)
        disk.gpt([(2048, 34815)])
        disk.bytes.removeLast(disk.bytes.count - mebibytes * mib * 512)
        #expect(refusal { _ = try disk.table() }.contains("cut short"))
        var old = StorageDisk(sectors: 20 * mib)
        old.mbr([(0x83, 2048, 64 * mib)])
        #expect(refusal { _ = try old.plan(1) }.contains("cut short"))
    }

    @Test("any damaged byte of GPT's header or list is found", arguments: [512 + 16, 512 + 30, 512 + 80, 1024, 1060])
    func damage(_ place: Int) throws {
        var disk = StorageDisk(sectors: 64 * mib)
        disk.gpt([(2048, 34815)])
        disk.bytes[place] ^= 0x10
        #expect(refusal { _ = try disk.table() }.contains("damaged"))
    }

    @Test("a copy of GPT that is another disk's is refused before anything is written")
    func otherCopy() throws {
        var disk = StorageDisk(sectors: 64 * mib)
        disk.gpt([(2048, 34815)])
        let base = (64 * mib - 1) * 512
        disk.bytes[base + 56] ^= 0xFF
        disk.put(0, 4, at: base + 16)
        disk.put(checksum32(disk.bytes[base..<(base + 92)]), 4, at: base + 16)
        #expect(refusal { _ = try disk.table() }.contains("different disks"))
    }

    @Test("what is no table, two tables at once, and overlapping partitions are refused")
    func odd() throws {
        #expect(refusal { _ = try StorageDisk(sectors: 4096).table() }.contains("no partition table"))
        var hybrid = StorageDisk(sectors: 64 * mib)
        hybrid.gpt([(2048, 34815)])
        hybrid.mbr(identifier: 0, [(0xEE, 1, 2047), (0x0C, 2048, 32768)])
        #expect(refusal { _ = try hybrid.table() }.contains("hybrid"))
        var overlapping = StorageDisk(sectors: 64 * mib)
        overlapping.mbr([(0x83, 2048, 8192), (0x83, 4096, 8192)])
        #expect(refusal { _ = try overlapping.plan(1) }.contains("overlap"))
    }

    @Test("the checksum is the one that everybody uses")
    func checksum() { #expect(checksum32("123456789".utf8) == 0xCBF4_3926) }

    @Test("what sfdisk says is compared with the disk: every difference is found")
    func sfdisk() throws {
        var disk = StorageDisk(sectors: 64 * mib)
        disk.mbr([(0x0C, 8192, 16384), (0x83, 24576, 32768)])
        let table = try disk.table()
        func document(id: String = "0x3c2bcb52", node: String = "/dev/mmcblk0p2", size: Int = 32768) -> [UInt8] {
            Array(
                """
                {"partitiontable": {"label": "dos", "id": "\(id)", "device": "/dev/mmcblk0", "unit": "sectors",
                "sectorsize": 512, "partitions": [
                {"node": "/dev/mmcblk0p1", "start": 8192, "size": 16384, "type": "c"},
                {"node": "\(node)", "start": 24576, "size": \(size), "type": "83", "bootable": true}]}}
                """.utf8)
        }
        func difference(_ bytes: [UInt8], disk: BytePath = "/dev/mmcblk0") -> String? {
            SfdiskTable.decode(bytes)?.difference(from: table, disk: disk)
        }
        #expect(SfdiskTable.decode(document()) != nil)
        #expect(difference(document()) == nil)
        #expect(difference(document(id: "0x3c2bcb53")) == "the kind or the disk's id")
        #expect(difference(document(size: 32769)) == "partition 2")
        #expect(difference(document(node: "/dev/mmcblk0p3")) == "partition 2")
        #expect(difference(document(), disk: "/dev/mmcblk1") == "partition 1")
        #expect(SfdiskTable.decode(Array("sfdisk: cannot open".utf8)) == nil)
    }
}
