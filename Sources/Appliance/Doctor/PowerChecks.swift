import SystemKit

extension Doctor {
    /// Electricity, heat and memory.
    static let power = [
        DoctorCheck("power-supply") { context in
            let cure =
                "use the power supply that the maker sells for this machine, with a short cable; nothing else that is "
                + "hungry belongs on its USB ports"
            if let flags = throttled(context) {
                if flags & 1 != 0 { return .failed("the voltage is too low right now", cure: cure) }
                if flags & 0x1_0000 != 0 { return .warning("the voltage was too low since the start", cure: cure) }
                return .ok("the voltage was right since the start")
            }
            for name in context.names("sys/class/hwmon")
            where context.text("sys/class/hwmon/\(name)/name") == "rpi_volt" {
                if context.text("sys/class/hwmon/\(name)/in0_lcrit_alarm") == "1" {
                    return .failed("the voltage was too low", cure: cure)
                }
                return .ok("the voltage is right")
            }
            return .ok("this machine does not tell its voltage")
        },
        DoctorCheck("throttled") { context in
            guard let flags = throttled(context) else {
                return .ok("this machine does not tell whether it is slowed down")
            }
            let cure = "give it a heat sink or a fan, or take the overclocking back"
            if flags & 0xE != 0 { return .failed("the processor is slowed down right now", cure: cure) }
            if flags & 0xE_0000 != 0 { return .warning("the processor was slowed down since the start", cure: cure) }
            return .ok("the processor was never slowed down since the start")
        },
        DoctorCheck("temperature") { context in
            guard let degrees = MachineFacts.read(context.machine.files).temperature else {
                return .ok("this machine does not tell its temperature")
            }
            let reason = "the processor has \(Int(degrees.rounded())) °C"
            let cure = "give it a heat sink, a fan or more air"
            if degrees >= 85 { return .failed(reason, cure: cure) }
            return degrees >= 78 ? .warning(reason, cure: cure) : .ok(reason)
        },
        DoctorCheck("memory") { context in
            let facts = MachineFacts.read(context.machine.files)
            guard let available = facts.memoryAvailableBytes, let total = facts.memoryTotalBytes else {
                return .ok("how much memory is free cannot be told")
            }
            let reason = "\(megabytes(available)) MB of \(megabytes(total)) MB of memory are available"
            let cure = "end programs that nobody needs; 'top -o RES' shows the large ones"
            if available < 48 << 20 { return .failed(reason, cure: cure) }
            return available < min(200 << 20, total / 10) ? .warning(reason, cure: cure) : .ok(reason)
        },
    ]

    /// The firmware's flags: what is, and from bit 16 on what was since the start.
    static func throttled(_ context: DoctorContext) -> UInt32? {
        if let text = context.text("sys/devices/platform/soc/soc:firmware/get_throttled") {
            return UInt32(text.hasPrefix("0x") ? String(text.dropFirst(2)) : text, radix: 16)
        }
        guard context.isRaspberry,
            let result = try? context.machine.programs.run(
                "vcgencmd", ["get_throttled"], package: "raspi-utils", seconds: 5),
            result.succeeded, let word = result.text.split(separator: "=").last
        else { return nil }
        return UInt32(trimmingSpaces(word).dropFirst(2), radix: 16)
    }
}
