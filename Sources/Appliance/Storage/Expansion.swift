import SystemKit

/// What growing a partition and its filesystem means, from facts that were measured; carried out by its steps.
public struct Expansion: Sendable {
    /// What grows.
    public let target: ExpandTarget
    /// The kernel's name of the filesystem, e.g. `ext4`.
    public let filesystem: String
    /// Bytes of the filesystem now.
    public let sizeBefore: Int64
    /// Bytes of the partition afterwards; the filesystem leaves a last piece free that is too small for it.
    public let partitionAfter: Int64
    /// What has to be done; no steps where there is nothing to do.
    public let plan: StepPlan
    /// Whether partition or filesystem become larger; without that, steps are repairs and tidying.
    public let grows: Bool

    /// Bytes to gain.
    public var gain: Int64 { grows ? max(0, partitionAfter - sizeBefore) : 0 }

    /// Measures, and plans. Nothing is changed.
    ///
    /// - Parameter device: e.g. `/dev/sda1`; `nil` for what `/` is on.
    /// - Throws: `ApplianceError.refused` with the reason where it cannot grow; then nothing was changed at all.
    public static func prepare(_ device: String?, on machine: Machine) throws(ApplianceError) -> Expansion {
        let target = try ExpandTarget.find(device, on: machine)
        let facts = try ExpandFacts.measure(target, machine)
        let pending = PendingExpansion.read(machine)
        if facts.grows {
            try ExpandRefusals.check(facts, machine)
        } else if let blocked = facts.partition.blocked, DoneExpansion.read(machine) != DoneExpansion(facts),
            pending?.concerns(facts) != true
        {
            throw .refused(
                "partition \(blocked.number) (\(facts.name(of: blocked.number, machine))) lies right behind "
                    + "\(target.device.node); the free "
                    + "\(binarySizeText(blocked.sectors * facts.table.sectorBytes)) are behind that one, and no "
                    + "partition is moved here")
        }
        let references = target.isRoot ? RootReferences.read(facts, machine) : RootReferences()
        let steps = ExpandSteps(facts: facts, machine: machine, device: device, pending: pending)
        return Expansion(
            target: target, filesystem: facts.filesystem.kind.rawValue, sizeBefore: facts.filesystemBytes,
            partitionAfter: facts.partitionAfterBytes,
            plan: StepPlan(steps.all(references), notes: references.sentences), grows: facts.grows)
    }

    /// Bytes of the filesystem, measured now; `nil` where it cannot be.
    public func measuredSize(on machine: Machine) -> Int64? {
        guard let facts = try? FilesystemFacts.read(target.device.node) else { return nil }
        return ExpandFacts.bytes(of: facts, target)
    }

    /// The step that may only come about at a restart.
    public static let kernelStep = "tell-kernel"

    /// Whether the table has a size that the kernel will only take over at a restart.
    public func needsRestart(on machine: Machine) -> Bool {
        guard let now = BlockDevice.read(target.device.number, machine), let disk = target.disk,
            let number = now.partition, let table = try? PartitionTable.read(disk), let entry = table.entry(number)
        else { return false }
        return entry.size * table.sectorBytes != now.sizeBytes
    }
}

/// Everything that was measured before a plan is made.
struct ExpandFacts: Sendable {
    let target: ExpandTarget
    let disk: BlockDevice
    let table: PartitionTable
    let partition: PartitionPlan
    let filesystem: FilesystemFacts
    /// Bytes of the filesystem, as the kernel has it where it is mounted.
    let filesystemBytes: Int64

    var number: Int { partition.number }
    var partitionAfterBytes: Int64 { partition.size * table.sectorBytes }
    /// Whether the filesystem does not fill the partition as the table will have it.
    var filesystemGrows: Bool { partitionAfterBytes - filesystemBytes > filesystem.slackBytes }
    /// Whether the kernel has another size of the partition than the table will have.
    var kernelIsBehind: Bool { target.device.sizeBytes != partitionAfterBytes }
    var grows: Bool { partition.isNeeded || filesystemGrows || kernelIsBehind }

