import SystemKit

/// What is on a partition, by its own first blocks.
struct FilesystemFacts: Sendable, Equatable {
    /// The kinds that can be told; the raw values are the kernel's or blkid's names.
    enum Kind: String, Sendable {
        case ext2, ext3, ext4, btrfs, xfs, f2fs, vfat, exfat, ntfs, swap, squashfs, iso9660
        case luks = "crypto_LUKS"
        case lvm = "LVM2_member"
        case raid = "linux_raid_member"
        case unknown

        var isExt: Bool { self == .ext2 || self == .ext3 || self == .ext4 }
    }

    let kind: Kind
    /// Bytes that it spans; 0 where that is of no use here.
    var sizeBytes: Int64 = 0
    /// How much smaller than its partition it may be and still fill it: the tools leave a last piece that is too small.
    var slackBytes: Int64 = 1 << 20
    /// Whether it says of itself that it has errors.
    var hasErrors = false
    /// Whether its journal has something that was not carried out: it was not unmounted.
    var needsRecovery = false
    /// Which of its devices this is, and how many it has (btrfs).
    var deviceID: UInt64 = 1
    var deviceCount: UInt64 = 1
    /// As in `UUID=`; `nil` where it has none.
    var identifier: String?
    /// As in `LABEL=`; `nil` where it has none.
    var label: String?

    /// Reads the first blocks.
    ///
    /// - Throws: `ApplianceError.system` where the device cannot be read.
    static func read(_ node: BytePath) throws(ApplianceError) -> FilesystemFacts {
        let first = try system { () throws(SystemError) in try readDevice(node, offset: 0, count: 128 << 10) }
        return FilesystemFacts(first)
    }

    /// What the first 128 KiB say.
    init(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x4C, 0x55, 0x4B, 0x53, 0xBA, 0xBE]) {
            self.init(kind: .luks)
        } else if (0..<4).contains(where: { bytes.has("LABELONE", at: $0 * 512) }) {
            self.init(kind: .lvm)
        } else if bytes.little(4096, 4) == 0xA92B_4EFC || bytes.little(0, 4) == 0xA92B_4EFC {
            self.init(kind: .raid)
        } else if bytes.little(1080, 2) == 0xEF53 {
            self.init(ext: Array(bytes[1024..<2048]))
        } else if bytes.has("_BHRfS_M", at: 65536 + 64) {
            self.init(btrfs: Array(bytes[65536..<69632]))
        } else if bytes.has("XFSB", at: 0) {
            let block = Int64(bytes.big(4, 4))
            self.init(kind: .xfs, sizeBytes: block &* Int64(truncatingIfNeeded: bytes.big(8, 8)))
            // The kernel makes no last group of less than 64 blocks.
            slackBytes = 64 * block + (64 << 10)
            identifier = uuidText(bytes, 32)
            label = text(bytes, 108, 12)
        } else if bytes.little(1024, 4) == 0xF2F5_2010 {
            let block = Int64(1) << min(bytes.little(1024 + 16, 4), 16)
            self.init(kind: .f2fs, sizeBytes: block &* Int64(truncatingIfNeeded: bytes.little(1024 + 36, 8)))
            slackBytes = 4 << 20
            identifier = uuidText(bytes, 1024 + 108)
        } else if bytes.has("SWAPSPACE2", at: 4086) || bytes.has("SWAPSPACE2", at: 65526) {
            self.init(kind: .swap)
        } else if bytes.has("EXFAT   ", at: 3) {
            self.init(kind: .exfat)
        } else if bytes.has("NTFS    ", at: 3) {
            self.init(kind: .ntfs)
        } else if bytes.has("hsqs", at: 0) {
            self.init(kind: .squashfs)
        } else if bytes.has("CD001", at: 32769) {
            self.init(kind: .iso9660)
        } else if bytes.little(510, 2) == 0xAA55, bytes.has("FAT", at: 54) || bytes.has("FAT32", at: 82) {
            let offset = bytes.has("FAT32", at: 82) ? 67 : 39
            self.init(kind: .vfat)
            let digits = hexText(bytes.little(offset, 4), digits: 8).uppercased()
            identifier = digits.prefix(4) + "-" + digits.dropFirst(4)
            label = text(bytes, offset + 4, 11)
        } else {
            self.init(kind: .unknown)
        }
    }

    private init(kind: Kind, sizeBytes: Int64 = 0) {
        self.kind = kind
        self.sizeBytes = sizeBytes
    }

    /// The superblock of ext2, 3 or 4.
    private init(ext bytes: [UInt8]) {
        let compatible = bytes.little(0x5C, 4)
        let incompatible = bytes.little(0x60, 4)
        let readable = bytes.little(0x64, 4)
        // Extents, 64 bit, flexible groups; checksums and the like: what ext3 does not know.
        let isNew = incompatible & 0x2C0 != 0 || readable & 0x478 != 0
        self.init(kind: isNew ? .ext4 : compatible & 4 != 0 ? .ext3 : .ext2)
        let block = Int64(1024) << Int64(min(bytes.little(0x18, 4), 6))
        let has64 = incompatible & 0x80 != 0
        let blocks = Int64(truncatingIfNeeded: bytes.little(4, 4) | (has64 ? bytes.little(0x150, 4) << 32 : 0))
        sizeBytes = blocks &* block
        hasErrors = bytes.little(0x3A, 2) & 2 != 0
        needsRecovery = incompatible & 4 != 0
        // A last group that has no room for its own tables and 50 blocks is not made. Numbers from a disk may be
        // anything: one that is too large must stop nothing here.
        let inodes = Int64(bytes.little(0x28, 4)) * Int64(max(bytes.little(0x58, 2), 128)) / block
        let perGroup = max(1, Int64(bytes.little(0x20, 4)))
        let descriptorBytes = has64 ? max(32, Int64(bytes.little(0xFE, 2))) : 32
        let descriptors = (blocks / perGroup &+ 1) &* descriptorBytes / block &+ 1
        let tables = descriptors &+ inodes + Int64(bytes.little(0xCE, 2)) + 53
        slackBytes = tables &* block &+ (64 << 10)
        identifier = uuidText(bytes, 0x68)
        label = text(bytes, 0x78, 16)
    }

    private init(btrfs bytes: [UInt8]) {
        self.init(kind: .btrfs, sizeBytes: Int64(truncatingIfNeeded: bytes.little(209, 8)))
        deviceID = bytes.little(201, 8)
        deviceCount = bytes.little(136, 8)
        identifier = uuidText(bytes, 32)
        label = text(bytes, 299, 256)
    }
}

private func text(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> String? {
    guard offset + count <= bytes.count else { return nil }
    let text = trimmingSpaces(String(decoding: bytes[offset..<(offset + count)].prefix { $0 != 0 }, as: UTF8.self))
    return text.isEmpty ? nil : text
}

/// A UUID as it is written, all of its bytes in order.
private func uuidText(_ bytes: [UInt8], _ offset: Int) -> String? {
    guard offset + 16 <= bytes.count, bytes[offset..<(offset + 16)].contains(where: { $0 != 0 }) else { return nil }
    let groups: [(Int, Int)] = [(0, 4), (4, 2), (6, 2), (8, 2), (10, 6)]
    return groups.map { hexText(bytes.big(offset + $0.0, $0.1), digits: $0.1 * 2) }.joined(separator: "-")
}
