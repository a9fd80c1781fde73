import FoundationEssentials
import SystemKit

/// A profile of NetworkManager for a Wi-Fi network.
struct SavedNetwork: Sendable, Equatable {
    let uuid: String
    let ssid: [UInt8]
    /// E.g. `wpa-psk` or `sae`; `nil` for an open network.
    let keyManagement: String?

    /// Whether it could be a profile for a network with this security. One for a network with a password must not
    /// be shown as one for a stranger's open network of the same name.
    func fits(_ security: WiFiSecurity) -> Bool {
        switch keyManagement {
        case nil: security == .open
        case "owe": security.isOpen
        case "none", "ieee8021x": security == .wep
        case "wpa-psk", "sae": security.takesPassword
        default: security == .enterprise
        }
    }

    /// What the security of a network is that only the profile tells about.
    var presumedSecurity: WiFiSecurity {
        switch keyManagement {
        case nil: .open
        case "owe": .owe
        case "none", "ieee8021x": .wep
        case "sae": .wpa3
        case "wpa-psk": .wpa2
        default: .enterprise
        }
    }

    /// All that NetworkManager has. Nobody needs to be root for this: secrets are not asked for.
    static func all(_ manager: NetworkManager) throws(ApplianceError) -> [SavedNetwork] {
        var networks: [SavedNetwork] = []
        for row in try manager.table("UUID,TYPE,DBUS-PATH", ["connection", "show"]) {
            let words = row.map { String(decoding: $0, as: UTF8.self) }
            guard words[1] == "802-11-wireless" || words[1] == "wifi" else { continue }
            if let network = throughBus(manager.machine, uuid: words[0], path: words[2])
                ?? throughProgram(manager, uuid: words[0])
            {
                networks.append(network)
            }
        }
        return networks
    }

    /// With the exact bytes of the name; `nil` where that way is closed.
    private static func throughBus(_ machine: Machine, uuid: String, path: String) -> SavedNetwork? {
        let arguments: [BytePath] = [
            "--json=short", "call", "org.freedesktop.NetworkManager", BytePath(path),
            "org.freedesktop.NetworkManager.Settings.Connection", "GetSettings",
        ]
        guard path.hasPrefix("/"),
            let result = try? machine.programs.run("busctl", arguments, package: "systemd", seconds: 15),
            result.succeeded, let reply = try? JSONDecoder().decode(BusReply.self, from: Data(result.output)),
            let settings = reply.data.first, let ssid = settings.wireless?.ssid?.data
        else { return nil }
        return SavedNetwork(uuid: uuid, ssid: ssid, keyManagement: settings.security?.keyManagement?.data)
    }

    /// With the name as nmcli shows it, which is exact where the name is UTF-8.
    private static func throughProgram(_ manager: NetworkManager, uuid: String) -> SavedNetwork? {
        let fields = "802-11-wireless.ssid,802-11-wireless-security.key-mgmt"
        guard let output = try? manager.output(fields, ["connection", "show", "uuid", BytePath(uuid)]) else {
            return nil
        }
        var ssid: [UInt8]?
        var keyManagement: String?
        for row in TerseLine.rows(output, fields: 2) {
            switch String(decoding: row[0], as: UTF8.self) {
            case "802-11-wireless.ssid": ssid = row[1]
            case "802-11-wireless-security.key-mgmt": keyManagement = String(decoding: row[1], as: UTF8.self)
            default: break
            }
        }
        return ssid.map { SavedNetwork(uuid: uuid, ssid: $0, keyManagement: keyManagement) }
    }

    /// What `busctl --json` makes of `a{sa{sv}}`.
    private struct BusReply: Decodable {
        struct Value<Content: Decodable>: Decodable { let data: Content }
        struct Wireless: Decodable { let ssid: Value<[UInt8]>? }
        struct Security: Decodable {
            let keyManagement: Value<String>?

            enum CodingKeys: String, CodingKey { case keyManagement = "key-mgmt" }
        }
        struct Settings: Decodable {
            let wireless: Wireless?
            let security: Security?

            enum CodingKeys: String, CodingKey {
                case wireless = "802-11-wireless"
                case security = "802-11-wireless-security"
            }
        }

        let data: [Settings]
    }
}
