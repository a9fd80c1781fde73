import Glibc
import SystemKit
import Testing

@testable import Commands

@Suite("status, controllers and logs")
struct StatusTests {
    @Test("status tells the machine, the games and what is wrong")
    func status() async throws {
        let world = try World()
        let machine = world.folder.appending("machine")
        try createDirectories(machine.appending("proc/device-tree"))
        try replaceFile(at: machine.appending("proc/device-tree/model"), with: Array("Raspberry Pi 5\0".utf8))
        try world.rom("nes/A.nes")
        _ = await world.run("scan")
        let systems = world.root.appending(".retro/systems.d")
        try createDirectories(systems)
        try replaceFile(at: systems.appending("broken.json"), with: Array("{\n  nonsense\n".utf8))

        let status = try await world.run("status", "--json").json()
        #expect(status["machine"]?["model"]?.string == "Raspberry Pi 5")
        #expect(status["games"]?["total"]?.integer == 1)
        #expect(status["systems"]?["withGames"]?.integer == 1)
        #expect(status["database"]?["state"]?.string == "ok")
        #expect(status["share"]?["state"]?.string == "not-installed")
        #expect(status["root"]?.string == world.root.displayString)
        #expect((status["disk"]?["total"]?.integer ?? 0) > 0)
        #expect(status["problems"]?.array.count == 1)
        #expect(status["problems"]?.array.first?["path"]?.string?.contains("broken.json") == true)
        expectGolden(keys(status) + "\n", "status.keys")

        let text = await world.run("status")
        #expect(text.output.contains("Machine:     Raspberry Pi 5"))
        #expect(text.output.contains("Games:       1 game in 1 system\n"))
        #expect(text.messages.contains("broken.json"))
    }

    @Test("status works where nothing is, and says what to do")
    func fresh() async throws {
        let world = try World()
        let result = await world.run("status")
        #expect(result.status == .done)
        #expect(result.output.contains("'retro-admin scan' looks for them"))
        #expect(try await world.run("status", "--json").json()["database"]?["state"]?.string == "absent")
    }

    @Test("a catalog that cannot be looked at is not taken for one that is not there")
    func unreachable() async throws {
        let world = try World()
        // Root may enter every folder, so a link to itself stands for what may not be entered.
        try createDirectories(world.root)
        #expect(symlink(".retro", "\(world.root)/.retro") == 0)
        let games = await world.run("games")
        #expect(games.status != .done)
        #expect(!games.messages.contains("No games yet"))
        #expect(try await world.run("status", "--json").json()["database"]?["state"]?.string == "unusable")
    }

    @Test("a catalog that cannot be used is a problem that status tells, not one that stops it")
    func broken() async throws {
        let world = try World()
        _ = await world.run("scan")
        let user = world.root.appending(".retro/user.sqlite")
        removeTree(user)
        // A link to itself: nothing can be opened, made or put aside there.
        #expect(user.withCString { symlink($0, $0) } == 0)
        let status = await world.run("status", "--json")
        #expect(status.status == .done)
        #expect(try status.json()["database"]?["state"]?.string == "unusable")
        #expect(try status.json()["problems"]?.array.isEmpty == false)
    }

    @Test("games whose folder is gone are a problem that names it")
    func unmounted() async throws {
        let world = try World()
        try world.rom("nes/A.nes")
        _ = await world.run("scan")
        removeTree(world.root.appending("roms"))
        let problems = try await world.run("status", "--json").json()["problems"]?.array ?? []
        #expect(problems.compactMap { $0["path"]?.string } == [world.root.appending("roms").displayString])
    }

    @Test("controllers are listed as an array, with and without the word list")
    func controllers() async throws {
        let world = try World()
        for words: [BytePath] in [["controllers", "--json"], ["controllers", "list", "--json"]] {
            let result = await world.run(words: words)
            #expect(result.status == .done)
            guard case .array = try result.json() else {
                Issue.record("no array: \(result.output)")
                continue
            }
        }
    }

    @Test("the log is printed safely, from its end where asked, and its absence is told")
    func logs() async throws {
        let world = try World()
        let absent = await world.run("logs")
        #expect(absent.status == .notFound)
        #expect(absent.messages.contains("menu.log"))
        let state = world.root.appending(".retro")
        try createDirectories(state.appending("launch"))
        try replaceFile(at: state.appending("menu.log"), with: Array("one\ntw\u{1B}[31mo\n\nfour\n".utf8))
        try replaceFile(at: state.appending("launch/game.log"), with: Array("of the game\n".utf8))
        #expect(await world.run("logs").output == "one\ntw␛[31mo\n\nfour\n")
        #expect(await world.run("logs", "--limit", "2").output == "\nfour\n")
        #expect(await world.run("logs", "--game").output == "of the game\n")
        #expect(
            try await world.run("logs", "--limit=1", "--json").json() == .object(["lines": .array([.string("four")])]))
    }

    /// The names of all members, two levels deep: what is in them depends on the machine.
    private func keys(_ document: AnyJSON) -> String {
        guard case .object(let members) = document else { return "" }
        return members.keys.sorted().map { key in
            guard case .object(let inner) = members[key] else { return key }
            return "\(key): \(inner.keys.sorted().joined(separator: " "))"
        }.joined(separator: "\n")
    }
}
