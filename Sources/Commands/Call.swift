import SystemKit
import Systems

/// One command with everything it needs to run.
struct Call: Sendable {
    let line: ParsedLine
    let surroundings: Surroundings
    let console: Console

    var arguments: [BytePath] { line.arguments }
    var wantsJSON: Bool { line.has("json") }
    var isDryRun: Bool { line.has("dry-run") }

    /// The folders that the options and the environment name.
    var root: DataRoot {
        DataRoot.resolve(
            option: directory("root"), roms: directory("roms"), environment: surroundings.environment,
            applianceMarker: surroundings.applianceMarker)
    }

    func has(_ option: String) -> Bool { line.has(option) }

    /// The last value of an option, made absolute.
    func directory(_ option: String) -> BytePath? {
        line.options[option]?.last.map { surroundings.directory.appending($0) }
    }

    /// The last value of an option as text.
    func text(_ option: String) throws(CommandError) -> String? {
        guard let value = line.options[option]?.last else { return nil }
        return try text(of: value, called: "--\(option)")
    }

    /// An argument as text.
    func text(of word: BytePath, called name: String) throws(CommandError) -> String {
        guard let text = word.validUTF8 else { throw .badWord(word.displayString, of: name, expected: "UTF-8 text") }
        return text
    }

    /// The last value of an option as a whole number.
    func number(_ option: String) throws(CommandError) -> Int? {
        guard let text = try text(option) else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw .badWord(text, of: "--\(option)", expected: "a whole number")
        }
        return number
    }

    /// Asks before something that cannot be undone.
    ///
    /// - Returns: whether to go on.
    func confirm(_ what: String) throws(CommandError) -> Bool {
        if has("yes") { return true }
        guard let answer = surroundings.answer else { throw .needsConfirmation(what: what) }
        console.prompt("\(what)? This cannot be undone. [y/N] ")
        return ["y", "yes"].contains((answer() ?? "").lowercased())
    }

    /// Prints a document where one is asked for, else lets `people` print.
    func show(_ document: @autoclosure () -> JSONValue, _ people: () -> Void) {
        if wantsJSON { console.print(document()) } else { people() }
    }
}
