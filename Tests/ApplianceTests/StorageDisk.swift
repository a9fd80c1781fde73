import SystemKit

@testable import Appliance

/// Bytes of a small disk, for tests of its table.
struct StorageDisk {
    var bytes: [UInt8]
    let sector: Int

    init(sectors: Int, sector: Int = 512) {
        bytes = [UInt8](repeating: 0, count: sectors * sector)
        self.sector = sector
    }

    var sectors: Int { bytes.count / sector }

    mutating func put(_ value: some BinaryInteger, _ count: Int, at offset: Int) {
        for index in 0..<count { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    /// A master boot record, or a record of the chain, with (type, start, size).
    mutating func mbr(at record: Int = 0, identifier: UInt32 = 0x3C2B_CB52, _ slots: [(UInt8, Int, Int)]) {
        let base = record * sector
        if record == 0 { put(identifier, 4, at: 440) }
        put(0xAA55, 2, at: base + 510)
        for (index, slot) in slots.enumerated() {
            let offset = base + 446 + 16 * index
            put(slot.0, 1, at: offset + 4)
            put(slot.1, 4, at: offset + 8)
            put(slot.2, 4, at: offset + 12)
        }
    }

    /// GPT with (first, last) of each partition, for a disk of so many sectors.
    mutating func gpt(_ partitions: [(Int, Int)], of total: Int? = nil) {
        let total = total ?? sectors
        mbr(identifier: 0, [(0xEE, 1, total - 1)])
        let listSectors = 128 * 128 / sector
        var list = [UInt8](repeating: 0, count: 128 * 128)
        for (index, partition) in partitions.enumerated() {
            let base = index * 128
            for byte in 0..<32 { list[base + byte] = UInt8(truncatingIfNeeded: byte + 1 + index) }
            for byte in 0..<8 {
                list[base + 32 + byte] = UInt8(truncatingIfNeeded: partition.0 >> (8 * byte))
                list[base + 40 + byte] = UInt8(truncatingIfNeeded: partition.1 >> (8 * byte))
            }
        }
        for (own, other, place) in [(1, total - 1, 2), (total - 1, 1, total - 1 - listSectors)] {
            guard own < sectors else { continue }
            let base = own * sector
            bytes.replaceSubrange(base..<(base + 8), with: Array("EFI PART".utf8))
            put(0x10000, 4, at: base + 8)
            put(92, 4, at: base + 12)
            put(own, 8, at: base + 24)
            put(other, 8, at: base + 32)
            put(2 + listSectors, 8, at: base + 40)
            put(total - 2 - listSectors, 8, at: base + 48)
            for byte in 0..<16 { bytes[base + 56 + byte] = UInt8(0xA0 + byte) }
            put(place, 8, at: base + 72)
            put(128, 4, at: base + 80)
            put(128, 4, at: base + 84)
            put(checksum32(list), 4, at: base + 88)
            put(0, 4, at: base + 16)
            put(checksum32(bytes[base..<(base + 92)]), 4, at: base + 16)
            bytes.replaceSubrange((place * sector)..<(place * sector + list.count), with: list)
        }
    }

    func table() throws(ApplianceError) -> PartitionTable {
        try PartitionTable.read(sectorBytes: Int64(sector), sectors: Int64(sectors)) {
            (start: Int64, count: Int) throws(ApplianceError) in
            let from = Int(start) * sector
            guard from >= 0, from + count * sector <= bytes.count else { throw .refused("outside") }
            return Array(bytes[from..<(from + count * sector)])
        }
    }

    func plan(_ number: Int) throws(ApplianceError) -> PartitionPlan {
        try PartitionPlan(try table(), number: number)
    }
}

/// The sentence with which something is refused.
func refusal(_ body: () throws -> Void) -> String {
    do { try body() } catch {
        if case .refused(let sentence)? = error as? ApplianceError { return sentence }
        return "another error: \(error)"
    }
    return "nothing was refused"
}
