import DigestKit
import SystemKit

/// Checksums of a game's contents as the sets of its system take them: of the whole, and of what comes behind a header
/// that copiers and emulators put in front.
struct RomDigest {
    /// One way to look at the contents.
    struct Result: Equatable {
        /// Bytes in front that are not in it.
        var header: Int
        var size: Int64
        var crc: UInt32
        var sha1: [UInt8]
    }

    /// As much of the beginning as tells what it is.
    static let headBytes = 512

    private enum Order { case plain, swappedPairs, reversedWords }

    private let system: String
    private let size: Int64
    private var head: [UInt8] = []
    private var isDecided = false
    private var header = 0
    private var order = Order.plain
    private var whole = Sums()
    private var other: Sums?
    /// Bytes of a word that is not complete yet.
    private var rest: [UInt8] = []

    private struct Sums {
        var crc = CRC32()
        var sha1 = SHA1()
        var size: Int64 = 0

        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            crc.update(bytes)
            sha1.update(bytes)
            size += Int64(bytes.count)
        }

        func result(header: Int) -> Result { Result(header: header, size: size, crc: crc.value, sha1: sha1.digest) }
    }

    /// - Parameter size: bytes of the whole.
    init(system: String, size: Int64) {
        self.system = system
        self.size = size
    }

    /// Whether the system's sets may know the contents by another checksum than that of the whole.
    static func hasOthers(system: String) -> Bool {
        switch system {
        case "nes", "fds", "snes", "satellaview", "sufami", "atarilynx", "atari7800", "pcengine", "supergrafx", "n64",
            "n64dd":
            true
        default: false
        }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard !isDecided else { return digest(bytes) }
        head.append(contentsOf: bytes)
        if head.count >= RomDigest.headBytes { decide() }
    }

    /// The ways to look at it, the whole first.
    mutating func finish() -> [Result] {
        if !isDecided { decide() }
        if other != nil, !rest.isEmpty {
            let bytes = rest
            bytes.withUnsafeBytes { other?.update($0) }
        }
        return [whole.result(header: 0)] + (other.map { [$0.result(header: header)] } ?? [])
    }

    private mutating func decide() {
        isDecided = true
        header = RomDigest.header(system: system, size: size, head: head)
        if system == "n64" || system == "n64dd" {
            switch Array(head.prefix(4)) {
            case [0x37, 0x80, 0x40, 0x12]: order = .swappedPairs
            case [0x40, 0x12, 0x37, 0x80]: order = .reversedWords
            default: break
            }
        }
        if header > 0 || order != .plain { other = Sums() }
        let bytes = head
        head = []
        bytes.withUnsafeBytes { digest($0) }
    }

    private mutating func digest(_ bytes: UnsafeRawBufferPointer) {
        let before = Int(min(whole.size, Int64(Int32.max)))
        whole.update(bytes)
        guard other != nil else { return }
        guard order != .plain else {
            let skipped = min(max(0, header - before), bytes.count)
            other?.update(UnsafeRawBufferPointer(rebasing: bytes[skipped...]))
            return
        }
        rest.append(contentsOf: bytes)
        let count = rest.count & ~3
        for index in stride(from: 0, to: count, by: 4) {
            if order == .swappedPairs {
                rest.swapAt(index, index + 1)
                rest.swapAt(index + 2, index + 3)
            } else {
                rest.swapAt(index, index + 3)
                rest.swapAt(index + 1, index + 2)
            }
        }
        rest.prefix(count).withUnsafeBytes { other?.update($0) }
        rest.removeFirst(count)
    }

    /// How many bytes stand in front of what the system's sets know.
    static func header(system: String, size: Int64, head: [UInt8]) -> Int {
        func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: bytes) }
        switch system {
        // iNES and NES 2.0 alike; fwNES's for disks.
        case "nes" where has([0x4E, 0x45, 0x53, 0x1A]), "nes" where has([0x46, 0x44, 0x53, 0x1A]): return 16
        case "fds" where has([0x46, 0x44, 0x53, 0x1A]): return 16
        case "atarilynx" where has(Array("LYNX".utf8)): return 64
        case "atari7800" where has(Array("ATARI7800".utf8), at: 1): return 128
        // Copiers put 512 bytes in front of what is otherwise a multiple of a KiB.
        case "snes", "satellaview", "sufami", "pcengine", "supergrafx": return size % 1024 == 512 ? 512 : 0
        default: return 0
        }
    }

    /// The SHA-1 that a compressed disc's header tells, of its data with its metadata; `nil` for older kinds.
    static func sha1(ofDisc head: [UInt8]) -> [UInt8]? {
        guard head.count >= 124, head.starts(with: Array("MComprHD".utf8)) else { return nil }
        let version = head[12..<16].reduce(0) { $0 << 8 | Int($1) }
        let offset: Int
        switch version {
        case 5: offset = 84
        case 4: offset = 48
        case 3: offset = 80
        default: return nil
        }
        let sha1 = Array(head[offset..<offset + 20])
        return sha1.contains { $0 != 0 } ? sha1 : nil
    }
}
