/// Whether there is something to gain behind the root partition, as far as that can be seen without root.
///
/// `Expansion` measures the disk itself, which only root may; this asks the kernel's own view of the partitions, which
/// is right as long as nobody has changed the table behind its back.
public enum StorageOutlook: Sendable, Equatable {
    /// Nothing to gain.
    case expanded
    /// So many bytes lie free right behind it.
    case room(Int64)
    /// An expansion was begun and is not at its end.
    case unfinished
    /// It cannot be said: root is on no partition.
    case unknown

    /// What is behind this is left alone: alignment, and the copy of a GPT.
    private static let negligibleBytes: Int64 = 16 << 20

    /// Reads it now.
    public static func read(_ machine: Machine) -> StorageOutlook {
        if PendingExpansion.read(machine) != nil { return .unfinished }
        guard let target = try? ExpandTarget.find(nil, on: machine), let disk = target.disk else { return .unknown }
        let end = target.device.startBytes + target.device.sizeBytes
        // An extended partition lies around its logical ones and begins before them.
        let next = disk.partitions(machine).map(\.startBytes).first { $0 >= end } ?? disk.sizeBytes
        return next - end > negligibleBytes ? .room(next - end) : .expanded
    }
}
