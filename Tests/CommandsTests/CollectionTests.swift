import SystemKit
import Testing

@testable import Commands

@Suite("collections, and games by what they are")
struct CollectionTests {
    private func world() async throws -> World {
        let world = try World()
        for name in ["Alpha (USA) (En,Fr)", "Alpha (Japan) (Rev 1)", "Beta (Japan)", "sub/Gamma (Europe)"] {
            try world.rom("nes/\(name).nes".bytePath)
        }
        try world.rom("snes/Delta (Japan).sfc")
        _ = await world.run("scan")
        return world
    }

    private func titles(_ world: World, _ words: BytePath...) async throws -> [String] {
        let result = await world.run(words: words + ["--json"])
        #expect(result.status == .done, "\(words): \(result.messages)")
        return try result.json().array.map { $0["title"]?.string ?? "" }
    }

    @Test("a list is made, filled, shown, renamed, emptied and deleted")
    func lists() async throws {
        let world = try await world()
        #expect(await world.run("collections").messages.contains("No collections yet"))
        let made = try await world.run("collections", "create", "Evening", "--json").json()
        #expect(made["name"]?.string == "Evening" && made["filter"] == .null)
        let beta = BytePath("\(try await world.id(of: "Beta"))")
        #expect(
            await world.run("collections", "add", "evening", beta, "retro/roms/snes/Delta (Japan).sfc").status == .done)
        #expect(try await titles(world, "collections", "show", "Evening") == ["Beta", "Delta"])
        #expect(try await titles(world, "games", "--collection", "EVENING", "--system", "snes") == ["Delta"])
        #expect(try await world.run("collections", "--json").json().array.first?["games"]?.integer == 2)
        #expect(await world.run("collections", "rename", "Evening", "Night").status == .done)
        #expect(await world.run("collections", "remove", "Night", beta).status == .done)
        #expect(try await titles(world, "collections", "show", "Night") == ["Delta"])
        #expect(await world.run("collections", "delete", "Night").status == .usage)
        #expect(await world.run("collections", "delete", "Night", "--dry-run").output == "delete Night\n")
        #expect(await world.run("collections", "delete", "Night", "--yes").status == .done)
        #expect(try await world.run("collections", "--json").json() == .array([]))
        #expect(try await titles(world, "games").count == 4)
    }

    @Test("a part of the list without a game does not say that there are none")
    func emptyParts() async throws {
        let world = try await world()
        for words: [BytePath] in [["games", "--limit", "0"], ["games", "--offset", "99"]] {
            let result = await world.run(words: words)
            #expect(result.status == .done && !result.messages.contains("Copy some"))
            #expect(result.messages.contains("No game is in this part"))
        }
    }

    @Test("a saved filter follows its conditions, which can be changed; wrong ones are refused")
    func filters() async throws {
        let world = try await world()
        let made = await world.run("collections", "create", "Japan", "--region", "japan", "--system", "nes")
        #expect(made.status == .done)
        #expect(try await titles(world, "collections", "show", "Japan") == ["Alpha", "Beta"])
        let list = try await world.run("collections", "list", "--json").json().array
        #expect(list.first?["filter"]?["regions"] == .array([.string("Japan")]))
        #expect(await world.run("collections", "list").output.contains("filter: nes, Japan"))
        _ = await world.run("collections", "filter", "Japan", "--region", "Europe")
        #expect(try await titles(world, "collections", "show", "Japan") == ["Gamma"])
        for words: [BytePath] in [
            ["collections", "create", "x", "--region", "Moon"], ["collections", "create", "x", "--year", "19x0"],
            ["games", "--year", "1995-1990"],
            ["collections", "create", "x", "--rating", "7"], ["collections", "create", "JAPAN"],
            ["collections", "create", " "], ["collections", "show", "Japam"],
            ["games", "--favourites", "--never-played"], ["games", "--folder", "sub"],
        ] {
            let result = await world.run(words: words)
            #expect(result.status == .usage, "\(words)")
            #expect(result.output == "")
        }
        #expect(await world.run("collections", "show", "Japam").messages.contains("did you mean 'Japan'"))
    }

    @Test("games are listed by folder, region, versions and play, with the parts of their names")
    func games() async throws {
        let world = try await world()
        #expect(try await titles(world, "games", "--system", "nes") == ["Alpha", "Beta", "Gamma"])
        #expect(try await titles(world, "games", "--system", "nes", "--versions").count == 4)
        #expect(try await titles(world, "games", "--system", "nes", "--folder", "/sub/") == ["Gamma"])
        #expect(try await titles(world, "games", "--region", "Japan") == ["Alpha", "Beta", "Delta"])
        #expect(try await titles(world, "games", "--never-played", "--limit", "1", "--offset", "1") == ["Beta"])
        #expect(try await titles(world, "games", "--most-played").isEmpty)
        #expect(try await titles(world, "games", "--genre", "Puzzle").isEmpty)
        let alpha = try await world.run("games", "--search", "alpha", "--json").json().array.first
        #expect(alpha?["regions"] == .array([.string("USA")]))
        #expect(alpha?["languages"] == .array([.string("en"), .string("fr")]))
        #expect(alpha?["revision"] == .null)
        let japan = try await world.run("games", "--region", "Japan", "--json").json().array.first
        #expect(japan?["revision"]?.string == "1")
    }

    @Test("lists of EmulationStation come in whole or not at all, with what is not here told")
    func imports() async throws {
        let world = try await world()
        let file = world.folder.appending("custom-Best of.cfg")
        try replaceFile(
            at: file, with: Array("/home/pi/RetroPie/roms/nes/Beta (Japan).nes\r\n/x/snes/Absent.sfc\r\n".utf8))
        #expect(
            await world.run("collections", "import", "custom-Best of.cfg", "--dry-run").output
                == "import Best of with 2 games\n")
        let result = try await world.run("collections", "import", "custom-Best of.cfg", "--json").json().array
        #expect(result.first?["added"]?.integer == 1)
        #expect(result.first?["unknown"]?.array.first?["path"]?.string == "/x/snes/Absent.sfc")
        #expect(try await titles(world, "collections", "show", "Best of") == ["Beta"])
        #expect(await world.run("collections", "import", "other.cfg").status == .usage)
        #expect(await world.run("collections", "import", "custom-none.cfg").status == .notFound)
    }
}

extension String {
    fileprivate var bytePath: BytePath { BytePath(self) }
}