    /// - Throws: `ApplianceError.refused` where something is there that cannot grow, whatever room there is.
    static func measure(_ target: ExpandTarget, _ machine: Machine) throws(ApplianceError) -> ExpandFacts {
        let device = target.device
        if let mapping = device.mapping { throw .refused(sentence(mapping: mapping, device)) }
        guard let disk = target.disk, let number = device.partition else {
            throw .refused(
                "the filesystem is on \(device.node) as a whole, without a partition table; there is nothing that "
                    + "could be grown by moving a partition's end")
        }
        guard !device.isReadOnly else {
            throw .refused(
                "\(disk.node) cannot be written to; look for the lock on the card, or for a card that has worn out")
        }
        let table = try PartitionTable.read(disk)
        if table.entry(number)?.role == .extended {
            throw .refused("\(device.node) holds other partitions; name the one with the filesystem")
        }
        let plan = try PartitionPlan(table, number: number)
        if let what = try SfdiskTable.read(disk, machine).difference(from: table, disk: disk.node) {
            throw .refused(
                "sfdisk and this program read \(what) of \(disk.node) differently; the disk is left as it is")
        }
        try checkKernel(disk, table, number, machine)
        let filesystem = try FilesystemFacts.read(device.node)
        try ExpandRefusals.check(filesystem, target)
        let bytes = ExpandFacts.bytes(of: filesystem, target)
        guard let entry = table.entry(number), bytes <= entry.size * table.sectorBytes else {
            throw .refused(
                "the filesystem on \(device.node) is larger than its partition: the image was cut short, or the table "
                    + "was changed; write the image again")
        }
        return ExpandFacts(
            target: target, disk: disk, table: table, partition: plan, filesystem: filesystem, filesystemBytes: bytes)
    }

    /// XFS writes its size to the disk when it likes: where it is mounted only the kernel knows it.
    static func bytes(of filesystem: FilesystemFacts, _ target: ExpandTarget) -> Int64 {
        if filesystem.kind == .xfs, let mount = target.mount, let bytes = xfsBytes(mountedAt: mount.point) {
            return bytes
        }
        return filesystem.sizeBytes
    }

    private static func sentence(mapping: String, _ device: BlockDevice) -> String {
        if mapping.hasPrefix("LVM-") {
            return "\(device.node) is a volume of LVM; grow it with 'pvresize' and 'lvextend --resizefs'"
        }
        if mapping.hasPrefix("CRYPT-") {
            return "\(device.node) is encrypted; grow the partition and then 'cryptsetup resize' by hand"
        }
        return "\(device.node) is mapped onto other devices, which only who set it up can grow"
    }

    /// What the kernel keeps of the table must be what is on the disk, but for the size that is to change.
    private static func checkKernel(
        _ disk: BlockDevice, _ table: PartitionTable, _ number: Int, _ machine: Machine
    ) throws(ApplianceError) {
        for partition in disk.partitions(machine) {
            guard let entry = partition.partition.flatMap({ table.entry($0) }),
                partition.startBytes == entry.start * table.sectorBytes,
                entry.role == .extended
                    || (entry.number == number
                        ? partition.sizeBytes <= entry.size * table.sectorBytes
                        : partition.sizeBytes == entry.size * table.sectorBytes)
            else {
                throw .refused(
                    "the kernel has another table of \(disk.node) in memory than is on the disk "
                        + "(\(partition.node) differs); restart the machine first")
            }
        }
    }

    /// What is on a partition, for a sentence.
    func name(of number: Int, _ machine: Machine) -> String {
        let other = disk.partitions(machine).first { $0.partition == number }
        guard let other, let found = try? FilesystemFacts.read(other.node) else { return "unknown" }
        return found.label.map { "\(found.kind.rawValue) \"\(BytePath($0).displayString)\"" } ?? found.kind.rawValue
    }
}
