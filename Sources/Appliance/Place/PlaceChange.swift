import SystemKit

/// A change of language, time zone, keyboard and clock.
public enum PlaceChange: Sendable, Equatable, Codable {
    /// E.g. `de_DE.UTF-8`.
    case locale(String)
    /// E.g. `Europe/Berlin`.
    case timeZone(String)
    /// E.g. `de` or `us`, with a variant or none.
    case keyboard(layout: String, variant: String?)
    /// The time of day, in seconds since 1970: for a machine that no time server answers.
    case time(Int64)

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        switch self {
        case .locale(let name): try localePlan(machine, name)
        case .timeZone(let name): try timeZonePlan(machine, name)
        case .keyboard(let layout, let variant): try keyboardPlan(machine, layout, variant)
        case .time(let seconds): try timePlan(machine, seconds)
        }
    }

    // MARK: Language

    private func localePlan(_ machine: Machine, _ name: String) throws(ApplianceError) -> StepPlan {
        let isPlain = name == "C.UTF-8"
        let supported = PlaceChoices.locales(machine).map(\.name)
        guard supported.count > 1 || isPlain else {
            throw .missingProgram("locale-gen", package: "locales")
        }
        guard supported.contains(name) else {
            throw .badValue(
                of: "the locale", expected: "one that 'retro-admin system locale --list' names, e.g. de_DE.UTF-8")
        }
        var steps: [Step] = []
        if !isPlain, !isGenerated(machine, name) {
            steps.append(
                Step(
                    "generate-locale", "Make the locale \(name)", command: ["locale-gen"],
                    act: { () throws(ApplianceError) in
                        try enable(machine, name)
                        try machine.programs.demand("locale-gen", package: "locales", seconds: 600)
                    },
                    check: { () throws(ApplianceError) in
                        isGenerated(machine, name) ? nil : "the locale \(name) was not made"
                    }))
        }
        if PlaceFacts.read(machine).locale != name {
            steps.append(
                Step(
                    "set-locale", "Set the language to \(name)",
                    act: { () throws(ApplianceError) in
                        for var file in AssignmentFile.localeFiles(machine) {
                            file.set(["LANG": name, "LANGUAGE": nil, "LC_ALL": nil])
                            try system { () throws(SystemError) in try file.write() }
                        }
                    },
                    check: { () throws(ApplianceError) in
                        PlaceFacts.read(machine).locale == name ? nil : "the language is not set"
                    }))
        }
        return StepPlan(steps, notes: steps.isEmpty ? [] : ["Programs take the language when they start: restart."])
    }

    private func isGenerated(_ machine: Machine, _ name: String) -> Bool {
        guard let result = try? machine.programs.run("locale", ["-a"], package: "libc-bin", seconds: 30) else {
            return false
        }
        let wanted = PlaceChange.folded(name)
        return result.text.split(separator: "\n").contains { PlaceChange.folded(String($0)) == wanted }
    }

    /// `locale -a` writes `de_DE.utf8` for `de_DE.UTF-8`.
    private static func folded(_ name: String) -> String {
        name.lowercased().replacing(".utf-8", with: ".utf8")
    }

    private func enable(_ machine: Machine, _ name: String) throws(ApplianceError) {
        let path = machine.path("etc/locale.gen")
        let line = "\(name) UTF-8"
        var lines = machine.files.lines("etc/locale.gen")
        if lines.contains(where: { trimmingSpaces($0) == line }) { return }
        if let place = lines.firstIndex(where: { trimmingSpaces($0.drop { $0 == "#" || $0 == " " }) == line }) {
            lines[place] = line
        } else {
            lines.append(line)
        }
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        try system { () throws(SystemError) in try replaceFile(at: path, with: bytes) }
    }

    // MARK: Time zone

    private func timeZonePlan(_ machine: Machine, _ name: String) throws(ApplianceError) -> StepPlan {
        guard PlaceChoices.isTimeZone(machine, name) else {
            throw .badValue(
                of: "the time zone", expected: "one that 'retro-admin system timezone --list' names, e.g. Europe/Berlin"
            )
        }
        guard PlaceFacts.read(machine).timeZone != name || machine.files.text("etc/timezone") ?? name != name else {
            return StepPlan([])
        }
        return StepPlan(
            [
                Step(
                    "set-time-zone", "Set the time zone to \(name)",
                    act: { () throws(ApplianceError) in
                        try system { () throws(SystemError) in
                            try replaceLink(
                                at: machine.path("etc/localtime"), to: BytePath("../usr/share/zoneinfo/" + name))
                            try replaceFile(at: machine.path("etc/timezone"), with: Array((name + "\n").utf8))
                        }
                    },
                    check: { () throws(ApplianceError) in
                        PlaceFacts.read(machine).timeZone == name ? nil : "the time zone is not set"
                    })
            ], notes: ["Programs that run now show the new time once they start again."])
    }

    // MARK: Keyboard

    private func keyboardPlan(
        _ machine: Machine, _ layout: String, _ variant: String?
    ) throws(ApplianceError) -> StepPlan {
        let keyboards = PlaceChoices.keyboards(machine)
        guard !keyboards.isEmpty else {
            throw .unavailable("the list of keyboards is not on this machine; the package xkb-data brings it")
        }
        guard let keyboard = keyboards.first(where: { $0.layout == layout }) else {
            throw .badValue(
                of: "the keyboard's layout", expected: "one that 'retro-admin system keyboard --list' names, e.g. de")
        }
        let variant = variant.flatMap { $0.isEmpty ? nil : $0 }
        if let variant, !keyboard.variants.contains(where: { $0.name == variant }) {
            let names = keyboard.variants.map(\.name).joined(separator: ", ")
            throw .badValue(
                of: "the variant of the keyboard \(layout)", expected: names.isEmpty ? "none" : "one of \(names)")
        }
        let facts = PlaceFacts.read(machine)
        if facts.keyboardLayout == layout, facts.keyboardVariant == variant { return StepPlan([]) }
        return StepPlan(
            [
                Step(
                    "set-keyboard", "Set the keyboard to \(keyboard.title)",
                    act: { () throws(ApplianceError) in
                        var file = AssignmentFile(machine, "etc/default/keyboard")
                        let model = file["XKBMODEL"] ?? "pc105"
                        file.set([
                            "XKBMODEL": "\"\(model)\"", "XKBLAYOUT": "\"\(layout)\"",
                            "XKBVARIANT": "\"\(variant ?? "")\"",
                        ])
                        try system { () throws(SystemError) in try file.write() }
                        // The text console's own; it may have none to set now, and then takes it at the next start.
                        _ = try? machine.programs.run(
                            "setupcon", ["-k", "--force"], package: "console-setup", seconds: 30)
                    },
                    check: { () throws(ApplianceError) in
                        let now = PlaceFacts.read(machine)
                        return now.keyboardLayout == layout && now.keyboardVariant == variant
                            ? nil : "the keyboard is not set"
                    })
            ], notes: ["Programs that run now take the keyboard once they start again."])
    }

    // MARK: Clock

    private func timePlan(_ machine: Machine, _ seconds: Int64) throws(ApplianceError) -> StepPlan {
        // Every file of the system is older than now.
        let earliest = ClockKeeper.buildTime(machine)
        guard seconds >= earliest, seconds < 4_102_444_800 else {
            throw .badValue(
                of: "the time", expected: "between \(utcText(secondsSince1970: Double(earliest))) and the year 2100")
        }
        return StepPlan([
            Step(
                "set-clock", "Set the clock to \(utcText(secondsSince1970: Double(seconds)))",
                act: { () throws(ApplianceError) in
                    try system { () throws(SystemError) in try setWallClock(secondsSince1970: seconds) }
                    try ClockKeeper.save(machine)
                    try ClockKeeper.noteSetByHand(machine)
                },
                check: { () throws(ApplianceError) in
                    abs(wallClockSeconds() - Double(seconds)) < 60 ? nil : "the clock shows another time"
                })
        ])
    }
}
