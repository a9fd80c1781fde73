import SystemKit

/// The steps of an expansion, each of which can be the last one that is done: what is left is found by measuring.
struct ExpandSteps {
    /// The longest that a filesystem's tool may take: a large disk behind a slow bus takes its time.
    static let patience: Double = 4 * 3600

    let facts: ExpandFacts
    let machine: Machine
    let device: String?
    let pending: PendingExpansion?

    private var disk: BlockDevice { facts.disk }
    private var node: BytePath { facts.target.device.node }

    func all(_ references: RootReferences) -> [Step] {
        var steps: [Step] = []
        if facts.grows {
            steps.append(remember())
            if facts.filesystem.kind.isExt, facts.target.mount == nil, facts.filesystemGrows {
                steps.append(checkFilesystem())
            }
            if facts.partition.isNeeded {
                steps.append(saveTable())
                if facts.partition.movesBackup { steps.append(moveBackup()) }
                if let extended = facts.partition.extended { steps.append(growExtended(extended)) }
                steps.append(growPartition())
            }
            if facts.kernelIsBehind { steps.append(tellKernel()) }
            if facts.filesystemGrows { steps.append(growFilesystem()) }
        }
        steps += references.steps(machine)
        if facts.grows || pending?.concerns(facts) == true { steps.append(forget()) }
        return steps
    }

    /// What is under way is on the disk before anything else: after a power cut the next start goes on with it. The
    /// lock lives as long as the plan.
    private func remember() -> Step {
        let state = PendingExpansion(device: device, identifier: facts.table.entry(facts.number)?.identifier ?? "")
        let lock = HeldLock()
        let (facts, machine) = (facts, machine)
        return Step("remember", "Note that \(node) is being expanded") { () throws(ApplianceError) in
            try lock.take(facts.disk.node)
            guard try PartitionTable.read(facts.disk) == facts.table else {
                throw .busy("the partition table of \(facts.disk.node) has just been changed; try again")
            }
            try state.write(machine)
        } check: { () throws(ApplianceError) in
            PendingExpansion.read(machine) == state ? nil : "the note of what is under way cannot be read again"
        }
    }

    private func checkFilesystem() -> Step {
        let (node, programs) = (node, machine.programs)
        return Step(
            "check-filesystem", "Check the filesystem on \(node)", command: ["e2fsck", "-f", "-p", node.displayString]
        ) { () throws(ApplianceError) in
            let result = try programs.run(
                "e2fsck", ["-f", "-p", node], package: "e2fsprogs", seconds: ExpandSteps.patience)
            // 1: errors that were corrected.
            if result.end == .exited(0) || result.end == .exited(1) { return }
            guard ExpandRefusals.meansErrors(result) else { throw .failed("e2fsck", detail: result.complaint) }
            throw .refused(
                "the filesystem on \(node) has errors that need a decision; repair it with 'e2fsck -f \(node)' "
                    + "first. The partition was not changed")
        } check: { () throws(ApplianceError) in
            let now = try FilesystemFacts.read(node)
            return now.needsRecovery || now.hasErrors ? "the filesystem on \(node) still says that it has errors" : nil
        }
    }

    private func saveTable() -> Step {
        let (disk, machine) = (disk, machine)
        let saved = SavedTables(disk, machine)
        return Step(
            "save-table", "Keep the old partition table in \(saved.next.displayString)",
            command: ["sfdisk", "--dump", disk.node.displayString]
        ) { () throws(ApplianceError) in
            try saved.save(try SavedTables.dump(disk, machine))
        } check: { () throws(ApplianceError) in
            saved.last() == (try SavedTables.dump(disk, machine))
                ? nil : "the kept partition table cannot be read again"
        }
    }

    private func moveBackup() -> Step {
        let facts = facts
        return tableStep(
            "move-backup-header", "Move the copy of the partition table to the end of \(disk.node)",
            ["--relocate", "gpt-bak-std", disk.node], input: "", result: facts.table)
    }

    private func growExtended(_ extended: (number: Int, size: Int64)) -> Step {
        tableStep(
            "grow-extended", "Grow the extended partition \(extended.number) to \(sizeText(extended.size))",
            arguments(extended.number), input: "size=\(extended.size)\n",
            result: facts.table.resized([extended.number: extended.size]))
    }

    private func growPartition() -> Step {
        tableStep(
            "grow-partition",
            "Grow partition \(facts.number) of \(disk.node) by \(binarySizeText(facts.partition.gainBytes)) to "
                + sizeText(facts.partition.size), arguments(facts.number), input: "size=\(facts.partition.size)\n",
            result: facts.partition.result)
    }

