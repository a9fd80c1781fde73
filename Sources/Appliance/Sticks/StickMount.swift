import SystemKit

/// Mounts one partition, or takes it out again. The name may come from a stranger.
struct StickMount {
    /// Root's own folder: whoever could write there could have a disk mounted elsewhere.
    static let folder = "media/retro"

    private let name: String
    private let machine: Machine
    private var node: BytePath { BytePath("/dev/" + name) }

    /// - Throws: `ApplianceError.badValue` for what is no name of a device.
    init(_ device: String, _ machine: Machine) throws(ApplianceError) {
        let name = device.hasPrefix("/dev/") ? String(device.dropFirst(5)) : device
        guard (1...32).contains(name.utf8.count), name.utf8.first.map(StickMount.isLetter) == true,
            name.utf8.allSatisfy({ StickMount.isLetter($0) || (0x30...0x39).contains($0) })
        else { throw .badValue(of: "the device", expected: "a name like sda1") }
        self.name = name
        self.machine = machine
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private var mounts: MountedFilesystems {
        MountedFilesystems(
            .init(
                table: machine.path("proc/self/mountinfo"), identities: machine.path("dev/disk/by-uuid"),
                labels: machine.path("dev/disk/by-label")))
    }

    /// Where its filesystem is mounted by this.
    private var mounted: [MountedFilesystem] {
        mounts.all.filter { $0.origin == node && $0.point.relative(to: place) != nil }
    }

    private var place: BytePath { machine.path(StickMount.folder) }

    // MARK: Mounting

    func mounting() throws(ApplianceError) -> StepPlan {
        try refuseForeign()
        if let mount = mounts.all.last(where: { $0.origin == node }) {
            return StepPlan([], notes: ["\(node) is mounted at \(mount.point) already"])
        }
        let contents = try probe()
        let kinds = try options(contents.kind)
        let point = freePoint(contents.label ?? contents.identity ?? name)
        let make = Step("make-folder", "Make \(point)") { [place] () throws(ApplianceError) in
            try system { () throws(SystemError) in
                try createDirectories(place.parent)
                try createDirectories(place)
                try setPermissions(place, 0o755)
                try createDirectories(point)
            }
        } check: { () throws(ApplianceError) in
            guard let status = try? fileStatus(point, followLinks: false), status.kind == .directory else {
                return "\(point) is no folder"
            }
            return nil
        }
        let first = arguments(kinds[0], point)
        let mount = Step(
            "mount", "Mount \(node) at \(point)", command: ["mount"] + first.map(\.displayString)
        ) { () throws(ApplianceError) in
            try tryAll(kinds, point)
        } check: { () throws(ApplianceError) in
            mounted.contains { $0.point == point } ? nil : "\(node) is not mounted at \(point)"
        }
        return StepPlan([make, mount])
    }

    private func tryAll(_ kinds: [Kind], _ point: BytePath) throws(ApplianceError) {
        var failure: ApplianceError?
        for kind in kinds {
            do throws(ApplianceError) {
                try machine.programs.demand("mount", arguments(kind, point), package: "mount")
                return
            } catch { failure = failure ?? error }
        }
        try? removeDirectory(point)
        if let failure { throw failure }
    }

    /// A disk is touched only where it is at a USB plug or says that it can be taken out, nothing of it is part of this
    /// machine, and nobody else uses it.
    private func refuseForeign() throws(ApplianceError) {
        guard let folder = try? resolvedPath(machine.path("sys/class/block/\(name)")) else {
            throw .notFound("there is no device \(node)")
        }
        let disk = fileExists(folder.appending("partition")) ? folder.parent : folder
        let flag = (try? readFile(disk.appending("removable"), limit: 64))?.first
        guard disk.displayString.contains("/usb") || flag == UInt8(ascii: "1") else {
            throw .refused("\(node) is on no USB stick: only what can be taken out is mounted")
        }
        let holders = (try? directoryNames(folder.appending("holders"))) ?? []
        guard holders.isEmpty else { throw .refused("\(node) is part of something else") }
        let parts = Set(
            ((try? directoryNames(disk)) ?? []).filter { fileExists(disk.appending($0).appending("partition")) }
                .map { BytePath("/dev/").appending($0) } + [BytePath("/dev/").appending(disk.name)])
        let isOwn = mounts.all.contains { mount in
            let isSystems = ["/", "/boot", "/boot/firmware", "/usr", "/var", "/srv", "/home"].contains(mount.point)
            return isSystems && (parts.contains(mount.origin) || isNumber(mount.device, in: disk))
        }
        guard !isOwn else { throw .refused("\(node) is on the disk that this machine runs from") }
    }

    private func isNumber(_ device: String, in disk: BytePath) -> Bool {
        guard let folder = try? resolvedPath(machine.path("sys/dev/block/\(device)")) else { return false }
        return folder == disk || folder.relative(to: disk) != nil
    }

    private struct Contents {
        var kind = ""
        var label: String?
        var identity: String?
    }

    /// What the filesystem itself says.
    private func probe() throws(ApplianceError) -> Contents {
        let result = try machine.programs.run(
            "blkid", ["-p", "-o", "export", "--", node], package: "util-linux", seconds: 30)
        guard result.succeeded else { throw .refused("\(node) has no filesystem that can be read") }
        var contents = Contents()
        for line in result.text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "TYPE": contents.kind = String(parts[1])
            // Blanks have a backslash before them.
            case "LABEL": contents.label = StickMount.sanitised(parts[1].filter { $0 != "\\" })
            case "UUID": contents.identity = StickMount.sanitised(String(parts[1]))
            default: break
            }
        }
        return contents
    }

    /// A kind of filesystem to try, with its options.
    private struct Kind {
        let name: String
        let options: String
    }

    private func options(_ kind: String) throws(ApplianceError) -> [Kind] {
        let safe = "nosuid,nodev,noexec,noatime"
        guard let player = Accounts.read(machine).named("retro") else {
            throw .notFound("there is no account 'retro' that the stick could be given to")
        }
        let modes = "uid=\(player.user),gid=\(player.group),fmask=0113,dmask=0002"
        switch kind {
        case "vfat": return [Kind(name: "vfat", options: "\(safe),\(modes),utf8=1,flush")]
        case "exfat": return [Kind(name: "exfat", options: "\(safe),\(modes),iocharset=utf8")]
        case "ntfs":
            // One that Windows left open is readable all the same.
            return [
                Kind(name: "ntfs3", options: "\(safe),\(modes),iocharset=utf8"),
                Kind(name: "ntfs-3g", options: "\(safe),\(modes)"),
                Kind(name: "ntfs3", options: "ro,\(safe),\(modes),iocharset=utf8"),
            ]
        case "ext2", "ext3", "ext4": return [Kind(name: kind, options: "\(safe),errors=remount-ro")]
        default:
            throw .refused(
                "\(node) has the filesystem '\(kind)', which is not read here: FAT, exFAT, NTFS and ext4 are")
        }
    }

    private func arguments(_ kind: Kind, _ point: BytePath) -> [BytePath] {
        ["-t", BytePath(kind.name), "-o", BytePath(kind.options), "--source", node, "--target", point]
    }

    /// Letters, digits and a few signs: a label is anybody's text and becomes the name of a folder.
    static func sanitised(_ label: String) -> String? {
        let kept = label.unicodeScalars.map { scalar -> Character in
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isPlain || "-_".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
        }
        let text = String(kept.prefix(48))
        return text.allSatisfy { $0 == "_" || $0 == "-" } ? nil : text.hasPrefix("-") ? "_" + text : text
    }

    private func freePoint(_ label: String) -> BytePath {
        let taken = Set(mounts.all.map(\.point))
        let names = [label] + (2..<100).map { "\(label)-\($0)" }
        return names.map { place.appending($0) }.first { !taken.contains($0) } ?? place.appending(name)
    }

    // MARK: Unmounting

    func unmounting() throws(ApplianceError) -> StepPlan {
        let steps = mounted.map { mount in
            Step(
                "unmount", "Take \(node) out of \(mount.point)", command: ["umount", mount.point.displayString]
            ) { () throws(ApplianceError) in
                let isGone = !fileExists(machine.path("sys/class/block/\(name)"))
                // What is written goes to a disk that is there; of one that is gone only the name is left to remove.
                try machine.programs.demand(
                    "umount", (isGone ? ["-l"] : []) + ["--", mount.point], package: "mount", seconds: 120)
                try? removeDirectory(mount.point)
            } check: { () throws(ApplianceError) in
                mounted.contains { $0.point == mount.point } ? "\(mount.point) is still mounted" : nil
            }
        }
        return StepPlan(steps, notes: steps.isEmpty ? ["\(node) is not mounted here"] : [])
    }
}
