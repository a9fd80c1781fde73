import SystemKit
import Testing

@testable import Commands

@Suite("Words of a command line")
struct LineParserTests {
    private let parser = LineParser(tree: CommandTable.root)

    private func parse(_ words: BytePath...) throws(CommandError) -> ParsedLine { try parser.parse(words) }

    @Test("options may stand anywhere, also before the command and between its words")
    func positions() throws {
        for words: [BytePath] in [
            ["game", "set", "7", "title=X", "--json", "--root", "/r"],
            ["--json", "--root", "/r", "game", "set", "7", "title=X"],
            ["game", "--root=/r", "set", "7", "--json", "title=X"],
        ] {
            let line = try parser.parse(words)
            #expect(line.path == ["game", "set"])
            #expect(line.arguments == ["7", "title=X"])
            #expect(line.has("json"))
            #expect(line.options["root"] == ["/r"])
        }
    }

    @Test("an option's value is bytes, may be empty after =, and may look like an option")
    func values() throws {
        let raw = BytePath(bytes: Array("--root=/gr".utf8) + [0xFC] + Array("n=x".utf8))
        #expect(
            try parse("status", raw).options["root"] == [BytePath(bytes: Array("/gr".utf8) + [0xFC, 0x6E, 0x3D, 0x78])])
        #expect(try parse("games", "--search=").options["search"] == [""])
        #expect(try parse("games", "--search", "--json").options["search"] == ["--json"])
        #expect(try parse("games", "--limit", "1", "--limit=2").options["limit"] == ["1", "2"])
    }

    @Test(
        "a folder is never empty: an unset variable in a script is not the working directory",
        arguments: ["root", "roms"])
    func emptyFolders(name: String) {
        for words: [BytePath] in [["scan", BytePath("--\(name)"), ""], [BytePath("--\(name)="), "scan"]] {
            do {
                _ = try parser.parse(words)
                Issue.record("\(words) were taken")
            } catch {
                #expect(error.description == "--\(name) needs a value: --\(name) DIR")
                #expect(error.status == .usage)
            }
        }
    }

    @Test("after -- everything is a word, and a single dash is one anywhere")
    func end() throws {
        let line = try parse("launch", "--plan", "--", "--help.nes")
        #expect(line.arguments == ["--help.nes"])
        #expect(line.has("plan") && !line.has("help"))
        #expect(try parse("launch", "-").arguments == ["-"])
    }

    @Test("help and version need no arguments")
    func help() throws {
        #expect(try parse("game", "set", "-h").has("help"))
        #expect(try parse("--help").path == [])
        #expect(try parse("launch", "--version").has("version"))
    }

    @Test(
        "what is wrong is a usage error that says what is right",
        arguments: [
            (["stauts"], "there is no command 'stauts'; did you mean 'status'?"),
            (["zork", "list"], "there is no command 'zork'"),
            (["game", "shwo", "1"], "there is no command 'game shwo'; did you mean 'game show'?"),
            (["games", "--limt", "3"], "games has no option '--limt'; did you mean '--limit'?"),
            (["--favorites", "games"], "games has no option '--favorites'; did you mean '--favourites'?"),
            (["status", "--full"], "status has no option '--full'"),
            (["scan", "-x"], "scan has no option '-x'"),
            (["games", "--limit"], "--limit needs a value: --limit N"),
            (["status", "--json=yes"], "--json takes no value"),
            (["launch"], "launch needs GAME"),
            (["game", "set", "7"], "game set needs KEY=VALUE"),
            (["games", "nes"], "games does not know what to do with 'nes'"),
            (["game"], "game needs a command: show, set, hide, favourite or forget"),
            (["sta\u{1B}[31m"], "there is no command 'sta␛[31m'"),
        ] as [([String], String)])
    func faults(words: [String], sentence: String) {
        do throws(CommandError) {
            Issue.record("understood as \(try parser.parse(words.map { BytePath($0) }).path)")
        } catch {
            #expect(error.description == sentence)
            #expect(error.status == .usage)
        }
    }

    @Test("every option has one meaning in all commands, so that it can be read before the command is known")
    func consistent() {
        var known: [String: OptionDefinition] = [:]
        for (_, command) in CommandTable.root.walk() {
            for option in command.options + OptionDefinition.everywhere {
                if let other = known[option.name] { #expect(other.takesValue == option.takesValue, "--\(option.name)") }
                known[option.name] = option
            }
        }
    }

    @Test("every text of the table is a sentence without a full stop, and only the last argument repeats")
    func table() {
        for (path, command) in CommandTable.root.walk() {
            let texts =
                [command.summary] + command.options.map(\.summary)
                + command.arguments.map(\.summary)
            for text in texts { #expect(!text.isEmpty && !text.hasSuffix("."), "\(path): \(text)") }
            #expect(command.arguments.dropLast().allSatisfy { !$0.repeats }, "\(path)")
            #expect((command.verb == nil) == !command.subcommands.isEmpty, "\(path)")
        }
    }

    @Test(
        "a slip finds the word, another word does not",
        arguments: [
            ("stauts", "status"), ("sttaus", "status"), ("game", "game"), ("gmae", "game"), ("sys", "systems"),
            ("SCAN", "scan"), ("x", nil), ("", nil), ("backup", nil), ("doctor", nil),
        ] as [(String, String?)])
    func suggestions(typed: String, meant: String?) {
        #expect(nearest(to: typed, among: ["status", "scan", "systems", "game"]) == meant)
    }

    @Test("the distance of two words counts letters that are added, dropped, replaced or swapped")
    func distance() {
        #expect(editDistance(Array("abc"), Array("abc")) == 0)
        #expect(editDistance(Array("abc"), Array("acb")) == 1)
        #expect(editDistance(Array(""), Array("abc")) == 3)
        #expect(editDistance(Array("kitten"), Array("sitting")) == 3)
    }
}
