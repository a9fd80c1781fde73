import Appliance
import SystemKit

/// `wifi`: what there is to join, and joining it.
enum WiFi {
    private static let bytes = OptionDefinition(
        "ssid-bytes", placeholder: "BASE64",
        "The name's bytes, where a shell cannot write them: ssidBytes of 'wifi list'")
    private static let network = ArgumentDefinition(
        "SSID", .optional, "Name of the network, exactly as it is: blanks at its ends count")

    static let definition = CommandDefinition(
        "wifi", "Join Wi-Fi networks",
        discussion: ["NetworkManager does the work. Passwords are never given as arguments: others could see them."],
        usually: "status",
        subcommands: [
            CommandDefinition(
                "list", "List the networks in reach, and those that are saved",
                options: [OptionDefinition("rescan", "Look around first, which takes some seconds")], as: .machine,
                verb: list),
            CommandDefinition(
                "status", "Show how Wi-Fi is: the network, its signal, the address, the country, the radio",
                as: .machine, verb: status),
            CommandDefinition(
                "connect", "Join a network and remember it",
                discussion: [
                    "What was saved for the network before is kept until the new password has worked. Without --stdin the "
                        + "password is asked for; a network that is open, or whose password is saved, needs none.",
                    "A password has 8 to 63 characters. 64 hexadecimal digits are taken as the key itself, which is good "
                        + "for WPA2 only.",
                ],
                arguments: [network],
                options: [
                    bytes, OptionDefinition("hidden", "The network does not tell its name"), .standardInput, .dryRun,
                ],
                examples: [
                    .init("retro-admin wifi connect 'Living room'", "asks for the password"),
                    .init("retro-admin wifi connect Home --stdin < password", "for scripts"),
                ], as: .machine, verb: connect),
            CommandDefinition(
                "forget", "Forget a network and its password", arguments: [network], options: [bytes, .dryRun],
                as: .machine, verb: forget),
            CommandDefinition(
                "country", "Show or set the country whose rules the radio follows",
                discussion: [
                    "Sets the rules now and for every start, and switches the radio on, which a Raspberry Pi keeps off until "
                        + "it knows the country."
                ],
                arguments: [ArgumentDefinition("CC", .optional, "Two letters, such as DE, GB or US")],
                options: [.dryRun], as: .machine, verb: country),
            CommandDefinition("on", "Switch Wi-Fi on", options: [.dryRun], as: .machine) {
                call throws(CommandError) in try radio(call, isOn: true)
            },
            CommandDefinition("off", "Switch Wi-Fi off", options: [.dryRun], as: .machine) {
                call throws(CommandError) in try radio(call, isOn: false)
            },
        ])

    private static func list(_ call: Call) async throws(CommandError) {
        let facts = WiFiFacts.read(call.machine, rescan: call.has("rescan"))
        if let problem = facts.problem { throw .appliance(.unavailable(problem)) }
        if let conflict = facts.conflict { call.console.complain(conflict, .warning) }
        let networks = facts.networks + facts.away
        call.show(.array(networks.map { .object(json($0)) })) {
            if networks.isEmpty { return call.console.print("No network is in reach.\n") }
            var table = TextTable([
                .init("Network", isFlexible: true), .init("Signal", isNumeric: true), .init("Security"), .init(""),
            ])
            for network in networks {
                let mark = network.isActive ? "connected" : network.isSaved ? "saved" : ""
                table.add([
                    network.name, network.signal.map { "\($0) %" } ?? "away", network.security.rawValue, mark,
                ])
            }
            call.console.print(table.text(width: call.surroundings.output.columns))
        }
    }

    private static func status(_ call: Call) async throws(CommandError) {
        show(WiFiFacts.read(call.machine), call)
    }

    private static func show(_ facts: WiFiFacts, _ call: Call) {
        call.show(json(facts)) {
            var lines: [(name: String, value: String)] = [("Interface", facts.interface ?? "none")]
            if let active = facts.active {
                let state = facts.state == .connected ? "" : ", \(facts.state.rawValue)"
                lines.append(("Network", active.name + state))
                if let signal = active.signal { lines.append(("Signal", "\(signal) %")) }
            } else {
                lines.append(("Network", "none"))
            }
            if !facts.addresses.isEmpty { lines.append(("Address", facts.addresses.joined(separator: ", "))) }
            lines.append(("Country", facts.country ?? "not set; 'retro-admin wifi country CC' sets it"))
            if let isOn = facts.isRadioOn {
                let why = facts.isHardBlocked ? ", by a switch of the machine" : ""
                lines.append(("Radio", isOn ? "on" : "off\(why)"))
            }
            let managers = facts.managers.map(\.rawValue)
            lines.append(("Managed by", managers.isEmpty ? "nothing" : managers.joined(separator: ", ")))
            call.console.print(factLines(lines))
        }
        if let conflict = facts.conflict { call.console.complain(conflict, .warning) }
        if let problem = facts.problem { call.console.note(problem) }
    }

