public import SystemKit

/// Keeps the time of a machine without a clock chip: what it was when the machine was switched off is nearer to the
/// truth than 1970, and no file may be younger than now.
public enum ClockKeeper {
    private static func path(_ machine: Machine) -> BytePath { machine.state.appending("clock") }

    /// The time that was saved last, in seconds since 1970.
    static func saved(_ machine: Machine) -> Int64? {
        guard let bytes = try? readRegularFile(path(machine), limit: 64) else { return nil }
        guard let seconds = Int64(trimmingSpaces(String(decoding: bytes, as: UTF8.self))) else { return nil }
        // A year beyond 2100 is no time that was ever shown: the file was damaged.
        return (0..<4_102_444_800).contains(seconds) ? seconds : nil
    }

    /// When the system was made, in seconds since 1970: it cannot be earlier now.
    static func buildTime(_ machine: Machine) -> Int64 {
        ["usr/lib/clock-epoch", "usr/lib/os-release", "usr/bin/retro-admin", "etc/retro/build"]
            .compactMap { try? fileStatus(machine.path($0)).modifiedNanoseconds / 1_000_000_000 }
            .filter { $0 < 4_102_444_800 }.max() ?? 0
    }

    /// Saves the time now: when the machine is switched off, and hourly, because plugs are pulled.
    public static func save(
        _ machine: Machine, now: Int64 = Int64(wallClockSeconds()), isRight: Bool = isClockSynchronized()
    ) throws(ApplianceError) {
        // A clock that nobody set may be behind what is known; one that a server set is right, even where it went back.
        let time = isRight ? now : max(now, saved(machine) ?? now)
        try system { () throws(SystemError) in
            try createDirectories(machine.state)
            try replaceFile(at: path(machine), with: Array("\(time)\n".utf8))
        }
    }

    /// Where it is remembered until the machine is switched off that a person set the clock.
    static func handMark(_ machine: Machine) -> BytePath { machine.path("run/retro/clock-set") }

    static func noteSetByHand(_ machine: Machine) throws(ApplianceError) {
        let mark = handMark(machine)
        try system { () throws(SystemError) in
            try createDirectories(mark.parent)
            try replaceFile(at: mark, with: [])
        }
    }

    /// What the clock must at least show now: the time that it has to be set to, or `nil` where it shows later already.
    public static func correction(_ machine: Machine, now: Int64 = Int64(wallClockSeconds())) -> Int64? {
        let least = max(buildTime(machine), saved(machine) ?? 0)
        return now < least ? least : nil
    }

    /// What saving the time is.
    public static func savePlan(_ machine: Machine) -> StepPlan {
        StepPlan([
            Step(
                "save-time", "Note the time in \(path(machine))",
                act: { () throws(ApplianceError) in try save(machine) },
                check: { () throws(ApplianceError) in saved(machine) == nil ? "the time was not saved" : nil })
        ])
    }

    /// What sets the clock forward to what is known at the beginning of a start; no step where it shows later already.
    public static func restorePlan(
        _ machine: Machine, now: Int64 = Int64(wallClockSeconds())
    ) -> StepPlan {
        guard let time = correction(machine, now: now) else { return StepPlan([]) }
        let text = utcText(secondsSince1970: Double(time))
        return StepPlan([
            Step(
                "set-clock", "Set the clock to \(text), the latest time that is known",
                act: { () throws(ApplianceError) in
                    try system { () throws(SystemError) in try setWallClock(secondsSince1970: time) }
                },
                check: { () throws(ApplianceError) in
                    Int64(wallClockSeconds()) < time ? "the clock does not show \(text)" : nil
                })
        ])
    }
}

/// How far the clock can be trusted.
public struct ClockFacts: Sendable, Equatable {
    /// Whether it follows a time server now.
    public let isSynchronized: Bool
    /// Whether the machine has a clock chip that goes on while it is off.
    public let hasChip: Bool
    /// Whether a person set it since the machine started.
    public let isSetByHand: Bool
    /// The time zone, e.g. `Europe/Berlin`.
    public let timeZone: String?

    /// Whether what the clock shows is the time. Where not, the menu says "clock not set".
    public var isSet: Bool { isSynchronized || hasChip || isSetByHand }

    /// Whether the time may be shown as the time: always on a machine that is not the appliance, whose clock is its
    /// owner's business.
    public static func isTold(_ machine: Machine) -> Bool {
        !fileExists(machine.path("etc/retro")) || read(machine).isSet
    }

    /// Reads everything now, without root.
    public static func read(_ machine: Machine, isSynchronized: Bool = isClockSynchronized()) -> ClockFacts {
        let chips = (try? directoryNames(machine.path("sys/class/rtc"))) ?? []
        // A chip whose battery is empty says a time long gone, as the kernel's own note of setting the clock tells.
        let isRunning = chips.contains { chip in
            let seconds = machine.files.text("sys/class/rtc/\(chip.displayString)/since_epoch").flatMap { Int64($0) }
            return (seconds ?? 0) >= max(1, ClockKeeper.buildTime(machine))
        }
        let isSaid = fileExists(machine.path("run/systemd/timesync/synchronized"))
        return ClockFacts(
            isSynchronized: isSynchronized || isSaid, hasChip: isRunning,
            isSetByHand: fileExists(ClockKeeper.handMark(machine)), timeZone: PlaceFacts.read(machine).timeZone)
    }
}
