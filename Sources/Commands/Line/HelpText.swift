import SystemKit

/// What `--help` prints, made from the table.
struct HelpText {
    static let programName = "retro-admin"
    private static let width = 80

    let path: [String]
    let command: CommandDefinition

    /// `retro-admin game set GAME KEY=VALUE... [OPTIONS]`.
    var usage: String {
        var words = [HelpText.programName] + path
        if !command.subcommands.isEmpty { words.append(command.usualSubcommand == nil ? "COMMAND" : "[COMMAND]") }
        words += command.arguments.map(\.usage)
        words.append("[OPTIONS]")
        return words.joined(separator: " ")
    }

    /// The whole text, with its last line end.
    var text: String {
        var text = "Usage: \(usage)\n\n\(wrapped(command.summary + ".", indent: 0))"
        for paragraph in command.discussion { text += "\n" + wrapped(paragraph, indent: 0) }
        text += section("Commands", command.subcommands.map { ($0.name, $0.summary) })
        text += section("Arguments", command.arguments.map { ($0.name, $0.summary) })
        text += section("Options", command.options.map { ($0.usage, $0.summary) })
        text += section("Options of every command", OptionDefinition.everywhere.map { ($0.usage, $0.summary) })
        if !command.examples.isEmpty {
            text += "\nExamples:\n"
            for example in command.examples { text += "  \(example.line)\n      \(example.purpose)\n" }
        }
        if !command.subcommands.isEmpty {
            let words = ([HelpText.programName] + path).joined(separator: " ")
            text += "\n'\(words) COMMAND --help' explains one command.\n"
        }
        return text
    }

    /// The same facts for programs.
    var json: JSONValue {
        .object([
            "command": .strings(path), "usage": .string(usage), "summary": .string(command.summary),
            "discussion": .strings(command.discussion),
            "subcommands": .array(
                command.subcommands.map { .object(["name": .string($0.name), "summary": .string($0.summary)]) }),
            "arguments": .array(
                command.arguments.map {
                    .object([
                        "name": .string($0.name), "summary": .string($0.summary), "required": .bool($0.isRequired),
                        "repeats": .bool($0.repeats),
                    ])
                }),
            "options": .array(
                (command.options + OptionDefinition.everywhere).map {
                    .object([
                        "name": .string("--" + $0.name), "value": .optional($0.placeholder),
                        "summary": .string($0.summary),
                    ])
                }),
        ])
    }

    private func section(_ title: String, _ entries: [(name: String, summary: String)]) -> String {
        guard !entries.isEmpty else { return "" }
        let column = min(24, (entries.map(\.name.count).max() ?? 0) + 4)
        var text = "\n\(title):\n"
        for entry in entries {
            let body = wrapped(entry.summary, indent: column)
            if entry.name.count + 4 > column {
                text += "  \(entry.name)\n" + body
            } else {
                let start = "  " + entry.name + String(repeating: " ", count: column - 2 - entry.name.count)
                text += start + body.dropFirst(column)
            }
        }
        return text
    }

    private func wrapped(_ paragraph: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in paragraph.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > HelpText.width {
                lines.append(margin + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        lines.append(margin + line)
        return lines.map { $0 + "\n" }.joined()
    }
}
