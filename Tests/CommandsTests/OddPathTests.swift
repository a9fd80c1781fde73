import SystemKit
import Testing

@testable import Commands

@Suite("Odd paths on the command line")
struct OddPathTests {
    /// What is no file to read, whatever asks for it.
    static let odd = ["a-folder", "absent", "a-file/below", String(repeating: "n", count: 300), "/dev/null"]

    private func world() throws -> World {
        let world = try World()
        try createDirectories(world.folder.appending("a-folder"))
        try replaceFile(at: world.folder.appending("a-file"), with: [])
        return world
    }

    @Test("what cannot be read is told with 66 by every command that reads a file", arguments: odd)
    func input(path: String) async throws {
        let world = try world()
        _ = await world.run("scan")
        let path = BytePath(path)
        #expect(await world.run("backup", "verify", path).status == .notFound)
        #expect(await world.run("backup", "restore", path, "--yes").status == .notFound)
        #expect(await world.run("gamelist", "import", "nes", "--file", path).status == .notFound)
        #expect(await world.run("controllers", "import", path).status == .notFound)
        #expect(await world.run("dat", "import", path).status == .notFound)
        if path != "a-folder" {
            #expect(await world.run("backup", "list", path).status == .notFound)
            #expect(await world.run("library", "add", path).status == .notFound)
            #expect(await world.run("library", "add", path, "--dry-run").status == .notFound)
        }
    }

    @Test("what cannot be made is told with 73", arguments: ["absent/x", "a-file/x", "absent/"])
    func output(path: String) async throws {
        let world = try world()
        try world.rom("nes/Game.nes")
        _ = await world.run("scan")
        #expect(await world.run("backup", "create", BytePath(path)).status == .cannotCreate)
        #expect(await world.run("gamelist", "export", "nes", "--file", BytePath(path)).status == .cannotCreate)
    }

    @Test("an empty path is a variable that is not set, and never the working directory")
    func empty() async throws {
        let world = try world()
        for words in [
            ["backup", "create", ""], ["backup", "verify", ""], ["backup", "list", ""], ["library", "add", ""],
            ["gamelist", "import", "--file", ""], ["launch", ""], ["expand-fs", "--device", ""],
        ] as [[BytePath]] {
            #expect(await world.run(words: words).status == .usage, "\(words)")
        }
    }

    @Test("nothing that a stranger wrote steers the terminal, in results and in messages")
    func terminal() async throws {
        let world = try world()
        let evil = BytePath("x\u{1B}]0;title\u{7}\u{9B}2J\r\u{202E}.tar.zst")
        for words in [["backup", "create", evil], ["backup", "verify", evil], [evil], ["launch", evil]] {
            let result = await world.run(words: words)
            let text = result.output + result.messages
            #expect(!text.unicodeScalars.contains { $0 != "\n" && isTerminalControl($0) }, "\(words)")
        }
    }
}
