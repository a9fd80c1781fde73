import Appliance
import SystemKit

/// `system clock`: what time it is, for a machine without a clock chip.
enum SystemClock {
    static let definition = CommandDefinition(
        "clock", "Show, set and keep the time", usually: "show",
        subcommands: [
            CommandDefinition(
                "show", "Show the time and whether it can be trusted", as: .machine, verb: show),
            CommandDefinition(
                "set", "Set the time by hand, where no time server answers",
                arguments: [
                    ArgumentDefinition("TIME", .one, "E.g. 2026-11-30T20:15:00Z, or 2026-11-30T21:15:00+01:00")
                ],
                options: [.dryRun], as: .machine, verb: set),
            CommandDefinition(
                "save", "Note the time, for the next start",
                discussion: ["The machine does this hourly and when it is switched off."], options: [.dryRun],
                as: .machine, verb: save),
            CommandDefinition(
                "restore", "Set the clock forward to the noted time, at the beginning of a start",
                options: [.dryRun], as: .machine, verb: restore),
        ])

    private static func facts(_ call: Call) -> [String: JSONValue] {
        let facts = ClockFacts.read(call.machine)
        return [
            "time": .string(utcText(secondsSince1970: wallClockSeconds())), "isSet": .bool(facts.isSet),
            "synchronized": .bool(facts.isSynchronized), "chip": .bool(facts.hasChip),
            "timeZone": .optional(facts.timeZone),
        ]
    }

    private static func told(_ call: Call) -> String {
        let facts = ClockFacts.read(call.machine)
        let time = localText(secondsSince1970: wallClockSeconds())
        return "Time: \(time)"
            + (facts.isSet ? "" : " (the clock is not set: no time server has answered since the start)")
    }

    private static func show(_ call: Call) async throws(CommandError) {
        call.show(.object(facts(call))) { call.console.print(told(call) + "\n") }
    }

    private static func set(_ call: Call) async throws(CommandError) {
        let text = try call.text(of: call.arguments[0], called: "TIME")
        guard let seconds = secondsSince1970(text) else {
            throw .badWord(text, of: "TIME", expected: "a time like 2026-11-30T20:15:00Z")
        }
        try call.change(.place(.time(seconds)), facts: { facts(call) }, told: { told(call) })
    }

    private static func save(_ call: Call) async throws(CommandError) {
        let plan = ClockKeeper.savePlan(call.machine)
        if call.isDryRun { return call.show(plan) }
        try apply(plan, call)
        call.show(.object(facts(call))) {}
    }

    private static func restore(_ call: Call) async throws(CommandError) {
        let plan = ClockKeeper.restorePlan(call.machine)
        if call.isDryRun { return call.show(plan) }
        try apply(plan, call)
        var members = facts(call)
        members["restored"] = .bool(!plan.steps.isEmpty)
        call.show(.object(members)) { if !plan.steps.isEmpty { call.console.print(told(call) + "\n") } }
    }

    private static func apply(_ plan: StepPlan, _ call: Call) throws(CommandError) {
        try appliance { () throws(ApplianceError) in
            guard call.surroundings.isRoot else {
                throw .needsRoot("'retro-admin \(call.line.path.joined(separator: " "))'")
            }
            try plan.apply()
        }
    }

    /// RFC 3339 with whole seconds; `nil` for anything else.
    static func secondsSince1970(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int64? {
            guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            return Int64(String(decoding: bytes[range], as: UTF8.self))
        }
        guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, [0x54, 0x74, 0x20].contains(bytes[10]),
            bytes[13] == 0x3A, bytes[16] == 0x3A, let year = number(0..<4), let month = number(5..<7),
            let day = number(8..<10), let hour = number(11..<13), let minute = number(14..<16),
            let second = number(17..<19), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
            second < 61
        else { return nil }
        var offset: Int64 = 0
        if bytes.count == 25, bytes[19] == 0x2B || bytes[19] == 0x2D, bytes[22] == 0x3A, let hours = number(20..<22),
            let minutes = number(23..<25), hours < 24, minutes < 60
        {
            offset = (hours * 60 + minutes) * (bytes[19] == 0x2B ? 60 : -60)
        } else if bytes.count != 20 || ![0x5A, 0x7A].contains(bytes[19]) {
            return nil
        }
        // Days of the years before, counted from March on so that leap days come last.
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return days * 86400 + hour * 3600 + minute * 60 + second - offset
    }
}
