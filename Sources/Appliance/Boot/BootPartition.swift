public import SystemKit

/// The folder that the Pi's firmware reads when the machine starts: `config.txt`, `cmdline.txt` and the kernel.
public struct BootPartition: Sendable, Equatable {
    /// Where it is.
    public let path: BytePath

    /// A file in it.
    public func file(_ name: BytePath) -> BytePath { path.appending(name) }

    /// Finds it: `/boot/firmware`, on older systems `/boot`; `nil` where there is none.
    public static func find(_ machine: Machine) -> BootPartition? {
        for folder in ["boot/firmware", "boot"] {
            let path = machine.path(folder)
            let files: [BytePath] = ["config.txt", "cmdline.txt"]
            if files.contains(where: { fileExists(path.appending($0)) }) { return BootPartition(path: path) }
        }
        return nil
    }
}
