import Appliance
import SystemKit
import Systems

/// `share`: the folders that other computers copy games to.
enum ShareVerbs {
    static let definition = CommandDefinition(
        "share", "The folders that other computers copy games to", usually: "status",
        subcommands: [
            CommandDefinition(
                "status", "Show how other computers get to the games",
                discussion: ["The password is shown to root and to the account that plays."], as: .machine,
                verb: status),
            CommandDefinition(
                "on", "Set the share up and start it",
                discussion: [
                    "Shares roms, bios, saves, screenshots and media, and nothing else, for one user with a password: "
                        + "the one that was set before, or a new one. What is right already is left alone.",
                    "smb.conf gets a few lines that include /etc/samba/retro.conf; the rest of it stays as it is.",
                ],
                options: [OptionDefinition("stdin", "Read the password from standard input, one line"), .dryRun],
                as: .machine, verb: turnOn),
            CommandDefinition("off", "Stop the share", options: [.dryRun], as: .machine, verb: turnOff),
            CommandDefinition(
                "password", "Change the share's password",
                discussion: [
                    "It is asked for without being shown, read from standard input with --stdin, or made with "
                        + "--generate. The menu shows it on the screen."
                ],
                options: [.standardInput, OptionDefinition("generate", "Make a new one and show it"), .dryRun],
                as: .machine, verb: password),
            CommandDefinition(
                "guest", "Let everybody in without a password, or nobody",
                discussion: [ShareFacts.guestExplanation],
                arguments: [ArgumentDefinition("STATE", .one, values: .words(["on", "off"]), "on or off")],
                options: [.dryRun], as: .machine, verb: guest),
            CommandDefinition(
                "repair", "Give everything in the shared folders to the account that plays",
                discussion: [
                    "For files that were copied as root, over SFTP or from a disk that keeps no owners. Links, devices, "
                        + "files with several names and other disks are left alone."
                ],
                options: [.dryRun], as: .machine, verb: repair),
        ])

    private static func facts(_ call: Call) -> ShareFacts {
        ShareFacts.read(roms: call.root.roms, network: call.surroundings.network(), sources: call.surroundings.machine)
    }

    private static func json(_ share: ShareFacts, _ call: Call, notes: [String] = []) -> JSONValue {
        .object([
            "state": .string(share.state.rawValue), "name": .string(share.name), "shares": .strings(share.shares),
            "windows": .string(share.windowsAddress), "addresses": .strings(share.addresses),
            "readOnly": .bool(share.isReadOnly), "user": .optional(share.user), "guest": .bool(share.isGuestAllowed),
            "passwordReadable": .bool(share.isPasswordReadable), "notes": .strings(notes),
        ])
    }

    private static func status(_ call: Call) async throws(CommandError) {
        let share = facts(call)
        call.show(json(share, call)) { tell(share, call) }
    }

    private static func tell(_ share: ShareFacts, _ call: Call) {
        var lines: [(name: String, value: String)] = [("Share", stateText(share))]
        if share.state == .running || share.state == .stopped {
            lines.append(("Windows", safeText(share.windowsAddress)))
            for address in share.addresses { lines.append(("Others", safeText(address))) }
            lines.append(("Folders", share.shares.map(safeText).joined(separator: ", ")))
            if let user = share.user { lines.append(("User", safeText(user))) }
            let password = ShareFacts.password(call.surroundings.machine)
            lines.append(("Password", password.map(safeText) ?? "only root and the menu can show it"))
            lines.append(("Without a password", share.isGuestAllowed ? "everybody gets in" : "nobody gets in"))
        }
        call.console.print(factLines(lines))
    }

    private static func stateText(_ share: ShareFacts) -> String {
        switch share.state {
        case .notInstalled: "off, because Samba is not installed; the package samba brings it"
        case .notConfigured: "off"
        case .stopped: "set up, but Samba does not run"
        case .running: share.isReadOnly ? "on, but nothing can be copied there" : "on"
        }
    }

    private static func change(_ change: ShareChange, _ call: Call, _ sentence: String) throws(CommandError) {
        try call.change(.share(change)) { notes in
            for note in notes { call.console.note(note) }
            let share = facts(call)
            call.show(json(share, call, notes: notes)) { call.console.print(sentence + "\n") }
        }
    }

    private static func turnOn(_ call: Call) async throws(CommandError) {
        let password = call.has("stdin") ? try call.secret("the share's password") : nil
        try call.change(.share(.on(password: password))) { notes in
            for note in notes { call.console.note(note) }
            let share = facts(call)
            call.show(json(share, call, notes: notes)) { tell(share, call) }
        }
    }

    private static func turnOff(_ call: Call) async throws(CommandError) { try change(.off, call, "The share is off.") }

    private static func password(_ call: Call) async throws(CommandError) {
        if call.has("generate") {
            return try call.change(.share(.newPassword)) { notes in
                for note in notes { call.console.note(note) }
                let password = ShareFacts.password(call.surroundings.machine)
                call.show(.object(["password": .optional(password), "changed": .bool(true)])) {
                    call.console.print("\(safeText(password ?? ""))\n")
                }
            }
        }
        let password = try call.newSecret("the share's new password")
        try call.change(.share(.password(password))) { notes in
            for note in notes { call.console.note(note) }
            call.show(.object(["changed": .bool(true), "notes": .strings(notes)])) {
                call.console.print("The share's password was changed.\n")
            }
        }
    }

    private static func guest(_ call: Call) async throws(CommandError) {
        let word = try call.text(of: call.arguments[0], called: "STATE")
        guard ["on", "off"].contains(word) else { throw .badWord(word, of: "STATE", expected: "on or off") }
        let isAllowed = word == "on"
        try change(
            .guest(isAllowed: isAllowed), call,
            isAllowed ? "Everybody gets in without a password." : "Nobody gets in without the password.")
    }

    private static func repair(_ call: Call) async throws(CommandError) {
        try change(.repair, call, "Everything in the shared folders belongs to the account that plays.")
    }
}
