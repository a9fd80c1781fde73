import SystemKit
import Testing

@testable import Commands

@Suite("gamelist")
struct GamelistTests {
    private func world() async throws -> World {
        let world = try World()
        for name in ["nes/a.nes", "nes/b.nes", "snes/c.sfc"] { try world.rom(BytePath(name)) }
        _ = await world.run("scan")
        return world
    }

    private func list(_ world: World, _ system: String) -> BytePath {
        world.root.appending("roms").appending(system).appending("gamelist.xml")
    }

    private static let records = """
        <?xml version="1.0"?>
        <gameList>
        <game><path>./a.nes</path><name>Alpha</name><own>x</own></game>
        <game><path>./b & c.nes</path><name>Beta</name></game>
        </gameList>
        """

    @Test("all lists that there are come in, with their problems on standard error, and go out again")
    func inAndOut() async throws {
        let world = try await world()
        try replaceFile(at: list(world, "nes"), with: Array(Self.records.utf8))
        let trial = try await world.run("gamelist", "import", "--dry-run", "--json").json()
        #expect(trial["added"]?.integer == 2 && trial["dryRun"]?.bool == true)
        let report = try await world.run("gamelist", "import", "--json").json()
        expectGolden(report.shape + "\n", "gamelist.shape")
        #expect(report["records"]?.integer == 2 && report["matched"]?.integer == 1)
        #expect(report["added"]?.integer == 2 && report["unknown"]?.integer == 1)
        #expect(report["problems"]?.array.first?["record"]?.integer == 2)
        let titles = try await world.run("games", "--json").json().array.compactMap { $0["title"]?.string }
        #expect(titles.contains("Alpha"))
        let written = try await world.run("gamelist", "export", "--json").json()
        #expect(written["lists"]?.array.compactMap { $0["system"]?.string } == ["nes", "snes"])
        let text = String(decoding: try readFile(list(world, "nes")), as: UTF8.self)
        #expect(text.contains("<own>x</own>") && text.contains("./b &amp; c.nes"))
        #expect(fileExists(world.root.appending("roms/nes/gamelist.xml.bad-1")))
        let people = await world.run("gamelist", "import", "nes")
        #expect(people.status == .done)
        #expect(people.output.contains("2 records read"))
    }

    @Test("a file needs its system, and one that is not there is told")
    func wrong() async throws {
        let world = try await world()
        #expect(await world.run("gamelist", "import", "--file", "x.xml").status == .usage)
        #expect(await world.run("gamelist", "import", "nes", "--file", "x.xml").status == .notFound)
        #expect(await world.run("gamelist", "import", "nothing").status == .usage)
        #expect(await world.run("gamelist", "import").status == .done)
        let other = await world.run("gamelist", "export", "nes", "--file", "out.xml")
        #expect(other.status == .done)
    }

    @Test("metadata is shown under the names of gamelist.xml, and what a person sets stands over it")
    func edits() async throws {
        let world = try await world()
        let id = BytePath("\(try await world.id(of: "a.nes"))")
        let game = try await world.run(
            "game", "set", id, "desc=About it", "genre=Action, RPG", "releasedate=1990-11", "rating=0.5", "players=1-2",
            "developer=D", "--json"
        ).json()
        let details = try #require(game["details"])
        #expect(details["desc"]?.string == "About it" && details["genre"]?.string == "Action, RPG")
        #expect(details["releasedate"]?.string == "1990-11")
        let text = await world.run("game", "show", id).output
        #expect(text.contains("Action, RPG") && text.contains("50 %"))
        for word in ["rating=7", "releasedate=soon", "players=x"] {
            let result = await world.run("game", "set", id, BytePath(word), "title=No")
            #expect(result.status == .badData)
        }
        #expect(try await world.run("game", "show", id, "--json").json()["title"]?.string == "a")
        let back = try await world.run("game", "set", id, "desc=", "--json").json()
        #expect(back["details"]?["desc"]?.string == nil)
    }
}
