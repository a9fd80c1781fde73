import SystemKit
import Testing

@testable import Appliance

@Suite("Values that a hostile client of the door may send")
struct HostileDoorTests {
    static let texts: [String] = [
        "", "-x", "--help", "../etc", "/etc/passwd", "a\nb", "a\0b", "\u{1B}[2J", "🎮", "a b", "$(id)", "%s%n", "a;b",
        " ",
        "\u{202E}x", "\u{212A}", "a\u{0}", String(repeating: "x", count: 1 << 20), String(repeating: "é", count: 5000),
        ".", "..", "*", "~root", "=", "\\", "'", "\"", "\u{FEFF}de",
    ]
    static let numbers: [Int] = [.min, .min + 1, -1, 1 << 40, .max - 1, .max]

    private func machine() throws -> DataMachine {
        let data = try DataMachine()
        let fake = data.fake
        try fake.file("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
        try fake.file("boot/firmware/config.txt", "arm_boost=1\n")
        try fake.file("boot/firmware/cmdline.txt", "root=/dev/mmcblk0p2 rootwait\n")
        try fake.file("sys/class/drm/card1-HDMI-A-1/modes", "1920x1080\n")
        try fake.file("sys/class/drm/card1-HDMI-A-1/status", "connected\n")
        try fake.file("usr/share/zoneinfo/Europe/Berlin", "TZif")
        try fake.file("usr/share/zoneinfo/tzdata.zi", "# version\n")
        try fake.file("etc/passwd", "root:x:0:0::/root:/bin/sh\npi:x:1000:1000::/home/pi:/bin/bash\n")
        try fake.file("etc/shadow", "root:*:1::::::\npi:$6$abcdefgh$x:1::::::\n")
        for name in ["chpasswd", "hostnamectl", "nmcli", "locale-gen", "amixer", "smbpasswd", "lsblk"] {
            try fake.program(name, "exit 1")
        }
        return data
    }

    private func status(_ change: MachineChange, _ machine: Machine) -> SystemKit.ExitStatus {
        do throws(ApplianceError) {
            _ = try change.plan(on: machine)
            return .done
        } catch {
            return error.status
        }
    }

    @Test("no text that is no value is taken for one, wherever it stands", arguments: 0..<texts.count)
    func words(number: Int) throws {
        let data = try machine()
        let text = Self.texts[number]
        let changes: [MachineChange] = [
            .storage(.expand(device: text)), .wifi(.country(text)), .account(.passwordHash(text)),
            .account(.addKey(text)), .account(.removeKey(text)), .account(.hostName(text)), .place(.locale(text)),
            .place(.timeZone(text)), .place(.keyboard(layout: text, variant: nil)),
            .place(.keyboard(layout: "us", variant: text)), .boot(.overclock(preset: text)),
            .boot(.resolution(output: text, mode: nil)), .boot(.resolution(output: "HDMI-A-1", mode: text)),
            .sound(.output(card: text)), .stick(.mount(device: text)), .stick(.unmount(device: text)),
            .wifi(.remember(ssid: Array("x".utf8), passphrase: text, isHidden: false)),
            .share(.on(password: text)),
        ]
        for change in changes {
            // Some of them are good words for one who takes any text: a passphrase.
            let mayBe =
                switch change {
                case .wifi(.remember), .share(.on): (8...64).contains(text.utf8.count)
                default: false
                }
            if !mayBe { #expect(status(change, data.machine) != .done, "\(String(describing: change).prefix(80))") }
        }
    }

    @Test("no number that is out of its bounds is taken, and none ends the process", arguments: numbers)
    func outOfBounds(_ number: Int) throws {
        let data = try machine()
        for change in [
            .boot(.overscan(left: number, right: 0, top: 0, bottom: 0)),
            .boot(.overscan(left: 0, right: 0, top: 0, bottom: number)),
            .sound(.volume(number)), .place(.time(Int64(number))),
        ] as [MachineChange] {
            #expect(status(change, data.machine) != .done, "\(change)")
        }
    }

    @Test(
        "a request that readers of JSON may read in two ways is none",
        arguments: [
            #"{"change":{"share":{"_0":{"guest":{"isAllowed":false,"isAllowed":true}}}}}"#,
            #"{"change":{"share":{"_0":{"off":{}}}},"change":{"share":{"_0":{"off":{}}}}}"#,
            #"{"change":{"share":{"_0":{"off":{}},"_0":{"off":{}}}}}"#,
            #"{"change":{"share":{"_0":{"off":{}}}},"as":null}"#,
            #"{"change":{"share":{"_0":{"on":{"password":null}}}}}"#,
            #"{"change":{"share":{"_0":{"guest":{"isAllowed":true,"x":null}}}}}"#,
            "{\"change\":{\"account\":{\"_0\":{\"add\u{212A}ey\":{\"_0\":\"x\"}}}}}",
            #"{"change":{"sound":{"_0":{"volume":{"_0":1e400}}}}}"#,
            #"{"change":{"sound":{"_0":{"volume":{"_0":1.5}}}}}"#,
            #"{"change":{"sound":{"_0":{"volume":{"_0":NaN}}}}}"#,
            #"{"change":{"sound":{"_0":{"volume":{"_0":true}}}}}"#,
            #"{"change":{"sound":{"_0":{"volume":{"_0":99999999999999999999}}}}}"#,
            #"{"change":{"account":{"_0":{"hostName":{"_0":"\ud800"}}}}}"#,
            String(repeating: #"{"change":"#, count: 1500) + "1" + String(repeating: "}", count: 1500),
            String(repeating: "[", count: 16_000),
        ])
    func ambiguous(text: String) { #expect(DoorRequest.decode(Array(text.utf8)) == nil) }

    @Test("what this program writes is understood, with everything that a value may hold")
    func own() {
        let changes: [MachineChange] = [
            .share(.on(password: nil)), .share(.password("\"\\/\n\u{1}é🎮\u{2028}:{}[],null")),
            .wifi(.connect(ssid: [0, 0x22, 0xFF], passphrase: nil, isHidden: true)), .place(.time(.max)),
            .boot(.resolution(output: "n", mode: nil)), .boot(.menuReached),
        ]
        for change in changes {
            let line = DoorLine.encode(DoorRequest(change)).dropLast()
            #expect(DoorRequest.decode(Array(line))?.change == change)
        }
    }
}
