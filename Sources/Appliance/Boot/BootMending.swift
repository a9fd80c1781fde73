import SystemKit

/// What a power cut left on the boot partition is found and mended when the machine starts, long before it is needed
/// again.
extension BootFiles {
    /// Removes what an interrupted change left, and restores files that are damaged.
    ///
    /// - Returns: what was done and what could not be done: sentences.
    func mend() throws(ApplianceError) -> [String] {
        var said: [String] = []
        let hasLeftovers = !FATFiles.leftovers(in: partition.path).isEmpty
        if hasLeftovers, partition.isFAT { said += try checkFilesystem() }
        var damaged: [(BootFile, String)] = []
        for file in BootFile.allCases {
            if let bytes = try read(file) {
                if let damage = file.damage(in: bytes) { damaged.append((file, damage)) }
            } else if backup(file) != nil {
                damaged.append((file, "it is gone"))
            }
        }
        guard hasLeftovers || !damaged.isEmpty else { return said }
        try writing { () throws(ApplianceError) in
            said += removeLeftovers()
            for (file, damage) in damaged { said += try restore(file, damage) }
        }
        return said
    }

    /// Clusters with two names are a matter for the checking program, which needs the partition for itself.
    private func checkFilesystem() throws(ApplianceError) -> [String] {
        guard let mount = partition.mount, mount.origin.isAbsolute, programs.find("fsck.fat") != nil else { return [] }
        let device = mount.origin
        guard (try? programs.demand("umount", [mount.point], package: "mount")) != nil else {
            return ["The boot partition is in use and could not be checked."]
        }
        // 1 says that it mended something.
        let check = try? programs.run("fsck.fat", ["-a", "-w", device], package: "dosfstools", seconds: 300)
        let options = mount.isReadOnly ? "ro" : "rw"
        if (try? programs.demand("mount", [mount.point], package: "mount")) == nil {
            try programs.demand(
                "mount", ["-t", "vfat", "-o", BytePath(options), device, mount.point], package: "mount")
        }
        let isWell = check?.end == .exited(0) || check?.end == .exited(1)
        return [isWell ? "The boot partition was checked." : "Checking the boot partition failed."]
    }

    func removeLeftovers() -> [String] {
        let kept = BootFile.allCases.flatMap { [partition.file($0.name), partition.file($0.backupName)] }
        var said: [String] = []
        for leftover in FATFiles.leftovers(in: partition.path) {
            if kept.contains(where: { FATFiles.share(leftover, $0) == true }) {
                said.append("\(leftover.displayString) shares its content with another file; check the boot partition.")
            } else if (try? removeFile(leftover)) != nil {
                said.append("Removed what an interrupted change left: \(leftover.name.displayString).")
            }
        }
        if !said.isEmpty { try? FATFiles.flush(partition.path) }
        return said
    }

    private func restore(_ file: BootFile, _ damage: String) throws(ApplianceError) -> [String] {
        if let good = backup(file) {
            try putWhole(file, good)
            return ["Restored \(file.rawValue) from \(file.backupName.displayString): \(damage)."]
        }
        if file == .commandLine, let running = try? readFile(path("proc/cmdline"), limit: 1 << 16),
            let line = CommandLineText.rebuilt(from: running)
        {
            try putWhole(file, line)
            return ["Made a new \(file.rawValue) from what the running system was started with: \(damage)."]
        }
        return ["\(file.rawValue) is damaged (\(damage)), and there is no good copy of it."]
    }
}
