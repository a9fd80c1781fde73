import Appliance
import Glibc
import SystemKit
import Testing

@testable import Commands

@Suite("backup and doctor, and what is told of data that cannot be used")
struct CareTests {
    @Test("a backup is made, listed, verified and restored by commands")
    func backup() async throws {
        let world = try World()
        try world.rom("nes/A.nes")
        _ = await world.run("scan")
        let game = try await world.id(of: "A.nes")
        _ = await world.run("game", "favourite", BytePath(String(game)))
        let made = try await world.run("backup", "create", "--json").json()
        let path = BytePath(try #require(made["path"]?.string))
        #expect(path.parent == world.root.appending("backups"))
        #expect(made["files"]?.integer == 1)
        let listed = try await world.run("backup", "list", "--json").json()
        #expect(listed["backups"]?.array.count == 1)
        #expect(try await world.run("backup", "verify", path, "--json").json()["state"]?.string == "ok")

        _ = await world.run("game", "favourite", BytePath(String(game)), "--off")
        let planned = await world.run("backup", "restore", path, "--dry-run")
        #expect(planned.output.contains("1 replaced, 0 added"))
        #expect(await world.run("backup", "restore", path).status == .usage)
        #expect(await world.run("backup", "restore", path, "--yes").status == .done)
        #expect(try await world.run("games", "--json").json().array.first?["favourite"]?.bool == true)
    }

    @Test("a cut backup is told with status 65 and touches nothing")
    func cut() async throws {
        let world = try World()
        _ = await world.run("config", "set", "menu.clock", "12")
        let path = BytePath(try #require(try await world.run("backup", "create", "--json").json()["path"]?.string))
        let bytes = try readFile(path)
        try replaceFile(at: path, with: Array(bytes.dropLast(20)))
        _ = await world.run("config", "set", "menu.clock", "24")
        let result = await world.run("backup", "restore", path, "--yes")
        #expect(result.status == .badData)
        #expect(result.messages.contains("cut off"))
        #expect(await world.run("config", "get", "menu.clock").output == "24\n")
        let verified = await world.run("backup", "verify", path, "--json")
        #expect(verified.status == .badData)
        #expect(try verified.json()["state"]?.string == "damaged")
    }

    @Test("nothing to back up, no stick and no such folder are told")
    func nothing() async throws {
        let world = try World()
        #expect(await world.run("backup", "create").status == .notFound)
        _ = await world.run("config", "set", "menu.clock", "12")
        #expect(await world.run("backup", "create", "--usb").status == .notFound)
        #expect(await world.run("backup", "create", "absent/there").status == .cannotCreate)
        #expect(await world.run("backup", "create", "--keep", "0").status == .usage)
        #expect(await world.run("backup", "list").messages.contains("no backup"))
    }

    @Test("doctor tells each check once, with a cure for what is not well")
    func doctor() async throws {
        let world = try World()
        try world.rom("psx/Game.cue", "FILE \"Game.bin\" BINARY\n")
        try world.rom("psx/Game.bin")
        let checks = try await world.run("doctor", "--json").json().array
        let names = checks.compactMap { $0["check"]?.string }
        #expect(Set(names).count == checks.count)
        #expect(checks.count >= 50)
        for check in checks {
            #expect((check["cure"]?.string?.isEmpty == false) == (check["state"]?.string != "ok"))
        }
        let bios = checks.first { $0["check"]?.string == "bios" }
        #expect(bios?["state"]?.string == "warning")
        let emulators = checks.first { $0["check"]?.string == "emulators" }
        #expect(emulators != nil)
        try createDirectories(world.root.appending("bios"))
        try replaceFile(at: world.root.appending("bios/SCPH5501.BIN"), with: [0])
        let again = try await world.run("doctor", "--json").json().array
        #expect(again.first { $0["check"]?.string == "bios" }?["state"]?.string == "ok")
        #expect(await world.run("doctor").output.contains(" checks: "))
    }

    @Test("doctor --fix cures and says so; --dry-run only says what it would do")
    func fix() async throws {
        let world = try World()
        let settings = world.root.appending(".retro/retroarch.cfg")
        try createDirectories(settings.parent)
        try replaceFile(at: settings, with: [])
        let planned = try await world.run("doctor", "--fix", "--dry-run", "--json").json().array
        let plan = planned.first { $0["check"]?.string == "emulator-configuration" }
        #expect(plan?["steps"]?.array.first?["done"]?.bool == false)
        #expect(fileExists(settings))
        let cured = try await world.run("doctor", "--fix", "--json").json().array
        let done = cured.first { $0["check"]?.string == "emulator-configuration" }
        #expect(done?["fixed"]?.bool == true)
        #expect(done?["state"]?.string == "ok")
        #expect(!fileExists(settings))
    }

    @Test(
        "status tells everything and ends with 77 where the state folder may not be entered",
        .enabled(if: currentUserID != 0, "needs a user who is not root"))
    func forbidden() async throws {
        let world = try World()
        try world.rom("nes/A.nes")
        _ = await world.run("scan")
        let state = world.root.appending(".retro")
        try setPermissions(state, 0)
        defer { try? setPermissions(state, 0o755) }
        let result = await world.run("status", "--json")
        #expect(result.status == .noPermission)
        #expect(try result.json()["database"]?["state"]?.string == "unusable")
        #expect(await world.run("games").status == .noPermission)
    }

    @Test(
        "games are listed where the state folder can only be read",
        .enabled(if: currentUserID != 0, "needs a user who is not root"))
    func readOnly() async throws {
        let world = try World()
        try world.rom("nes/A.nes")
        _ = await world.run("scan")
        let state = world.root.appending(".retro")
        for name in try directoryNames(state) { try? setPermissions(state.appending(name), 0o444) }
        try setPermissions(state, 0o555)
        defer { try? setPermissions(state, 0o755) }
        let result = await world.run("games", "--json")
        #expect(result.status == .done)
        #expect(try result.json().array.count == 1)
    }
}