    private static func connect(_ call: Call) async throws(CommandError) {
        try demandRoot(call)
        let ssid = try ssid(call)
        let isHidden = call.has("hidden")
        let passphrase =
            try needsPassphrase(ssid, call) ? call.secret("the password of ‘\(WiFiNetwork.name(of: ssid))’") : ""
        let change = WiFiChange.connect(
            ssid: ssid, passphrase: passphrase.isEmpty ? nil : passphrase, isHidden: isHidden)
        try call.change(.wifi(change)) { notes in
            for note in notes { call.console.note(note) }
            show(WiFiFacts.read(call.machine), call)
        }
    }

    /// Whether there is anything to ask for. Nobody is asked for the password of an open network.
    private static func needsPassphrase(_ ssid: [UInt8], _ call: Call) throws(CommandError) -> Bool {
        if call.has("stdin") { return true }
        var facts = WiFiFacts.read(call.machine)
        if let problem = facts.problem { throw .appliance(.unavailable(problem)) }
        if (facts.networks + facts.away).contains(where: { $0.ssid == ssid && $0.isSaved }) { return false }
        if call.has("hidden") { return true }
        if !facts.networks.contains(where: { $0.ssid == ssid }) { facts = WiFiFacts.read(call.machine, rescan: true) }
        let found = facts.networks.filter { $0.ssid == ssid }
        return !found.contains { $0.security.isOpen } && found.contains { $0.security.takesPassword }
    }

    private static func forget(_ call: Call) async throws(CommandError) {
        let ssid = try ssid(call)
        try call.change(.wifi(.forget(ssid: ssid))) { notes in
            call.show(.object(name(ssid).merging(["notes": .strings(notes)]) { $1 })) {
                let name = WiFiNetwork.name(of: ssid)
                call.console.print(notes.isEmpty ? "‘\(name)’ is forgotten.\n" : notes.joined(separator: "\n") + "\n")
            }
        }
    }

    private static func country(_ call: Call) async throws(CommandError) {
        guard let word = call.arguments.first else {
            let country = WiFiFacts.read(call.machine).country
            return call.show(.object(["country": .optional(country)])) {
                call.console.print(country.map { $0 + "\n" } ?? "No country is set.\n")
            }
        }
        let code = try call.text(of: word, called: "CC")
        try call.change(.wifi(.country(code))) { notes in
            for note in notes { call.console.note(note) }
            show(WiFiFacts.read(call.machine), call)
        }
    }

    private static func radio(_ call: Call, isOn: Bool) throws(CommandError) {
        try call.change(.wifi(.radio(isOn: isOn))) { notes in
            for note in notes { call.console.note(note) }
            show(WiFiFacts.read(call.machine), call)
        }
    }

    private static func demandRoot(_ call: Call) throws(CommandError) {
        if call.isDryRun || call.surroundings.isRoot { return }
        throw .appliance(.needsRoot("'retro-admin \(call.line.path.joined(separator: " "))'"))
    }

    /// The name's bytes: never trimmed, in whatever encoding.
    private static func ssid(_ call: Call) throws(CommandError) -> [UInt8] {
        if let encoded = call.line.options["ssid-bytes"]?.last {
            guard let bytes = bytesOfBase64(encoded.bytes) else {
                throw .badWord(encoded.displayString, of: "--ssid-bytes", expected: "base64")
            }
            return bytes
        }
        guard let word = call.arguments.first else { throw .missingArgument("SSID", path: call.line.path) }
        return word.bytes
    }
}

extension WiFi {
    private static func name(_ ssid: [UInt8]) -> [String: JSONValue] {
        ["ssid": .string(String(decoding: ssid, as: UTF8.self)), "ssidBytes": .string(base64(ssid))]
    }

    private static func json(_ network: WiFiNetwork) -> [String: JSONValue] {
        name(network.ssid).merging([
            "signal": .optional(network.signal.map { Int64($0) }), "security": .string(network.security.rawValue),
            "saved": .bool(network.isSaved), "active": .bool(network.isActive),
        ]) { $1 }
    }

    private static func json(_ facts: WiFiFacts) -> JSONValue {
        .object([
            "interface": .optional(facts.interface), "state": .string(facts.state.rawValue),
            "network": facts.active.map { .object(json($0)) } ?? .null, "addresses": .strings(facts.addresses),
            "country": .optional(facts.country), "radio": facts.isRadioOn.map { .bool($0) } ?? .null,
            "softBlocked": .bool(facts.isSoftBlocked), "hardBlocked": .bool(facts.isHardBlocked),
            "managers": .strings(facts.managers.map(\.rawValue)), "conflict": .optional(facts.conflict),
            "problem": .optional(facts.problem),
        ])
    }
}

/// The bytes that RFC 4648 base64 stands for; `nil` where it is none.
func bytesOfBase64(_ text: [UInt8]) -> [UInt8]? {
    let digits = text.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
    guard text.count - digits.count <= 2, text.count % 4 == 0 || text.count == digits.count, digits.count % 4 != 1
    else {
        return nil
    }
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for digit in digits {
        let value: UInt8
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): value = 62
        case UInt8(ascii: "/"): value = 63
        default: return nil
        }
        bits = bits << 6 | UInt32(value)
        count += 6
        if count >= 8 {
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
    }
    return bytes
}
