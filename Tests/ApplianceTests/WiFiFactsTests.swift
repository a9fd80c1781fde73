import SystemKit
import Testing

@testable import Appliance

@Suite("Facts about Wi-Fi, and the country")
struct WiFiFactsTests {
    @Test("B071: the interface is what the kernel calls a radio, whatever its name")
    func interface() throws {
        let fake = try FakeWiFi(networks: "*:41:70:WPA2:psk\n")
        let facts = WiFiFacts.read(fake.machine)
        #expect(facts.interface == "wlx001122334455")
        #expect(facts.state == .disconnected && facts.problem == nil && facts.conflict == nil)
        #expect(facts.isRadioOn == true && facts.country == nil)
    }

    @Test("of two radios the connected one counts, and one that NetworkManager keeps off last")
    func choice() throws {
        let fake = try FakeWiFi()
        try fake.files.file("sys/class/net/wlan0/phy80211/name", "phy1\n")
        try fake.files.file("answers/device", "wlan0:wifi:unmanaged:\nwlx001122334455:wifi:disconnected:\n")
        #expect(WiFiFacts.read(fake.machine).interface == "wlx001122334455")
        try fake.files.file("answers/device", "wlan0:wifi:connected:u\nwlx001122334455:wifi:disconnected:\n")
        #expect(WiFiFacts.read(fake.machine).interface == "wlan0")
    }

    @Test(
        "the network that the machine is in is known by its profile where no list has it, and saved ones away are told")
    func active() throws {
        let fake = try FakeWiFi()
        try fake.save("u", ssid: [0xE9], keyManagement: "sae")
        try fake.save("v", ssid: [0x42], keyManagement: nil)
        try fake.files.file("answers/device", "wlx001122334455:wifi:connecting (getting IP configuration):u\n")
        let facts = WiFiFacts.read(fake.machine)
        #expect(facts.state == .connecting)
        #expect(facts.active?.ssid == [0xE9])
        #expect(facts.away.map(\.ssid) == [[0xE9], [0x42]])
    }

