/// A shell that commands can be completed in.
enum Shell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish

    /// The script, made from the table.
    func script(for tree: CommandDefinition) -> String {
        let model = CompletionModel(tree: tree)
        switch self {
        case .bash: return bashScript(model)
        case .zsh: return zshScript(model)
        case .fish: return fishScript(model)
        }
    }
}

/// The table as the scripts need it: every command under its place, `/game/show` for `game show`.
struct CompletionModel {
    struct Entry {
        let place: String
        let command: CommandDefinition
    }

    let entries: [Entry]
    /// Options with a value, of all commands: their values are no words of the command.
    let valued: [OptionDefinition]

    /// The first words of all commands.
    let commandNames: [String]

    init(tree: CommandDefinition) {
        commandNames = tree.subcommands.map(\.name)
        entries = tree.walk().map { Entry(place: $0.path.map { "/" + $0 }.joined(), command: $0.command) }
        var valued: [OptionDefinition] = []
        for option in OptionDefinition.everywhere + entries.flatMap(\.command.options)
        where option.takesValue && !valued.contains(where: { $0.name == option.name }) {
            valued.append(option)
        }
        self.valued = valued
    }

    /// All places but the top, as alternatives of a shell's `case`.
    func places(separator: String) -> String {
        entries.map(\.place).filter { !$0.isEmpty }.joined(separator: separator)
    }

    func valuedNames(separator: String) -> String { valued.map { "--\($0.name)" }.joined(separator: separator) }
}

extension ArgumentDefinition {
    /// For which counts of arguments before it this one is due, as a pattern.
    func countPattern(_ index: Int) -> String { repeats ? "*" : String(index) }
}

/// Text between single quotes as every one of the three shells reads it.
func shellQuoted(_ text: String) -> String {
    // Fish knows \' inside quotes, the others do not; none of the texts needs it more than an apostrophe does.
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "’") + "'"
}
