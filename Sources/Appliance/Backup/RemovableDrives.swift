public import SystemKit

/// A filesystem that one can take away: a USB stick, a card in a reader.
public struct RemovableDrive: Sendable, Equatable {
    /// Where it is mounted.
    public let point: BytePath
    /// What a person calls it.
    public let label: String
    /// The kernel's name of its filesystem.
    public let kind: String

    /// A drive.
    public init(point: BytePath, label: String, kind: String) {
        self.point = point
        self.label = label
        self.kind = kind
    }

    /// Those that are mounted now, without the disk that this machine runs from.
    public static func mounted(on machine: Machine) -> [RemovableDrive] {
        let mounts = MountedFilesystems(
            .init(
                table: machine.path("proc/self/mountinfo"), identities: machine.path("dev/disk/by-uuid"),
                labels: machine.path("dev/disk/by-label")))
        let own = Set(mounts.all.filter { isOwn($0.point) }.compactMap { disk(of: $0.device, machine) })
        var seen: Set<String> = []
        return mounts.all.compactMap { mount in
            guard !isOwn(mount.point), let disk = disk(of: mount.device, machine), !own.contains(disk),
                isRemovable(disk, machine), seen.insert(mount.device).inserted, mounts.covering(mount.point) == mount
            else { return nil }
            return RemovableDrive(point: mount.point, label: mounts.label(of: mount), kind: mount.kind)
        }
    }

    private static func isOwn(_ point: BytePath) -> Bool {
        point == "/" || point == "/boot" || point.relative(to: "/boot") != nil
    }

    /// The folder in sysfs of the disk that a device number is, or is a part of.
    private static func disk(of device: String, _ machine: Machine) -> BytePath? {
        guard let folder = try? resolvedPath(machine.path("sys/dev/block/\(device)")) else { return nil }
        return fileExists(folder.appending("partition")) ? folder.parent : folder
    }

    private static func isRemovable(_ disk: BytePath, _ machine: Machine) -> Bool {
        // A disk at a USB plug says that it is not removable.
        if disk.displayString.contains("/usb") { return true }
        return (try? readFile(disk.appending("removable"), limit: 64)).map { $0.first == 0x31 } ?? false
    }
}
