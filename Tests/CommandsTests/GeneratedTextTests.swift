import SystemKit
import Testing

@testable import Commands

@Suite("Texts made from the command table")
struct GeneratedTextTests {
    @Test("help is what it was", arguments: CommandTable.root.walk().map(\.path))
    func help(path: [String]) async throws {
        let world = try World()
        let result = await world.run(words: (path + ["--help"]).map { BytePath($0) })
        #expect(result.status == .done)
        #expect(result.messages == "")
        #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "wider than a terminal")
        expectGolden(result.output, "help\(path.map { "-" + $0 }.joined()).txt")
        #expect(await world.run(words: (["help"] + path).map { BytePath($0) }).output == result.output)
        _ = try await world.run(words: (path + ["--help", "--json"]).map { BytePath($0) }).json()
    }

    @Test("a command without its words prints its help on standard error", arguments: [[], ["game"], ["config"]])
    func bare(path: [String]) async throws {
        let world = try World()
        let result = await world.run(words: path.map { BytePath($0) })
        #expect(result.status == .usage)
        #expect(result.output == "")
        #expect(result.messages.hasPrefix("Usage: retro-admin"))
    }

    @Test("the manual page is what it was, and troff has nothing to say against it")
    func manual() async throws {
        let world = try World()
        let page = await world.run("man").output
        expectGolden(page, "retro-admin.1")
        if let groff = Program.find("groff", for: "the manual page") {
            let result = try Program.run(groff, ["-man", "-ww", "-Tutf8", "-"], input: page, in: world.folder)
            #expect(result.messages == "")
            #expect(result.end == .exited(0))
            #expect(result.output.contains("EXIT STATUS") || result.output.contains("E\u{8}EX"))
        }
        if let mandoc = Program.find("mandoc", for: "the manual page") {
            let result = try Program.run(mandoc, ["-T", "lint", "-W", "error"], input: page, in: world.folder)
            #expect(result.output + result.messages == "")
        }
    }

    @Test("every shell accepts its completions", arguments: Shell.allCases)
    func syntax(shell: Shell) async throws {
        let world = try World()
        let script = await world.run("completions", BytePath(shell.rawValue)).output
        #expect(!script.isEmpty)
        guard let program = Program.find(shell.rawValue, for: "completions") else { return }
        let result = try Program.run(program, ["-n"], input: script, in: world.folder)
        #expect(result.messages == "")
        #expect(result.end == .exited(0))
    }

    @Test(
        "bash completes commands, options, values and arguments",
        arguments: [
            ("retro-admin sta", "status"), ("retro-admin --json game s", "show set"),
            ("retro-admin scan --f", "--full"),
            ("retro-admin games --system n", "SYSTEMS"), ("retro-admin games --system = n", "SYSTEMS"),
            ("retro-admin scan nes s", "SYSTEMS"), ("retro-admin completions ", "bash zsh fish"),
            ("retro-admin --root /tmp config get menu.m", "menu.motion"), ("retro-admin status x", ""),
            ("retro-admin games --limit ", ""),
        ])
    func bash(line: String, words: String) async throws {
        let world = try World()
        guard let bash = Program.find("bash", for: "completing") else { return }
        let script = await world.run("completions", "bash").output
        let stub = try world.program("retro-admin", "echo n1 n2 s1")
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        let test = """
            PATH=\(stub.parent.displayString):$PATH
            \(script)
            COMP_WORDS=(\(parts.map { "'\($0)'" }.joined(separator: " "))) COMP_CWORD=\(parts.count - 1)
            _retro_admin
            echo "${COMPREPLY[*]}"
            """
        let result = try Program.run(bash, [], input: test, in: world.folder)
        let expected = words == "SYSTEMS" ? (line.hasSuffix("n") ? "n1 n2" : "s1") : words
        #expect(result.output == expected + "\n")
        #expect(result.messages == "")
    }

    @Test("an unknown shell is a usage error with the nearest one")
    func unknownShell() async throws {
        let result = await (try World()).run("completions", "bsh")
        #expect(result.status == .usage)
        #expect(result.messages == "retro-admin: there is no shell 'bsh'; did you mean 'bash'?\n")
    }

    @Test("the version is told in both forms")
    func version() async throws {
        let world = try World()
        #expect(await world.run("--version").output == "retro-admin 0.1.0\n")
        #expect(try await world.run("--version", "--json").json() == .object(["version": .string("0.1.0")]))
    }
}
