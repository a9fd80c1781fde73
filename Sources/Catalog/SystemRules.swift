import SystemKit
import Systems

/// A system's definition in the form that a scan asks a hundred thousand times: is this name a game?
final class SystemRules {
    let definition: SystemDefinition
    /// How many folder levels below the system's own are searched.
    let depth: Int
    /// Differs when names may be judged differently than before.
    let fingerprint: Int64
    /// Whether an extension lets saves and the like in, so that each name must be checked for them.
    let mayMatchJunk: Bool
    /// Whether a picture may be a game, as the cartridges of some engines are.
    let takesPictures: Bool
    /// Whether a game may be on several discs, disks or tapes.
    let hasDiscs: Bool
    private let short: ContiguousArray<UInt64>
    private let long: [[UInt8]]

    /// Deep enough for every tree a person makes, and an end for those that nobody made.
    static let commonDepth = 12
    /// Raise it with every change of what counts as a game.
    private static let generation: Int64 = 3

    init(_ definition: SystemDefinition) {
        self.definition = definition
        depth = definition.depth ?? SystemRules.commonDepth
        var short: ContiguousArray<UInt64> = []
        var long: [[UInt8]] = []
        for text in definition.extensions {
            let bytes = text.utf8.map(asciiLowercased).drop { $0 == 0x2E }
            if bytes.count <= 8, !bytes.contains(0x2E) {
                short.append(bytes.reduce(0) { $0 << 8 | UInt64($1) })
            } else {
                long.append([0x2E] + bytes)
            }
        }
        self.short = short
        mayMatchJunk = definition.extensions.contains { text in
            NameRules.mayBeJunk(extension: text.split(separator: ".").last.map { $0.utf8.map(asciiLowercased) } ?? [])
        }
        takesPictures = definition.extensions.contains { text in
            ["png", "jpg", "jpeg", "gif"].contains(text.lowercased().drop { $0 == "." })
        }
        hasDiscs = [.disc, .floppy, .cassette].contains(definition.medium)
        // The longest first: "atr.gz" before "gz".
        self.long = long.sorted { $0.count > $1.count }
        // FNV-1a: Hasher is seeded differently in each process.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        let text =
            "\(SystemRules.generation) \(depth) \(definition.kind.rawValue) \(definition.extensions) \(hasDiscs)"
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        fingerprint = Int64(bitPattern: hash)
    }

    var isArcade: Bool { definition.kind == .arcade }

    /// How long a name is without its game extension; `nil` where it has none.
    func stemLength(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
        for suffix in long where name.count > suffix.count {
            let start = name.count - suffix.count
            if suffix.indices.allSatisfy({ asciiLowercased(name[start + $0]) == suffix[$0] }) { return start }
        }
        var packed: UInt64 = 0
        var index = name.count - 1
        var shift: UInt64 = 0
        while index > 0 {
            let byte = name[index]
            if byte == 0x2E {
                return shift > 0 && short.contains(packed) ? index : nil
            }
            if shift == 64 { return nil }
            packed |= UInt64(asciiLowercased(byte)) << shift
            shift += 8
            index -= 1
        }
        return nil
    }

    /// The name without its extension, also for a name that is no game of this system any more.
    func stem(_ name: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        let length = stemLength(name) ?? SystemRules.plainStemLength(name)
        return UnsafeBufferPointer(rebasing: name[0..<length])
    }

    static func plainStemLength(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        guard let dot = name.lastIndex(of: 0x2E), dot > 0 else { return name.count }
        return dot
    }
}
