/// One copy of GPT's header with the list that belongs to it.
struct GPTHeader: Sendable, Equatable {
    /// Where it is, and where it says that the other one is.
    let own: Int64
    let other: Int64
    let firstUsable: Int64
    let lastUsable: Int64
    let identifier: String
    let entriesStart: Int64
    let entryCount: Int
    let entryBytes: Int
    let entriesChecksum: UInt32

    /// How many sectors the list takes.
    func entriesSectors(_ sectorBytes: Int64) -> Int64 {
        (Int64(entryCount) * Int64(entryBytes) + sectorBytes - 1) / sectorBytes
    }

    /// `nil` where there is none, or its checksum is wrong.
    init?(_ sector: [UInt8]) {
        let size = Int(sector.little(12, 4))
        guard sector.has("EFI PART", at: 0), size >= 92, size <= sector.count else { return nil }
        var bytes = Array(sector.prefix(size))
        bytes.replaceSubrange(16..<20, with: [0, 0, 0, 0])
        guard checksum32(bytes) == UInt32(sector.little(16, 4)) else { return nil }
        own = Int64(truncatingIfNeeded: sector.little(24, 8))
        other = Int64(truncatingIfNeeded: sector.little(32, 8))
        firstUsable = Int64(truncatingIfNeeded: sector.little(40, 8))
        lastUsable = Int64(truncatingIfNeeded: sector.little(48, 8))
        identifier = guidText(sector, 56)
        entriesStart = Int64(truncatingIfNeeded: sector.little(72, 8))
        entryCount = Int(sector.little(80, 4))
        entryBytes = Int(sector.little(84, 4))
        entriesChecksum = UInt32(sector.little(88, 4))
        guard (1...4096).contains(entryCount), entryBytes >= 128, entryBytes <= 4096, entriesStart > 1 else {
            return nil
        }
    }
}

/// Both copies; each `nil` where it is damaged or not where it should be.
struct GPTHeaders: Sendable, Equatable {
    let primary: GPTHeader
    let backup: GPTHeader?
    /// Where the last sector is: there the backup belongs.
    let lastSector: Int64

    /// Whether both are sound, tell of each other, and the backup is at the end of the disk.
    var isComplete: Bool { backup?.own == lastSector && primary.other == lastSector && backup?.other == 1 }
}

extension PartitionTable {
    static func gpt(
        sectorBytes: Int64, sectors: Int64, _ reader: Reader
    ) throws(ApplianceError) -> PartitionTable {
        guard let primary = GPTHeader(try reader(1, 1)), primary.own == 1 else {
            throw .refused(
                "the disk's partition table (GPT) is damaged, or was made for a disk with other sectors than "
                    + "\(sectorBytes) bytes; 'gdisk' can repair it from the copy at its end")
        }
        guard primary.lastUsable < sectors, primary.other < sectors else {
            throw .refused(
                "the disk ends before its partition table says that it does: the image on it was cut short, or "
                    + "not written to the end; write it again")
        }
        let list = try entryList(primary, sectorBytes: sectorBytes, reader)
        guard let list else {
            throw .refused(
                "the disk's list of partitions (GPT) is damaged; 'gdisk' can repair it from the copy at its end")
        }
        var entries: [Entry] = []
        for index in 0..<primary.entryCount {
            let bytes = Array(list[(index * primary.entryBytes)..<((index + 1) * primary.entryBytes)])
            guard bytes.prefix(16).contains(where: { $0 != 0 }) else { continue }
            let start = Int64(truncatingIfNeeded: bytes.little(32, 8))
            let last = Int64(truncatingIfNeeded: bytes.little(40, 8))
            guard start >= primary.firstUsable, last >= start, last < Int64.max / 2 else {
                throw .refused("partition \(index + 1) is nowhere on the disk by its table; it is left as it is")
            }
            entries.append(
                Entry(
                    number: index + 1, start: start, size: last - start + 1, type: guidText(bytes, 0),
                    identifier: guidText(bytes, 16), role: .primary, remainder: Array(bytes[48...])))
        }
        var backup: GPTHeader?
        let other = primary.other > 1 && primary.other < sectors ? GPTHeader(try reader(primary.other, 1)) : nil
        // A list that differs is a write that was cut short, which the next one mends; this is the copy of another table.
        if let other, other.own == primary.other, other.identifier != primary.identifier {
            throw .refused(
                "the two copies of the partition table (GPT) are of different disks: \(primary.identifier) and "
                    + "\(other.identifier); 'gdisk' can keep the right one")
        }
        if let found = other, found.own == primary.other, found.entriesChecksum == primary.entriesChecksum,
            try entryList(found, sectorBytes: sectorBytes, reader) == list
        {
            backup = found
        }
        return PartitionTable(
            scheme: .gpt, identifier: primary.identifier, sectorBytes: sectorBytes, sectors: sectors, entries: entries,
            limit: primary.lastUsable + 1,
            gpt: GPTHeaders(primary: primary, backup: backup, lastSector: sectors - 1))
    }

    /// The list that a header tells of; `nil` where its checksum is wrong.
    private static func entryList(
        _ header: GPTHeader, sectorBytes: Int64, _ reader: Reader
    ) throws(ApplianceError) -> [UInt8]? {
        let bytes = try reader(header.entriesStart, Int(header.entriesSectors(sectorBytes)))
        let wanted = header.entryCount * header.entryBytes
        guard bytes.count >= wanted else { return nil }
        let list = Array(bytes.prefix(wanted))
        return checksum32(list) == header.entriesChecksum ? list : nil
    }
}

/// The checksum that GPT uses (CRC-32 of IEEE 802.3).
func checksum32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var value = UInt32.max
    for byte in bytes {
        value ^= UInt32(byte)
        for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
}

/// A GUID as it is written: its first three groups are little-endian on the disk.
func guidText(_ bytes: [UInt8], _ offset: Int) -> String {
    guard offset + 16 <= bytes.count else { return "" }
    return [
        hexText(bytes.little(offset, 4), digits: 8), hexText(bytes.little(offset + 4, 2), digits: 4),
        hexText(bytes.little(offset + 6, 2), digits: 4), hexText(bytes.big(offset + 8, 2), digits: 4),
        hexText(bytes.big(offset + 10, 6), digits: 12),
    ].joined(separator: "-")
}
