import DigestKit
import SystemKit
import Testing

@testable import Appliance

@Suite("A boot partition in strange states")
struct HostileBootTests {
    private func setup(_ text: String) throws -> FakeWiFi {
        let fake = try FakeWiFi()
        try fake.files.file("boot/firmware/config.txt", "a=1\n")
        try fake.files.file("boot/firmware/retro-setup.txt", text)
        return fake
    }

    private func pi() throws -> FakeMachine {
        let fake = try FakeMachine()
        try fake.file("boot/firmware/config.txt", "# Pi\n[pi4]\narm_boost=1\n")
        try fake.file("boot/firmware/cmdline.txt", "root=/dev/mmcblk0p2 quiet\n")
        try fake.file("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
        try fake.start("one")
        return fake
    }

    private func refusal(_ body: () throws(ApplianceError) -> Void) -> ApplianceError? {
        do throws(ApplianceError) {
            try body()
            return nil
        } catch { return error }
    }

    @Test("secrets are wiped also where the report cannot be written, and that is told")
    func noReport() throws {
        let fake = try setup("ssid=Home\npassphrase=secret one\n")
        try createDirectories(fake.files.root.appending("boot/firmware/retro-setup-report.txt"))
        let file = try #require(SetupFile(fake.machine))
        let error = refusal { () throws(ApplianceError) in _ = try file.apply() }
        #expect(error?.status == .cannotCreate)
        #expect(fake.profiles.count == 1)
        #expect(fake.text("boot/firmware/retro-setup.txt")?.contains("secret one") == false)
        #expect(try #require(SetupFile(fake.machine)).apply().lines.isEmpty)
    }

    @Test("what was applied from a card that cannot be written is not applied at each start")
    func onceOnly() throws {
        let text = "ssid=Home\npassphrase=secret one\n"
        let fake = try setup(text)
        // As a start left it that could not wipe the text.
        let note = fake.machine.state.appending("setup-applied")
        try createDirectories(fake.machine.state)
        try replaceFile(at: note, with: Array(SHA256.of(Array(text.utf8)).utf8))
        #expect(try #require(SetupFile(fake.machine)).apply().lines.map(\.state) == [.done, .done])
        #expect(fake.profiles.isEmpty)
        #expect(fake.text("boot/firmware/retro-setup.txt")?.contains("secret one") == false)
        // Once it was wiped, the same text written again is meant.
        try fake.files.file("boot/firmware/retro-setup.txt", text)
        #expect(try #require(SetupFile(fake.machine)).apply().lines.map(\.state) == [.done, .done])
        #expect(fake.profiles.count == 1)
        #expect(!fileExists(note))
    }

    @Test("a folder of that name hides no file, and folders, links and what is too large are told")
    func noFile() throws {
        let fake = try setup("ssid=Home\n")
        let folder = fake.files.root.appending("boot/firmware")
        try renameFile(folder.appending("retro-setup.txt"), to: folder.appending("retro-setup.txt.txt"))
        try createDirectories(folder.appending("Retro-Setup.txt"))
        #expect(SetupFile(fake.machine)?.path.name == "retro-setup.txt.txt")
        try removeFile(folder.appending("retro-setup.txt.txt"))
        func told(_ file: SetupFile?) -> SystemKit.ExitStatus? {
            refusal { () throws(ApplianceError) in _ = try file?.apply() }?.status
        }
        #expect(told(SetupFile(fake.machine)) == .badData)
        try removeDirectory(folder.appending("Retro-Setup.txt"))
        let secret = try fake.files.file("etc/secret", "hostname=x\n")
        try makeLink(to: secret, at: folder.appending("retro-setup.txt"))
        #expect(told(SetupFile(fake.machine)) == .badData)
        #expect(fake.text("etc/secret") == "hostname=x\n")
        try removeFile(folder.appending("retro-setup.txt"))
        try fake.files.file("boot/firmware/retro-setup.txt", String(repeating: "ssh-key=x\n", count: 20_000))
        #expect(told(SetupFile(fake.machine)) == .badData)
    }

    @Test(
        "text that is none costs nothing but itself, and is gone afterwards",
        arguments: [
            [UInt8](repeating: 0, count: 4096), Array("s\0s\0i\0d\0=\0x\0".utf8), [0xFF, 0xFE, 0x00], [0xFE, 0xFF],
            [0xEF, 0xBB, 0xBF], Array("=\n=x\nssid\n-=-\n_1=2\n".utf8),
            [0x0D, 0x0D, 0x0A],
            Array("hostname=\0\nssid=\npassphrase=\0\0\0\0\0\0\0\0\ncountry=\u{1B}[2J\n".utf8),
            Array("ssid-hex=zz\nssid-hex2=0\nssid3=\"\nhidden3=maybe\nssh=perhaps\ntimezone=../../etc/shadow\n".utf8),
            Array("ssh-key=command=\"rm -rf /\",no-pty ssh-ed25519 AAAA x\npassword-hash=$1$a$b\n".utf8),
        ])
    func noText(_ bytes: [UInt8]) throws {
        let fake = try setup("")
        try fake.files.file("boot/firmware/retro-setup.txt", bytes)
        let outcome = try #require(SetupFile(fake.machine)).apply()
        #expect(outcome.lines.allSatisfy { $0.state == .bad || $0.state == .failed })
        #expect(fake.profiles.isEmpty)
    }

    @Test(
        "marks that are doubled, nested, lonely or cut off lose no line of a person's, and our own lines are set once",
        arguments: [
            "a=1\n# retro-appliance begin\n[all]\narm_freq=1\n", "# retro-appliance end\na=1\n",
            "# retro-appliance begin\n# retro-appliance begin\narm_freq=1\n# retro-appliance end\na=1\n",
            "# retro-appliance begin\narm_freq=1\n# retro-appliance end\na=1\n# retro-appliance begin\narm_freq=2\n# retro-appliance end",
            "a=1\r\n[pi4]\r\n# retro-appliance begin\r\n[all]\r\narm_freq=1\r\n# retro-appliance end\r\n[none]\r\nb=1",
            "include a.txt\na=1\n[pi5]", "a=1\u{1A}", "\u{FEFF}# x\na=1\nb=1\n",
        ])
    func marks(_ text: String) throws {
        let fake = try pi()
        try fake.file("boot/firmware/config.txt", text)
        try BootChange.overclock(preset: "fast").plan(on: fake.machine).apply()
        let once = try fake.contents("boot/firmware/config.txt")
        #expect(OverclockFacts.read(fake.machine).setting == .preset("fast"))
        #expect(once.contains("a=1"))
        #expect(once.split(whereSeparator: \.isNewline).filter { $0 == "arm_freq=2000" }.count == 1)
        #expect(try BootChange.overclock(preset: "fast").plan(on: fake.machine).steps.isEmpty)
        try BootChange.overclock(preset: "none").plan(on: fake.machine).apply()
        #expect(try !fake.contents("boot/firmware/config.txt").contains("arm_freq=2000"))
    }

    @Test("a filter that somebody wrote between the marks is named, with what to do")
    func filter() throws {
        let fake = try pi()
        try fake.file(
            "boot/firmware/config.txt", "# retro-appliance begin\n[all]\n[pi4]\narm_freq=1\n# retro-appliance end\n")
        let error = refusal { () throws(ApplianceError) in
            _ = try BootChange.overclock(preset: "fast").plan(on: fake.machine)
        }
        #expect(error?.description.contains("'[pi4]' between this program's own marks; take it out") == true)
    }

    @Test("nothing is written into a damaged file, and what mends it is told")
    func damaged() throws {
        let fake = try pi()
        try fake.file("boot/firmware/config.txt", "a=1\n\0\0\0\0")
        let error = refusal { () throws(ApplianceError) in
            _ = try BootChange.overclock(preset: "fast").plan(on: fake.machine)
        }
        #expect(error?.status == .badData)
        #expect(error?.description.contains("boot-check --early") == true)
    }

    @Test("a trial whose note is damaged is a trial all the same", arguments: ["", "{", "\0\0\0\0", "{\"subject\":1}"])
    func note(_ text: String) throws {
        let fake = try pi()
        try BootChange.overclock(preset: "fast").plan(on: fake.machine).apply()
        try fake.file("var/lib/retro-machine/boot-trial.json", text)
        try fake.start("two")
        #expect(try !BootCheck.early(fake.machine).mustRestart)
        try fake.start("three")
        #expect(try BootCheck.early(fake.machine).mustRestart)
        #expect(try fake.contents("boot/firmware/config.txt") == "# Pi\n[pi4]\narm_boost=1\n")
        try fake.start("four")
        #expect(try !BootCheck.early(fake.machine).mustRestart)
    }

    @Test("what cannot be mended keeps no machine from its old settings")
    func unmendable() throws {
        let fake = try pi()
        try BootChange.overclock(preset: "fast").plan(on: fake.machine).apply()
        try fake.start("two")
        _ = try BootCheck.early(fake.machine)
        let line = fake.root.appending("boot/firmware/cmdline.txt")
        try removeFile(line)
        try createDirectories(line)
        try fake.start("three")
        #expect(throws: ApplianceError.self) { try BootCheck.early(fake.machine) }
        #expect(try fake.contents("boot/firmware/config.txt") == "# Pi\n[pi4]\narm_boost=1\n")
    }
}
