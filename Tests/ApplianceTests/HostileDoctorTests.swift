import Glibc
import SystemKit
import Testing

@testable import Appliance

@Suite("The doctor in hostile surroundings")
struct HostileDoctorTests {
    /// What a file may say that says nothing.
    static let junk: [[UInt8]] = [
        [], [0], Array("9223372036854775807\n".utf8), Array("-9223372036854775808\n".utf8), Array("nan\n".utf8),
        Array("99999999999999999-01-01T00:00:00Z 1 a\n2026-01-01T00:00:00Z inf b\n2026-01-01T00:00:00Z 1 c\n".utf8),
        Array("2026-01-01T00:00:00Z -inf b\n2026-01-01T00:00:00Z inf c\n".utf8),
        Array("\u{1B}[2J\u{1B}]0;x\u{7}\n=\n: \n[]\n,\n".utf8), [0xFF, 0xFE, 0x0A, 0xC3, 0x28],
        [UInt8](repeating: UInt8(ascii: "7"), count: 5000), Array("4294967296 4294967296 4294967296:x\n".utf8),
        [UInt8](repeating: 0x0A, count: 2000),
    ]

    @Test("junk in any file that a check looks at ends no process and steers no terminal", arguments: DoctorCase.all)
    func manyFiles(_ one: DoctorCase) throws {
        let data = try DataMachine()
        var context = DoctorTests.context(data)
        try one.prepare(data.fake, &context)
        let files = files(below: data.fake.root).filter { !isExecutable($0) }
        let check = try #require(Doctor.checks.first { $0.id == one.check })
        for junk in Self.junk where !files.isEmpty {
            for file in files {
                // Nothing of it must outlive a power cut.
                let descriptor = file.withCString { open($0, O_WRONLY | O_TRUNC) }
                _ = writeBytes(junk, to: descriptor)
                close(descriptor)
            }
            let verdict = check.look(context)
            let text = verdict.reason + verdict.cure
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "\(one.check)")
        }
    }

    private func files(below folder: BytePath) -> [BytePath] {
        ((try? directoryNames(folder)) ?? []).flatMap { name -> [BytePath] in
            let path = folder.appending(name)
            switch (try? fileStatus(path, followLinks: false))?.kind {
            case .directory?: return files(below: path)
            case .regular?: return [path]
            default: return []
            }
        }
    }

    @Test("a pipe in the place of a database is told, and nobody waits for it")
    func pipes() throws {
        let data = try DataMachine()
        try createDirectories(data.places.state)
        let path = data.places.state.appending("user.sqlite")
        #expect(path.withCString { mkfifo($0, 0o600) } == 0)
        let check = try #require(Doctor.checks.first { $0.id == "databases" })
        #expect(check.look(DoctorTests.context(data)).reason.contains("is no file"))
    }

    @Test("a log of gigabytes is looked at from its end")
    func log() throws {
        let data = try DataMachine()
        try createDirectories(data.places.state)
        let log = data.places.state.appending("menu.log")
        let line = Array("\n2026 error: the last words\n".utf8)
        try replaceFile(at: log, with: [])
        let file = try GrowingFile(log)
        try line.withUnsafeBytes { try file.write($0, at: 10 << 30) }
        let check = try #require(Doctor.checks.first { $0.id == "log" })
        #expect(check.look(DoctorTests.context(data)).reason.contains("the last words"))
    }

    @Test(
        "root makes nothing readable through a link that took a game's place",
        .enabled(if: geteuid() == 0, "needs root"))
    func links() throws {
        let data = try DataMachine()
        let secret = try data.fake.file("secret", "x", permissions: 0o600)
        let game = try data.put("roms/nes/A.nes", "game")
        let folder = try data.put("roms/snes/B.sfc", "game").parent
        try setPermissions(game, 0o600)
        try setPermissions(folder, 0o700)
        let context = DoctorTests.context(data)
        let check = try #require(Doctor.checks.first { $0.id == "games-readable" })
        let fix = try #require(check.look(context).fix)
        // What the account that plays may do between the look and the cure.
        try removeFile(game)
        try makeLink(to: secret, at: game)
        do throws(ApplianceError) {
            try fix.apply()
            Issue.record("a link was taken for a game")
        } catch { #expect(error.status != .done) }
        #expect(try fileStatus(secret).permissions == 0o600)
        try removeFile(game)
        let second = data.places.root.appending("second")
        #expect(secret.withCString { from in second.withCString { link(from, $0) } } == 0)
        #expect(throws: SystemError.self) { try addPermissions(second, 0o444) }
        #expect(try fileStatus(secret).permissions == 0o600)
        try addPermissions(folder, 0o055)
        #expect(try fileStatus(folder).permissions == 0o755)
    }
}
