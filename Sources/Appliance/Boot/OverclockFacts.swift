import SystemKit

/// How fast the machine runs, whether it can bear that, and what could be chosen.
public struct OverclockFacts: Sendable, Equatable {
    /// What is set.
    public enum Setting: Sendable, Equatable {
        /// The maker's speeds.
        case none
        /// One of `presets`, by its name.
        case preset(String)
        /// Somebody wrote other values into `config.txt`.
        case custom
    }

    /// What can be chosen beside `none`; empty where the maker documents nothing for this model, or it is not known.
    public let presets: [OverclockPreset]
    /// What is set for the next start; `nil` where there is no `config.txt`.
    public let setting: Setting?
    /// The processor's speed without any setting, in MHz; `nil` for a model that is not known.
    public let usualMegahertz: Int?
    /// The processor's speed now, in MHz.
    public let megahertz: Int?
    /// The processor's temperature in degrees Celsius.
    public let temperature: Double?
    /// What the firmware says about heat and the power supply; `nil` where it does not say.
    public let throttling: Throttling?

    /// Reads everything now; needs no root, but membership in `video` where only `vcgencmd` tells.
    public static func read(_ machine: Machine) -> OverclockFacts {
        let model = PiModel.read(machine)
        let presets = model?.presets ?? []
        let speed = machine.files.text("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq").flatMap { Int($0) }
        return OverclockFacts(
            presets: presets, setting: setting(machine, presets), usualMegahertz: model?.usualMegahertz,
            megahertz: speed.map { $0 / 1000 }, temperature: MachineFacts.read(machine.files).temperature,
            throttling: Throttling.read(machine))
    }

    private static func setting(_ machine: Machine, _ presets: [OverclockPreset]) -> Setting? {
        guard let partition = BootPartition.find(machine),
            let bytes = try? BootFiles(partition, machine).read(.configuration)
        else { return nil }
        let text = ConfigurationText(bytes)
        let own = text.settings.filter { line in
            ConfigurationText.pair(line).map { OverclockPreset.keys.contains($0.key) } ?? false
        }
        if own.isEmpty {
            // What Raspberry Pi OS ships with is no overclocking.
            let foreign = text.foreign(OverclockPreset.keys).filter { $0 != "arm_boost" }
            return foreign.isEmpty ? Setting.none : .custom
        }
        return presets.first { $0.settings == own }.map { .preset($0.name) } ?? .custom
    }
}

/// What the firmware says about heat and the power supply.
public struct Throttling: Sendable, Equatable {
    /// The firmware's bits.
    public let bits: UInt32

    /// From the firmware's bits.
    public init(bits: UInt32) { self.bits = bits }

    /// The supply's voltage is too low now.
    public var isUndervolted: Bool { bits & 1 != 0 }
    /// The processor is slowed down now, for heat or voltage.
    public var isSlowed: Bool { bits & 0b1110 != 0 }
    /// The voltage was too low since the start.
    public var wasUndervolted: Bool { bits & 1 << 16 != 0 }
    /// The processor was slowed down since the start.
    public var wasSlowed: Bool { bits & 0b1110 << 16 != 0 }

    /// What a person should do; `nil` where all is well.
    public var advice: String? {
        if isUndervolted || wasUndervolted {
            return "The power supply is too weak: the machine is slowed down. Use the maker's power supply."
        }
        if isSlowed || wasSlowed {
            return "The processor got too hot and was slowed down. Give it a heat sink or a fan."
        }
        return nil
    }

    /// Asks the kernel, else the firmware's own program; `nil` where neither knows.
    public static func read(_ machine: Machine) -> Throttling? {
        for path in [
            "sys/devices/platform/soc/soc:firmware/get_throttled", "sys/devices/platform/firmware/get_throttled",
        ] {
            if let bits = machine.files.text(path).flatMap({ UInt32($0, radix: 16) }) { return Throttling(bits: bits) }
        }
        guard let result = try? machine.programs.run("vcgencmd", ["get_throttled"], package: "raspi-utils", seconds: 5),
            result.succeeded, let value = trimmingSpaces(result.text).split(separator: "=").last, value.hasPrefix("0x")
        else { return nil }
        return UInt32(value.dropFirst(2), radix: 16).map(Throttling.init)
    }
}
