import FoundationEssentials
import SystemKit

/// What `sfdisk --json` says about a disk.
struct SfdiskTable: Decodable, Sendable, Equatable {
    struct Partition: Decodable, Sendable, Equatable {
        let node: String
        let start: Int64
        let size: Int64
        let type: String
        let uuid: String?
    }

    let label: String
    let id: String
    let sectorsize: Int64?
    let partitions: [Partition]?

    private struct Document: Decodable {
        let partitiontable: SfdiskTable
    }

    /// `nil` for what is no such document.
    static func decode(_ bytes: [UInt8]) -> SfdiskTable? {
        (try? JSONDecoder().decode(Document.self, from: Data(bytes)))?.partitiontable
    }

    /// Asks `sfdisk`.
    ///
    /// - Throws: `ApplianceError.refused` where it sees no table.
    static func read(_ disk: BlockDevice, _ machine: Machine) throws(ApplianceError) -> SfdiskTable {
        let result = try machine.programs.run("sfdisk", ["--json", disk.node], package: "fdisk")
        guard result.succeeded, let table = decode(result.output) else {
            throw .refused("sfdisk cannot read the partition table of \(disk.node): \(result.complaint)")
        }
        return table
    }

    /// How it differs from what was read from the disk; `nil` where both say the same.
    ///
    /// Two readers that disagree mean a table that neither should change.
    func difference(from table: PartitionTable, disk: BytePath) -> String? {
        guard label == table.scheme.rawValue, bare(id) == table.identifier else { return "the kind or the disk's id" }
        guard sectorsize ?? table.sectorBytes == table.sectorBytes else { return "the size of sectors" }
        let partitions = partitions ?? []
        guard partitions.count == table.entries.count else { return "the number of partitions" }
        let endsWithDigit = disk.bytes.last.map { (0x30...0x39).contains($0) } ?? false
        for entry in table.entries {
            let node = disk.displayString + (endsWithDigit ? "p" : "") + String(entry.number)
            guard let partition = partitions.first(where: { $0.node == node }) else {
                return "partition \(entry.number)"
            }
            guard partition.start == entry.start, partition.size == entry.size,
                partition.type.lowercased() == entry.type,
                partition.uuid.map({ $0.lowercased() == entry.identifier }) ?? true
            else { return "partition \(entry.number)" }
        }
        return nil
    }

    private func bare(_ id: String) -> String {
        let id = id.lowercased()
        return id.hasPrefix("0x") ? String(id.dropFirst(2)) : id
    }
}
