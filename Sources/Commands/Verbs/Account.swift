import Appliance
import SystemKit

/// `system hostname`, `system password` and `system ssh`: who may log in, and what the machine is called.
enum AccountVerbs {
    static let hostname = CommandDefinition(
        "hostname", "Show or change the machine's name",
        discussion: [
            "Without a name it is only shown. A machine that nobody named is called retro- and four characters of its "
                + "serial number, so that two of them in one house are told apart."
        ],
        arguments: [ArgumentDefinition("NAME", .optional, "Letters, digits and hyphens, e.g. retro-kitchen")],
        options: [OptionDefinition("default", "Go back to the name from the serial number"), .dryRun],
        as: .machine, verb: hostName)

    static let password = CommandDefinition(
        "password", "Change the password that people log in with",
        discussion: [
            "It is asked for twice without being shown, or read from standard input with --stdin. It needs at least 8 "
                + "characters, and one that images come with is refused."
        ],
        options: [.standardInput, .dryRun],
        examples: [
            .init("sudo retro-admin system password", "ask for a new one"),
            .init("printf '%s\\n' \"$NEW\" | sudo retro-admin system password --stdin", "from a script"),
        ],
        as: .machine, verb: setPassword)

    static let ssh = CommandDefinition(
        "ssh", "Login over the network", usually: "status",
        subcommands: [
            CommandDefinition("status", "Show whether one can log in, and with what", as: .machine, verb: status),
            CommandDefinition(
                "on", "Allow login over the network",
                discussion: ["Refused until there is a password of the person's own, or a key."], options: [.dryRun],
                as: .machine, verb: { call async throws(CommandError) in try turn(true, call) }),
            CommandDefinition(
                "off", "Allow no login over the network", options: [.dryRun], as: .machine,
                verb: { call async throws(CommandError) in try turn(false, call) }),
            CommandDefinition("keys", "List the keys that may log in", as: .machine, verb: keys),
            CommandDefinition(
                "add-key", "Let a key log in",
                discussion: [
                    "The key is a line of a file that ends in .pub, as 'ssh-keygen' makes it. Without one it is read "
                        + "from standard input."
                ],
                arguments: [ArgumentDefinition("KEY", .optional, "The whole line, in quotes")], options: [.dryRun],
                examples: [
                    .init("sudo retro-admin system ssh add-key < id_ed25519.pub", "the key of another computer")
                ],
                as: .machine, verb: addKey),
            CommandDefinition(
                "remove-key", "Let a key no longer log in",
                arguments: [
                    ArgumentDefinition(
                        "KEY", .one, "Its number in 'retro-admin system ssh keys', its comment or its last letters")
                ],
                options: [.dryRun], as: .machine, verb: removeKey),
        ])

    private static func hostName(_ call: Call) async throws(CommandError) {
        let facts = AccountFacts.read(call.machine)
        func show(_ name: String) {
            call.show(.object(["hostName": .string(name), "default": .string(facts.defaultHostName)])) {
                call.console.print("\(safeText(name))\n")
            }
        }
        let name: String
        if call.has("default") {
            name = facts.defaultHostName
        } else if let word = call.arguments.first {
            name = try call.text(of: word, called: "NAME")
        } else {
            return show(facts.hostName)
        }
        try call.change(.account(.hostName(name))) { notes in
            for note in notes { call.console.note(note) }
            show(name.lowercased())
        }
    }

    private static func setPassword(_ call: Call) async throws(CommandError) {
        let user = AccountFacts.read(call.machine).loginUser ?? ""
        // A plan without a password cannot be told from one with it, and nobody should type one for nothing.
        let password = try call.newSecret("the new password")
        try call.change(.account(.password(password))) { _ in
            call.show(.object(["user": .string(user), "changed": .bool(true)])) {
                call.console.print("The password of \(safeText(user)) was changed.\n")
            }
        }
    }

