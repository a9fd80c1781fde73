import Appliance
import SystemKit

/// `doctor`: what is wrong with this machine, and what to do about it.
enum Doctoring {
    static let definition = CommandDefinition(
        "doctor", "Look for what is wrong with this machine, and say how to cure it",
        discussion: [
            "Without --fix nothing is changed but a small file that is written to measure the disk. With it, what can "
                + "be cured without any risk is cured; most of that needs root. More is seen as root, too.",
            "The exit status is 0 whatever is found: scripts read the states in --json.",
        ],
        options: [
            OptionDefinition("fix", "Cure what can be cured without any risk"),
            OptionDefinition("all", "Also tell what is well"), .dryRun,
        ],
        examples: [.init("sudo retro-admin doctor --fix --dry-run", "what --fix would do")], as: .machine, verb: run)

    private struct Finding {
        let check: DoctorCheck
        var verdict: DoctorVerdict
        /// What was wrong before it was cured.
        var cured: DoctorVerdict?
        /// Why the cure failed.
        var failure: String?
    }

    private static let needsRootAlways = [
        "add-groups", "new-host-keys", "synchronise-clock", "unblock-wifi",
    ]

    static func run(_ call: Call) async throws(CommandError) {
        var context = DoctorContext(
            machine: call.machine, network: call.surroundings.network(), isRoot: call.surroundings.isRoot)
        if call.isDryRun { context.durableWrite = { _ in nil } }
        let checks = Doctor.checks + DoctorKnowledge(call).checks
        var findings: [Finding] = []
        for check in checks {
            call.console.progress("Looking at \(check.id) ...")
            findings.append(Finding(check: check, verdict: check.look(context)))
        }
        if call.has("fix"), !call.isDryRun {
            for index in findings.indices { fix(&findings[index], context, call) }
        }
        call.show(.array(findings.map { json($0, call) })) { tell(findings, call) }
    }

    private static func fix(_ finding: inout Finding, _ context: DoctorContext, _ call: Call) {
        guard let plan = finding.verdict.fix else { return }
        do throws(ApplianceError) {
            if !context.isRoot, plan.steps.contains(where: { needsRootAlways.contains($0.name) }) {
                throw .needsRoot("curing it")
            }
            try plan.apply { progress in
                if case .began(_, let summary) = progress { call.console.note(safeText(summary) + " ...") }
            }
            finding.cured = finding.verdict
            finding.verdict = finding.check.look(context)
        } catch { finding.failure = error.description }
    }

    private static func json(_ finding: Finding, _ call: Call) -> JSONValue {
        var members: [String: JSONValue] = [
            "check": .string(finding.check.id), "state": .string(finding.verdict.state.rawValue),
            "reason": .string(finding.verdict.reason), "cure": .string(finding.verdict.cure),
            "fixable": .bool(finding.verdict.fix != nil), "fixed": .bool(finding.cured != nil),
        ]
        if let cured = finding.cured { members["before"] = .string(cured.reason) }
        if let failure = finding.failure { members["failure"] = .string(failure) }
        if call.has("fix"), let plan = finding.verdict.fix ?? finding.cured?.fix {
            members["steps"] = .array(
                plan.steps.map { step in
                    .object([
                        "name": .string(step.name), "summary": .string(step.summary),
                        "command": .strings(step.command), "done": .bool(finding.cured != nil),
                    ])
                })
        }
        return .object(members)
    }

    private static func tell(_ findings: [Finding], _ call: Call) {
        for finding in findings where finding.verdict.state != .ok || finding.cured != nil || call.has("all") {
            let verdict = finding.verdict
            let mark = verdict.state == .failed ? "failed " : verdict.state == .warning ? "warning" : "ok     "
            call.console.print("\(mark)  \(finding.check.id): \(safeText(verdict.reason))\n")
            if let cured = finding.cured { call.console.print("         cured: \(safeText(cured.reason))\n") }
            if let failure = finding.failure { call.console.print("         not cured: \(safeText(failure))\n") }
            if !verdict.cure.isEmpty { call.console.print("         \(safeText(verdict.cure))\n") }
            guard call.has("fix"), call.isDryRun, let plan = verdict.fix else { continue }
            for step in plan.steps { call.console.print("         would do: \(safeText(step.summary))\n") }
        }
        let bad = findings.filter { $0.verdict.state == .failed }.count
        let doubtful = findings.filter { $0.verdict.state == .warning }.count
        call.console.print(
            "\(countText(findings.count, "check")): \(groupedText(findings.count - bad - doubtful)) ok, "
                + "\(countText(doubtful, "warning")), \(groupedText(bad)) failed\n")
    }
}
