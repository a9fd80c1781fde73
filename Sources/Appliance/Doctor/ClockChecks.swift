import SystemKit

extension Doctor {
    /// What time it is, and where.
    static let clock = [
        DoctorCheck("clock-set") { context in
            // This program is younger than that.
            if context.now >= 1_767_225_600, context.now < 4_102_444_800 {
                return .ok("the clock says \(utcText(secondsSince1970: context.now))")
            }
            return .failed(
                "the clock says \(utcText(secondsSince1970: context.now)), which cannot be",
                cure: "connect the machine to a network, or set the time by 'sudo timedatectl set-time'")
        },
        DoctorCheck("clock-synchronised") { context in
            guard context.exists("run/systemd/system") else { return .ok("no systemd says whether the clock is set") }
            if context.exists("run/systemd/timesync/synchronized") || context.running.contains("chronyd")
                || context.running.contains("ntpd")
            {
                return .ok("the clock is set by the network")
            }
            let hasService = ["usr/lib/systemd/systemd-timesyncd", "lib/systemd/systemd-timesyncd"].contains(
                where: context.exists)
            let machine = context.machine
            let fix = StepPlan([
                Step(
                    "synchronise-clock", "Let the network set the clock", command: ["timedatectl", "set-ntp", "true"],
                    act: { () throws(ApplianceError) in
                        try machine.programs.demand("timedatectl", ["set-ntp", "true"], package: "systemd")
                    },
                    check: { () throws(ApplianceError) in
                        let shown = try machine.programs.demand(
                            "timedatectl", ["show", "--property=NTP", "--value"], package: "systemd")
                        return trimmingSpaces(shown.text) == "yes" ? nil : "timedatectl does not say that it is on"
                    })
            ])
            return .warning(
                "the clock was not set by the network since the start",
                cure: hasService
                    ? "'sudo timedatectl set-ntp true', and a network that reaches a time server"
                    : "install the package systemd-timesyncd",
                fix: hasService ? fix : nil)
        },
        DoctorCheck("time-jump") { context in
            let log = context.machine.data.state.appending("menu.log")
            let end = try? readPart(of: log, from: Int64(-256 << 10), limit: 256 << 10)
            guard let bytes = end?.bytes else { return .ok("there is no log yet") }
            let jumps = clockJumps(bytes)
            guard let last = jumps.last else { return .ok("the clock did not jump while the menu ran") }
            let size = abs(last) >= 172_800 ? "\(Int(abs(last) / 86400)) days" : "\(Int(abs(last) / 60)) minutes"
            return .warning(
                "the clock jumped \(size) \(last > 0 ? "ahead" : "back") while the menu ran",
                cure: "that is usual without a clock chip, once the network is there; a battery-backed clock ends it")
        },
        DoctorCheck("time-zone") { context in
            if (try? fileStatus(context.machine.path("etc/localtime"), followLinks: false)) != nil {
                let target = try? resolvedPath(context.machine.path("etc/localtime"))
                if target == nil {
                    return .failed(
                        "/etc/localtime leads nowhere",
                        cure: "set the time zone in the settings or by 'retro-admin system timezone'")
                }
                return .ok("a time zone is set")
            }
            return .warning(
                "no time zone is set: times are shown in UTC",
                cure: "set it in the settings or by 'retro-admin system timezone'")
        },
    ]

    /// By how many seconds the date went ahead of the monotonic time between two lines of the log, where that is more
    /// than ten minutes.
    static func clockJumps(_ log: some Collection<UInt8>) -> [Double] {
        var jumps: [Double] = []
        var last: (date: Double, elapsed: Double)?
        for line in log.split(separator: 0x0A) {
            let words = line.split(separator: 0x20, maxSplits: 2).prefix(2).map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 2, let date = secondsSince1970(words[0]), let elapsed = Double(words[1]),
                // Whoever plays may write into the log.
                (0..<1e10).contains(elapsed)
            else { continue }
            // A time that went back is that of another start.
            if let last, elapsed >= last.elapsed {
                let jump = date - last.date - (elapsed - last.elapsed)
                if abs(jump) > 600 { jumps.append(jump) }
            }
            last = (date, elapsed)
        }
        return jumps
    }

    /// Reads `2026-11-30T10:26:28Z`.
    static func secondsSince1970(_ text: String) -> Double? {
        let parts = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard text.hasSuffix("Z"), parts.count == 6, (1...12).contains(parts[1]),
            parts.allSatisfy({ (0...9999).contains($0) })
        else { return nil }
        // Days since the first of March of the year 0, whose months follow one rule.
        let year = parts[1] > 2 ? parts[0] : parts[0] - 1
        let month = parts[1] > 2 ? parts[1] - 3 : parts[1] + 9
        let days = year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + parts[2] - 1 - 719_468
        return Double(days * 86400 + parts[3] * 3600 + parts[4] * 60 + parts[5])
    }
}
