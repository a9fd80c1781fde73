import SystemKit

/// Commands about the command itself: `completions`, `man` and `help`.
enum SelfVerbs {
    static let definitions: [CommandDefinition] = [
        CommandDefinition(
            "completions", "Print a script that completes commands in a shell",
            arguments: [
                ArgumentDefinition("SHELL", values: .words(Shell.allCases.map(\.rawValue)), "bash, zsh or fish")
            ],
            examples: [
                .init("source <(retro-admin completions bash)", "for this shell"),
                .init(
                    "retro-admin completions bash > /etc/bash_completion.d/retro-admin", "for everybody, as root"),
                .init("retro-admin completions zsh > ~/.zfunc/_retro-admin", "where ~/.zfunc is in fpath"),
                .init("retro-admin completions fish > ~/.config/fish/completions/retro-admin.fish", "for fish"),
            ],
            verb: completions),
        CommandDefinition(
            "man", "Print the manual page",
            examples: [.init("retro-admin man | man -l -", "read it")],
            verb: man),
        CommandDefinition(
            "help", "Explain a command",
            arguments: [ArgumentDefinition("COMMAND", .any, values: .command, "The command's words")],
            verb: help),
    ]

    private static func completions(_ call: Call) async throws(CommandError) {
        let word = call.arguments[0].displayString
        guard let shell = Shell(rawValue: word.lowercased()) else {
            let names = Shell.allCases.map(\.rawValue)
            throw .unknownName(kind: "shell", word, suggestion: nearest(to: word, among: names))
        }
        text(shell.script(for: CommandTable.root), call)
    }

    private static func man(_ call: Call) async throws(CommandError) {
        text(ManualPage(tree: CommandTable.root).text, call)
    }

    private static func help(_ call: Call) async throws(CommandError) {
        let line = try LineParser(tree: CommandTable.root).parse(call.arguments + ["--help"])
        RetroAdmin.explain(line, call)
    }

    private static func text(_ text: String, _ call: Call) {
        call.show(.object(["text": .string(text)])) { call.console.print(text) }
    }
}
