import Glibc
import SystemKit
import Testing

@testable import Appliance

@Suite("The share")
struct ShareTests {
    private let fake: FakeMachine
    private var machine: Machine { fake.machine() }
    private let smbConf = "[global]\n   workgroup = HOME\n   map to guest = bad user\n[homes]\n   browseable = no\n"

    init() throws {
        fake = try FakeMachine()
        try fake.accounts(login: "anna")
        try fake.file("usr/sbin/smbd", "#!/bin/sh\n", permissions: 0o755)
        try fake.file("etc/samba/smb.conf", smbConf)
        try fake.file("proc/sys/kernel/hostname", "retro-c3d4\n")
        for folder in ["etc/avahi/services", "srv/retro", "var/lib/samba/private"] {
            try createDirectories(fake.root.appending(folder))
        }
        try fake.fakeServices(["smbd.service", "nmbd.service", "wsdd2.service"])
        // As the real one: a file that it includes is part of what it prints, and a section without an end is an error.
        try fake.noted(
            "testparm",
            """
            file=$2
            grep -q '^\\[broken$' "$file" && { echo "Error loading services." >&2; exit 1; }
            cat "$file"
            include=$(sed -n 's/^include = //p' "$file")
            [ -n "$include" ] && cat "$include"
            exit 0
            """)
        try fake.noted(
            "smbpasswd",
            """
            if [ "$1" = -e ]; then exit 0; fi
            read -r first; read -r second
            [ "$first" = "$second" ] || exit 1
            printf %s "$first" >"$ROOT/var/lib/samba/private/passdb.tdb"
            """)
        try fake.noted("gpasswd", #"sed -i "s/^$3:.*/&$2/" "$ROOT/etc/group""#)
    }

    /// Samba's list of users, which knows the hash of what `smbpasswd` was told.
    private func users() throws {
        let password = fake.words("var/lib/samba/private/passdb.tdb")
        try fake.noted("pdbedit", "echo 'retro:993:XXXX:\(NTHash.text(of: password)):[U          ]:LCT-0:'")
    }

    @Test("the hash of a password is the one that Samba keeps")
    func hash() {
        #expect(NTHash.text(of: "password") == "8846F7EAEE8FB117AD06BDD830B7586C")
        #expect(NTHash.text(of: "") == "31D6CFE0D16AE931B73C59D7E0C089C0")
    }

    @Test("made passwords are readable from the sofa, pass our own rules and are never the same")
    func makes() {
        let made = (0..<200).map { _ in SharePassword.make() }
        #expect(Set(made).count == made.count)
        for password in made {
            #expect(password.count == 14)
            #expect(!password.contains { "0O1lIi".contains($0) })
            #expect(PasswordRules.shareProblem(password, user: "retro", hostName: "retro") == nil)
        }
    }

    @Test(
        "smb.conf gets one line and loses it again, whatever its last line is",
        arguments: ["", "[global]\n", "[global]\n a = b", "[x]\n path = /a \\\n", "\r\n[global]\r\n"])
    func include(text: String) {
        let file = SambaFile(machine: machine)
        let with = file.including(Array(text.utf8))
        #expect(file.isIncluded(with))
        #expect(file.including(with) == with)
        // nmbd reads what is in a global section only, so ours must be included by one.
        let end = "\n[global]\ninclude = \(file.ownPath.displayString)\n"
        #expect(String(decoding: with, as: UTF8.self).hasSuffix(end))
        let without = String(decoding: file.excluding(with), as: UTF8.self)
        #expect(without == text || without == text + "\n")
        #expect(!file.isIncluded(Array(without.utf8)))
    }

    @Test("a line of ours that somebody moved or indented is known and taken out")
    func movedInclude() {
        let file = SambaFile(machine: machine)
        let text = "[global]\n\tINCLUDE=\(file.ownPath.displayString)\n[mine]\n path = /x\n"
        #expect(file.isIncluded(Array(text.utf8)))
        #expect(String(decoding: file.excluding(Array(text.utf8)), as: UTF8.self) == "[global]\n[mine]\n path = /x\n")
    }

    @Test("what somebody wrote behind our line stays when it is taken out, and our heading does not")
    func behindInclude() {
        let file = SambaFile(machine: machine)
        let with = file.including(Array("[mine]\n path = /x\n".utf8)) + Array("[more]\n path = /y\n".utf8)
        let without = String(decoding: file.excluding(with), as: UTF8.self)
        #expect(without == "[mine]\n path = /x\n\n[more]\n path = /y\n")
    }

    @Test(
        "our settings share five folders, for one user, without links that lead out",
        .enabled(if: getuid() == 0, "needs root"))
    func settings() throws {
        #expect(
            refusal(.share(.on(password: "for-the-sofa")), on: machine)
                == .unverified("Samba does not let retro in with the new password"))
        try users()
        try perform(.share(.on(password: "for-the-sofa")), on: machine)
        let settings = try #require(SambaConfiguration.read(fake.root.appending("etc/samba/smb.conf")))
        let shares = ["roms", "bios", "saves", "screenshots", "media"]
        #expect(settings.names.filter { !["global", "homes"].contains($0) } == shares)
        for name in shares {
            #expect(settings.value(["path"], in: name) == "\(fake.root.displayString)/srv/retro/\(name)")
            #expect(settings.value(["forceuser"], in: name) == "retro")
            #expect(settings.value(["widelinks"], in: name) == "no")
            #expect(settings.value(["guestok"], in: name) == "no")
            #expect(settings.value(["validusers"], in: name) == "retro")
        }
        #expect(settings.value(["maptoguest"], in: "global") == "never")
        #expect(settings.value(["serverminprotocol"], in: "global") == "SMB2_02")
        #expect(settings.value(["workgroup"], in: "global") == "HOME")
        #expect(settings.value(["invalidusers"], in: "homes") == "retro")
        #expect(!fake.seen.contains("for-the-sofa"))
        let facts = ShareFacts.read(
            roms: machine.data.roms, network: NetworkFacts(hostName: "retro-c3d4", addresses: []),
            sources: machine.files)
        #expect(facts.state == .running && facts.user == "retro" && facts.isPasswordReadable && !facts.isGuestAllowed)
        #expect(ShareFacts.password(machine.files) == "for-the-sofa")
        #expect(try perform(.share(.on(password: nil)), on: machine) == [])
        #expect(try perform(.share(.guest(isAllowed: true)), on: machine) == ["write-settings", "reload"])
        #expect(ShareFacts.isGuestAllowed(machine.files))
        #expect(try perform(.share(.off), on: machine) == ["remove-settings", "silence", "stop"])
        #expect(fake.words("etc/samba/smb.conf") == smbConf)
    }

