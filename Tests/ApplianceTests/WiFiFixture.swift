import SystemKit

@testable import Appliance

/// A machine with a made-up NetworkManager: `nmcli`, `busctl` and `iw` are small programs that write down how they were
/// called and answer from files.
struct FakeWiFi {
    let files: FakeMachine
    let machine: Machine

    /// - Parameters:
    ///   - networks: lines as nmcli lists them.
    ///   - comms: the programs that run.
    init(networks: String = "", comms: [String] = ["NetworkManager"], interface: String? = "wlx001122334455") throws {
        files = try FakeMachine()
        for (number, comm) in comms.enumerated() { try files.file("proc/\(100 + number)/comm", comm + "\n") }
        try createDirectories(files.root.appending("etc/NetworkManager"))
        try createDirectories(files.root.appending("log"))
        if let interface { try files.file("sys/class/net/\(interface)/phy80211/name", "phy0\n") }
        try files.file("sys/class/net/eth0/address", "00:11\n")
        try files.file("answers/networks", networks)
        try files.file("answers/radio", "enabled\n")
        try files.file("answers/general", "")
        try files.file("answers/country", "00")
        if let interface {
            try files.file("answers/device", "\(interface):wifi:disconnected:\neth0:ethernet:connected:e\n")
        }
        let root = files.root.displayString
        try files.file("bin/nmcli", FakeWiFi.nmcli.replacing("ROOT", with: root), permissions: 0o755)
        try files.file("bin/busctl", FakeWiFi.busctl.replacing("ROOT", with: root), permissions: 0o755)
        try files.file("bin/iw", FakeWiFi.iw.replacing("ROOT", with: root), permissions: 0o755)
        machine = Machine(
            files: MachineFacts.Sources(filesystem: files.root),
            programs: Programs(folders: [files.root.appending("bin")]),
            data: DataPlaces(root: "/x", roms: "/x", state: "/x", configuration: "/x"))
    }

    /// Adds a profile that NetworkManager has.
    func save(_ uuid: String, ssid: [UInt8], keyManagement: String?) throws {
        let security =
            keyManagement.map {
                #","802-11-wireless-security":{"key-mgmt":{"type":"s","data":"\#($0)"}}"#
            } ?? ""
        let bytes = ssid.map(String.init).joined(separator: ",")
        try files.file(
            "answers/profiles/\(uuid)",
            #"{"type":"a{sa{sv}}","data":[{"connection":{"id":{"type":"s","data":"x"}},"802-11-wireless":"#
                + #"{"ssid":{"type":"ay","data":[\#(bytes)]}}\#(security)}]}"# + "\n")
    }

    /// How programs were called, a line each.
    var calls: [String] {
        let bytes = (try? readFile(files.root.appending("log/calls"))) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The names of the files with profiles.
    var profiles: [BytePath] {
        ((try? directoryNames(files.root.appending("etc/NetworkManager/system-connections"))) ?? []).sorted()
    }

    func text(_ path: String) -> String? {
        (try? readFile(files.root.appending(path))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Keeps one list of profiles, and joins whatever it is told to unless the file `refusal` says why not.
    private static let nmcli = """
        #!/bin/sh
        cd ROOT/answers
        echo "nmcli $*" >>ROOT/log/calls
        mkdir -p profiles
        case "$*" in
        *"connection.autoconnect connection show uuid"*)
            for last; do :; done
            if grep -q autoconnect=false ROOT/etc/NetworkManager/system-connections/*"$last"*; then
                echo connection.autoconnect:no
            else
                echo connection.autoconnect:yes
            fi ;;
        *"connection show"*)
            for file in profiles/*; do
                [ -e "$file" ] || continue
                case "$*" in
                *"-f UUID connection"*) echo "${file#profiles/}" ;;
                *) echo "${file#profiles/}:802-11-wireless:/profile/${file#profiles/}" ;;
                esac
            done ;;
        *"wifi list"*"rescan yes"*)
            if [ -e later ]; then mv later networks; elif [ -e latest ]; then mv latest later; fi
            cat networks ;;
        *"wifi list"*) cat networks ;;
        *"-f DEVICE"*) cat device ;;
        *"-f WIFI radio"*) cat radio ;;
        "radio wifi on") echo enabled >radio ;;
        "radio wifi off") echo disabled >radio ;;
        "connection load"*)
            uuid=$(sed -n s/^uuid=//p "$3")
            echo '{"data":[{"802-11-wireless":{"ssid":{"data":[1]}}}]}' >"profiles/$uuid" ;;
        "connection delete"*) rm -f "profiles/$4" ROOT/etc/NetworkManager/system-connections/*"$4"* ;;
        *"connection up"*)
            if [ -e refusal ]; then cat refusal >&2; rm refusal; exit 4; fi
            echo "$8:wifi:connected:$6" >device ;;
        *) echo "not understood" >&2; exit 2 ;;
        esac
        """

    private static let busctl = """
        #!/bin/sh
        echo "busctl $*" >>ROOT/log/calls
        cat "ROOT/answers/profiles/${4#/profile/}"
        """

    private static let iw = """
        #!/bin/sh
        echo "iw $*" >>ROOT/log/calls
        case "$*" in
        "reg get") printf 'global\\ncountry %s: DFS-ETSI\\n' "$(cat ROOT/answers/country)" ;;
        "reg set"*) [ -e ROOT/answers/no-rules ] || printf %s "$3" >ROOT/answers/country ;;
        "phy phy0 info") cat ROOT/answers/phy ;;
        esac
        """
}

extension String {
    fileprivate func replacing(_ word: String, with other: String) -> String {
        var result = ""
        var rest = self[...]
        while let start = rest.firstIndex(of: word.first ?? " ") {
            result += rest[..<start]
            if rest[start...].hasPrefix(word) {
                result += other
                rest = rest[start...].dropFirst(word.count)
            } else {
                result.append(rest[start])
                rest = rest[start...].dropFirst()
            }
        }
        return result + rest
    }
}