    private static func status(_ call: Call) async throws(CommandError) {
        let facts = AccountFacts.read(call.machine)
        call.show(
            .object([
                "installed": .bool(facts.hasSSH), "running": .bool(facts.isSSHRunning),
                "enabled": .bool(facts.isSSHEnabled), "user": .optional(facts.loginUser),
                "password": .string(facts.password.rawValue),
                "keys": .array((facts.keys ?? []).map(json)), "keysReadable": .bool(facts.keys != nil),
            ])
        ) {
            let state = facts.hasSSH ? (facts.isSSHRunning ? "on" : "off") : "off, because it is not installed"
            var lines: [(name: String, value: String)] = [("SSH", state)]
            if facts.isSSHRunning != facts.isSSHEnabled, facts.hasSSH {
                lines.append(("After a restart", facts.isSSHEnabled ? "on" : "off"))
            }
            lines.append(("Log in as", facts.loginUser.map(safeText) ?? "nobody"))
            lines.append(("Password", passwordText(facts.password)))
            lines.append(
                ("Keys", facts.keys.map { $0.isEmpty ? "none" : String($0.count) } ?? "only root can see them"))
            call.console.print(factLines(lines))
        }
    }

    private static func passwordText(_ password: AccountFacts.Password) -> String {
        switch password {
        case .unknown: "only root can see whether there is one"
        case .locked: "none"
        case .empty: "empty: everybody could log in"
        case .published: "one that images come with: set another one"
        case .set: "set"
        }
    }

    private static func turn(_ isOn: Bool, _ call: Call) throws(CommandError) {
        try call.change(.account(.ssh(isOn: isOn))) { notes in
            for note in notes { call.console.note(note) }
            call.show(.object(["running": .bool(isOn), "enabled": .bool(isOn), "notes": .strings(notes)])) {
                call.console.print("Login over the network is \(isOn ? "on" : "off").\n")
            }
        }
    }

    private static func json(_ key: AuthorisedKey) -> JSONValue {
        .object(["type": .string(key.type), "comment": .string(key.comment), "key": .string(key.blob)])
    }

    /// - Throws: where the keys may not be read.
    private static func readableKeys(_ call: Call) throws(CommandError) -> [AuthorisedKey] {
        guard let keys = AccountFacts.read(call.machine).keys else {
            throw .appliance(.needsRoot("'retro-admin system ssh keys'"))
        }
        return keys
    }

    private static func keys(_ call: Call) async throws(CommandError) {
        let keys = try readableKeys(call)
        call.show(.array(keys.map(json))) {
            if keys.isEmpty { return call.console.note("No key may log in.") }
            var table = TextTable([.init("KEY"), .init("TYPE"), .init("COMMENT", isFlexible: true), .init("ENDS IN")])
            for (index, key) in keys.enumerated() {
                table.add([String(index + 1), key.type, safeText(key.comment), key.ending])
            }
            call.console.print(table)
        }
    }

    private static func addKey(_ call: Call) async throws(CommandError) {
        let text: String
        if let word = call.arguments.first {
            text = try call.text(of: word, called: "KEY")
        } else {
            guard let line = call.surroundings.inputLine() else { throw .missingArgument("KEY", path: call.line.path) }
            text = String(decoding: line, as: UTF8.self)
        }
        try call.change(.account(.addKey(text))) { notes in
            for note in notes { call.console.note(note) }
            call.show(.object(["keys": .array((AccountFacts.read(call.machine).keys ?? []).map(json))])) {
                call.console.print("The key may log in.\n")
            }
        }
    }

    private static func removeKey(_ call: Call) async throws(CommandError) {
        let word = try call.text(of: call.arguments[0], called: "KEY")
        let keys = try readableKeys(call)
        let found: [AuthorisedKey]
        if let number = Int(word), (1...max(1, keys.count)).contains(number), !keys.isEmpty {
            found = [keys[number - 1]]
        } else {
            found = keys.filter { $0.comment == word || $0.blob == word || $0.ending == word }
        }
        guard found.count == 1 else {
            let sentence = found.isEmpty ? "there is no such key" : "several keys are called that"
            throw .appliance(.notFound("\(sentence); 'retro-admin system ssh keys' lists them"))
        }
        try call.change(.account(.removeKey(found[0].blob))) { _ in
            call.show(.object(["keys": .array((AccountFacts.read(call.machine).keys ?? []).map(json))])) {
                call.console.print("The key no longer logs in.\n")
            }
        }
    }
}

extension Call {
    /// A new secret: where a person types it, they type it twice.
    func newSecret(_ name: String) throws(CommandError) -> String {
        let first = try secret(name)
        if has("stdin") { return first }
        guard try secret("\(name) again") == first else {
            throw .badValue("another one", of: name, expected: "typed the same twice")
        }
        return first
    }
}
