import SystemKit
import Testing

@testable import Commands

@Suite("game")
struct GameTests {
    private func world() async throws -> (World, id: BytePath) {
        let world = try World()
        try world.rom("nes/Micro Mages (USA).nes")
        try world.rom("nes/Other.nes")
        _ = await world.run("scan")
        return (world, BytePath("\(try await world.id(of: "Micro"))"))
    }

    @Test("a title of blanks is none, and one that is longer than any is refused")
    func oddTitles() async throws {
        let world = try World()
        try world.rom("nes/a.nes")
        _ = await world.run("scan")
        let id = BytePath(String(try await world.id(of: "a.nes")))
        _ = await world.run("game", "set", id, "title=Better")
        #expect(await world.run("game", "set", id, "title= \u{3000}").status == .done)
        #expect(try await world.run("games", "--json").json().array.first?["title"]?.string == "a")
        let long = BytePath("title=" + String(repeating: "x", count: 100_000))
        let result = await world.run("game", "set", id, long)
        #expect(result.status == .badData)
        #expect(result.messages.utf8.count < 200)
    }

    @Test("a game is shown by its number and by its path")
    func show() async throws {
        let (world, id) = try await world()
        let game = try await world.run("game", "show", id, "--json").json()
        expectGolden(game.shape + "\n", "game.shape")
        #expect(game["title"]?.string == "Micro Mages")
        #expect(try await world.run("game", "show", "retro/roms/nes/Micro Mages (USA).nes", "--json").json() == game)
        #expect(
            try await world.run("game", "show", "./retro/roms//nes/../nes/Micro Mages (USA).nes", "--json").json()
                == game)
        let text = await world.run("game", "show", id).output
        #expect(text.contains("Micro Mages\n"))
        #expect(text.contains("never\n"))
    }

    @Test("what a person sets survives a rescan, and an empty value takes it back")
    func set() async throws {
        let (world, id) = try await world()
        let changed = try await world.run(
            "game", "set", id, "title=Kleine Magier = gut", "favourite=on", "hidden=yes", "emulator=nestopia", "--json"
        ).json()
        for game in [changed, try await world.rescanned(id)] {
            #expect(game["title"]?.string == "Kleine Magier = gut")
            #expect(game["favourite"]?.bool == true)
            #expect(game["hidden"]?.bool == true)
            #expect(game["emulator"]?.string == "nestopia")
        }
        let back = try await world.run(
            "game", "set", id, "title=", "emulator=", "favourite=off", "hidden=0", "--json"
        ).json()
        #expect(back["title"]?.string == "Micro Mages")
        #expect(back["emulator"] == .null)
        #expect(back["favourite"]?.bool == false && back["hidden"]?.bool == false)
    }

    @Test("of several changes none is made when one is not allowed")
    func atomic() async throws {
        let (world, id) = try await world()
        for (word, status) in [
            ("favourite=perhaps", .badData), ("emulator=nestopai", .badData), ("colour=red", .usage),
            ("title", .usage), ("=x", .usage), ("title=a\u{1B}b", .badData),
        ] as [(BytePath, SystemKit.ExitStatus)] {
            let result = await world.run("game", "set", id, "title=New", word)
            #expect(result.status == status, "\(word)")
            #expect(result.output == "")
        }
        let unknown = await world.run("game", "set", id, "favorite=on")
        #expect(unknown.messages == "retro-admin: there is no property 'favorite'; did you mean 'favourite'?\n")
        #expect(try await world.run("game", "show", id, "--json").json()["title"]?.string == "Micro Mages")
    }

    @Test("marks are set and taken back; a dry run says what and changes nothing")
    func marks() async throws {
        let (world, id) = try await world()
        #expect(await world.run("game", "hide", id, "--dry-run").output == "Micro Mages: is out of sight\n")
        #expect(try await world.run("games", "--json").json().array.count == 2)
        _ = await world.run("game", "hide", id)
        #expect(try await world.run("games", "--json").json().array.count == 1)
        #expect(try await world.run("games", "--json", "--hidden").json().array.count == 2)
        _ = await world.run("game", "hide", id, "--off")
        #expect(try await world.run("games", "--json").json().array.count == 2)
        #expect(try await world.run("game", "favourite", id, "--json").json()["favourite"]?.bool == true)
        #expect(try await world.run("game", "favourite", id, "--off", "--json").json()["favourite"]?.bool == false)
    }

    @Test("a game that is not there is 66, whatever it is named by")
    func absent() async throws {
        let (world, _) = try await world()
        try world.rom("nes/readme.txt")
        for word: BytePath in [
            "999999", "0", "nothing", "nothing/here.nes", "retro/roms/nes/readme.txt", "retro/roms/nes", "/etc/passwd",
            BytePath(bytes: [0xFF, 0xFE]),
        ] {
            let result = await world.run("game", "show", word)
            #expect(result.status == .notFound, "\(word)")
            #expect(result.output == "")
            #expect(result.messages.hasPrefix("retro-admin: "))
        }
        #expect(await (try World()).run("game", "show", "1").status == .notFound)
    }

    @Test("only a missing game is forgotten, and only after a yes")
    func forget() async throws {
        let (world, id) = try await world()
        _ = await world.run("game", "favourite", id)
        let present = await world.run("game", "forget", id, "--yes")
        #expect(present.status == .badData)
        // A folder that is gone as a whole may be a drive that is not connected: its games are missing, not deleted.
        removeTree(world.root.appending("roms"))
        #expect(try await world.run("scan", "--dry-run", "--json").json()["create"] == .array([]))
        _ = await world.run("scan")
        #expect(!fileExists(world.root.appending("roms")), "a drive may be mounted there later")
        let missing = try await world.run("games", "--missing", "--json").json().array
        #expect(missing.count == 2)
        #expect(await world.run("game", "forget", id).status == .usage, "nobody can be asked")
        let declined = await world.run("game", "forget", id, answer: "")
        #expect(declined.status == .done && declined.messages.contains("Nothing was changed."))
        #expect(await world.run("game", "forget", id, "--dry-run").status == .done)
        #expect(try await world.run("games", "--missing", "--json").json().array.count == 2)
        #expect(await world.run("game", "forget", id, answer: "y").output == "Forgotten.\n")
        #expect(await world.run("game", "show", id).status == .notFound)
    }
}

extension World {
    fileprivate func rescanned(_ id: BytePath) async throws -> AnyJSON {
        _ = await run("scan", "--full")
        return try await run("game", "show", id, "--json").json()
    }
}