    @Test(
        "why there is nothing to join is told apart",
        arguments: [
            ("device", "no wireless device"), ("program", "not installed"), ("stopped", "does not run"),
            ("hard", "switch of the machine"), ("off", "wifi on"), ("unmanaged", "leave wlx001122334455 alone"),
        ])
    func problems(what: String, reason: String) throws {
        let fake = try FakeWiFi(
            comms: what == "stopped" ? ["dhcpcd"] : ["NetworkManager"],
            interface: what == "device" ? nil : "wlx001122334455")
        switch what {
        case "program": try removeFile(fake.files.root.appending("bin/nmcli"))
        case "hard", "off":
            try fake.files.file("sys/class/rfkill/rfkill3/type", "wlan\n")
            try fake.files.file("sys/class/rfkill/rfkill3/soft", what == "off" ? "1\n" : "0\n")
            try fake.files.file("sys/class/rfkill/rfkill3/hard", what == "off" ? "0\n" : "1\n")
        case "unmanaged": try fake.files.file("answers/device", "wlx001122334455:wifi:unmanaged:\n")
        default: break
        }
        let problem = WiFiFacts.read(fake.machine).problem
        #expect(problem?.contains(reason) == true, "\(problem ?? "none")")
        #expect(throws: ApplianceError.self) {
            try WiFiChange.connect(ssid: [0x41], passphrase: nil, isHidden: true).plan(on: fake.machine)
        }
    }

    @Test("B071: two managers are told, and servants of one are not taken for another")
    func managers() throws {
        let both = try FakeWiFi(comms: ["NetworkManager", "dhcpcd", "wpa_supplicant"])
        try both.files.file("proc/102/cmdline", "wpa_supplicant\0-B\0-c/etc/wpa.conf\0-iwlan0\0")
        let conflict = WiFiFacts.read(both.machine).conflict
        #expect(conflict?.contains("systemctl disable --now wpa_supplicant dhcpcd") == true, "\(conflict ?? "none")")
        let one = try FakeWiFi(comms: ["NetworkManager", "wpa_supplicant", "iwd"])
        try one.files.file(
            "proc/101/cmdline", "/sbin/wpa_supplicant\0-u\0-s\0-O\0DIR=/run/wpa_supplicant GROUP=netdev\0")
        try one.files.file("etc/NetworkManager/conf.d/iwd.conf", "[device]\nwifi.backend = iwd\n")
        #expect(WiFiManager.running(one.machine) == [.networkManager])
        #expect(WiFiFacts.read(one.machine).conflict == nil)
        let old = try FakeWiFi(comms: ["dhcpcd", "wpa_supplicant"])
        try old.files.file("proc/101/cmdline", "wpa_supplicant\0-i\0wlan0\0")
        #expect(WiFiManager.conflict(WiFiManager.running(old.machine)) == nil)
    }

    /// A Pi as it comes: the radio is off everywhere where that is noted.
    private func fresh(runs: Bool) throws -> FakeWiFi {
        let fake = try FakeWiFi(comms: runs ? ["NetworkManager"] : [])
        try fake.files.file("answers/radio", "disabled\n")
        for (name, type) in [("rfkill0", "wlan"), ("rfkill1", "bluetooth")] {
            try fake.files.file("sys/class/rfkill/\(name)/type", type + "\n")
            try fake.files.file("sys/class/rfkill/\(name)/soft", "1\n")
            try fake.files.file("sys/class/rfkill/\(name)/hard", "0\n")
        }
        try fake.files.file("var/lib/systemd/rfkill/platform-3f300000.mmcnr:wlan", "1\n")
        try fake.files.file("var/lib/systemd/rfkill/platform-3f201000.serial:bluetooth", "1\n")
        try fake.files.file(
            "var/lib/NetworkManager/NetworkManager.state", "[main]\nNetworkingEnabled=true\nWirelessEnabled=false\n")
        try fake.files.file(
            "boot/firmware/cmdline.txt", "root=PARTUUID=1-02  cfg80211.ieee80211_regdom=GB rootwait\r\n")
        try fake.files.file("etc/wpa_supplicant/wpa_supplicant.conf", "ctrl_interface=/run\ncountry=GB\n")
        return fake
    }

    @Test(
        "B070: the country is one action: rules, their keeping, and the radio on now and later",
        arguments: [true, false])
    func country(runs: Bool) throws {
        let fake = try fresh(runs: runs)
        let plan = try WiFiChange.country("de").plan(on: fake.machine)
        #expect(fake.text("answers/country") == "00")
        try plan.apply()
        #expect(fake.text("answers/country") == "DE")
        #expect(fake.text("sys/class/rfkill/rfkill0/soft") == "0\n")
        #expect(fake.text("sys/class/rfkill/rfkill1/soft") == "1\n")
        #expect(fake.text("var/lib/systemd/rfkill/platform-3f300000.mmcnr:wlan") == "0\n")
        #expect(fake.text("var/lib/systemd/rfkill/platform-3f201000.serial:bluetooth") == "1\n")
        if runs {
            #expect(fake.text("answers/radio") == "enabled\n")
        } else {
            #expect(fake.text("var/lib/NetworkManager/NetworkManager.state")?.contains("WirelessEnabled=true") == true)
        }
        #expect(fake.text("etc/modprobe.d/retro-wifi-country.conf")?.hasSuffix("ieee80211_regdom=DE\n") == true)
        #expect(
            fake.text("boot/firmware/cmdline.txt") == "root=PARTUUID=1-02 rootwait cfg80211.ieee80211_regdom=DE\n")
        #expect(fake.text("boot/firmware/cmdline.txt.bak")?.contains("regdom=GB") == true)
        #expect(fake.text("etc/wpa_supplicant/wpa_supplicant.conf") == "ctrl_interface=/run\ncountry=DE\n")
        #expect(try WiFiChange.country("DE").plan(on: fake.machine).steps.isEmpty)
    }

    @Test("rules that the kernel does not take are told, and a country that is none is refused")
    func badCountry() throws {
        let fake = try fresh(runs: true)
        for word in ["XX", "", "D", "DEU", "00", "d\u{130}", "D E", "../"] {
            #expect(throws: ApplianceError.self) { try WiFiChange.country(word).plan(on: fake.machine) }
        }
        try fake.files.file("answers/no-rules", "")
        do throws(ApplianceError) {
            try WiFiChange.country("DE").plan(on: fake.machine).apply()
            Issue.record("it went well")
        } catch {
            #expect(error.description.contains("wireless-regdb"))
        }
    }

    @Test("the countries are those that the kernel's database has rules for, with the names of this machine's list")
    func countries() throws {
        let fake = try FakeWiFi()
        #expect(WiFiCountry.all(fake.machine).count == 249)
        var database: [UInt8] = Array("RGDB".utf8)
        database += [0, 0, 0, 20]
        for country in ["00", "DE", "AT"] {
            database += Array(country.utf8)
            database += [0, 9]
        }
        database += [0, 0, 0, 0]
        // What stands behind the end is no country.
        database += Array("ZZ".utf8)
        database += [0, 9]
        try fake.files.file("lib/firmware/regulatory.db", database)
        try fake.files.file("usr/share/zoneinfo/iso3166.tab", "# names\nAT\tAustria\nDE\tGermany\n")
        #expect(WiFiCountry.all(fake.machine).map(\.name) == ["Austria", "Germany"])
    }

    @Test(
        "the kernel's command line gets one country and keeps the rest",
        arguments: [
            ("a b\n", "a b cfg80211.ieee80211_regdom=DE\n"), ("a b", "a b cfg80211.ieee80211_regdom=DE\n"),
            ("cfg80211.ieee80211_regdom=US a cfg80211.ieee80211_regdom=DE", "a cfg80211.ieee80211_regdom=DE\n"),
            ("a cfg80211.ieee80211_regdom=DE", "a cfg80211.ieee80211_regdom=DE"), ("", ""), ("\n", "\n"),
            ("a\n# rest\n", "a cfg80211.ieee80211_regdom=DE\n# rest\n"),
        ])
    func commandLine(before: String, after: String) {
        #expect(String(decoding: RegulatoryDomain.commandLine(Array(before.utf8), "DE"), as: UTF8.self) == after)
    }

    @Test("the radio goes off and on, and a switch of the machine's own is told")
    func radio() throws {
        let fake = try FakeWiFi()
        try WiFiChange.radio(isOn: false).plan(on: fake.machine).apply()
        #expect(fake.text("answers/radio") == "disabled\n")
        #expect(try WiFiChange.radio(isOn: false).plan(on: fake.machine).steps.isEmpty)
        try WiFiChange.radio(isOn: true).plan(on: fake.machine).apply()
        #expect(fake.text("answers/radio") == "enabled\n")
        let hard = try fresh(runs: true)
        try hard.files.file("sys/class/rfkill/rfkill0/hard", "1\n")
        #expect(throws: ApplianceError.self) { try WiFiChange.radio(isOn: true).plan(on: hard.machine) }
        #expect(try WiFiChange.country("DE").plan(on: hard.machine).notes.count == 1)
        let none = try FakeWiFi(interface: nil)
        #expect(throws: ApplianceError.self) { try WiFiChange.radio(isOn: true).plan(on: none.machine) }
    }
}
