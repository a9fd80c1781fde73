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

    /// Text on standard output as it is.
    func print(_ text: String) {
        clearProgress()
        failure.withLock { failure in
            // After the first failure nothing more is written: half a line in the middle helps nobody.
            if failure == 0 { failure = output.write(Array(text.utf8)) }
        }
    }

    func print(_ document: JSONValue) { print(document.text + "\n") }

    func print(_ table: TextTable) {
        print(table.text(width: width) { styled($0, .strong, on: output) })
    }

    /// A line for the person on standard error.
    func note(_ text: String) {
        clearProgress()
        _ = messages.write(Array((text + "\n").utf8))
    }

    /// `retro-admin: ...` on standard error.
    func complain(_ text: String, _ style: Style = .failure) {
        note(styled("\(HelpText.programName):", style, on: messages) + " \(text)")
    }

    /// Words before an answer, on standard error without a line end.
    func prompt(_ text: String) {
        clearProgress()
        _ = messages.write(Array(text.utf8))
    }

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
