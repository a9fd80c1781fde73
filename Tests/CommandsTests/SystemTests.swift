import Appliance
import FoundationEssentials
import Synchronization
import SystemKit
import Testing

@testable import Commands

@Suite("retro-admin system")
struct SystemTests {
    @Test("without root nothing is changed, and the status says so")
    func noRoot() async throws {
        let house = try House()
        let before = try house.snapshot()
        for line in [
            "overclock fast", "picture overscan 1 1 1 1", "locale C.UTF-8", "timezone UTC", "keyboard de",
            "clock set 2027-01-01T00:00:00Z", "clock save", "clock restore", "audio output Headphones",
            "audio volume 50", "boot-check --early", "boot-check --reached", "reboot --yes", "poweroff --yes",
        ] {
            #expect(await house.run(line, isRoot: false).status == .noPermission, "\(line)")
        }
        #expect(try house.snapshot() == before)
    }

    @Test("--dry-run changes nothing, needs no root, and tells the steps")
    func dryRun() async throws {
        let house = try House()
        let before = try house.snapshot()
        for line in [
            "overclock fast", "picture overscan 1 1 1 1", "locale C.UTF-8", "timezone UTC", "keyboard de",
            "clock set 2027-01-01T00:00:00Z", "audio output Headphones", "boot-check --reached", "reboot", "poweroff",
        ] {
            let result = await house.run(line + " --dry-run --json", isRoot: false)
            #expect(result.status == .done, "\(line): \(result.messages)")
            let document = try result.json()
            #expect(document["dryRun"] == .bool(true), "\(line)")
            #expect(document["steps"]?.array.isEmpty == false, "\(line)")
        }
        #expect(try house.snapshot() == before)
    }

    @Test("what cannot be meant is refused with the right status, and nothing is changed")
    func refused() async throws {
        let house = try House()
        let before = try house.snapshot()
        let cases: [(String, SystemKit.ExitStatus)] = [
            ("overclock ludicrous", .badData), ("picture overscan 1 1 1 9999", .badData),
            ("picture overscan 1 1 1", .usage), ("picture overscan a 1 1 1", .usage),
            ("picture resolution HDMI-A-1 1x1", .unavailable), ("locale xx_XX.UTF-8", .unavailable),
            ("timezone Mars/Olympus", .badData), ("keyboard xx", .badData), ("clock set yesterday", .usage),
            ("clock set 1970-01-01T00:00:00Z", .badData), ("audio output hw:0", .badData),
            ("audio volume loud", .usage),
            ("audio volume 50", .unavailable), ("audio mute maybe", .usage), ("audio test Nowhere", .notFound),
            ("reboot", .usage), ("poweroff", .usage), ("nonsense", .usage),
        ]
        for (line, status) in cases {
            let result = await house.run(line)
            #expect(result.status == status, "\(line): \(result.messages)")
            #expect(!result.messages.isEmpty)
        }
        #expect(try house.snapshot() == before)
    }

    @Test("a preset is taken, tried, and taken back")
    func overclock() async throws {
        let house = try House()
        #expect(try await house.run("overclock --json").json()["preset"]?.string == "none")
        let set = try await house.run("overclock fast --json").json()
        #expect(set["preset"]?.string == "fast")
        #expect(set["awaitsRestart"] == .bool(true))
        #expect(set["notes"]?.array.isEmpty == false)
        try house.file("proc/sys/kernel/random/boot_id", "two\n")
        #expect(try await house.run("boot-check --early --restart --json").json()["mustRestart"] == .bool(false))
        try house.file("proc/sys/kernel/random/boot_id", "three\n")
        let check = await house.run("boot-check --early --restart")
        #expect(check.output.contains("it was taken back"))
        #expect(try house.text("asked") == "reboot\n")
        #expect(try await house.run("overclock --json").json()["preset"]?.string == "none")
    }

    @Test("restarting asks first, and is done through the service manager")
    func power() async throws {
        let house = try House()
        #expect(await house.run("reboot", answer: "n").status == .done)
        #expect(!fileExists(house.root.appending("asked")))
        #expect(try await house.run("reboot --yes --json").json()["state"]?.string == "restarting")
        #expect(try house.text("asked") == "reboot\n")
        #expect(await house.run("poweroff", answer: "y").status == .done)
        #expect(try house.text("asked") == "poweroff\n")
    }

    @Test("place is set and shown")
    func place() async throws {
        let house = try House()
        #expect(try await house.run("timezone UTC --json").json()["timeZone"]?.string == "UTC")
        #expect(await house.run("timezone").output == "Time zone: UTC\n")
        #expect(try await house.run("keyboard de --json").json()["layout"]?.string == "de")
        #expect(try await house.run("keyboard --list --json").json().array.first?["layout"]?.string == "de")
        #expect(try await house.run("locale C.UTF-8 --json").json()["locale"]?.string == "C.UTF-8")
        #expect(try await house.run("clock --json").json()["isSet"]?.bool != nil)
    }

