import Appliance
import FoundationEssentials
import Synchronization
import SystemKit
import Testing

@testable import Commands

@Suite("wifi and setup-file")
struct WiFiCommandTests {
    /// A world with a made-up NetworkManager that writes down how it was called.
    private struct Radio {
        let world: World
        let machine: BytePath

        init() throws {
            world = try World()
            machine = world.folder.appending("machine")
            try file("proc/9/comm", "NetworkManager\n")
            try file("sys/class/net/wlx0/phy80211/name", "phy0\n")
            try file("etc/NetworkManager/NetworkManager.conf", "")
            try file("networks", " :486F6D6520:70:WPA2:pair_ccmp psk\n :636166E91B:30::(none)\n")
            try file("device", "wlx0:wifi:disconnected:\n")
            let script = """
                cd \(machine.displayString)
                echo "$0 $*" >>calls
                mkdir -p profiles
                case "$*" in
                *"connection.autoconnect"*) echo connection.autoconnect:yes ;;
                *"-f UUID connection"*) ls profiles ;;
                *"connection show"*) for one in $(ls profiles); do echo "$one:802-11-wireless:/x"; done ;;
                *"wifi list"*) cat networks ;;
                *"-f DEVICE"*) cat device ;;
                *"-f WIFI radio"*) echo enabled ;;
                "connection load"*) touch "profiles/$(sed -n s/^uuid=//p "$3")" ;;
                *"connection up"*) echo "$8:wifi:connected:$6" >device ;;
                "reg get") echo "country FR: DFS" ;;
                *GetSettings) echo '{"data":[{"802-11-wireless":{"ssid":{"data":[72,111,109,101,32]}}}]}' ;;
                esac
                """
            for name in ["nmcli", "busctl", "iw"] { try world.program(name, script) }
        }

        func file(_ path: String, _ text: String) throws {
            try createDirectories(machine.appending(path).parent)
            try replaceFile(at: machine.appending(path), with: Array(text.utf8))
        }

        func text(_ path: String) -> String? {
            (try? readFile(machine.appending(path))).map { String(decoding: $0, as: UTF8.self) }
        }

        func run(_ words: BytePath..., input: String? = nil, isRoot: Bool = true) async -> World.Result {
            let texts = Texts()
            var surroundings = Surroundings(
                environment: ["RETRO_HOME": world.root.displayString], directory: world.folder,
                output: .init(isTerminal: false) { texts.take($0, isOutput: true) },
                messages: .init(isTerminal: false) { texts.take($0, isOutput: false) },
                machine: .init(filesystem: machine), network: { NetworkFacts(hostName: "retropie", addresses: []) },
                applianceMarker: world.folder.appending("no-appliance"))
            surroundings.programs = Programs(folders: [world.programs, "/usr/bin", "/bin"])
            surroundings.isRoot = isRoot
            surroundings.inputLine = { input.map { Array($0.utf8) } }
            let ending = await RetroAdmin.run(words, in: surroundings)
            return World.Result(output: texts.output, messages: texts.messages, ending: ending)
        }
    }

    private final class Texts: Sendable {
        private let bytes = Mutex<[[UInt8]]>([[], []])

        func take(_ added: [UInt8], isOutput: Bool) -> Int32 {
            bytes.withLock { $0[isOutput ? 0 : 1] += added }
            return 0
        }

        var output: String { bytes.withLock { String(decoding: $0[0], as: UTF8.self) } }
        var messages: String { bytes.withLock { String(decoding: $0[1], as: UTF8.self) } }
    }

    @Test("networks are listed with their bytes, and names never steer the terminal")
    func list() async throws {
        let radio = try Radio()
        let networks = try await radio.run("wifi", "list", "--json", isRoot: false).json().array
        #expect(networks.map { $0["ssidBytes"]?.string } == ["SG9tZSA=", "Y2Fm6Rs="])
        #expect(networks.map { $0["ssid"]?.string } == ["Home ", "caf\u{FFFD}\u{1B}"])
        #expect(networks.map { $0["signal"]?.integer } == [70, 30])
        #expect(networks.map { $0["security"]?.string } == ["wpa2", "open"])
        #expect(networks.allSatisfy { $0["saved"]?.bool == false && $0["active"]?.bool == false })
        let table = await radio.run("wifi", "list").output
        #expect(table.contains("Home") && table.contains("70 %") && !table.contains("\u{1B}"))
    }

