public import Controllers
public import SystemKit

/// One line of a script that drives the menu as a person would.
public enum ScriptStep: Sendable, Equatable {
    /// Presses these buttons together and lets go at once.
    case press([PadButton])
    /// Holds these buttons together for so many seconds.
    case hold([PadButton], seconds: Double)
    /// Holds a key of the keyboard for so many seconds, as another program or a node would tell it.
    case key(Key, seconds: Double)
    /// Types text.
    case type(String)
    /// Touches a point of the screen, in pixels.
    case touch(Double, Double)
    /// Waits until nothing moves and nothing is on its way.
    case waitIdle
    /// Waits until a text is on the screen.
    case waitText(String)
    /// Waits for a time.
    case wait(seconds: Double)
    /// Stores the picture.
    case screenshot(BytePath)
    /// Fails unless a text is on the screen.
    case expect(String)
    /// Ends the menu.
    case quit
}

/// A script that cannot be read: which line, and what is wrong with it.
public struct ScriptError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Counted from 1.
    public let line: Int
    /// A sentence.
    public let reason: String

    /// `line 3: ...`.
    public var description: String { "line \(line): \(reason)" }
}

/// A list of steps, one a line; empty lines and lines that begin with `#` count for nothing.
public struct Script: Sendable, Equatable {
    /// The steps with their line numbers.
    public let steps: [(line: Int, step: ScriptStep)]

    /// Reads a script.
    ///
    /// - Throws: `ScriptError` for the first line that is not understood.
    public init(_ text: String) throws(ScriptError) {
        var steps: [(Int, ScriptStep)] = []
        var number = 0
        // A script from Windows ends its lines otherwise.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            let words = String(line).trimmedBlanks
            if words.isEmpty || words.hasPrefix("#") { continue }
            steps.append((number, try Script.step(words, line: number)))
        }
        self.steps = steps
    }

    /// Same steps on the same lines.
    public static func == (left: Script, right: Script) -> Bool {
        left.steps.map(\.line) == right.steps.map(\.line) && left.steps.map(\.step) == right.steps.map(\.step)
    }

    private static func step(_ text: String, line: Int) throws(ScriptError) -> ScriptStep {
        let verb = text.prefix { $0 != " " }
        let rest = String(text.dropFirst(verb.count)).trimmedBlanks
        func number(_ word: Substring?) throws(ScriptError) -> Double {
            guard let word, let value = Double(word), value >= 0, value < 3600 else {
                throw ScriptError(line: line, reason: "\(word ?? "") is no number of seconds or pixels")
            }
            return value
        }
        let words = rest.split(separator: " ")
        switch verb {
        case "press": return .press(try buttons(words.first, line: line))
        case "hold": return .hold(try buttons(words.first, line: line), seconds: try number(words.dropFirst().first))
        case "key":
            guard let key = words.first.flatMap({ Key(rawValue: String($0)) }) else {
                throw ScriptError(line: line, reason: "no key is called \(words.first ?? "")")
            }
            return .key(key, seconds: try words.count > 1 ? number(words[1]) : Script.keyTime)
        case "type": return .type(rest)
        case "touch": return .touch(try number(words.first), try number(words.dropFirst().first))
        case "wait":
            if rest == "idle" { return .waitIdle }
            if let seconds = Double(rest), seconds >= 0, seconds < 3600 { return .wait(seconds: seconds) }
            if rest.isEmpty { throw ScriptError(line: line, reason: "wait for what? idle, a text, or seconds") }
            return .waitText(rest)
        case "screenshot":
            if rest.isEmpty { throw ScriptError(line: line, reason: "screenshot needs a file name") }
            return .screenshot(BytePath(rest))
        case "expect":
            if rest.isEmpty { throw ScriptError(line: line, reason: "expect needs a text") }
            return .expect(rest)
        case "quit": return .quit
        default: throw ScriptError(line: line, reason: "no step is called \(verb)")
        }
    }

    private static func buttons(_ word: Substring?, line: Int) throws(ScriptError) -> [PadButton] {
        guard let word else { throw ScriptError(line: line, reason: "which button?") }
        var result: [PadButton] = []
        for name in word.split(separator: "+") {
            guard let button = names[name.lowercased()] ?? PadButton(rawValue: name.lowercased()) else {
                throw ScriptError(
                    line: line, reason: "no button is called \(name); there are a, b, x, y and \(known)")
            }
            result.append(button)
        }
        return result
    }

    /// Seconds for which a key is held where nothing else is said: long enough for the wizard.
    private static let keyTime = 0.15

    private static let names: [String: PadButton] = ["a": .south, "b": .east, "x": .west, "y": .north]
    private static let known = PadButton.allCases.map(\.rawValue).joined(separator: ", ")
}
