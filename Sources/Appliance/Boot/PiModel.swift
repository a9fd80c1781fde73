import SystemKit

/// Which Raspberry Pi this is, as far as its speeds are concerned.
public enum PiModel: Sendable, Equatable {
    /// Models A, A+, B, B+ and the first Compute Module.
    case one
    /// Pi 2.
    case two
    /// Pi 3 and Compute Module 3.
    case three
    /// Pi 3 A+, 3 B+ and Compute Module 3+.
    case threePlus
    /// Zero and Zero W.
    case zero
    /// Zero 2 W.
    case zeroTwo
    /// Pi 4 B and Compute Module 4. `boosts` from revision 1.4 of the Pi 4 B on.
    case four(boosts: Bool)
    /// Pi 400.
    case fourHundred
    /// Pi 5, 500 and Compute Module 5.
    case five

    /// Reads the board's revision code, else its name; `nil` for another machine or a model that is not known.
    static func read(_ machine: Machine) -> PiModel? {
        if let model = revision(machine).flatMap(PiModel.init(revision:)) { return model }
        return machine.files.text("proc/device-tree/model").flatMap(PiModel.init(name:))
    }

    private static func revision(_ machine: Machine) -> UInt32? {
        for path in ["proc/device-tree/system/linux,revision", "sys/firmware/devicetree/base/system/linux,revision"] {
            if let bytes = try? readFile(machine.path(path), limit: 16), bytes.count == 4 {
                return bytes.reduce(0) { $0 << 8 | UInt32($1) }
            }
        }
        for line in machine.files.lines("proc/cpuinfo") where line.hasPrefix("Revision") {
            return line.split(separator: ":").last.flatMap { UInt32(trimmingSpaces($0), radix: 16) }
        }
        return nil
    }

    /// The model of a revision code as the maker documents it.
    init?(revision: UInt32) {
        // Codes of the old style, all of the first generation, have no model's number in them.
        guard revision & 1 << 23 != 0 else {
            guard (2...0x15).contains(revision & 0xFFFF) else { return nil }
            self = .one
            return
        }
        switch revision >> 4 & 0xFF {
        case 0x00...0x03, 0x06: self = .one
        case 0x04: self = .two
        case 0x08, 0x0A: self = .three
        case 0x09, 0x0C: self = .zero
        case 0x0D, 0x0E, 0x10: self = .threePlus
        case 0x11: self = .four(boosts: revision & 0xF >= 4)
        case 0x12: self = .zeroTwo
        case 0x13: self = .fourHundred
        case 0x14, 0x15: self = .four(boosts: false)
        case 0x17, 0x18, 0x19, 0x1A: self = .five
        default: return nil
        }
    }

    /// The model of what the device tree calls it, e.g. `Raspberry Pi 4 Model B Rev 1.4`.
    init?(name: String) {
        let words = name.split(separator: " ").map(String.init)
        guard words.starts(with: ["Raspberry", "Pi"]), words.count > 2 else { return nil }
        let rest = words.dropFirst(2).joined(separator: " ")
        let known: [(String, PiModel)] = [
            ("Zero 2", .zeroTwo), ("Zero", .zero), ("400", .fourHundred), ("500", .five), ("5 ", .five),
            ("Compute Module 5", .five), ("Compute Module 4", .four(boosts: false)),
            ("Compute Module 3 Plus", .threePlus), ("Compute Module 3", .three), ("Compute Module", .one),
            ("3 Model A Plus", .threePlus), ("3 Model B Plus", .threePlus), ("3 ", .three), ("2 ", .two),
            ("Model A", .one), ("Model B", .one),
        ]
        if rest.hasPrefix("4 ") {
            let minor = rest.split(separator: ".").last.flatMap { Int($0) } ?? 0
            self = .four(boosts: minor >= 4)
        } else if let match = known.first(where: { rest.hasPrefix($0.0) }) {
            self = match.1
        } else {
            return nil
        }
    }

    /// The speeds that may be taken, the maker's own first.
    var presets: [OverclockPreset] {
        switch self {
        case .one:
            [
                .raspiConfig("modest", arm: 800, core: 250, memory: 400, voltage: 0),
                .raspiConfig("medium", arm: 900, core: 250, memory: 450, voltage: 2),
                .raspiConfig("high", arm: 950, core: 250, memory: 450, voltage: 6),
                .raspiConfig("turbo", arm: 1000, core: 500, memory: 600, voltage: 6),
            ]
        case .two: [.raspiConfig("high", arm: 1000, core: 500, memory: 500, voltage: 2)]
        case .four(let boosts):
            (boosts
                ? [OverclockPreset("boost", 1800, ["arm_boost=1"], isMakers: true)] : [])
                + [OverclockPreset("fast", 2000, ["arm_freq=2000", "over_voltage=6"], isMakers: false)]
        case .fourHundred: [OverclockPreset("fast", 2000, ["arm_freq=2000", "over_voltage=6"], isMakers: false)]
        case .five: [OverclockPreset("fast", 2800, ["arm_freq=2800", "over_voltage_delta=50000"], isMakers: false)]
        case .three, .threePlus, .zero, .zeroTwo: []
        }
    }

    /// The processor's speed as the maker ships it, in MHz.
    var usualMegahertz: Int {
        switch self {
        case .one: 700
        case .two: 900
        case .three: 1200
        case .threePlus: 1400
        case .zero, .zeroTwo: 1000
        case .four: 1500
        case .fourHundred: 1800
        case .five: 2400
        }
    }
}

/// Speeds to take together.
public struct OverclockPreset: Sendable, Equatable {
    /// Its name, e.g. `turbo`.
    public let name: String
    /// The processor's speed in MHz.
    public let megahertz: Int
    /// Lines of `config.txt`.
    public let settings: [String]
    /// Whether it is the maker's own (raspi-config or the documentation), and not only what people commonly use.
    public let isMakers: Bool

    init(_ name: String, _ megahertz: Int, _ settings: [String], isMakers: Bool) {
        self.name = name
        self.megahertz = megahertz
        self.settings = settings
        self.isMakers = isMakers
    }

    static func raspiConfig(_ name: String, arm: Int, core: Int, memory: Int, voltage: Int) -> OverclockPreset {
        OverclockPreset(
            name, arm,
            ["arm_freq=\(arm)", "core_freq=\(core)", "sdram_freq=\(memory)", "over_voltage=\(voltage)"], isMakers: true)
    }

    /// All keys that a preset may set, and those that people set for the same.
    static let keys = [
        "arm_freq", "arm_boost", "core_freq", "sdram_freq", "gpu_freq", "over_voltage", "over_voltage_delta",
        "force_turbo",
    ]
}