    @Test(
        "a folder whose name Samba would read otherwise is not shared",
        arguments: ["srv/100%/roms", "srv/a\nb", "srv/a;b", "srv/#x", "srv/x\\", "srv/ \u{7}"])
    func paths(path: String) {
        let settings = ShareSettings(
            folders: [.init(name: "roms", path: BytePath("/" + path), comment: "x")], user: "retro", group: "retro",
            isGuestAllowed: false, hidesHomes: false, hasModules: true, alias: nil)
        #expect(throws: (any Error).self) { try settings.text() }
    }

    @Test("without Samba the package is told, without an account that plays how to make one")
    func absent() throws {
        try fake.file("etc/passwd", "root:x:0:0::/root:/bin/sh\n")
        if getuid() == 0 {
            #expect(refusal(.share(.on(password: nil)), on: machine)?.status == .notFound)
        }
        try removeFile(fake.root.appending("usr/sbin/smbd"))
        #expect(refusal(.share(.on(password: nil)), on: machine) == .missingProgram("smbd", package: "samba"))
    }

    @Test(
        "root is led nowhere by a link that somebody else may have put there", .enabled(if: getuid() == 0, "needs root")
    )
    func trustedFolders() throws {
        let target = fake.root.appending("target")
        let own = fake.root.appending("own")
        let theirs = fake.root.appending("theirs")
        for folder in [target, own, theirs] { try createDirectories(folder) }
        try makeLink(to: target, at: own.appending("link"))
        try makeLink(to: target, at: theirs.appending("link"))
        #expect(theirs.withCString { chown($0, 1000, 1000) } == 0)
        _ = try openFolder(own.appending("link"))
        var repair = OwnershipRepair(user: 1000, group: 1000)
        #expect(throws: SystemError(call: "open", path: theirs.appending("link"), code: ELOOP)) {
            try repair.mend(theirs.appending("link"))
        }
        #expect(own.appending("link").withCString { lchown($0, 1000, 1000) } == 0)
        #expect(throws: (any Error).self) { try repair.mend(own.appending("link")) }
        #expect(try fileStatus(target).owner == 0)
    }

    @Test(
        "B073: a repair mends what is wrong, leaves the rest alone and can be stopped at any point",
        .enabled(if: getuid() == 0, "needs root"))
    func repair() throws {
        let roms = fake.root.appending("srv/retro/roms")
        try fake.file("srv/retro/roms/nes/a.nes", "a", permissions: 0)
        try fake.file("srv/retro/roms/nes/b.sh", "b", permissions: 0o4755)
        let outside = try fake.file("outside", "o", permissions: 0o600)
        try makeLink(to: outside, at: roms.appending("link"))
        #expect(outside.withCString { from in roms.appending("hard").withCString { link(from, $0) } } == 0)
        var looks = OwnershipRepair(user: 1234, group: 1235, onlyLooks: true)
        try looks.mend(roms)
        #expect(looks.report.folders == 2 && looks.report.files == 2 && looks.report.skipped == 2)
        #expect(try fileStatus(roms.appending("nes/a.nes")).permissions == 0)
        var repair = OwnershipRepair(user: 1234, group: 1235)
        try repair.mend(roms)
        #expect(repair.report.failures == 0)
        #expect(try fileStatus(roms.appending("nes/a.nes")).permissions == 0o664)
        #expect(try fileStatus(roms.appending("nes/b.sh")).permissions == 0o775)
        let folder = try fileStatus(roms.appending("nes"))
        #expect(folder.permissions == 0o2775 && folder.owner == 1234 && folder.group == 1235)
        #expect(try fileStatus(outside).owner == 0 && fileStatus(outside).permissions == 0o600)
        var again = OwnershipRepair(user: 1234, group: 1235, onlyLooks: true)
        try again.mend(roms)
        #expect(again.report.folders + again.report.files == 0)
    }

    @Test(
        "a folder that the player made a link is left alone and told, and the others are repaired all the same",
        .enabled(if: getuid() == 0, "needs root"))
    func plantedLink() throws {
        let data = fake.root.appending("srv/retro")
        try createDirectories(data)
        let secret = try fake.file("outside/secret", "s", permissions: 0o600)
        try makeLink(to: fake.root.appending("outside"), at: data.appending("bios"))
        let rom = try fake.file("srv/retro/roms/nes/a.nes", "a", permissions: 0)
        let plan = try MachineChange.share(.repair).plan(on: machine)
        #expect(plan.notes.contains { $0.contains("bios is a link") })
        try plan.apply()
        #expect(try fileStatus(rom).owner == 7993 && fileStatus(rom).permissions == 0o664)
        #expect(try fileStatus(secret).owner == 0 && fileStatus(secret).permissions == 0o600)
    }
}
