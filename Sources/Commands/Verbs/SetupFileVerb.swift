import Appliance
import SystemKit

/// `setup-file`: what a person wrote on the boot partition before the machine first started.
enum SetupFileVerb {
    static let definition = CommandDefinition(
        "setup-file", "Apply retro-setup.txt of the boot partition, once",
        discussion: [
            "The file is text with lines KEY=VALUE: country, ssid and passphrase (ssid2 and passphrase2 for a second "
                + "network, and so on; hidden=yes where one does not tell its name, ssid-hex for a name's bytes), hostname, "
                + "password-hash (as 'mkpasswd' prints it), ssh (on or off), ssh-key (may be repeated) and timezone.",
            "Lines that begin with # or ; are comments. Blanks around a value are cut off, unless it is between quotes, "
                + "'like this '; nothing else has a meaning between quotes, and a # behind a value belongs to it.",
            "Afterwards its lines are comments and its secrets are gone; retro-setup-report.txt beside it tells what came "
                + "of each line. What the machine could not do yet is kept and tried again at the next start.",
        ],
        options: [.dryRun], as: .machine, verb: run)

    private static func run(_ call: Call) async throws(CommandError) {
        if !call.isDryRun, !call.surroundings.isRoot {
            throw .appliance(.needsRoot("'retro-admin \(call.line.path.joined(separator: " "))'"))
        }
        guard let file = SetupFile(call.machine) else {
            return call.show(.object(["file": .null, "lines": .array([]), "notes": .array([])])) {
                call.console.print("There is no \(SetupFile.name) on the boot partition.\n")
            }
        }
        let outcome: SetupFile.Outcome
        do throws(ApplianceError) {
            outcome = call.isDryRun ? try file.preview() : try file.apply { call.console.note($0 + " ...") }
        } catch { throw .appliance(error) }
        show(outcome, call)
    }

    private static func show(_ outcome: SetupFile.Outcome, _ call: Call) {
        let lines = outcome.lines.map { line in
            JSONValue.object([
                "line": .integer(line.number), "key": .string(line.key), "state": .string(line.state.rawValue),
                "reason": .optional(line.reason),
            ])
        }
        let members: [String: JSONValue] = [
            "dryRun": .bool(call.isDryRun), "lines": .array(lines), "notes": .strings(outcome.notes),
        ]
        call.show(.object(JSONValue.path(outcome.file, named: "file").merging(members) { $1 })) {
            if outcome.lines.isEmpty { call.console.print("\(outcome.file.displayString): nothing to do\n") }
            for line in outcome.lines {
                let subject = "Line \(line.number)" + (line.key.isEmpty ? "" : " (\(line.key))")
                let state = line.state == .planned ? "would be done" : line.state == .done ? "done" : "not done"
                call.console.print("\(subject): \(state)\(line.reason.map { ": " + safeText($0) } ?? "")\n")
            }
        }
        for note in outcome.notes { call.console.note(note) }
    }
}