    private func sizeText(_ sectors: Int64) -> String { binarySizeText(sectors * facts.table.sectorBytes) }

    /// Nothing is wiped, nobody is asked, and the kernel keeps what it has until it is told in a step of its own.
    private func arguments(_ number: Int) -> [BytePath] {
        [
            "--no-reread", "--no-tell-kernel", "--wipe", "never", "--wipe-partitions", "never", "-N",
            BytePath(String(number)), disk.node,
        ]
    }

    /// Has `sfdisk` write the table. Its exit status is no proof: it is 0 also where it did nothing.
    private func tableStep(
        _ name: String, _ summary: String, _ arguments: [BytePath], input: String, result: PartitionTable
    ) -> Step {
        let (disk, machine) = (disk, machine)
        return Step(name, summary, command: ["sfdisk"] + arguments.map(\.displayString)) { () throws(ApplianceError) in
            try machine.programs.demand("sfdisk", arguments, package: "fdisk", input: Array(input.utf8))
            try system { () throws(SystemError) in try flushDevice(disk.node) }
        } check: { () throws(ApplianceError) in
            let now = try PartitionTable.read(disk)
            guard now.hasSamePartitions(as: result) else {
                return "the partition table of \(disk.node) is not as it should be after this; "
                    + "the old one is kept in \(SavedTables(disk, machine).folder)"
            }
            return now.gpt?.isComplete == false ? "the two copies of the partition table do not agree" : nil
        }
    }

    private func tellKernel() -> Step {
        let (disk, machine, number, target) = (disk, machine, facts.number, facts.target)
        let bytes = facts.partitionAfterBytes
        let arguments: [BytePath] = [disk.node, BytePath(String(number)), BytePath(String(bytes / 512))]
        return Step(
            Expansion.kernelStep, "Tell the kernel the new size",
            command: ["resizepart"] + arguments.map(\.displayString)
        ) { () throws(ApplianceError) in
            try machine.programs.run("resizepart", arguments, package: "util-linux")
        } check: { () throws(ApplianceError) in
            guard BlockDevice.read(target.device.number, machine)?.sizeBytes != bytes else { return nil }
            return
                "the kernel does not take over the new size of \(target.device.node) while it is in use; restart the "
                + "machine: the rest is done then, or by this command again"
        }
    }

    private func growFilesystem() -> Step {
        let (facts, programs) = (facts, machine.programs)
        let command = ExpandSteps.growing(facts)
        return Step(
            "grow-filesystem",
            "Grow the \(facts.filesystem.kind.rawValue) filesystem to \(sizeText(facts.partition.size))",
            command: [command.tool] + command.arguments.map(\.displayString)
        ) { () throws(ApplianceError) in
            try programs.demand(
                command.tool, command.arguments, package: command.package, seconds: ExpandSteps.patience)
            try system { () throws(SystemError) in try flushDevice(facts.target.device.node) }
        } check: { () throws(ApplianceError) in
            let now = try FilesystemFacts.read(facts.target.device.node)
            let bytes = ExpandFacts.bytes(of: now, facts.target)
            guard facts.partitionAfterBytes - bytes > now.slackBytes else { return nil }
            return "the partition has \(binarySizeText(facts.partitionAfterBytes)), but its filesystem still "
                + "\(binarySizeText(bytes)); \(command.tool) said nothing"
        }
    }

    /// The tool of the filesystem that is really there.
    private static func growing(_ facts: ExpandFacts) -> (tool: String, arguments: [BytePath], package: String) {
        let node = facts.target.device.node
        let point = facts.target.mount?.point ?? "/"
        switch facts.filesystem.kind {
        case .btrfs:
            return (
                "btrfs", ["filesystem", "resize", BytePath("\(facts.filesystem.deviceID):max"), point], "btrfs-progs"
            )
        case .xfs: return ("xfs_growfs", ["-d", point], "xfsprogs")
        case .f2fs: return ("resize.f2fs", [node], "f2fs-tools")
        default: return ("resize2fs", [node], "e2fsprogs")
        }
    }

    private func forget() -> Step {
        let (facts, machine) = (facts, machine)
        return Step("finish", "Note that all is done") { () throws(ApplianceError) in
            try DoneExpansion(facts).write(machine)
            try PendingExpansion.remove(machine)
        } check: { () throws(ApplianceError) in
            PendingExpansion.read(machine) == nil ? nil : "the note of what is under way is still there"
        }
    }
}