    @Test("joining takes the password from standard input, and shows it nowhere")
    func connect() async throws {
        let radio = try Radio()
        let secret = "correct horse"
        let result = await radio.run("wifi", "connect", "Home ", "--stdin", "--json", input: secret)
        #expect(result.status == .done, "\(result.messages)")
        #expect(try result.json()["state"]?.string == "connected")
        let calls = try #require(radio.text("calls"))
        #expect(calls.contains("connection up uuid"))
        for text in [calls, result.output, result.messages] { #expect(!text.contains(secret)) }
        let folder = radio.machine.appending("etc/NetworkManager/system-connections")
        let name = try #require(try directoryNames(folder).first)
        #expect(String(decoding: try readFile(folder.appending(name)), as: UTF8.self).contains("psk=correct horse\n"))
    }

    @Test("a dry run shows the steps, needs no root and changes nothing")
    func dryRun() async throws {
        let radio = try Radio()
        let result = await radio.run(
            "wifi", "connect", "--ssid-bytes", "SG9tZSA=", "--stdin", "--dry-run", "--json", input: "correct horse",
            isRoot: false)
        let steps = try result.json()["steps"]?.array.map { $0["name"]?.string }
        #expect(steps == ["write-profile", "load-profile", "join", "keep-profile"])
        #expect(!result.output.contains("correct horse"))
        #expect(!fileExists(radio.machine.appending("etc/NetworkManager/system-connections")))
        #expect(radio.text("device") == "wlx0:wifi:disconnected:\n")
    }

    @Test(
        "what cannot be done has its status and its sentence",
        arguments: [
            (["connect", "Home ", "--stdin"], "short", 65, "8 to 63"),
            (["connect", "--stdin"], "12345678", 64, "SSID"),
            (["connect", "--ssid-bytes", "?", "--stdin"], "12345678", 64, "base64"),
            (["connect", "Home "], nil, 65, "nobody to ask"), (["country", "XX"], nil, 65, "two letters"),
            (["connect", String(repeating: "x", count: 33), "--stdin"], "12345678", 65, "32 bytes"),
            (["connect", "--ssid-bytes", "Y2Fm6Rs=", "--stdin"], "12345678", 65, "takes no password"),
        ] as [([String], String?, Int32, String)])
    func failures(words: [String], input: String?, status: Int32, reason: String) async throws {
        let radio = try Radio()
        let result: World.Result
        switch words.count {
        case 2: result = await radio.run("wifi", BytePath(words[0]), BytePath(words[1]), input: input)
        case 3:
            result = await radio.run("wifi", BytePath(words[0]), BytePath(words[1]), BytePath(words[2]), input: input)
        default:
            result = await radio.run(
                "wifi", BytePath(words[0]), BytePath(words[1]), BytePath(words[2]), BytePath(words[3]), input: input)
        }
        #expect(result.messages.contains(reason), "\(result.messages)")
        if reason != "nobody to ask" { #expect(result.status?.rawValue == status) }
        #expect(!fileExists(radio.machine.appending("etc/NetworkManager/system-connections")))
    }

    @Test(
        "changes need root, and say so before they ask for anything", arguments: ["connect", "forget", "country", "on"])
    func root(verb: String) async throws {
        let radio = try Radio()
        let result =
            verb == "on"
            ? await radio.run("wifi", "on", isRoot: false)
            : await radio.run("wifi", BytePath(verb), "DE", isRoot: false)
        #expect(result.status == .noPermission)
        #expect(result.messages.contains("root"))
        #expect(await radio.run("setup-file", isRoot: false).status == .noPermission)
    }

    @Test("without NetworkManager the list says what brings it, and status still tells the rest")
    func noManager() async throws {
        let radio = try Radio()
        try removeFile(radio.world.programs.appending("nmcli"))
        let list = await radio.run("wifi", "list")
        #expect(list.status == .unavailable)
        #expect(list.messages.contains("package network-manager"))
        let status = try await radio.run("wifi", "status", "--json").json()
        #expect(status["interface"]?.string == "wlx0" && status["country"]?.string == "FR")
        #expect(status["problem"]?.string?.contains("not installed") == true)
    }

    @Test("a setup file is shown before it is applied, and applied once")
    func setupFile() async throws {
        let radio = try Radio()
        #expect(try await radio.run("setup-file", "--json").json()["file"] == .null)
        try radio.file("boot/firmware/retro-setup.txt", "ssid=Away\npassphrase=correct horse\nwhat\n")
        let preview = try await radio.run("setup-file", "--dry-run", "--json", isRoot: false).json()
        #expect(preview["lines"]?.array.map { $0["state"]?.string } == ["planned", "planned", "bad"])
        let done = await radio.run("setup-file")
        #expect(
            done.output
                == "Line 1 (ssid): done\nLine 2 (passphrase): done\nLine 3: not done: this is no KEY=VALUE line\n")
        #expect(try await radio.run("setup-file", "--json").json()["lines"]?.array.isEmpty == true)
    }

    @Test("base64 is read as it is written, and nothing else is base64")
    func base64Bytes() {
        for length in 0..<40 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + length) }
            #expect(bytesOfBase64(Array(base64(bytes).utf8)) == bytes)
        }
        for text in ["A", "A===", "====", "AB=C", "AB?=", "ABCDE"] { #expect(bytesOfBase64(Array(text.utf8)) == nil) }
    }
}
