import Appliance
import SystemKit
import Systems

/// What the verbs that change the machine have in common.
extension Call {
    /// The machine that this call looks at and changes.
    var machine: Machine {
        let root = root
        return Machine(
            files: surroundings.machine, programs: surroundings.programs,
            data: DataPlaces(root: root.root, roms: root.roms, state: root.state, configuration: root.configuration))
    }

    /// Carries a change out, or prints what would be done where the call says `--dry-run`.
    ///
    /// - Parameter done: prints what came of it.
    /// - Throws: `ApplianceError.needsRoot` (exit status 77) where this process is not root.
    func change(
        _ change: MachineChange, _ done: (_ notes: [String]) throws(CommandError) -> Void
    ) throws(CommandError) {
        var notes: [String] = []
        do throws(ApplianceError) {
            if isDryRun { return show(try change.plan(on: machine)) }
            guard surroundings.isRoot else {
                throw .needsRoot("'retro-admin \(line.path.joined(separator: " "))'")
            }
            notes = try Door(machine: machine, isRoot: true).perform(change) { console.note($0 + " ...") }
        } catch { throw .appliance(error) }
        try done(notes)
    }

    /// A secret: from standard input where the call says `--stdin`, else from the person.
    ///
    /// - Parameter name: what it is, e.g. `the new password`.
    func secret(_ name: String) throws(CommandError) -> String {
        if has("stdin") {
            guard let line = surroundings.inputLine() else { throw .needsSecret(name) }
            guard let text = BytePath(bytes: line).validUTF8 else {
                throw .badValue("what standard input says", of: name, expected: "UTF-8 text")
            }
            return text.hasSuffix("\r") ? String(text.dropLast()) : text
        }
        guard let ask = surroundings.secret else { throw .needsSecret(name) }
        guard let text = ask("\(name.prefix(1).uppercased() + name.dropFirst()): ") else { throw .needsSecret(name) }
        return text
    }

    /// Prints what would be done.
    func show(_ plan: StepPlan) {
        show(
            .object([
                "dryRun": .bool(true), "steps": .array(plan.steps.map(JSONValue.step)),
                "notes": .strings(plan.notes),
            ])
        ) {
            if plan.steps.isEmpty { console.print("Nothing would be done.\n") }
            for step in plan.steps {
                console.print("\(safeText(step.summary))\n")
                if !step.command.isEmpty { console.print("    \(safeText(step.command.joined(separator: " ")))\n") }
            }
            for note in plan.notes { console.note(note) }
        }
    }
}

extension JSONValue {
    /// A step of a plan.
    static func step(_ step: Step) -> JSONValue {
        .object([
            "name": .string(step.name), "summary": .string(step.summary), "command": .strings(step.command),
            "done": .bool(false),
        ])
    }
}
