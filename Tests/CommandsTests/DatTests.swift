import Glibc
import SystemKit
import Testing

@testable import Commands

/// A file that was changed a moment ago is left for later.
private func makeOld(_ path: BytePath) {
    let times = [timespec](repeating: timespec(tv_sec: 1_600_000_000, tv_nsec: 0), count: 2)
    _ = path.withCString { utimensat(AT_FDCWD, $0, times, 0) }
}

@Suite("dat and identify")
struct DatTests {
    private func list(_ world: World, _ name: String, _ game: String) throws -> BytePath {
        let file = world.folder.appending("list.dat")
        // The CRC-32 of "123456789".
        let text = """
            <datafile><header><name>\(name)</name><version>7</version></header>
            <game name="\(game)"><description>\(game)</description>
            <rom name="x" size="9" crc="cbf43926"/></game><game/></datafile>
            """
        try replaceFile(at: file, with: Array(text.utf8))
        return file
    }

    @Test("a list is imported for the system that it names, listed, used and forgotten")
    func life() async throws {
        let world = try World()
        let rom = try world.rom("gb/a.gb", "123456789")
        makeOld(rom)
        #expect(await world.run("scan").status == .done)
        let file = try list(world, "Nintendo - Game Boy", "The Game (World)")
        let plan = try await world.run("dat", "import", file, "--dry-run", "--json").json()
        #expect(plan.array.first?["system"]?.string == "gb")
        let imported = await world.run("dat", "import", file)
        #expect(imported.status == .done)
        #expect(imported.output == "Nintendo - Game Boy (gb): 1 game\n")
        #expect(imported.messages.contains("record 2: It has no name"))
        let found = try await world.run("identify", "--json").json()
        #expect(found["identified"]?.integer == 1)
        let listed = try await world.run("dat", "list", "--json").json()
        #expect(listed.array.first?["games"]?.integer == 1)
        #expect(listed.array.first?["version"]?.string == "7")
        #expect(await world.run("dat", "list").output.contains("Nintendo - Game Boy"))
        let id = try #require(listed.array.first?["id"]?.integer)
        #expect(await world.run("dat", "remove", BytePath("\(id)")).status == .done)
        #expect(await world.run("dat", "remove", BytePath("\(id)")).status == .usage)
        #expect(await world.run("dat", "list").output.isEmpty)
    }

    @Test("a list of nobody's system is refused, and one that is told is taken")
    func unsure() async throws {
        let world = try World()
        let file = try list(world, "Acme - Widget", "Game")
        let refused = await world.run("dat", "import", file)
        #expect(refused.status == .badData)
        #expect(refused.messages.contains("--system"))
        #expect(!fileExists(world.root), "nothing was made")
        #expect(await world.run("dat", "import", "--system", "genesis", file).output.contains("(megadrive)"))
        #expect(await world.run("dat", "import", "--system", "nothing", file).status == .usage)
        #expect(await world.run("dat", "import", "absent.dat").status == .notFound)
        try replaceFile(at: file, with: Array("<html/>".utf8))
        #expect(await world.run("dat", "import", "--system", "nes", file).status == .badData)
    }
}
