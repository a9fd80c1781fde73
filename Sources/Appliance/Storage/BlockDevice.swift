public import SystemKit

/// A disk or a partition, as the kernel tells it in `/sys`. Names say nothing: `mmcblk0p2`, `sda2` and `nvme0n1p2` are
/// all found by their numbers.
public struct BlockDevice: Sendable, Equatable {
    /// `major:minor`.
    public let number: String
    /// The kernel's name, e.g. `mmcblk0p2`.
    public let name: String
    /// Its node, e.g. `/dev/mmcblk0p2`.
    public let node: BytePath
    /// Bytes.
    public let sizeBytes: Int64
    /// Whether nothing can be written to it.
    public let isReadOnly: Bool
    /// Its number in the disk's table; `nil` for what is no partition.
    public let partition: Int?
    /// Where it begins on the disk, in bytes; 0 for what is no partition.
    public let startBytes: Int64
    /// Bytes of the smallest piece that can be written.
    public let sectorBytes: Int64
    /// What a mapped device is made of, e.g. `LVM-...`, `CRYPT-LUKS2-...`; `nil` for a real one.
    public let mapping: String?
    /// Its place in `/sys`.
    let folder: BytePath

    /// Looks a device up by its number; `nil` where the kernel knows none.
    static func read(_ number: String, _ machine: Machine) -> BlockDevice? {
        guard !number.isEmpty, number.allSatisfy({ $0 == ":" || $0.isASCII && $0.isNumber }),
            let folder = try? resolvedPath(machine.path("sys/dev/block/\(number)"))
        else { return nil }
        return BlockDevice(folder: folder, machine)
    }

    private init?(folder: BytePath, _ machine: Machine) {
        guard let number = value("dev", in: folder), let size = value("size", in: folder).flatMap({ Int64($0) }) else {
            return nil
        }
        self.folder = folder
        self.number = number
        let words = [folder.appending("uevent")].flatMap { path in
            ((try? readFile(path, limit: 64 << 10)) ?? []).split(separator: 0x0A)
        }
        let key = Array("DEVNAME=".utf8)
        let named = words.first { $0.starts(with: key) }.map { BytePath(bytes: $0.dropFirst(key.count)) }
        name = (named ?? folder.name).displayString
        node = machine.path("dev").appending(named ?? folder.name)
        // The kernel counts in 512 bytes here, whatever the disk's sectors are.
        let start = value("start", in: folder).flatMap { Int64($0) } ?? 0
        // No disk is larger than what can be counted in bytes.
        guard (0..<1 << 53).contains(size), (0..<1 << 53).contains(start) else { return nil }
        sizeBytes = size * 512
        partition = value("partition", in: folder).flatMap { Int($0) }
        startBytes = start * 512
        let whole = partition == nil ? folder : folder.parent
        isReadOnly = value("ro", in: folder) == "1" || value("ro", in: whole) == "1"
        sectorBytes = value("queue/logical_block_size", in: whole).flatMap { Int64($0) } ?? 512
        mapping = fileExists(folder.appending("dm")) ? value("dm/uuid", in: folder) ?? "" : nil
    }

    /// The disk that a partition is on.
    func disk(_ machine: Machine) -> BlockDevice? {
        partition == nil ? nil : BlockDevice(folder: folder.parent, machine)
    }

    /// The partitions of a disk that the kernel knows, in the order in which they lie on it.
    func partitions(_ machine: Machine) -> [BlockDevice] {
        let names = (try? directoryNames(folder)) ?? []
        return names.compactMap { name in
            let below = folder.appending(name)
            return fileExists(below.appending("partition")) ? BlockDevice(folder: below, machine) : nil
        }
        .sorted { $0.startBytes < $1.startBytes }
    }

    /// All disks with something in them.
    static func disks(_ machine: Machine) -> [BlockDevice] {
        let names = (try? directoryNames(machine.path("sys/block"))) ?? []
        return names.sorted().compactMap { name in
            guard let folder = try? resolvedPath(machine.path("sys/block").appending(name)) else { return nil }
            return BlockDevice(folder: folder, machine)
        }
        .filter { $0.sizeBytes > 0 && $0.mapping == nil }
    }

    /// What the maker calls the disk; `nil` where nobody says.
    func model() -> String? {
        value("device/model", in: folder) ?? value("device/name", in: folder)
    }
}

private func value(_ name: String, in folder: BytePath) -> String? {
    guard let bytes = try? readFile(folder.appending(name), limit: 4096) else { return nil }
    let text = trimmingSpaces(String(decoding: bytes, as: UTF8.self))
    return text.isEmpty ? nil : text
}

/// Bytes for people, in the units that partitions are measured in: `29.1 GiB`.
public func binarySizeText(_ bytes: Int64) -> String {
    var value = Double(bytes) / 1024
    var unit = "KiB"
    for next in ["MiB", "GiB", "TiB"] where abs(value) >= 1024 {
        value /= 1024
        unit = next
    }
    let tenths = Int64((value * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10)) \(unit)"
}
