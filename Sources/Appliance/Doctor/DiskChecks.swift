import SystemKit

extension Doctor {
    /// The disk, and the device under it.
    static let disk = [
        DoctorCheck("disk-space") { context in
            let place = context.existing(context.machine.data.root)
            guard let space = context.space(place) else { return .ok("how full the disk is cannot be told") }
            let free = "\(megabytes(space.freeBytes)) MB of \(megabytes(space.totalBytes)) MB are free at \(place)"
            let cure = "delete games that nobody plays, or move them to a USB disk: 'retro-admin library add'"
            if space.freeBytes < 100 << 20 { return .failed(free, cure: cure) }
            if space.freeBytes < 1 << 30, space.freeBytes < space.totalBytes / 20 { return .warning(free, cure: cure) }
            return .ok(free)
        },
        DoctorCheck("disk-files") { context in
            let place = context.existing(context.machine.data.root)
            guard let left = context.space(place)?.freeFiles else { return .ok("the filesystem does not count files") }
            let reason = "\(left) more files fit on the disk at \(place)"
            let cure = "delete small files that nobody needs, such as artwork of games that are gone"
            if left < 100 { return .failed(reason, cure: cure) }
            return left < 5000 ? .warning(reason, cure: cure) : .ok(reason)
        },
        DoctorCheck("disk-writable") { context in
            let data = context.machine.data
            for place in [data.state, data.root, context.machine.path("")].map(context.existing) {
                guard context.space(place)?.isReadOnly == true else { continue }
                return .failed(
                    "the filesystem at \(place) can only be read",
                    cure: "restart; if it stays so, the card is worn out or locked: copy what is dear to you, and "
                        + "replace it")
            }
            return .ok("the filesystems can be written")
        },
        DoctorCheck("disk-speed") { context in
            let place = context.existing(context.machine.data.state)
            guard let seconds = context.durableWrite(place) else { return .ok("not measured") }
            let reason = "a small durable write at \(place) takes \(Int((seconds * 1000).rounded())) ms"
            let cure = "the card or stick is slow or worn out: use one of class A1 or A2, or a USB disk"
            if seconds > 2 { return .failed(reason, cure: cure) }
            return seconds > 0.4 ? .warning(reason, cure: cure) : .ok(reason)
        },
        DoctorCheck("disk-errors") { context in
            guard let lines = kernelLog(context) else { return .ok("the kernel's log may not be read") }
            let signs = [
                "I/O error, dev ", "Buffer I/O error on dev", "EXT4-fs error", "EXT4-fs (", "BTRFS error",
                "F2FS-fs error", "XFS (", "critical medium error", "mmc0: error", "mmc0: timeout", "FAT-fs (",
            ]
            let bad = lines.filter { line in
                guard signs.contains(where: line.contains) else { return false }
                let isHarmless =
                    (line.contains("EXT4-fs (") || line.contains("XFS (") || line.contains("FAT-fs ("))
                    && !line.contains("rror")
                // A drive without a medium in it says this whenever somebody looks.
                return !isHarmless && !line.contains("dev sr") && !line.contains("dev fd") && !line.contains("dev loop")
            }
            guard let last = bad.last else { return .ok("the kernel's log tells of no fault of a disk") }
            return .failed(
                "the kernel tells of \(bad.count) faults of a disk, the last: \(shortened(last))",
                cure: "make a backup now ('retro-admin backup create --usb'), check the power supply, and replace the "
                    + "card or disk if it goes on")
        },
        DoctorCheck("root-expanded") { context in
            let cure = "'sudo retro-admin expand-fs' makes the rest of the card usable"
            switch StorageOutlook.read(context.machine) {
            case .unknown: return .ok("the system is on no partition of a disk")
            case .unfinished:
                return .warning("an expansion of the system's partition is not at its end", cure: "restart; " + cure)
            case .room(let gap):
                // Less is not worth a person's time.
                if gap > 256 << 20 {
                    return .warning("\(megabytes(gap)) MB behind the system's partition are unused", cure: cure)
                }
            case .expanded: break
            }
            guard let size = (try? ExpandTarget.find(nil, on: context.machine))?.device.sizeBytes else {
                return .ok("the system is on no partition of a disk")
            }
            if let space = context.space(context.machine.path("")), space.totalBytes < size / 10 * 8 {
                return .warning(
                    "the system's filesystem has \(megabytes(space.totalBytes)) MB of a partition of "
                        + "\(megabytes(size)) MB", cure: cure)
            }
            return .ok("the system uses its disk up to its end")
        },
        DoctorCheck("swap") { context in
            let swaps = context.lines("proc/swaps").dropFirst().compactMap { $0.split(separator: " ").first }
            let onCard = swaps.filter { !$0.contains("zram") && ($0.contains("mmcblk") || !$0.hasPrefix("/dev/")) }
            if onCard.isEmpty || !context.isRaspberry {
                return .ok(swaps.isEmpty ? "there is no swap" : "swap does not wear out a card")
            }
            return .warning(
                "swap is on the card (\(onCard.joined(separator: ", "))), which is slow and wears it out",
                cure: "'sudo systemctl disable --now dphys-swapfile' and the package zram-tools keep it in memory")
        },
    ]

    static func megabytes(_ bytes: Int64) -> Int64 { bytes / 1_000_000 }

    /// A line of somebody else's, safe and not too long for a sentence.
    static func shortened(_ line: String) -> String {
        let safe = BytePath.displayString(of: Array(line.utf8))
        return safe.count > 120 ? String(safe.prefix(119)) + "…" : safe
    }

    static func kernelLog(_ context: DoctorContext) -> [String]? {
        guard let result = try? context.machine.programs.run("dmesg", package: "util-linux", seconds: 10),
            result.succeeded
        else { return nil }
        return result.text.split(separator: "\n").map(String.init)
    }
}
