import SystemKit

/// Why a partition or a filesystem is left as it is. All of it is found out by reading.
enum ExpandRefusals {
    /// What can be said without knowing whether there is room.
    static func check(_ filesystem: FilesystemFacts, _ target: ExpandTarget) throws(ApplianceError) {
        let node = target.device.node
        let kind = filesystem.kind.rawValue
        switch filesystem.kind {
        case .ext2, .ext3, .ext4, .btrfs, .xfs, .f2fs: break
        case .vfat, .exfat, .ntfs, .squashfs, .iso9660:
            throw .refused("\(node) has \(kind), which cannot be grown where it is")
        case .swap: throw .refused("\(node) is swap, not a filesystem")
        case .luks:
            throw .refused("\(node) is encrypted (LUKS); grow the partition and then 'cryptsetup resize' by hand")
        case .lvm:
            throw .refused("\(node) belongs to LVM; grow the partition and then 'pvresize' and 'lvextend' by hand")
        case .raid: throw .refused("\(node) is a part of a RAID, which 'mdadm' must grow")
        case .unknown: throw .refused("\(node) has no filesystem that is known here")
        }
        if let mounted = target.mount?.kind, mounted != kind, !(filesystem.kind.isExt && mounted.hasPrefix("ext")) {
            throw .refused("\(node) is mounted as \(mounted), but its first blocks are \(kind)'s; it is left as it is")
        }
    }

    /// What can be said once it is clear that something would be done.
    static func check(_ facts: ExpandFacts, _ machine: Machine) throws(ApplianceError) {
        try checkMount(facts)
        try checkHealth(facts, machine)
        try checkTwins(facts, machine)
        for (tool, package) in facts.tools where machine.programs.find(tool) == nil {
            throw .missingProgram(tool, package: package)
        }
    }

    private static func checkMount(_ facts: ExpandFacts) throws(ApplianceError) {
        let node = facts.target.device.node
        let kind = facts.filesystem.kind
        guard let mount = facts.target.mount else {
            guard kind != .btrfs, kind != .xfs else {
                throw .refused("\(kind.rawValue) can only be grown while it is mounted; mount \(node), then try again")
            }
            return
        }
        if kind == .f2fs {
            throw .refused(
                "F2FS can only be grown while it is not mounted, and \(node) is mounted at \(mount.point); unmount it, "
                    + (facts.target.isRoot ? "by starting from another medium, then run this there" : "then try again"))
        }
        let space = try system { () throws(SystemError) in try DiskSpace.read(mount.point) }
        if space.isReadOnly {
            throw .refused(
                "\(node) is mounted read-only at \(mount.point), and can only be grown while it is writable; "
                    + "'mount -o remount,rw \(mount.point)' first")
        }
        if kind == .btrfs, facts.partitionAfterBytes < 256 << 20 {
            throw .refused(
                "a btrfs of less than 256 MiB cannot be resized, and \(node) would still be smaller than that")
        }
        if facts.filesystem.deviceCount > 1 {
            throw .refused(
                "the btrfs on \(node) spans \(facts.filesystem.deviceCount) devices; grow it by hand with "
                    + "'btrfs filesystem resize'")
        }
    }

    private static func checkHealth(_ facts: ExpandFacts, _ machine: Machine) throws(ApplianceError) {
        guard facts.filesystem.kind.isExt else { return }
        let node = facts.target.device.node
        guard facts.target.mount == nil else {
            if facts.filesystem.hasErrors {
                throw .refused(
                    "the filesystem on \(node) has errors; let it be checked first: "
                        + "add fsck.mode=force to the kernel's command line and restart")
            }
            return
        }
        // With a journal that was not carried out it must be written to before anybody can judge it.
        guard !facts.filesystem.needsRecovery else { return }
        let result = try machine.programs.run(
            "e2fsck", ["-f", "-n", node], package: "e2fsprogs", seconds: ExpandSteps.patience)
        if result.end == .exited(0) { return }
        guard ExpandRefusals.meansErrors(result) else { throw .failed("e2fsck", detail: result.complaint) }
        throw .refused(
            "the filesystem on \(node) has errors; repair it with 'e2fsck -f \(node)' first. Nothing was changed")
    }

    /// Whether `e2fsck` says that it left errors, and not that it could not look.
    static func meansErrors(_ result: ProgramResult) -> Bool {
        if case .exited(let status) = result.end { status & 8 == 0 && status & 4 != 0 } else { false }
    }

    /// Two disks that call themselves the same: nobody can tell which one the machine will start from.
    private static func checkTwins(_ facts: ExpandFacts, _ machine: Machine) throws(ApplianceError) {
        let own = facts.table
        guard own.identifier.contains(where: { $0 != "0" && $0 != "-" }) else { return }
        for other in BlockDevice.disks(machine) where other.number != facts.disk.number {
            guard let table = try? PartitionTable.read(other), table.identifier == own.identifier else { continue }
            throw .refused(
                "\(facts.disk.node) and \(other.node) have the same id (\(own.identifier)), so that the machine cannot "
                    + "tell them apart when it starts; unplug one, or give it another id with 'sfdisk --disk-id'")
        }
    }
}

extension ExpandFacts {
    /// The programs that the steps run, with the packages that bring them.
    var tools: [(String, String)] {
        var tools = [("sfdisk", "fdisk"), ("resizepart", "util-linux")]
        switch filesystem.kind {
        case .ext2, .ext3, .ext4: tools += [("resize2fs", "e2fsprogs"), ("e2fsck", "e2fsprogs")]
        case .btrfs: tools += [("btrfs", "btrfs-progs")]
        case .xfs: tools += [("xfs_growfs", "xfsprogs")]
        case .f2fs: tools += [("resize.f2fs", "f2fs-tools")]
        default: break
        }
        return tools
    }
}
