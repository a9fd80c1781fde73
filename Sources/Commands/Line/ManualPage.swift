import Appliance
import SystemKit

/// The manual page in troff's `man` macros, made from the table.
struct ManualPage {
    let tree: CommandDefinition

    var text: String {
        var lines = [
            ".\\\" Made by 'retro-admin man' from the command table.",
            ".TH RETRO\\-ADMIN 1 \"\" \"Retro Appliance \(Appliance.version)\" \"User Commands\"",
            ".SH NAME",
            "retro\\-admin \\- \(escaped(tree.summary.prefix(1).lowercased() + tree.summary.dropFirst()))",
            ".SH SYNOPSIS",
            ".B retro\\-admin",
            "\\fICOMMAND\\fR [\\fISUBCOMMAND\\fR] [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]",
            ".SH DESCRIPTION",
        ]
        lines.append(tree.discussion.map(escaped).joined(separator: "\n.PP\n"))
        lines += [".SH OPTIONS", "Every command takes these:"]
        lines += OptionDefinition.everywhere.flatMap(entry)
        lines.append(".SH COMMANDS")
        for (path, command) in tree.walk() where command.verb != nil { lines += section(path, command) }
        lines.append(".SH \"EXIT STATUS\"")
        for (status, meaning) in ManualPage.statuses {
            lines += [".TP", ".B \(status.rawValue)", escaped(meaning)]
        }
        lines.append(".SH ENVIRONMENT")
        for (name, meaning) in ManualPage.environment { lines += [".TP", ".B \(escaped(name))", escaped(meaning)] }
        lines.append(".SH FILES")
        for (path, meaning) in ManualPage.files { lines += [".TP", ".I \(escaped(path))", escaped(meaning)] }
        lines += [".SH \"SEE ALSO\"", ".BR retro\\-menu (1),", ".BR retroarch (6),", ".BR smb.conf (5)"]
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ path: [String], _ command: CommandDefinition) -> [String] {
        var lines = [".SS \"\(escaped(path.joined(separator: " ")))\""]
        let words = command.arguments.map(\.usage).joined(separator: " ")
        lines.append("\\fBretro\\-admin \(escaped(path.joined(separator: " ")))\\fR \(escaped(words))")
        lines += [".PP", escaped(command.summary) + "."]
        for paragraph in command.discussion { lines += [".PP", escaped(paragraph)] }
        for argument in command.arguments {
            lines += [".TP", ".I \(escaped(argument.name))", escaped(argument.summary) + "."]
        }
        lines += command.options.flatMap(entry)
        for example in command.examples {
            lines += [
                ".PP", "Example, \(escaped(example.purpose)):", ".PP", ".RS 4", ".nf", escaped(example.line), ".fi",
            ]
            lines.append(".RE")
        }
        return lines
    }

    private func entry(_ option: OptionDefinition) -> [String] {
        let letter = option.letter.map { "\\fB\\-\($0)\\fR, " } ?? ""
        let value = option.placeholder.map { " \\fI\($0)\\fR" } ?? ""
        return [".TP", "\(letter)\\fB\\-\\-\(escaped(option.name))\\fR\(value)", escaped(option.summary) + "."]
    }

    /// Text in which troff finds nothing to do: no requests, escapes or hyphens that become dashes.
    private func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "\"": result += "\\(dq"
            default: result.append(character)
            }
        }
        return result.hasPrefix(".") ? "\\&" + result : result
    }

    static let statuses: [(status: ExitStatus, meaning: String)] = [
        (.done, "Done, also when there was nothing to do."),
        (.usage, "The words of the command are wrong."),
        (.badData, "A value is not allowed."),
        (.notFound, "No such file or game."),
        (.unavailable, "A needed program or service is missing, or the game ended with an error."),
        (.internalError, "An error of this program."),
        (.cannotCreate, "A file or folder cannot be created."),
        (.inputOutput, "Reading or writing failed."),
        (.tryLater, "Not possible now; try again later."),
        (.noPermission, "Needs root or a permission."),
        (.configuration, "The configuration is wrong."),
    ]
    static let environment: [(name: String, meaning: String)] = [
        ("RETRO_HOME", "Folder with roms, saves and the rest, unless --root names one."),
        ("NO_COLOR", "When set, nothing is coloured."),
    ]
    static let files: [(path: String, meaning: String)] = [
        ("/srv/retro", "Games, saves, firmware and artwork of the appliance; ~/retro elsewhere."),
        ("/var/lib/retro", "The catalog of games and what people did with them; ~/retro/.retro elsewhere."),
        ("/etc/retro/systems.d", "Systems and emulators that a person adds or changes, one JSON file each."),
    ]
}
