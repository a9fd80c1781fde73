/// One of the four places of a master boot record, or of a record in the chain of logical partitions.
struct MBRSlot: Sendable, Equatable {
    let flag: UInt8
    let type: UInt8
    let start: Int64
    let size: Int64

    var isEmpty: Bool { type == 0 || size == 0 }
    var isProtective: Bool { type == 0xEE && size > 0 }
    var isExtended: Bool { [0x05, 0x0F, 0x85].contains(type) && size > 0 }

    /// `nil` where the sector is no such record.
    static func all(in sector: [UInt8]) -> [MBRSlot]? {
        guard sector.little(510, 2) == 0xAA55 else { return nil }
        let slots = (0..<4).map { index in
            let offset = 446 + 16 * index
            return MBRSlot(
                flag: sector[offset], type: sector[offset + 4], start: Int64(sector.little(offset + 8, 4)),
                size: Int64(sector.little(offset + 12, 4)))
        }
        // A FAT volume's first sector has the same mark at its end, and text where the places are.
        return slots.allSatisfy { $0.flag & 0x7F == 0 } ? slots : nil
    }
}

extension PartitionTable {
    // More than any system makes; a chain that is longer goes in circles.
    private static let chainLimit = 128

    static func mbr(
        _ first: [UInt8], _ slots: [MBRSlot], sectorBytes: Int64, sectors: Int64, _ reader: Reader
    ) throws(ApplianceError) -> PartitionTable {
        let identifier = hexText(first.little(440, 4), digits: 8)
        var entries: [Entry] = []
        func add(_ number: Int, _ slot: MBRSlot, start: Int64, _ role: Role) {
            entries.append(
                Entry(
                    number: number, start: start, size: slot.size, type: hexText(slot.type, digits: 1),
                    identifier: "\(identifier)-\(hexText(number, digits: 2))", role: role, remainder: [slot.flag]))
        }
        for (index, slot) in slots.enumerated() where !slot.isEmpty {
            add(index + 1, slot, start: slot.start, slot.isExtended ? .extended : .primary)
        }
        let extended = slots.filter { $0.isExtended }
        guard extended.count < 2 else {
            throw .refused("the disk has two extended partitions, which no system makes; it is left as it is")
        }
        if let extended = extended.first {
            for (record, slot) in try chain(from: extended.start, end: extended.start + extended.size, reader) {
                add(
                    entries.lazy.map(\.number).filter { $0 > 4 }.count + 5, slot, start: record + slot.start,
                    .logical(record: record))
            }
        }
        // No number in this table can be larger.
        let limit = min(sectors, Int64(UInt32.max))
        return PartitionTable(
            scheme: .mbr, identifier: identifier, sectorBytes: sectorBytes, sectors: sectors, entries: entries,
            limit: limit, gpt: nil)
    }

    /// The records of logical partitions with the sectors that they are in.
    private static func chain(
        from start: Int64, end: Int64, _ reader: Reader
    ) throws(ApplianceError) -> [(Int64, MBRSlot)] {
        var found: [(Int64, MBRSlot)] = []
        var record = start
        for _ in 0..<chainLimit {
            guard record >= start, record < end, let slots = MBRSlot.all(in: try reader(record, 1)) else {
                // One that was never filled has no records.
                if record == start { return [] }
                throw .refused("the list of logical partitions on the disk is damaged; it is left as it is")
            }
            for slot in slots where !slot.isEmpty && !slot.isExtended { found.append((record, slot)) }
            guard let next = slots.first(where: \.isExtended) else { return found }
            record = start + next.start
        }
        throw .refused("the list of logical partitions on the disk goes in circles; it is left as it is")
    }
}
