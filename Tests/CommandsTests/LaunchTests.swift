import SystemKit
import Testing

@testable import Commands

@Suite("launch", .serialized)
struct LaunchTests {
    /// A world with one game and an emulator that is a script.
    private func world(_ script: String) async throws -> (World, rom: BytePath) {
        let world = try World()
        try world.testSystem(emulator: try world.program("stub", script))
        let rom = try world.rom("tst/Game.tst")
        let scan = await world.run("scan")
        #expect(scan.messages == "")
        return (world, rom)
    }

    @Test("a plan shows exactly what would run, and starts nothing")
    func plan() async throws {
        let (world, rom) = try await world("touch \"$1.started\"")
        let plan = try await world.run("launch", rom, "--plan", "--json").json()
        #expect(
            plan["argv"]
                == .array([.string(world.programs.appending("stub").displayString), .string(rom.displayString)]))
        #expect(plan["emulator"]?.string == "stub")
        expectGolden(plan.shape + "\n", "plan.shape")
        #expect(try await world.run("launch", rom, "--dry-run", "--json").json() == plan)
        #expect(await world.run("launch", rom, "--plan").output.contains("  \(rom)\n"))
        #expect(!fileExists(BytePath(bytes: rom.bytes + Array(".started".utf8))))
    }

    @Test("the emulator gets the name's own bytes, whatever they are, also of a file that no scan has seen")
    func bytes() async throws {
        let (world, _) = try await world("printf %s \"$1\" > \"$(dirname \"$0\")/seen\"; sleep 6")
        let rom = try world.rom(
            BytePath(bytes: Array("tst/-L $(id) {rom} %s ".utf8) + [0xF8, 0xFF] + Array(".tst".utf8)))
        let plan = try await world.run("launch", rom, "--plan", "--json").json()
        #expect(plan["argv"]?.array.last?["bytes"]?.string == base64(rom.bytes))
        let result = await world.run("launch", rom, "--json")
        #expect(try result.json()["outcome"]?.string == "finished", "\(result.messages)")
        #expect(try readFile(world.programs.appending("seen")) == rom.bytes)
    }

    @Test("how it ended is told, and a bad end is an error of the command with the last lines of its output")
    func outcomes() async throws {
        let (world, rom) = try await world("echo \"no such\u{1B}[31m mapper\" >&2; exit 3")
        let result = await world.run("launch", rom, "--json")
        let outcome = try result.json()
        #expect(outcome["outcome"]?.string == "failed")
        #expect(outcome["exitStatus"]?.integer == 3)
        #expect(outcome["signal"] == .null)
        expectGolden(outcome.shape + "\n", "outcome.shape")
        #expect(result.status == .unavailable)
        let text = await world.run("launch", rom)
        #expect(text.messages.contains("mapper"))
        #expect(!text.messages.contains("\u{1B}"))
    }

    @Test("a game that did not come up was not played")
    func history() async throws {
        let (world, rom) = try await world("exit 1")
        _ = await world.run("launch", rom)
        let game = try await world.run("game", "show", rom, "--json").json()
        #expect(game["playCount"]?.integer == 0)
        #expect(game["lastPlayed"] == .null)
        #expect(try await world.run("games", "--recent", "--json").json() == .array([]))
    }

    @Test("what is missing is told before anything starts, each with its own status")
    func missing() async throws {
        let (world, rom) = try await world("exit 0")
        #expect(await world.run("launch", "999").status == .notFound)
        #expect(await world.run("launch", rom, "--emulator", "other").status == .usage)
        try removeFile(rom)
        let lost = await world.run("launch", rom)
        #expect(lost.status == .notFound)
        try world.rom("tst/Game.tst")
        removeTree(world.programs.appending("stub"))
        let gone = await world.run("launch", rom)
        #expect(gone.status == .unavailable)
        #expect(gone.messages.contains("stub"))
    }
}
