public import SystemKit

/// The folder that the Pi's firmware reads when the machine starts: `config.txt`, `cmdline.txt` and the kernel.
public struct BootPartition: Sendable, Equatable {
    /// Where it is; a path of the machine that was asked, so below a test's folder in a test.
    public let path: BytePath
    /// The filesystem, where the folder is one of its own: it can be remounted then, and its `point` is as the kernel
    /// says it. `nil` where the folder only lies on another one.
    public let mount: MountedFilesystem?

    /// A folder with all its parts.
    public init(path: BytePath, mount: MountedFilesystem?) {
        self.path = path
        self.mount = mount
    }

    /// Whether it is mounted for reading only. Changes remount it for as long as they take.
    public var isReadOnly: Bool { mount?.isReadOnly ?? false }
    /// Whether it is what the firmware can read.
    public var isFAT: Bool { mount.map { BootPartition.isFAT($0.kind) } ?? false }

    /// A file in it.
    public func file(_ name: BytePath) -> BytePath { path.appending(name) }

    /// Finds it: `/boot/firmware`, on older systems `/boot`. `nil` where the machine has none: no Pi, or the partition
    /// is not mounted.
    public static func find(_ machine: Machine) -> BootPartition? {
        // Where there is /boot/firmware, a config.txt in /boot only says where the real one is.
        for folder in ["boot/firmware", "boot"] {
            let path = machine.path(folder)
            guard let status = try? fileStatus(path), status.kind == .directory else { continue }
            // Looking for a file makes an automounter mount, so it comes before the table is read.
            let isOccupied = files.contains { fileExists(path.appending($0)) }
            let mount = mounted(at: BytePath("/" + folder), machine)
            let found = BootPartition(path: path, mount: mount)
            if found.isFAT || isOccupied { return found }
            if folder == "boot/firmware" { return nil }
        }
        return nil
    }

    private static let files: [BytePath] = ["config.txt", "cmdline.txt", "config.txt.bak", "cmdline.txt.bak"]

    private static func mounted(at point: BytePath, _ machine: Machine) -> MountedFilesystem? {
        let sources = MountedFilesystems.Sources(
            table: machine.path("proc/self/mountinfo"), identities: machine.path("dev/disk/by-uuid"),
            labels: machine.path("dev/disk/by-label"))
        return MountedFilesystems(sources).all.last { $0.point == point }
    }

    private static func isFAT(_ kind: String) -> Bool { kind == "vfat" || kind == "msdos" }
}
