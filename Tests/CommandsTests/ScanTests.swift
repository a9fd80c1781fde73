import SystemKit
import Testing

@testable import Commands

@Suite("scan, systems and games")
struct ScanTests {
    @Test("a first scan makes the folders and finds nothing; looking before it makes nothing")
    func first() async throws {
        let world = try World()
        for words: [BytePath] in [
            ["status"], ["systems"], ["games"], ["config", "list"], ["config", "get", "menu.motion"],
            ["scan", "--dry-run"],
            ["config", "set", "menu.motion", "off", "--dry-run"],
        ] {
            #expect(await world.run(words: words).status == .done)
            #expect(!fileExists(world.root), "\(words) made something")
        }
        let result = await world.run("scan")
        #expect(result.status == .done)
        #expect(result.output.hasPrefix("0 games: nothing new ("))
        for folder: BytePath in ["roms/nes", "roms/snes", "bios", "saves", "states", "screenshots", "media"] {
            #expect(fileExists(world.root.appending(folder)), "\(folder)")
        }
    }

    @Test("games come, change and go, and the counts say so in both forms")
    func counts() async throws {
        let world = try World()
        try world.rom("nes/Micro Mages (USA).nes")
        try world.rom("snes/Yoshi.sfc")
        let first = try await world.run("scan", "--json").json()
        #expect(first["games"]?.integer == 2)
        #expect(first["added"]?.integer == 2)
        #expect(first["problems"] == .array([]))
        expectGolden(first.shape + "\n", "scan.shape")
        try removeFile(world.root.appending("roms/snes/Yoshi.sfc"))
        try world.rom("nes/Another.nes")
        let second = await world.run("scan")
        #expect(second.output.contains("2 games: 1 new"))
        #expect(second.output.contains("1 new"))
        let only = try await world.run("scan", "nes", "--full", "--json").json()
        #expect(only["systems"]?.integer == 1)
    }

    @Test("a folder of games that is a person's own is left as it is")
    func ownFolder() async throws {
        let world = try World()
        let own = world.folder.appending("own")
        try createDirectories(own.appending("nes"))
        try replaceFile(at: own.appending("nes/A.nes"), with: [1])
        let result = await world.run("scan", "--roms", "own")
        #expect(result.output.hasPrefix("1 game: 1 new"))
        #expect(try directoryNames(own) == ["nes"])
    }

    @Test("a dry run names the folders it would make")
    func dryRun() async throws {
        let world = try World()
        let plan = try await world.run("scan", "--dry-run", "nes", "--json").json()
        #expect(plan["scan"] == .array([.string("nes")]))
        let paths = (plan["create"]?.array ?? []).compactMap { $0["path"]?.string }
        #expect(paths.contains(world.root.appending("roms/nes").displayString))
    }

    @Test("a system may be named by an alias in any case; an unknown one is a usage error")
    func names() async throws {
        let world = try World()
        try world.rom("megadrive/Sonic.md")
        #expect(try await world.run("scan", "GENESIS", "--json").json()["games"]?.integer == 1)
        let wrong = await world.run("scan", "megadriev")
        #expect(wrong.status == .usage)
        #expect(wrong.messages == "retro-admin: there is no system 'megadriev'; did you mean 'megadrive'?\n")
    }

    @Test("a folder that cannot be made is told with the status of its reason")
    func cannotCreate() async throws {
        let world = try World()
        try replaceFile(at: world.root, with: [])
        let result = await world.run("scan")
        #expect(result.status == .cannotCreate)
        #expect(result.messages.contains("Not a directory"))
    }

    @Test("systems lists those with games, all with --all, and names alone for completion")
    func systems() async throws {
        let world = try World()
        try world.rom("nes/A.nes")
        try world.rom("nes/B.nes")
        _ = await world.run("scan")
        let listed = try await world.run("systems", "--json").json()
        #expect(listed.array.map { $0["name"]?.string } == ["nes"])
        #expect(listed.array[0]["games"]?.integer == 2)
        #expect(listed.array[0]["folder"]?.string == world.root.appending("roms/nes").displayString)
        expectGolden(listed.shape + "\n", "systems.shape")
        #expect(await world.run("systems", "--names").output == "nes\n")
        let all = await world.run("systems", "--all", "--names").output.split(separator: "\n")
        #expect(all.count >= 60)
        #expect(try await world.run("systems", "--all", "--json").json().array.count == all.count)
        #expect(await world.run("systems").output.contains("Nintendo Entertainment System"))
    }

