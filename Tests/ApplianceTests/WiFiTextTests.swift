import SystemKit
import Testing

@testable import Appliance

@Suite("What nmcli says about Wi-Fi")
struct WiFiTextTests {
    @Test(
        "B065: fields are told apart by a real unescaper, whatever a name is made of",
        arguments: [
            ("yes:Home:80", ["yes", "Home", "80"]), (#"no:My\:Net:70"#, ["no", "My:Net", "70"]),
            (#"no:end\\:70"#, ["no", #"end\"#, "70"]), ("no::40", ["no", "", "40"]),
            (#"no:\\\:\\:1"#, ["no", #"\:\"#, "1"]), ("yes:A  B   C:99", ["yes", "A  B   C", "99"]),
            (#"no: a :5"#, ["no", " a ", "5"]), (#"a\n:b\"#, [#"a\n"#, #"b\"#]), ("", [""]),
        ])
    func fields(line: String, fields: [String]) {
        #expect(TerseLine.fields(line.utf8) == fields.map { Array($0.utf8) })
    }

    @Test("B065: a line that cannot be understood costs only itself")
    func badLine() {
        let long = String(repeating: #"x\:"#, count: 1000)
        let output = """
             :486F6D65:70:WPA2:pair_ccmp group_ccmp psk
             :no hexadecimal:70:WPA2:psk
            only:three:fields
             :\(long):70:WPA2:psk
             :4142:much:WPA2:psk

            *:653A5C:40::(none)
            """
        let networks = WiFiNetwork.networks(Array(output.utf8), saved: [])
        #expect(networks.map(\.name) == [#"e:\"#, "Home"])
        #expect(networks.map(\.isActive) == [true, false])
    }

    @Test("entries of one name and one security are one network with the best signal; another security is another")
    func groups() {
        let output = """
             :41:30:WPA2:pair_ccmp group_ccmp psk
             :41:80:WPA2:pair_ccmp group_ccmp psk
            *:41:55:WPA2:pair_ccmp group_ccmp psk
             :41:90::(none)
             :4120:20:WPA2:psk
            """
        let saved = [SavedNetwork(uuid: "u", ssid: [0x41], keyManagement: "wpa-psk")]
        let networks = WiFiNetwork.networks(Array(output.utf8), saved: saved)
        #expect(
            networks == [
                WiFiNetwork(ssid: [0x41], security: .wpa2, signal: 80, isSaved: true, isActive: true),
                WiFiNetwork(ssid: [0x41], security: .open, signal: 90, isSaved: false, isActive: false),
                WiFiNetwork(ssid: [0x41, 0x20], security: .wpa2, signal: 20, isSaved: false, isActive: false),
            ])
    }

    @Test("networks that do not tell their names are no entries: without bytes, or with nothing but zeros")
    func hidden() {
        let zeros = String(repeating: "00", count: 32)
        let output = " ::100:WPA2:psk\n :\(zeros):100:WPA2:psk\n :0041:9:WPA2:psk\n"
        #expect(WiFiNetwork.networks(Array(output.utf8), saved: []).map(\.ssid) == [[0x00, 0x41]])
    }

    @Test(
        "B064: names are bytes, and shown with replacements where they are no text",
        arguments: [
            ("58E28099732069506F6E65", "X’s iPone"), ("636166E9", "caf\u{FFFD}"), ("736B796E657420", "skynet "),
            ("2D2D", "--"), ("24286964296060", "$(id)``"), ("F09F8787F09F87AA", "🇇🇪"), ("610062", "a␀b"),
            ("2A", "*"), ("20", " "), ("2061", " a"), ("5F5F2F295F5F", "__/)__"),
            (String(repeating: "FF", count: 32), String(repeating: "\u{FFFD}", count: 32)),
        ])
    func names(hex: String, name: String) throws {
        let networks = WiFiNetwork.networks(Array(" :\(hex):50:WPA2:psk\n".utf8), saved: [])
        #expect(networks.map(\.name) == [name])
        let bytes = try #require(bytesOfHexadecimal(hex.utf8))
        #expect(networks.map(\.ssid) == [bytes])
    }

    @Test(
        "how a network keeps others out",
        arguments: [
            ("", "(none)", WiFiSecurity.open), ("WEP", "(none)", .wep), ("WPA1", "(none)", .wpa),
            ("WPA1 WPA2", "pair_ccmp psk", .wpa2), ("WPA2", "pair_ccmp group_ccmp psk", .wpa2),
            ("WPA2 WPA3", "pair_ccmp group_ccmp psk sae", .wpa2wpa3), ("WPA3", "pair_ccmp group_ccmp sae", .wpa3),
            ("WPA2 802.1X", "pair_ccmp 802.1X", .enterprise), ("WPA3", "eap_suite_b_192", .enterprise),
            ("OWE", "owe", .owe), ("OWE-TM", "owe_transition_mode", .open), ("WPA9", "", .other),
        ])
    func security(words: String, flags: String, security: WiFiSecurity) {
        #expect(WiFiSecurity(words: words, flags: flags) == security)
    }

    @Test("a saved network with a password is not taken for an open one of the same name")
    func stranger() {
        let saved = SavedNetwork(uuid: "u", ssid: [0x41], keyManagement: "wpa-psk")
        #expect(saved.fits(.wpa2) && saved.fits(.wpa3) && saved.fits(.wpa2wpa3))
        #expect(!saved.fits(.open) && !saved.fits(.wep) && !saved.fits(.enterprise))
        #expect(SavedNetwork(uuid: "u", ssid: [0x41], keyManagement: nil).fits(.open))
    }
}

@Suite("Wi-Fi passwords and profiles")
struct WiFiProfileTests {
    @Test("B067: 8 to 63 characters are a password, 64 hexadecimal digits a key, with their case")
    func keys() throws {
        let hex = String(repeating: "aB09", count: 16)
        #expect(try WiFiKey("12345678") == .passphrase("12345678"))
        #expect(try WiFiKey(String(hex.dropLast())) == .passphrase(String(hex.dropLast())))
        #expect(try WiFiKey(hex) == .raw(hex))
        #expect(try WiFiKey("        ") == .passphrase("        "))
    }

    @Test(
        "B067: anything else is refused with a sentence, which does not repeat it",
        arguments: [
            ("", "this has 0"), ("Sekret7", "this has 7"),
            (String(repeating: "aB09", count: 15) + "aB0g", "64 characters"),
            (String(repeating: "a", count: 65), "this has 65"), ("pässwörd", "accents"), ("ｐａｓｓ", "accents"),
            ("pass\tword", "control"), ("password\r", "control"),
        ])
    func badKeys(text: String, reason: String) {
        do throws(ApplianceError) {
            _ = try WiFiKey(text)
            Issue.record("it was taken")
        } catch {
            #expect(error.status == .badData)
            #expect(error.description.contains(reason), "\(error)")
            #expect(text.isEmpty || !error.description.contains(text))
        }
    }

    /// What GLib makes of a value in a key file: blanks at both ends cut off, then the escapes resolved.
    private func parsed(_ line: String) -> String? {
        var bytes = Array(line.utf8)[...]
        while bytes.first == 0x20 { bytes.removeFirst() }
        while bytes.last == 0x20 { bytes.removeLast() }
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] != UInt8(ascii: "\\") {
                result.append(bytes[index])
                index += 1
                continue
            }
            guard index + 1 < bytes.endIndex else { return nil }
            switch bytes[index + 1] {
            case UInt8(ascii: "s"): result.append(0x20)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "\\"): result.append(UInt8(ascii: "\\"))
            default: return nil
            }
            index += 2
        }
        return String(decoding: result, as: UTF8.self)
    }

    @Test("B063: every printable character, at the start, in the middle and at the end, reads back equal")
    func characters() {
        for byte in UInt8(0x20)..<0x7F {
            let character = String(UnicodeScalar(byte))
            for password in [
                character + "1234567", "1234567" + character, "123" + character + "4567",
                character + "12345 " + character,
            ] {
                #expect(parsed(WiFiProfile.value(password)) == password)
            }
        }
        let all = String(decoding: UInt8(0x20)..<0x7F, as: UTF8.self)
        for password in [
            all, "  two  ", #"end\"#, "end;", #"\s\n\\"#, "pas$word", "1234#$abCD", "Pa$$word!123", "        ",
        ] {
            #expect(parsed(WiFiProfile.value(password)) == password)
            #expect(!WiFiProfile.value(password).contains("\n"))
        }
    }

    private func content(_ protection: WiFiProfile.Protection, ssid: [UInt8] = Array("a;\\ ".utf8)) -> String {
        let profile = WiFiProfile(
            uuid: "11111111-2222-4333-8444-555555555555", ssid: ssid, isHidden: true, protection: protection,
            joinsByItself: false)
        return String(decoding: profile.content, as: UTF8.self)
    }

    @Test("B064: a profile has the name as numbers, so that any bytes can be in it")
    func name() {
        let text = content(.none, ssid: [0x00, 0xE9, 0x3B, 0x20])
        #expect(text.contains("\nssid=0;233;59;32;\n"))
        #expect(!text.contains("security"))
        #expect(text.contains("\nhidden=true\n"))
        #expect(text.contains("\nautoconnect=false\n"))
    }

    @Test("B068: a raw key is for WPA2 with optional frame protection, a password for whatever is spoken")
    func protection() throws {
        let raw = content(.wpa(.raw(String(repeating: "0f", count: 32))))
        #expect(raw.contains("\nkey-mgmt=wpa-psk\n") && raw.contains("\npmf=2\n"))
        let plain = content(.wpa(.passphrase("12345678")))
        #expect(plain.contains("\nkey-mgmt=wpa-psk\n") && !plain.contains("pmf"))
        #expect(content(.sae(.passphrase("12345678"))).contains("\nkey-mgmt=sae\npsk=12345678\n"))
    }

    @Test("profiles written in advance have one identity for each name, others a new one each")
    func identities() {
        #expect(WiFiProfile.fixedUUID([1, 2]) == WiFiProfile.fixedUUID([1, 2]))
        #expect(WiFiProfile.fixedUUID([1, 2]) != WiFiProfile.fixedUUID([2, 1]))
        let one = WiFiProfile.newUUID()
        #expect(one != WiFiProfile.newUUID())
        #expect(one.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
    }
}
