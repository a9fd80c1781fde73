import SystemKit
import Testing

@testable import Appliance

@Suite("Joining and forgetting Wi-Fi networks")
struct WiFiChangeTests {
    private let home = Array("Home ".utf8)
    private static let list = """
         :486F6D6520:70:WPA2:pair_ccmp group_ccmp psk
         :4F70656E:60::(none)
         :4D6978:50:WPA2 WPA3:pair_ccmp group_ccmp psk sae
         :534145:40:WPA3:pair_ccmp group_ccmp sae
         :576570:30:WEP:(none)
         :436F7270:20:WPA2 802.1X:802.1X
        """ + "\n"
    private let secret = #"s3;cr\t "#

    private func apply(_ change: WiFiChange, _ machine: Machine) throws(ApplianceError) -> [String] {
        let plan = try change.plan(on: machine)
        try plan.apply()
        return plan.steps.map(\.name)
    }

    @Test("a network is joined with a profile for root alone, and no program is ever told the password")
    func connects() throws {
        let fake = try FakeWiFi(networks: WiFiChangeTests.list)
        let plan = try WiFiChange.connect(ssid: home, passphrase: secret, isHidden: false).plan(on: fake.machine)
        #expect(fake.profiles.isEmpty)
        #expect(plan.steps.map(\.name) == ["write-profile", "load-profile", "join", "keep-profile"])
        try plan.apply()
        let name = try #require(fake.profiles.first)
        let path = fake.files.root.appending("etc/NetworkManager/system-connections").appending(name)
        #expect(try fileStatus(path).permissions == 0o600)
        let text = String(decoding: try readFile(path), as: UTF8.self)
        #expect(text.contains("\nssid=72;111;109;101;32;\n"))
        #expect(text.contains(#"psk=s3;cr\\t\s"#))
        #expect(!text.contains("autoconnect"))
        #expect(fake.calls.contains { $0.hasPrefix("nmcli --wait") && $0.hasSuffix("ifname wlx001122334455") })
        let told = fake.calls + plan.steps.flatMap { $0.command + [$0.summary] }
        #expect(!told.contains { $0.contains("s3;cr") })
    }

    @Test(
        "a wrong password is told as one; the old profile stays, the new one goes, and the old network is joined again")
    func wrong() throws {
        let fake = try FakeWiFi(networks: WiFiChangeTests.list)
        try fake.save("old", ssid: home, keyManagement: "wpa-psk")
        try fake.files.file("answers/device", "wlx001122334455:wifi:connected:old\n")
        try fake.files.file(
            "answers/refusal", "Error: Connection activation failed: Secrets were required, but not provided.\n")
        do throws(ApplianceError) {
            _ = try apply(.connect(ssid: home, passphrase: "wrong pass", isHidden: false), fake.machine)
            Issue.record("it went well")
        } catch {
            guard case .denied(let sentence) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(sentence.contains("password is wrong"))
            #expect(sentence.contains("Home "))
        }
        #expect(fake.profiles.isEmpty)
        #expect(fake.text("answers/profiles/old") != nil)
        #expect(fake.text("answers/device") == "wlx001122334455:wifi:connected:old\n")
    }

    @Test("where the new password works, all old profiles of that name go, and those of other names stay")
    func replaces() throws {
        let fake = try FakeWiFi(networks: WiFiChangeTests.list)
        for (uuid, ssid) in [("one", home), ("two", home), ("other", Array("Home".utf8))] {
            try fake.save(uuid, ssid: ssid, keyManagement: "wpa-psk")
        }
        let steps = try apply(.connect(ssid: home, passphrase: secret, isHidden: false), fake.machine)
        #expect(steps.last == "forget-old-profile")
        #expect(fake.text("answers/profiles/one") == nil && fake.text("answers/profiles/two") == nil)
        #expect(fake.text("answers/profiles/other") != nil)
    }

    @Test(
        "B068: a refused WPA3 password looks like a missing network to NetworkManager, and is told as what it is",
        arguments: ["SAE", "Mix"])
    func refusedWPA3(name: String) throws {
        let fake = try FakeWiFi(networks: WiFiChangeTests.list)
        try fake.files.file("answers/phy", "Device supports SAE with AUTHENTICATE command\n")
        try fake.files.file(
            "answers/refusal", "Error: Connection activation failed: The Wi-Fi network could not be found\n")
        do throws(ApplianceError) {
            _ = try apply(.connect(ssid: Array(name.utf8), passphrase: "wrong pass", isHidden: false), fake.machine)
            Issue.record("it went well")
        } catch {
            #expect(error.status == .noPermission, "\(error)")
        }
    }