    @Test("games can be chosen by system, title, mark and number of lines")
    func games() async throws {
        let world = try World()
        for name: BytePath in ["nes/Mario.nes", "nes/Zelda.nes", "snes/Mario World.sfc", "snes/Yoshi.sfc"] {
            try world.rom(name)
        }
        _ = await world.run("scan")
        let all = try await world.run("games", "--json").json()
        #expect(all.array.count == 4)
        expectGolden(all.shape + "\n", "games.shape")
        #expect(try await titles(world, "--system", "NES") == ["Mario", "Zelda"])
        #expect(try await titles(world, "--search", "mario") == ["Mario", "Mario World"])
        #expect(try await titles(world, "--limit", "1").count == 1)
        #expect(try await titles(world, "--limit=0").isEmpty)
        #expect(try await titles(world, "--favourites").isEmpty)
        let id = try await world.id(of: "Yoshi")
        #expect(await world.run("game", "favourite", BytePath("\(id)")).status == .done)
        #expect(try await titles(world, "--favourites") == ["Yoshi"])
        let nothing = await world.run("games", "--search", "nothing like this")
        #expect(nothing.status == .done && nothing.output == "" && !nothing.messages.isEmpty)
        #expect(try await world.run("games", "--search", "nothing", "--json").json() == .array([]))
        #expect(await world.run("games", "--limit", "-1").status == .usage)
        #expect(await world.run("games", "--recent", "--favourites").status == .usage)
    }

    private func titles(_ world: World, _ words: BytePath...) async throws -> [String] {
        try await world.run(words: ["games", "--json"] + words).json().array.compactMap { $0["title"]?.string }.sorted()
    }

    @Test("names of any bytes are listed, and nothing of them reaches a terminal raw")
    func hostileNames() async throws {
        let world = try World()
        let names: [BytePath] = [
            BytePath(bytes: Array("nes/Br".utf8) + [0xF8] + Array("derbund.nes".utf8)),
            "nes/evil\u{1B}]0;owned\u{7}\u{1B}[2J.nes", "nes/line\nbreak\ttab.nes", "nes/quote\"back\\slash.nes",
            "nes/\u{202E}sen.nes", "nes/--help.nes", "nes/-L core.nes", "nes/100%s %n{rom}$(id).nes", "nes/ゼルダの伝説.nes",
            BytePath("nes/Poke\u{301}mon.nes"), BytePath("nes/Pok\u{E9}mon.nes"), "nes/\u{7F}\u{85}.nes",
        ]
        for name in names { try world.rom(name) }
        _ = await world.run("scan")
        let listed = try await world.run("games", "--json").json()
        #expect(listed.array.count == names.count)
        let expected = Set(
            names.map { JSONValue.path(world.root.appending("roms").appending($0)) }.map { members in
                "\(members["path"] ?? .null) \(members["pathBytes"] ?? .null)"
            })
        let found = Set(
            listed.array.map { game in
                let path = game["path"]?.string.map(JSONValue.string) ?? .null
                let bytes = game["pathBytes"]?.string.map(JSONValue.string) ?? .null
                return "\(path) \(bytes)"
            })
        #expect(found.count == expected.count)
        #expect(found == expected)
        var texts = [await world.run("games").output, await world.run("games", "--json").output]
        for game in listed.array {
            let id = BytePath("\(try #require(game["id"]?.integer))")
            texts.append(await world.run("game", "show", id).output)
        }
        for text in texts {
            #expect(!text.unicodeScalars.contains { isTerminalControl($0) && $0 != "\n" })
        }
        // Every name by its own bytes, absolute and relative to the folder one is in.
        for name in names {
            let relative = BytePath("retro/roms").appending(name)
            for path in [world.folder.appending(relative), relative] {
                let shown = await world.run("game", "show", "--json", "--", path)
                #expect(shown.status == .done, "\(name): \(shown.messages)")
                let bytes = try shown.json()["pathBytes"]?.string
                #expect(bytes == (name.validUTF8 == nil ? base64(world.folder.appending(relative).bytes) : nil))
            }
        }
    }

    @Test("a command that had to mend the person's file says so, once (B092)")
    func tellsOfMending() async throws {
        let world = try World()
        try world.rom("nes/a.nes")
        _ = await world.run("scan")
        try replaceFile(at: world.root.appending(".retro/user.sqlite"), with: Array(repeating: 0x41, count: 5000))
        let first = await world.run("games")
        #expect(first.status == .done)
        #expect(first.messages.contains("user.sqlite.damaged-1"))
        #expect(await world.run("games").messages == "")
        try replaceFile(at: world.root.appending(".retro/user.sqlite"), with: Array(repeating: 0x41, count: 5000))
        let status = await world.run("status")
        #expect((status.output + status.messages).components(of: "damaged-2") == 1)
    }
}

extension String {
    /// How often a text is in it.
    fileprivate func components(of part: String) -> Int {
        var (count, rest) = (0, self[...])
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
