import SystemKit
import Testing

@testable import Appliance

@Suite("retro-setup.txt")
struct SetupFileTests {
    private func lines(_ text: String) -> [SetupText.Line] { SetupText(Array(text.utf8)).lines }

    @Test("lines are understood with any ends, a byte order mark, comments, blanks and quotes")
    func text() {
        let text =
            "\u{FEFF}# country=US\r\n; old\r\n\r\n  Country =\tDE \r\nSSID2='skynet '\rpassphrase_2=\"a'#b \" \nhostname=tv"
        let found = lines(text)
        #expect(found.map(\.number) == [4, 5, 6, 7])
        #expect(found.map(\.key) == ["country", "ssid2", "passphrase-2", "hostname"])
        #expect(found.map(\.word) == ["country", "ssid", "passphrase", "hostname"])
        #expect(found.map(\.index) == [1, 2, 2, 1])
        #expect(found.map(\.text) == ["DE", "skynet ", "a'#b ", "tv"])
    }

    @Test(
        "what is between two quotes is meant as it is, and lone quotes belong to the value",
        arguments: [
            (#"ssid="a""#, "a"), (#"ssid='"'"#, #"""#), (#"ssid="a"#, #""a"#), (#"ssid=a"b""#, #"a"b""#),
            ("ssid=''", ""),
            ("ssid='", "'"), (#"ssid="a\n""#, #"a\n"#), ("ssid=a # b", "a # b"), ("ssid=a=b", "a=b"), ("ssid==", "="),
        ])
    func quotes(line: String, value: String) {
        #expect(lines(line).map(\.text) == [value])
    }

    @Test("UTF-16 as Notepad writes it, and bytes that are no text at all, keep their meaning")
    func encodings() {
        let wide = Array("ssid=Caf\u{E9}\r\n".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(SetupText([0xFF, 0xFE] + wide).lines.map(\.text) == ["Caf\u{E9}"])
        #expect(SetupText(Array("ssid=caf".utf8) + [0xE9, 0x0A]).lines.map(\.value) == [Array("caf".utf8) + [0xE9]])
    }

    @Test("networks are told apart by their numbers, and the country comes first")
    func wishes() {
        let found = SetupWishes(
            lines(
                "ssid=A\nssid-hex2=00E9\npassphrase2=12345678\nhidden2=yes\nssid-3=C\nssh=on\ncountry=DE\nssh-key=k1\nssh-key=k2\n"
            ))
        #expect(found.faults.isEmpty)
        #expect(
            found.wishes.map(\.change) == [
                .wifi(.country("DE")), .wifi(.remember(ssid: [0x41], passphrase: nil, isHidden: false)),
                .wifi(.remember(ssid: [0x00, 0xE9], passphrase: "12345678", isHidden: true)),
                .wifi(.remember(ssid: [0x43], passphrase: nil, isHidden: false)), .account(.ssh(isOn: true)),
                .account(.addKey("k1")), .account(.addKey("k2")),
            ])
    }

    @Test(
        "a line that cannot be meant is named with its reason, and the others are done",
        arguments: [
            ("nonsense", 1, "KEY=VALUE"), ("pasphrase=secret12", 1, "no such setting"),
            ("ssid=A\nssid=B", 2, "said before"),
            ("ssid=A\nssid-hex=42", 2, "said before"), ("passphrase2=12345678", 1, "no ssid2"),
            ("ssid=A\npassphrase=short", 2, "8 to 63"), ("ssid=A\nhidden=maybe", 2, "yes or no"),
            ("ssid-hex=4", 1, "hexadecimal"), ("ssh=perhaps", 1, "on or off"), ("country=", 1, "nothing"),
            ("country2=DE", 1, "no number"), ("ssid=A\npassphrase=p\u{E4}sswort", 2, "accents"),
        ])
    func faults(text: String, line: Int, reason: String) {
        let found = SetupWishes(lines("timezone=Europe/Berlin\n" + text))
        #expect(found.faults.keys.max() == line + 1)
        #expect(found.faults[line + 1]?.contains(reason) == true, "\(found.faults)")
        #expect(found.wishes.contains { $0.change == .place(.timeZone("Europe/Berlin")) })
    }

    private func boot(_ text: String, name: String = "retro-setup.txt", comms: [String] = []) throws -> FakeWiFi {
        let fake = try FakeWiFi(comms: comms)
        try fake.files.file("boot/firmware/cmdline.txt", "root=x\n")
        try fake.files.file("boot/firmware/\(name)", text)
        return fake
    }

    private func everything(_ fake: FakeWiFi) throws -> String {
        let folder = fake.files.root.appending("boot/firmware")
        return try directoryNames(folder).map { String(decoding: try readFile(folder.appending($0)), as: UTF8.self) }
            .joined(separator: "\n")
    }

    @Test("B071: applied once: done lines become comments, secrets are gone, and a report tells of every line")
    func applies() throws {
        let text =
            "\u{FEFF}# mine\r\ncountry=DE\r\nssid=Home\r\npassphrase=secret one\r\nssid2=Away\r\npassphrase2=short\r\nmy secret two\r\npasphrase=secret three\r\n"
        let fake = try boot(text, name: "Retro-Setup.txt.txt")
        let file = try #require(SetupFile(fake.machine))
        let preview = try file.preview()
        #expect(preview.lines.map(\.state) == [.planned, .planned, .planned, .bad, .bad, .bad, .bad])
        #expect(fake.text("boot/firmware/Retro-Setup.txt.txt") == text)
        #expect(fake.profiles.isEmpty)
        let outcome = try file.apply()
        #expect(outcome.lines.map(\.state) == [.done, .done, .done, .bad, .bad, .bad, .bad])
        #expect(fake.text("etc/modprobe.d/retro-wifi-country.conf") != nil)
        #expect(fake.profiles == ["retro-486f6d65.nmconnection"])
        let left = try everything(fake)
        for secret in ["secret one", "secret two", "secret three", "short"] { #expect(!left.contains(secret)) }
        #expect(
            fake.text("boot/firmware/Retro-Setup.txt.txt")
                == "# mine\r\n# done: country=DE\r\n# done: ssid=Home\r\n# done: passphrase=(removed)\r\n# not done: ssid2=Away\r\n"
                + "# not done: passphrase2=(removed)\r\n# not done: ...=(removed)\r\n# not done: ...=(removed)\r\n")
        let report = try #require(fake.text("boot/firmware/retro-setup-report.txt"))
        #expect(report.contains("Line 2 (country): done\r\n"))
        #expect(report.contains("Line 6 (passphrase2): NOT DONE: "))
        let again = try #require(SetupFile(fake.machine)).apply()
        #expect(again.lines.isEmpty)
        #expect(fake.text("boot/firmware/retro-setup-report.txt") == report)
    }

    @Test("what the machine could not do yet is kept with its secret and done the next time")
    func retries() throws {
        let fake = try boot("ssid=Home\npassphrase=secret one\n")
        try removeDirectory(fake.files.root.appending("etc/NetworkManager"))
        let first = try #require(SetupFile(fake.machine)).apply()
        #expect(first.lines.map(\.state) == [.failed, .failed])
        #expect(fake.text("boot/firmware/retro-setup.txt") == "ssid=Home\npassphrase=secret one\n")
        try createDirectories(fake.files.root.appending("etc/NetworkManager"))
        let second = try #require(SetupFile(fake.machine)).apply()
        #expect(second.lines.map(\.state) == [.done, .done])
        #expect(try !everything(fake).contains("secret one"))
    }

    @Test("while the copy is written only comments and what is to be tried again are on the disk")
    func interrupted() throws {
        let text = "\u{FEFF}country=DE\r\nssid=Home\npassphrase=secret one\rssid2=\n\nhostname=x"
        let results = [1: SetupFile.LineResult.State.done, 2: .failed, 3: .failed, 4: .bad, 6: .done].map {
            SetupFile.LineResult(number: $0.key, key: "", state: $0.value, reason: nil)
        }
        let blanked = SetupReport.blanked(Array(text.utf8), .init(file: "/x", lines: results, notes: []))
        #expect(blanked.count == text.utf8.count)
        #expect(SetupText(blanked).lines.map(\.key) == ["ssid", "passphrase"])
        #expect(SetupText(blanked).lines.map(\.number) == [2, 3])
    }

    @Test("a network without any country is warned about")
    func noCountry() throws {
        let fake = try boot("ssid=Home\n")
        #expect(try #require(SetupFile(fake.machine)).apply().notes.contains { $0.contains("country=DE") })
        try fake.files.file("answers/country", "FR")
        #expect(try #require(SetupFile(fake.machine)).apply().notes.isEmpty)
    }

    @Test("without the file, or with something else of that name, nothing happens")
    func absent() throws {
        let fake = try FakeWiFi()
        #expect(SetupFile(fake.machine) == nil)
        try createDirectories(fake.files.root.appending("boot/retro-setup.txt"))
        #expect(throws: ApplianceError.self) { try SetupFile(fake.machine)?.apply() }
    }
}
