import Synchronization
import SystemKit

/// The one place that prints.
final class Console: Sendable {
    /// How a piece of text stands out on a terminal.
    enum Style: String, Sendable {
        case strong = "1"
        case warning = "33"
        case failure = "31"
    }

    let width: Int?
    let isWatched: Bool
    private let output: Surroundings.Stream
    private let messages: Surroundings.Stream
    private let hasColor: Bool
    private let failure = Mutex<Int32>(0)
    private let hasProgress = Mutex(false)

    init(_ surroundings: Surroundings) {
        output = surroundings.output
        messages = surroundings.messages
        width = output.isTerminal ? output.columns ?? 80 : nil
        isWatched = messages.isTerminal
        let environment = surroundings.environment
        hasColor = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// Text on standard output; what would steer a terminal in it becomes pictures, wherever it came from.
    func print(_ text: String) { write(safeLines(text)) }

    /// Text of ours that steers the terminal.
    func draw(_ text: String) { write(text) }

    private func write(_ text: String) {
        clearProgress()
        failure.withLock { failure in
            // After the first failure nothing more is written: half a line in the middle helps nobody.
            if failure == 0 { failure = output.write(Array(text.utf8)) }
        }
    }

    func print(_ document: JSONValue) { write(document.text + "\n") }

    func print(_ table: TextTable) {
        write(table.text(width: width) { styled($0, .strong, on: output) })
    }

    /// A line for the person on standard error.
    func note(_ text: String) { tell(safeLines(text) + "\n") }

    private func tell(_ text: String) {
        clearProgress()
        _ = messages.write(Array(text.utf8))
    }

    /// `retro-admin: ...` on standard error.
    func complain(_ text: String, _ style: Style = .failure) {
        tell(styled("\(HelpText.programName):", style, on: messages) + " \(safeLines(text))\n")
    }

    /// Words before an answer, on standard error without a line end.
    func prompt(_ text: String) { tell(safeLines(text)) }

    /// A line that is replaced by the next one; nothing where nobody looks.
    func progress(_ text: String) {
        guard isWatched else { return }
        hasProgress.withLock { $0 = true }
        _ = messages.write(Array("\r\u{1B}[K\(truncated(text, to: (messages.columns ?? 80) - 1))".utf8))
    }

    func clearProgress() {
        let had = hasProgress.withLock { had in
            let before = had
            had = false
            return before
        }
        if had { _ = messages.write(Array("\r\u{1B}[K".utf8)) }
    }

    /// Why standard output took no more; `nil` also when its reader simply had enough.
    var outputFailure: SystemError? {
        let code = failure.withLock { $0 }
        return code == 0 || code == brokenPipeCode
            ? nil : SystemError(call: "write", subject: "standard output", code: code)
    }

    /// Whether anybody still reads standard output.
    var isOpen: Bool { failure.withLock { $0 } == 0 }

    /// Text of a table cell that stands out, where standard output shows colours.
    private func styled(_ text: String, _ style: Style, on stream: Surroundings.Stream) -> String {
        hasColor && stream.isTerminal ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// Text in which nothing but line ends and tabulators steers a terminal.
private func safeLines(_ text: String) -> String {
    // All that is no ASCII is looked at more closely; that is little.
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x09 }) { return text }
    var safe = ""
    for scalar in text.unicodeScalars {
        if scalar != "\n", scalar != "\t", isTerminalControl(scalar) {
            safe += safeText(String(scalar))
        } else {
            safe.unicodeScalars.append(scalar)
        }
    }
    return safe
}
