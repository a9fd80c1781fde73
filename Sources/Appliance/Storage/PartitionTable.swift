/// The table of a disk's partitions, read from the disk itself.
///
/// What `sfdisk` says about the same disk is compared with it (`SfdiskTable`): it is `sfdisk` that writes.
struct PartitionTable: Sendable, Equatable {
    enum Scheme: String, Sendable { case mbr = "dos", gpt }

    /// What kind of place a partition has in the table.
    enum Role: Sendable, Equatable {
        case primary
        /// Holds the logical ones.
        case extended
        /// In the extended one; the sector of the record that describes it.
        case logical(record: Int64)
    }

    struct Entry: Sendable, Equatable {
        /// As the kernel and `sfdisk -N` count.
        let number: Int
        /// The first sector.
        let start: Int64
        /// Sectors.
        var size: Int64
        /// Hexadecimal digits of MBR, a GUID of GPT; lower case.
        let type: String
        /// PARTUUID, lower case.
        let identifier: String
        let role: Role
        /// GPT's name and attributes, or MBR's boot flag, as they are on the disk.
        let remainder: [UInt8]

        /// The first sector behind it.
        var end: Int64 { start + size }
    }

    let scheme: Scheme
    /// Eight hexadecimal digits, or a GUID; lower case.
    let identifier: String
    let sectorBytes: Int64
    /// Sectors of the disk.
    let sectors: Int64
    /// By number.
    let entries: [Entry]
    /// The first sector behind which no partition may reach.
    let limit: Int64
    /// The two copies of GPT's header.
    let gpt: GPTHeaders?

    /// Reads sectors of the disk.
    typealias Reader = (_ sector: Int64, _ count: Int) throws(ApplianceError) -> [UInt8]

    /// - Throws: `ApplianceError.refused` where there is no table, or none that can be understood.
    static func read(
        sectorBytes: Int64, sectors: Int64, _ reader: Reader
    ) throws(ApplianceError) -> PartitionTable {
        let first = try reader(0, 1)
        guard first.count == Int(sectorBytes), let slots = MBRSlot.all(in: first) else {
            throw .refused("the disk has no partition table that can be read")
        }
        if slots.contains(where: \.isProtective) {
            guard slots.allSatisfy({ $0.isProtective || $0.isEmpty }) else {
                throw .refused(
                    "the disk has two partition tables at once (a hybrid MBR beside GPT), which would then differ; "
                        + "remove one of them first")
            }
            return try gpt(sectorBytes: sectorBytes, sectors: sectors, reader)
        }
        return try mbr(first, slots, sectorBytes: sectorBytes, sectors: sectors, reader)
    }

    func entry(_ number: Int) -> Entry? { entries.first { $0.number == number } }

    /// The same table with other sizes of some partitions.
    func resized(_ sizes: [Int: Int64], limit: Int64? = nil, gpt: GPTHeaders? = nil) -> PartitionTable {
        PartitionTable(
            scheme: scheme, identifier: identifier, sectorBytes: sectorBytes, sectors: sectors,
            entries: entries.map { entry in
                var entry = entry
                entry.size = sizes[entry.number] ?? entry.size
                return entry
            }, limit: limit ?? self.limit, gpt: gpt ?? self.gpt)
    }

    /// Whether both say the same about every partition: what may differ is where GPT's backup is.
    func hasSamePartitions(as other: PartitionTable) -> Bool {
        scheme == other.scheme && identifier == other.identifier && entries == other.entries
    }
}

/// Little-endian numbers in bytes from a disk; 0 where there are too few.
extension [UInt8] {
    func little(_ offset: Int, _ bytes: Int) -> UInt64 {
        guard offset >= 0, offset + bytes <= count else { return 0 }
        return self[offset..<(offset + bytes)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    func big(_ offset: Int, _ bytes: Int) -> UInt64 {
        guard offset >= 0, offset + bytes <= count else { return 0 }
        return self[offset..<(offset + bytes)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    func has(_ text: String, at offset: Int) -> Bool {
        offset >= 0 && offset <= count && self[offset...].starts(with: text.utf8)
    }
}

/// At least so many hexadecimal digits.
func hexText(_ number: some BinaryInteger, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
