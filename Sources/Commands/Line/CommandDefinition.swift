/// One command as the table has it. Parsing, help, completions and the manual page are all made from this.
struct CommandDefinition: Sendable {
    /// What running a command means; a group of commands has none.
    typealias Verb = @Sendable (Call) async throws(CommandError) -> Void

    let name: String
    /// A sentence without a full stop.
    let summary: String
    /// Paragraphs for `--help` and the manual page.
    let discussion: [String]
    let arguments: [ArgumentDefinition]
    let options: [OptionDefinition]
    let examples: [Example]
    let subcommands: [CommandDefinition]
    /// The one of them that is meant when none is named.
    let usualSubcommand: String?
    /// Whose rights it runs with where root calls it.
    let actor: Actor
    let verb: Verb?

    /// Whose rights a command needs.
    enum Actor: Sendable, Equatable {
        /// Those of the account that the games belong to: what root left there, the menu could not change.
        case owner
        /// Root's own: it looks at the machine, or changes it.
        case machine
    }

    /// Something to type, and what it is good for.
    struct Example: Sendable {
        let line: String
        let purpose: String

        init(_ line: String, _ purpose: String) {
            self.line = line
            self.purpose = purpose
        }
    }

    /// A command that does something.
    init(
        _ name: String, _ summary: String, discussion: [String] = [], arguments: [ArgumentDefinition] = [],
        options: [OptionDefinition] = [], examples: [Example] = [], as actor: Actor = .owner, verb: @escaping Verb
    ) {
        self.actor = actor
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.arguments = arguments
        self.options = options
        self.examples = examples
        self.subcommands = []
        self.usualSubcommand = nil
        self.verb = verb
    }

    /// A command that only holds others.
    init(
        _ name: String, _ summary: String, discussion: [String] = [], usually usualSubcommand: String? = nil,
        subcommands: [CommandDefinition]
    ) {
        self.actor = .owner
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.arguments = []
        self.options = []
        self.examples = []
        self.subcommands = subcommands
        self.usualSubcommand = usualSubcommand
        self.verb = nil
    }

    func subcommand(_ name: String) -> CommandDefinition? { subcommands.first { $0.name == name } }

    /// This command and all below it, each with the words that lead to it.
    func walk(_ path: [String] = []) -> [(path: [String], command: CommandDefinition)] {
        [(path, self)] + subcommands.flatMap { $0.walk(path + [$0.name]) }
    }
}

/// A word with two dashes.
struct OptionDefinition: Sendable, Equatable {
    /// Without the dashes.
    let name: String
    /// One letter that means the same.
    let letter: Character?
    /// What stands for the value in help, e.g. `DIR`; `nil` for a switch.
    let placeholder: String?
    let values: ValueKind
    /// A sentence without a full stop.
    let summary: String

    init(
        _ name: String, letter: Character? = nil, placeholder: String? = nil, values: ValueKind = .text,
        _ summary: String
    ) {
        self.name = name
        self.letter = letter
        self.placeholder = placeholder
        self.values = values
        self.summary = summary
    }

    var takesValue: Bool { placeholder != nil }

    /// `-h, --help` or `--root DIR`.
    var usage: String {
        (letter.map { "-\($0), " } ?? "") + "--\(name)" + (placeholder.map { " \($0)" } ?? "")
    }
}

/// A word without dashes.
struct ArgumentDefinition: Sendable, Equatable {
    enum Count: Sendable, Equatable {
        case one
        case optional
        case any
        case atLeastOne
    }

    let name: String
    let count: Count
    let values: ValueKind
    /// A sentence without a full stop.
    let summary: String

    init(_ name: String, _ count: Count = .one, values: ValueKind = .text, _ summary: String) {
        self.name = name
        self.count = count
        self.values = values
        self.summary = summary
    }

    var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .any: "[\(name)...]"
        case .atLeastOne: "\(name)..."
        }
    }

    var isRequired: Bool { count == .one || count == .atLeastOne }
    var repeats: Bool { count == .any || count == .atLeastOne }
}

/// What a value can be, for completing it.
enum ValueKind: Sendable, Equatable {
    case text
    case words([String])
    case file
    case directory
    case system
    case command
}

extension OptionDefinition {
    /// The options that every command takes.
    static let everywhere = [
        OptionDefinition("json", "Print one JSON document on standard output"),
        OptionDefinition(
            "root", placeholder: "DIR", values: .directory,
            "Folder with roms, saves and the rest (else RETRO_HOME, else this machine's own)"),
        OptionDefinition("roms", placeholder: "DIR", values: .directory, "Folder with the games, when it is elsewhere"),
        OptionDefinition("help", letter: "h", "Explain the command"),
        OptionDefinition("version", "Print the version"),
    ]
    static let dryRun = OptionDefinition("dry-run", "Print what would be done, and change nothing")
    static let standardInput = OptionDefinition("stdin", "Read the secret from standard input, one line")
    static let yes = OptionDefinition("yes", "Do not ask for confirmation")
}