    @Test("sound is told by cards' names")
    func audio() async throws {
        let house = try House()
        let facts = try await house.run("audio --json").json()
        #expect(facts["cards"]?.array.map { $0["name"]?.string } == ["Headphones"])
        #expect(facts["current"]?.string == "Headphones")
        #expect(facts["volume"] == .null)
        #expect(try await house.run("audio output Headphones --json").json()["chosen"]?.string == "Headphones")
    }

    @Test(
        "times are RFC 3339",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-30T20:15:00Z", 1_796_069_700),
            ("2024-02-29T23:59:59Z", 1_709_251_199), ("2026-11-30T21:15:00+01:00", 1_796_069_700),
            ("2100-03-01T00:00:00Z", 4_107_542_400), ("2026-13-01T00:00:00Z", nil), ("2026-11-30", nil),
            ("2026-11-30T20:15:00", nil), ("2026-11-30T20:15:00+1:00", nil), ("", nil),
        ] as [(String, Int64?)])
    func times(text: String, seconds: Int64?) {
        #expect(SystemClock.secondsSince1970(text) == seconds)
    }
}

/// A Pi of a test's own, with programs of its own only: what it asks for must not happen to this machine.
private final class House: Sendable {
    let root = BytePath("/tmp/commands-tests-\(MonotonicInstant.now.nanoseconds)-\(nextSerial())")

    init() throws {
        try file("boot/firmware/config.txt", "dtparam=audio=on\n")
        try file("boot/firmware/cmdline.txt", "root=/dev/mmcblk0p2 rootwait\n")
        try file("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
        try file("proc/sys/kernel/random/boot_id", "one\n")
        try file("proc/asound/cards", " 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones\n")
        try file("proc/asound/card0/pcm0p/info", "card: 0\n")
        try createDirectories(root.appending("var/lib/retro-machine"))
        try file("etc/hostname", "retropie\n")
        try file("usr/lib/os-release", "ID=debian\n")
        try file("usr/share/zoneinfo/UTC", "TZif2")
        try file("usr/share/X11/xkb/rules/evdev.lst", "! layout\n  de              German\n! variant\n")
        try program("systemctl", #"echo "$@" > "$ROOT/asked""#)
        try program("amixer", "exit 1")
        try program("locale", "echo C.utf8")
    }

    deinit { removeTree(root) }

    func file(_ path: String, _ text: String, permissions: UInt32 = 0o644) throws {
        try createDirectories(root.appending(path).parent)
        try replaceFile(at: root.appending(path), with: Array(text.utf8), permissions: permissions)
    }

    func program(_ name: String, _ script: String) throws {
        try file("bin/" + name, "#!/bin/sh\nROOT='\(root.displayString)'\n\(script)\n", permissions: 0o755)
    }

    func text(_ path: String) throws -> String {
        String(decoding: try readFile(root.appending(path)), as: UTF8.self)
    }

    /// Every file with its content and every folder.
    func snapshot() throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        func walk(_ folder: BytePath) throws {
            for name in try directoryNames(folder) {
                let path = folder.appending(name)
                let isFolder = try fileStatus(path, followLinks: false).kind == .directory
                // Who changes the machine locks others out meanwhile; the lock's file stays.
                if name == "change.lock" { continue }
                found[path.displayString] = isFolder ? [] : try readFile(path)
                if isFolder { try walk(path) }
            }
        }
        try walk(root)
        return found
    }

    struct Result {
        let output: String
        let messages: String
        let status: SystemKit.ExitStatus?

        func json() throws -> AnyJSON { try JSONDecoder().decode(AnyJSON.self, from: Data(output.utf8)) }
    }

    func run(_ line: String, isRoot: Bool = true, answer: String? = nil) async -> Result {
        let output = Text()
        let messages = Text()
        var surroundings = Surroundings(
            environment: ["RETRO_HOME": root.appending("srv/retro").displayString], directory: root,
            output: .init(isTerminal: false) { output.take($0) },
            messages: .init(isTerminal: false) { messages.take($0) }, machine: .init(filesystem: root),
            network: { NetworkFacts(hostName: "retropie", addresses: []) },
            applianceMarker: root.appending("no-appliance"))
        surroundings.programs = Programs(folders: [root.appending("bin")])
        surroundings.isRoot = isRoot
        if let answer { surroundings.answer = { answer } }
        let words = ["system"] + line.split(separator: " ").map { BytePath(String($0)) }
        let ending = await RetroAdmin.run(words, in: surroundings)
        let status: SystemKit.ExitStatus? = if case .exit(let status) = ending { status } else { nil }
        return Result(output: output.text, messages: messages.text, status: status)
    }
}

private final class Text: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func take(_ added: [UInt8]) -> Int32 {
        bytes.withLock { $0 += added }
        return 0
    }

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}
