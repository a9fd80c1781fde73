import SystemKit

/// NetworkManager as its program `nmcli` talks to it.
struct NetworkManager: Sendable {
    static let package = "network-manager"

    let machine: Machine

    /// Where profiles are.
    var profiles: BytePath { machine.path("etc/NetworkManager/system-connections") }

    /// Whether its program is there.
    var isInstalled: Bool { machine.programs.find("nmcli") != nil }

    /// Asks for a table; lines that have another number of fields are left out.
    func table(_ fields: String, _ words: [BytePath], seconds: Double = 30) throws(ApplianceError) -> [[[UInt8]]] {
        let count = fields.split(separator: ",").count
        return TerseLine.rows(try output(fields, words, seconds: seconds), fields: count)
    }

    /// The same as it was said.
    func output(_ fields: String, _ words: [BytePath], seconds: Double = 30) throws(ApplianceError) -> [UInt8] {
        try machine.programs.demand(
            "nmcli", ["-t", "-e", "yes", "-f", BytePath(fields)] + words, package: NetworkManager.package,
            seconds: seconds
        ).output
    }

    /// Has it do something; its exit status must be 0.
    func demand(_ words: [BytePath], seconds: Double = 30) throws(ApplianceError) {
        try machine.programs.demand("nmcli", words, package: NetworkManager.package, seconds: seconds)
    }

    /// The states of its devices by name.
    func devices() throws(ApplianceError) -> [Device] {
        try table("DEVICE,TYPE,STATE,CON-UUID", ["device"]).map { row in
            let words = row.map { String(decoding: $0, as: UTF8.self) }
            return Device(name: words[0], type: words[1], state: words[2], profile: words[3])
        }
    }

    struct Device: Sendable {
        let name: String
        let type: String
        /// E.g. `connected`, `connecting (getting IP configuration)`, `unavailable`.
        let state: String
        /// The profile that is active on it, by its UUID; empty where there is none.
        let profile: String

        var isConnected: Bool { state.hasPrefix("connected") }
    }

    /// The UUIDs of all profiles.
    func profileNames() throws(ApplianceError) -> [String] {
        try table("UUID", ["connection", "show"]).map { String(decoding: $0[0], as: UTF8.self) }
    }

    /// Whether the Wi-Fi radio is on, as far as it is concerned.
    func isRadioOn() throws(ApplianceError) -> Bool {
        try table("WIFI", ["radio"]).first?.first.map { $0 == Array("enabled".utf8) } ?? false
    }
}
