import SystemKit

/// How a network keeps others out.
public enum WiFiSecurity: String, Sendable, Equatable, Codable, CaseIterable {
    /// Not at all.
    case open
    /// Encrypted, and open to everybody.
    case owe
    /// The oldest way, which keeps nobody out.
    case wep
    /// WPA with a password, the first of its kind.
    case wpa
    /// WPA2 with a password.
    case wpa2
    /// WPA2 and WPA3 with a password, whichever the other side can.
    case wpa2wpa3 = "wpa2-wpa3"
    /// WPA3 with a password, and nothing else.
    case wpa3
    /// With accounts: a user name, a certificate.
    case enterprise
    /// Something that this program does not know.
    case other

    /// Whether everybody gets in.
    public var isOpen: Bool { self == .open || self == .owe }
    /// Whether a password is all it takes.
    public var takesPassword: Bool { [.wpa, .wpa2, .wpa2wpa3, .wpa3].contains(self) }

    /// From what `nmcli` shows as SECURITY and RSN-FLAGS.
    init(words: String, flags: String) {
        let words = words.split(separator: " ").map(String.init)
        let flags = flags.split(separator: " ").map(String.init)
        let isEnterprise =
            words.contains("802.1X") || flags.contains("802.1X") || flags.contains("eap_suite_b_192")
        if isEnterprise {
            self = .enterprise
        } else if words.contains("WPA3") {
            self = words.contains("WPA2") || words.contains("WPA1") ? .wpa2wpa3 : .wpa3
        } else if words.contains("WPA2") {
            self = .wpa2
        } else if words.contains("WPA1") {
            self = .wpa
        } else if words.contains("OWE") {
            self = .owe
        } else if words.isEmpty || words == ["--"] || words == ["OWE-TM"] {
            self = .open
        } else {
            self = words.contains("WEP") ? .wep : .other
        }
    }
}

/// One network that can be chosen: all access points that send this name with this security.
public struct WiFiNetwork: Sendable, Equatable {
    /// Its name: any bytes, 1 to 32.
    public let ssid: [UInt8]
    /// How it keeps others out.
    public let security: WiFiSecurity
    /// How well its best access point is heard, in percent; `nil` for a saved network that is not in reach.
    public let signal: Int?
    /// Whether the machine joins it by itself.
    public let isSaved: Bool
    /// Whether the machine is in it now.
    public let isActive: Bool

    /// A network with all its parts.
    public init(ssid: [UInt8], security: WiFiSecurity, signal: Int?, isSaved: Bool, isActive: Bool) {
        self.ssid = ssid
        self.security = security
        self.signal = signal
        self.isSaved = isSaved
        self.isActive = isActive
    }

    /// Its name for people: what is no text is replaced.
    public var name: String { WiFiNetwork.name(of: ssid) }

    /// A network's name for people.
    public static func name(of ssid: [UInt8]) -> String { BytePath.displayString(of: ssid) }

    /// What `nmcli` is asked for; `networks` reads the answer.
    static let fields = "IN-USE,SSID-HEX,SIGNAL,SECURITY,RSN-FLAGS"

    /// The networks of an answer, the active one first, then by signal.
    static func networks(_ output: [UInt8], saved: [SavedNetwork]) -> [WiFiNetwork] {
        var found: [WiFiNetwork] = []
        for row in TerseLine.rows(output, fields: 5) {
            // A network that does not tell its name sends none, or as many zeros as the name is long.
            guard let ssid = bytesOfHexadecimal(row[1]), ssid.contains(where: { $0 != 0 }), ssid.count <= 32,
                let signal = Int(String(decoding: row[2], as: UTF8.self))
            else { continue }
            let security = WiFiSecurity(
                words: String(decoding: row[3], as: UTF8.self), flags: String(decoding: row[4], as: UTF8.self))
            let isActive = row[0] == [UInt8(ascii: "*")]
            let isSaved = saved.contains { $0.ssid == ssid && $0.fits(security) }
            if let index = found.firstIndex(where: { $0.ssid == ssid && $0.security == security }) {
                let other = found[index]
                found[index] = WiFiNetwork(
                    ssid: ssid, security: security, signal: max(signal, other.signal ?? 0), isSaved: isSaved,
                    isActive: isActive || other.isActive)
            } else {
                found.append(
                    WiFiNetwork(ssid: ssid, security: security, signal: signal, isSaved: isSaved, isActive: isActive))
            }
        }
        return found.sorted(by: comesFirst)
    }

    static func comesFirst(_ left: WiFiNetwork, _ right: WiFiNetwork) -> Bool {
        if left.isActive != right.isActive { return left.isActive }
        if left.signal != right.signal { return (left.signal ?? -1) > (right.signal ?? -1) }
        if left.ssid != right.ssid { return left.ssid.lexicographicallyPrecedes(right.ssid) }
        return left.security.rawValue < right.security.rawValue
    }
}
