import Glibc
import SQLiteKit
import SystemKit
import Testing

@testable import Appliance

/// A machine in some state, and what the doctor must say of it.
struct DoctorCase: Sendable, CustomTestStringConvertible {
    let check: String
    let state: DoctorState
    /// A part of the reason that must be told.
    let says: String
    let prepare: @Sendable (FakeMachine, inout DoctorContext) throws -> Void

    init(
        _ check: String, _ state: DoctorState, _ says: String = "",
        _ prepare: @escaping @Sendable (FakeMachine, inout DoctorContext) throws -> Void = { _, _ in }
    ) {
        self.check = check
        self.state = state
        self.says = says
        self.prepare = prepare
    }

    var testDescription: String { "\(check) \(state) \(says)" }

    static let sha512 =
        "$6$abcdefgh$4o4.L3tiGL1RD7BsjaaWYcCVs87zOlvZK7S6SXQETuFMA2ELLDwmf3YDHidZ3I4E/fXmmOOWhAJHUSMf.eA6c1"
    static let yescrypt = "$y$j9T$abcdefghijklmnop$uAM3HPdZjsdVxBW/R8t/mXdg6U5sqJf0wKqgmnMcg10"
    static let unknown =
        "$6$abcdefgh$Y6xn5gmGlaucaLAuYpaD0BwRbHWfWFi8aagcJzY4vhUGvhaLxBtFPh5whKUW8gA8V16USs39V9yu96QoJuTax0"
}

@Suite("The doctor: each check in a good and a bad state")
struct DoctorTests {
    @Test("a check tells what is and what is not as it should be", arguments: DoctorCase.all)
    func verdict(_ one: DoctorCase) throws {
        let data = try DataMachine()
        var context = Self.context(data)
        try one.prepare(data.fake, &context)
        let check = try #require(Doctor.checks.first { $0.id == one.check })
        let verdict = check.look(context)
        #expect(verdict.state == one.state, "\(verdict.reason)")
        #expect(verdict.reason.contains(one.says), "\(verdict.reason)")
        #expect(verdict.cure.isEmpty == (verdict.state == .ok))
        #expect(!verdict.reason.isEmpty && !verdict.reason.hasSuffix("."))
        #expect(verdict.fix == nil || verdict.state != .ok)
    }

    @Test("every check has a good and a bad state among these, and a name of its own")
    func complete() {
        let ids = Doctor.checks.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(ids.count >= 25)
        for id in ids {
            let states = DoctorCase.all.filter { $0.check == id }.map(\.state)
            #expect(states.contains(.ok), "\(id) has no good state")
            #expect(states.contains { $0 != .ok }, "\(id) has no bad state")
        }
    }

    @Test("on an empty machine nothing but absent data is wrong, and nothing is written")
    func empty() throws {
        let data = try DataMachine()
        var context = Self.context(data)
        context.durableWrite = { _ in nil }
        removeRecursively(data.places.root)
        let bad = Doctor.checks.filter { $0.look(context).state == .failed }.map(\.id)
        #expect(bad == ["data-folder"])
        #expect(!fileExists(data.places.root))
    }

    @Test("the measurement of the disk leaves nothing behind")
    func measuring() throws {
        let data = try DataMachine()
        #expect(measureDurableWrite(data.places.root) != nil)
        #expect(try directoryNames(data.places.root).isEmpty)
        #expect(measureDurableWrite(data.fake.root.appending("absent")) == nil)
    }

    @Test("games that may not be read are made readable, and what was cured is well")
    func readable() throws {
        let data = try DataMachine()
        let context = Self.context(data)
        let game = try data.put("roms/nes/A.nes", "game")
        try setPermissions(game, 0o600)
        try setPermissions(game.parent, 0o700)
        let check = try #require(Doctor.checks.first { $0.id == "games-readable" })
        try #require(check.look(context).fix).apply()
        #expect(check.look(context).state == .ok)
        #expect(try fileStatus(game).permissions == 0o644)
        #expect(try fileStatus(game.parent).permissions == 0o755)
    }

    @Test("an empty configuration of RetroArch is put aside")
    func emulatorConfiguration() throws {
        let data = try DataMachine()
        let context = Self.context(data)
        try data.fake.file("home/retro/.config/retroarch/retroarch.cfg", "")
        let check = try #require(Doctor.checks.first { $0.id == "emulator-configuration" })
        try #require(check.look(context).fix).apply()
        #expect(check.look(context).state == .ok)
        #expect(fileExists(data.fake.root.appending("home/retro/.config/retroarch/retroarch.cfg.damaged")))
    }

    @Test("damaged keys of SSH are put aside and made anew by ssh-keygen")
    func hostKeys() throws {
        let data = try DataMachine()
        let context = Self.context(data)
        try data.fake.file("usr/sbin/sshd", "")
        try data.fake.file("etc/ssh/ssh_host_rsa_key", "")
        try data.fake.file(
            "bin/ssh-keygen",
            "#!/bin/sh\n[ \"$1\" = -A ] && printf -- '-----BEGIN X-----\nPRIVATE KEY-----' > \"$3/etc/ssh/ssh_host_rsa_key\"\n",
            permissions: 0o755)
        let check = try #require(Doctor.checks.first { $0.id == "ssh-host-keys" })
        try #require(check.look(context).fix).apply()
        #expect(check.look(context).state == .ok)
        #expect(fileExists(data.fake.root.appending("etc/ssh/ssh_host_rsa_key.damaged")))
    }

    @Test("dates of the log are read, and a clock that is set ahead at a new start is no jump")
    func jumps() {
        #expect(Doctor.secondsSince1970("1970-01-02T00:00:01Z") == 86401)
        #expect(Doctor.secondsSince1970("2026-11-30T10:26:28Z") == 1_796_034_388)
        #expect(Doctor.secondsSince1970("2024-02-29T23:59:59Z") == 1_709_251_199)
        #expect(Doctor.secondsSince1970("yesterday") == nil)
        let log = """
            1970-01-01T00:00:05Z 5.000 info: a
            2026-11-30T10:26:28Z 6.000 info: b
            2026-11-30T10:26:29Z 7.000 info: c
            2026-12-30T10:26:29Z 3.000 info: another start
            nonsense
            """
        #expect(Doctor.clockJumps(Array(log.utf8)) == [1_796_034_382])
    }

    static func context(_ data: DataMachine) -> DoctorContext {
        var context = DoctorContext(
            machine: data.machine,
            network: NetworkFacts(
                hostName: "pi",
                addresses: [
                    InterfaceAddress(
                        interface: "eth0", address: "192.0.2.7", isIPv6: false, isLoopback: false, isLinkLocal: false)
                ]),
            now: 1_796_000_000, isRoot: true,
            space: { _ in DiskSpace(totalBytes: 32 << 30, freeBytes: 16 << 30, isReadOnly: false, freeFiles: 100_000) },
            durableWrite: { _ in 0.01 })
        // Nobody's number, so that it is the last three permission bits that count, whoever runs the tests.
        context.player = PlayerAccount(name: "retro", user: 99_999, groups: [99_998: "retro"], home: "/home/retro")
        return context
    }
}