    @Test(
        "what cannot be joined says why, before anything is written",
        arguments: [
            ("Home ", nil, "wants a password"), ("Home", "12345678", "is in reach"), ("Wep", "12345678", "WEP"),
            ("Corp", "12345678", "user name"), ("Open", "12345678", "takes no password"),
            ("SAE", String(repeating: "0f", count: 32), "password itself"),
            ("SAE", "12345678", "this machine's Wi-Fi cannot"),
            ("Home ", "1234567", "8 to 63"), ("", "12345678", "1 to 32 bytes"),
            (String(repeating: "x", count: 33), nil, "1 to 32 bytes"), ("\0\0", nil, "1 to 32 bytes"),
        ] as [(String, String?, String)])
    func refused(name: String, passphrase: String?, reason: String) throws {
        let fake = try FakeWiFi(networks: WiFiChangeTests.list)
        try fake.files.file("answers/phy", "Device supports nothing\n")
        let join = WiFiJoin(
            machine: fake.machine, ssid: Array(name.utf8), passphrase: passphrase, isHidden: false,
            patience: .init(leastLooks: 2, seconds: 0, pause: 0))
        do throws(ApplianceError) {
            _ = try join.plan()
            Issue.record("there is a plan")
        } catch {
            #expect(error.description.contains(reason), "\(error)")
            #expect(passphrase.map { !error.description.contains($0) } ?? true)
        }
        #expect(fake.profiles.isEmpty)
    }

    @Test("a list that is empty at first is asked for again until the network is there")
    func emptyList() throws {
        let fake = try FakeWiFi(networks: "")
        try fake.files.file("answers/later", "")
        try fake.files.file("answers/latest", WiFiChangeTests.list)
        let join = WiFiJoin(
            machine: fake.machine, ssid: home, passphrase: secret, isHidden: false,
            patience: .init(leastLooks: 5, seconds: 0, pause: 0))
        #expect(try join.plan().steps.count == 4)
    }

    @Test("a hidden network is joined without being seen, with its name asked for")
    func hidden() throws {
        let fake = try FakeWiFi(networks: "")
        _ = try apply(.connect(ssid: [0xE9, 0x00, 0x20], passphrase: secret, isHidden: true), fake.machine)
        let name = try #require(fake.profiles.first)
        let text = try #require(fake.text("etc/NetworkManager/system-connections/\(name.displayString)"))
        #expect(text.contains("\nssid=233;0;32;\nhidden=true\n"))
        #expect(text.contains("\nkey-mgmt=wpa-psk\n"))
    }

    @Test("a saved network needs no password, and one that is joined already nothing at all")
    func saved() throws {
        let fake = try FakeWiFi(networks: WiFiChangeTests.list)
        try fake.save("old", ssid: home, keyManagement: "wpa-psk")
        #expect(try apply(.connect(ssid: home, passphrase: nil, isHidden: false), fake.machine) == ["join"])
        #expect(try apply(.connect(ssid: home, passphrase: nil, isHidden: false), fake.machine).isEmpty)
    }

    @Test("forgetting takes all profiles of exactly that name")
    func forgets() throws {
        let fake = try FakeWiFi()
        for (uuid, ssid) in [("one", home), ("two", home), ("other", Array("Home".utf8))] {
            try fake.save(uuid, ssid: ssid, keyManagement: nil)
        }
        #expect(try apply(.forget(ssid: home), fake.machine) == ["forget-network"])
        #expect(fake.text("answers/profiles/one") == nil && fake.text("answers/profiles/other") != nil)
        let again = try WiFiChange.forget(ssid: home).plan(on: fake.machine)
        #expect(again.steps.isEmpty && again.notes.count == 1)
    }

    @Test("a network is written down without NetworkManager running, once, with the same identity each time")
    func remembers() throws {
        let fake = try FakeWiFi(comms: [])
        let change = WiFiChange.remember(ssid: home, passphrase: secret, isHidden: false)
        #expect(try apply(change, fake.machine) == ["write-profile"])
        #expect(fake.profiles == ["retro-486f6d6520.nmconnection"])
        #expect(try change.plan(on: fake.machine).steps.isEmpty)
        _ = try apply(.remember(ssid: home, passphrase: "another one", isHidden: false), fake.machine)
        #expect(fake.profiles.count == 1)
    }

    @Test("requests through the door keep every byte of a name")
    func door() throws {
        let change = MachineChange.wifi(.connect(ssid: [0, 0xE9, 0xFF], passphrase: #" "\"#, isHidden: true))
        let line = DoorLine.encode(DoorRequest(change))
        #expect(DoorLine.decode(DoorRequest.self, line) == DoorRequest(change))
    }
}
