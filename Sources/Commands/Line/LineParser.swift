import SystemKit

/// A command line whose words all have a meaning.
struct ParsedLine: Sendable {
    /// The words that lead to the command.
    let path: [String]
    let command: CommandDefinition
    /// Values by option name, in the order given; a switch has empty ones.
    let options: [String: [BytePath]]
    let arguments: [BytePath]

    func has(_ option: String) -> Bool { options[option] != nil }
}

/// Reads words against the table.
struct LineParser {
    private let tree: CommandDefinition
    /// Every option of the table: whether one takes a value must be known before the command is.
    private let known: [String: OptionDefinition]

    init(tree: CommandDefinition) {
        self.tree = tree
        var known: [String: OptionDefinition] = [:]
        for option in OptionDefinition.everywhere { known[option.name] = option }
        for (_, command) in tree.walk() {
            for option in command.options where known[option.name] == nil { known[option.name] = option }
        }
        self.known = known
    }

    /// Gives every word its meaning.
    ///
    /// Arguments that are missing are no error where help is asked for.
    func parse(_ words: [BytePath]) throws(CommandError) -> ParsedLine {
        var plain: [BytePath] = []
        var given: [(spelling: String, option: OptionDefinition?, value: BytePath)] = []
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            if word == "--" {
                plain.append(contentsOf: words[index...])
                break
            }
            guard word.bytes.first == UInt8(ascii: "-"), word.bytes.count > 1 else {
                plain.append(word)
                continue
            }
            let (spelling, inline) = split(word)
            guard let option = option(spelling) else {
                given.append((spelling, nil, ""))
                continue
            }
            if option.takesValue {
                if let inline {
                    given.append((spelling, option, inline))
                } else if index < words.count {
                    given.append((spelling, option, words[index]))
                    index += 1
                } else {
                    throw .missingValue(option: option)
                }
            } else if inline == nil {
                given.append((spelling, option, ""))
            } else {
                throw .unexpectedValue(option: option)
            }
        }
        let wantsHelp = given.contains { $0.option?.name == "help" }
        let (path, command) = try resolve(&plain, takingUsual: !wantsHelp)
        let options = try check(given, command, path)
        let line = ParsedLine(path: path, command: command, options: options, arguments: plain)
        if !line.has("help") && !line.has("version") { try checkArguments(line) }
        return line
    }

    /// Takes the words that name the command off the front.
    private func resolve(
        _ words: inout [BytePath], takingUsual: Bool
    ) throws(CommandError) -> ([String], CommandDefinition) {
        var path: [String] = []
        var command = tree
        while !command.subcommands.isEmpty, let word = words.first {
            let text = word.displayString
            guard let next = command.subcommand(text) else {
                let names = command.subcommands.map(\.name)
                throw .unknownCommand(text, path: path, suggestion: nearest(to: text, among: names))
            }
            words.removeFirst()
            path.append(next.name)
            command = next
        }
        if takingUsual, let usual = command.usualSubcommand.flatMap({ command.subcommand($0) }) {
            return (path + [usual.name], usual)
        }
        return (path, command)
    }

    private func check(
        _ given: [(spelling: String, option: OptionDefinition?, value: BytePath)], _ command: CommandDefinition,
        _ path: [String]
    ) throws(CommandError) -> [String: [BytePath]] {
        let allowed = command.options + OptionDefinition.everywhere
        var options: [String: [BytePath]] = [:]
        for (spelling, option, value) in given {
            guard let option, allowed.contains(where: { $0.name == option.name }) else {
                let near = nearest(to: spelling, among: allowed.map { "--\($0.name)" })
                throw .unknownOption(spelling, path: path, suggestion: near)
            }
            // An unset variable in a script must not make the working directory the root.
            switch option.values {
            case .directory, .file: if value.bytes.isEmpty { throw .missingValue(option: option) }
            default: break
            }
            options[option.name, default: []].append(value)
        }
        return options
    }

    private func checkArguments(_ line: ParsedLine) throws(CommandError) {
        let definitions = line.command.arguments
        guard line.command.verb != nil else {
            throw .missingCommand(path: line.path, command: line.command)
        }
        let required = definitions.filter(\.isRequired)
        if line.arguments.count < required.count {
            throw .missingArgument(required[line.arguments.count].name, path: line.path)
        }
        // As an option's: an empty path is the working directory, and what was meant is a variable that is not set.
        for (index, word) in line.arguments.enumerated() where word.bytes.isEmpty {
            guard let definition = index < definitions.count ? definitions[index] : definitions.last else { break }
            switch definition.values {
            case .directory, .file: throw .badWord("", of: definition.name, expected: "a path")
            default: break
            }
        }
        if line.arguments.count > definitions.count, !definitions.contains(where: \.repeats) {
            throw .extraArgument(line.arguments[definitions.count].displayString, path: line.path)
        }
    }

    /// The word before the first `=`, and the bytes behind it. Only long options are cut.
    private func split(_ word: BytePath) -> (spelling: String, value: BytePath?) {
        guard word.bytes.starts(with: "--".utf8), let equals = word.bytes.firstIndex(of: UInt8(ascii: "=")) else {
            return (word.displayString, nil)
        }
        let value = BytePath(bytes: word.bytes[(equals + 1)...])
        return (BytePath(bytes: word.bytes[..<equals]).displayString, value)
    }

    private func option(_ spelling: String) -> OptionDefinition? {
        if spelling.hasPrefix("--") { return known[String(spelling.dropFirst(2))] }
        guard spelling.count == 2 else { return nil }
        return known.values.first { $0.letter == spelling.last }
    }
}
