import SystemKit

/// A profile of NetworkManager in a file of its own (`nm-settings-keyfile`).
struct WiFiProfile: Sendable, Equatable {
    /// How the key is used.
    enum Protection: Sendable, Equatable {
        case none
        /// Encrypted without a password.
        case owe
        /// WPA2, and WPA3 where both sides can.
        case wpa(WiFiKey)
        /// WPA3 only.
        case sae(WiFiKey)
    }

    let uuid: String
    let ssid: [UInt8]
    let isHidden: Bool
    let protection: Protection
    /// Whether the machine joins by itself.
    var joinsByItself: Bool

    /// The file's content. Whoever writes it keeps it for root alone.
    var content: [UInt8] {
        var lines = [
            "[connection]", "id=" + WiFiProfile.value(WiFiNetwork.name(of: ssid)), "uuid=\(uuid)", "type=wifi",
        ]
        if !joinsByItself { lines.append("autoconnect=false") }
        // As numbers, a name can be any bytes.
        lines += ["", "[wifi]", "mode=infrastructure", "ssid=" + ssid.map { "\($0);" }.joined()]
        if isHidden { lines.append("hidden=true") }
        switch protection {
        case .none: break
        case .owe: lines += ["", "[wifi-security]", "key-mgmt=owe"]
        case .wpa(let key):
            lines += ["", "[wifi-security]", "key-mgmt=wpa-psk", "psk=" + WiFiProfile.value(key.text)]
            // 2: protected management frames where the other side has them, and no demand for them.
            if key.isRaw { lines.append("pmf=2") }
        case .sae(let key):
            lines += ["", "[wifi-security]", "key-mgmt=sae", "psk=" + WiFiProfile.value(key.text)]
        }
        lines += ["", "[ipv4]", "method=auto", "", "[ipv6]", "method=auto", ""]
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// A value as GLib's key files want it: backslashes doubled, and blanks at either end written as `\s`, because they
    /// would be cut off. Semicolons divide only where a list is expected, and `#` begins a comment only at a line's start.
    static func value(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let start = bytes.firstIndex { $0 != 0x20 } ?? bytes.count
        let end = (bytes.lastIndex { $0 != 0x20 } ?? -1) + 1
        var escaped: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 0x20 where index < start || index >= end: escaped += Array("\\s".utf8)
            case UInt8(ascii: "\\"): escaped += Array("\\\\".utf8)
            case 0x0A: escaped += Array("\\n".utf8)
            case 0x0D: escaped += Array("\\r".utf8)
            case 0x09: escaped += Array("\\t".utf8)
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// A UUID that no other profile has.
    static func newUUID() -> String {
        var generator = SystemRandomNumberGenerator()
        let words = [generator.next(), generator.next()]
        return uuid(
            of: words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } },
            version: 4)
    }

    /// The one UUID for profiles that were written down in advance: the same for the same name, so that writing again
    /// replaces. FNV-1a over the name, twice from different starts.
    static func fixedUUID(_ ssid: [UInt8]) -> String {
        let halves = [UInt64(0xCBF2_9CE4_8422_2325), 0x8422_2325_CBF2_9CE4].map { start in
            ssid.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        return uuid(
            of: halves.flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * UInt64($0))) } },
            version: 8)
    }

    private static func uuid(of bytes: [UInt8], version: UInt8) -> String {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        let parts = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
        return parts.map { hexadecimal($0) }.joined(separator: "-")
    }
}
