public import SystemKit

/// The partition that is to grow, and where its filesystem is mounted.
public struct ExpandTarget: Sendable, Equatable {
    /// The partition, or whatever else the filesystem is on.
    public let device: BlockDevice
    /// The disk; `nil` where the filesystem is on no partition.
    public let disk: BlockDevice?
    /// Where it is mounted; the place from which it is seen as a whole, writable if any is.
    public let mount: MountedFilesystem?
    /// Whether `/` is on it.
    public let isRoot: Bool

    /// Finds the partition of root, or the given one.
    ///
    /// - Throws: `ApplianceError.notFound`, `.badValue`, or `.refused` where root is on nothing that can grow.
    public static func find(_ device: String?, on machine: Machine) throws(ApplianceError) -> ExpandTarget {
        let mounts = MountedFilesystems(machine.mounts).all
        let root = rootMount(mounts)
        let found: BlockDevice
        if let device {
            found = try named(device, machine)
        } else {
            guard let root else { throw .unavailable("the kernel does not say what / is on") }
            if root.kind == "overlay" || root.kind == "tmpfs" {
                throw .refused(
                    "/ is an overlay that forgets everything at a restart; switch that off first "
                        + "('raspi-config', Performance, Overlay File System), restart, and expand then")
            }
            guard let device = self.device(of: root, machine) else {
                throw .refused("/ is on \(root.kind), which is on no disk of this machine")
            }
            found = device
        }
        let own = mounts.filter { self.device(of: $0, machine)?.number == found.number }
        let whole = own.filter { $0.root == "/" }
        let preferred = (whole.isEmpty ? own : whole)
        return ExpandTarget(
            device: found, disk: found.disk(machine),
            mount: preferred.first { (try? DiskSpace.read($0.point))?.isReadOnly == false } ?? preferred.first,
            isRoot: root.flatMap { self.device(of: $0, machine)?.number } == found.number)
    }

    private static func rootMount(_ mounts: [MountedFilesystem]) -> MountedFilesystem? {
        mounts.last { $0.point == "/" }
    }

    /// What a filesystem is mounted from. Btrfs has a number of its own in the table, so its node is asked.
    static func device(of mount: MountedFilesystem, _ machine: Machine) -> BlockDevice? {
        if let device = BlockDevice.read(mount.device, machine) { return device }
        guard mount.kind == "btrfs" else { return nil }
        if let number = blockDeviceNumber(mount.origin), let device = BlockDevice.read(number, machine) {
            return device
        }
        // Mounted by the kernel itself, the node is called /dev/root and is not there.
        let all = machine.path("sys/fs/btrfs")
        let filesystems = ((try? directoryNames(all)) ?? []).map { all.appending($0).appending("devices") }
            .filter { fileExists($0) }
        guard filesystems.count == 1, let names = try? directoryNames(filesystems[0]), names.count == 1,
            let number = try? readFile(filesystems[0].appending(names[0]).appending("dev"), limit: 64)
        else { return nil }
        return BlockDevice.read(trimmingSpaces(String(decoding: number, as: UTF8.self)), machine)
    }

    /// The node that somebody named. It may come through the door from a stranger: only what the kernel calls a block
    /// device is taken.
    private static func named(_ name: String, _ machine: Machine) throws(ApplianceError) -> BlockDevice {
        guard name.hasPrefix("/dev/"), !name.utf8.contains(0), name.utf8.count < 256 else {
            throw .badValue(of: "the partition", expected: "a node like /dev/sda1")
        }
        let node = machine.path(String(name.dropFirst()))
        guard fileExists(node) else { throw .notFound("there is no \(BytePath(name).displayString)") }
        guard let number = blockDeviceNumber(node), let device = BlockDevice.read(number, machine) else {
            throw .badValue(of: "the partition", expected: "a node like /dev/sda1, which is a disk's partition")
        }
        return device
    }
}

extension Machine {
    var mounts: MountedFilesystems.Sources {
        MountedFilesystems.Sources(
            table: path("proc/self/mountinfo"), identities: path("dev/disk/by-uuid"), labels: path("dev/disk/by-label"))
    }
}

extension PartitionTable {
    /// Reads the table of a disk.
    static func read(_ disk: BlockDevice) throws(ApplianceError) -> PartitionTable {
        let sector = disk.sectorBytes
        let isUsual = sector >= 512 && sector <= 4096 && 4096 % sector == 0
        guard isUsual else { throw .refused("the disk has sectors of \(sector) bytes, which is not known here") }
        return try read(sectorBytes: sector, sectors: disk.sizeBytes / sector) {
            (start: Int64, count: Int) throws(ApplianceError) in
            guard start >= 0, start < disk.sizeBytes / sector, count > 0, count < 1 << 16 else {
                throw .refused("the partition table tells of places that the disk does not have")
            }
            // Devices give whole pieces past the kernel's memory.
            let offset = start * sector
            let from = offset / 4096 * 4096
            let length = Int(offset - from) + count * Int(sector)
            let rounded = (length + 4095) / 4096 * 4096
            let bytes: [UInt8]
            do throws(SystemError) { bytes = try readDevice(disk.node, offset: from, count: rounded) } catch {
                if error.isPermission { throw .needsRoot("reading the partition table") }
                throw .system(error)
            }
            let wanted = bytes.dropFirst(Int(offset - from)).prefix(count * Int(sector))
            guard wanted.count == count * Int(sector) else {
                throw .refused("the disk ends before its size says that it does")
            }
            return Array(wanted)
        }
    }
}
