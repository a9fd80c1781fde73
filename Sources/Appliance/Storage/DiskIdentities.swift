import SystemKit

/// By which names the partitions of this machine's disks can be found, read from the disks themselves.
struct DiskIdentities: Sendable {
    private struct Partition: Sendable {
        let entry: PartitionTable.Entry
        let node: BytePath?
        let filesystem: FilesystemFacts?
        let isRootDisk: Bool
        let isRoot: Bool
        let isMBR: Bool
    }

    enum Judgement: Equatable {
        case right
        /// And what it should be, where that is certain.
        case wrong(String?)
    }

    private let partitions: [Partition]
    private let machine: Machine

    init(_ facts: ExpandFacts, _ machine: Machine) {
        self.machine = machine
        var all: [Partition] = []
        for disk in BlockDevice.disks(machine) {
            let isRootDisk = disk.number == facts.disk.number
            guard let table = isRootDisk ? facts.table : try? PartitionTable.read(disk) else { continue }
            let known = disk.partitions(machine)
            for entry in table.entries {
                let node = known.first { $0.partition == entry.number }?.node
                all.append(
                    Partition(
                        entry: entry, node: node, filesystem: node.flatMap { try? FilesystemFacts.read($0) },
                        isRootDisk: isRootDisk, isRoot: isRootDisk && entry.number == facts.number,
                        isMBR: table.scheme == .mbr))
            }
        }
        partitions = all
    }

    /// Whether a word like `PARTUUID=...` names root, or anything at all where it is not meant to be root.
    func judge(_ word: String, isRoot: Bool) -> Judgement {
        guard let equals = word.firstIndex(of: "="), !word.hasPrefix("/") else {
            return isRoot ? judge(node: word) : .right
        }
        let key = word[..<equals]
        let value = word[word.index(after: equals)...].filter { $0 != "\"" }
        guard let name = name(String(key)) else { return .right }
        let found = partitions.filter { name($0)?.lowercased() == value.lowercased() }
        if found.contains(where: { $0.isRoot || !isRoot }) { return .right }
        if isRoot {
            // One that names another partition may be meant; one that names nothing cannot be.
            guard found.isEmpty, let root = partitions.first(where: \.isRoot) else { return .wrong(nil) }
            return .wrong(name(root).map { "\(key)=\($0)" })
        }
        // A disk that is unplugged is no fault. What follows root's old id on the same kind of disk is.
        guard key == "PARTUUID", let number = value.split(separator: "-").last.flatMap({ Int($0, radix: 16) }),
            value.count == 11,
            let same = partitions.first(where: { $0.isRootDisk && $0.isMBR && $0.entry.number == number }),
            isBootPartition(same)
        else { return .right }
        return .wrong("\(key)=\(same.entry.identifier)")
    }

    /// Only what the machine starts from is on the same card as root for certain.
    private func isBootPartition(_ partition: Partition) -> Bool {
        partition.filesystem?.kind == .vfat
    }

    private func name(_ key: String) -> ((Partition) -> String?)? {
        switch key {
        case "PARTUUID": { $0.entry.identifier }
        case "UUID": { $0.filesystem?.identifier }
        case "LABEL": { $0.filesystem?.label }
        default: nil
        }
    }

    private func judge(node: String) -> Judgement {
        guard node.hasPrefix("/dev/"), node != "/dev/root" else { return .right }
        let path = machine.path(String(node.dropFirst()))
        guard let number = blockDeviceNumber(path), let root = partitions.first(where: \.isRoot)?.node else {
            return .wrong(nil)
        }
        return number == blockDeviceNumber(root) ? .right : .wrong(nil)
    }
}
