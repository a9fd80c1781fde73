import SystemKit

/// A program that can be in charge of Wi-Fi.
public enum WiFiManager: String, Sendable, Equatable, CaseIterable {
    /// What current systems have, and what this program works with.
    case networkManager = "NetworkManager"
    /// By itself, with a configuration of its own, as older Raspberry Pi OS had it.
    case wpaSupplicant = "wpa_supplicant"
    /// Gives interfaces their addresses on older Raspberry Pi OS.
    case dhcpcd
    /// Intel's.
    case iwd
    /// What some set-top boxes have.
    case connman

    /// Those that run and are nobody's servant, in this order.
    public static func running(_ machine: Machine) -> [WiFiManager] {
        var found: Set<String> = []
        for name in (try? directoryNames(machine.path("proc"))) ?? [] where name.bytes.allSatisfy(isDigit) {
            let folder = machine.path("proc").appending(name)
            guard let comm = try? readFile(folder.appending("comm"), limit: 64) else { continue }
            let program = String(decoding: comm.prefix { $0 != 0x0A }, as: UTF8.self)
            switch program {
            case "NetworkManager", "dhcpcd", "iwd": found.insert(program)
            case "connmand": found.insert("connman")
            case "wpa_supplicant":
                // NetworkManager's own waits on the bus to be told about interfaces.
                let words = ((try? readFile(folder.appending("cmdline"), limit: 64 << 10)) ?? []).split(separator: 0)
                if words.contains(where: { $0.starts(with: "-i".utf8) || $0.starts(with: "-c".utf8) }) {
                    found.insert(program)
                }
            default: break
            }
        }
        if found.contains("NetworkManager"), usesIWD(machine) { found.remove("iwd") }
        return allCases.filter { found.contains($0.rawValue) }
    }

    /// What is wrong with these; `nil` where exactly one is at work.
    public static func conflict(_ running: [WiFiManager]) -> String? {
        // What gives addresses beside a supplicant is one pair, not two managers.
        let pair: Set<WiFiManager> = [.wpaSupplicant, .dhcpcd]
        guard running.count > 1, !Set(running).isSubset(of: pair) else { return nil }
        let names = running.map(\.rawValue)
        let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
        let others = running.filter { $0 != .networkManager }.map(\.rawValue).joined(separator: " ")
        return "\(list) all look after Wi-Fi and work against each other; "
            + "'sudo systemctl disable --now \(others)' leaves it to NetworkManager"
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// Whether NetworkManager has iwd work for it.
    private static func usesIWD(_ machine: Machine) -> Bool {
        let folder = machine.path("etc/NetworkManager/conf.d")
        let more = ((try? directoryNames(folder)) ?? []).map { folder.appending($0) }
        return ([machine.path("etc/NetworkManager/NetworkManager.conf")] + more).contains { path in
            let text = String(decoding: (try? readFile(path, limit: 1 << 20)) ?? [], as: UTF8.self)
            return text.split(whereSeparator: \.isNewline).contains {
                $0.filter { $0 != " " && $0 != "\t" } == "wifi.backend=iwd"
            }
        }
    }
}
