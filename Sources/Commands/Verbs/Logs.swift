import SystemKit
import Systems

/// `logs`: what the appliance wrote down.
enum Logs {
    static let definition = CommandDefinition(
        "logs", "Print the appliance's log",
        discussion: [
            "The menu writes it to menu.log in the state folder; the output of the game that was played last is "
                + "printed with --game."
        ],
        options: [
            OptionDefinition("game", "The output of the last game instead of the menu's log"),
            OptionDefinition("limit", placeholder: "N", "Only the last N lines"),
            OptionDefinition("follow", "Go on printing what is added, until Ctrl-C; with --json a string a line"),
        ],
        verb: run)

    /// The most that is read of a log at once: nobody reads more, and a log may be larger than the memory.
    private static let most = 16 << 20

    static func run(_ call: Call) async throws(CommandError) {
        let path = file(call)
        let limit = try call.number("limit")
        var offset: Int64 = 0
        do throws(SystemError) {
            let end = try readPart(of: path, from: Int64(-most), limit: most)
            var contents = end.bytes[...]
            offset = end.offset + Int64(contents.count)
            if end.offset > 0 {
                call.console.note("The log is larger than what is shown, which is its end.")
                contents = contents.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
            }
            print(contents, limit: limit, call)
        } catch {
            guard error.isNotFound else { throw .system(error) }
            guard call.has("follow") else { throw .noLog(path) }
        }
        guard call.has("follow") else { return }
        let start = offset
        let interruption = Interruption()
        do throws(CommandError) {
            try await interruption.watch { () async throws(CommandError) in try await follow(path, from: start, call) }
        } catch .interrupted {
            // Ctrl-C is how one leaves this, not an accident.
        }
    }

    private static func file(_ call: Call) -> BytePath {
        let state = call.root.state
        return call.has("game") ? state.appending("launch/game.log") : state.appending("menu.log")
    }

    /// Lines of a log, each safe for a terminal.
    private static func print(_ contents: ArraySlice<UInt8>, limit: Int?, _ call: Call) {
        var lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        let shown = lines.suffix(limit ?? lines.count).map { BytePath.displayString(of: $0) }
        if call.wantsJSON && !call.has("follow") {
            call.console.print(.object(["lines": .strings(shown)]))
        } else {
            for line in shown { print(line, call) }
        }
    }

    /// A line as it is, or as a JSON string: a document that never ends would be no use.
    private static func print(_ line: String, _ call: Call) {
        call.console.print((call.wantsJSON ? JSONValue.string(line).text : line) + "\n")
    }

    private static func follow(_ path: BytePath, from start: Int64, _ call: Call) async throws(CommandError) {
        var offset = start
        while !Task.isCancelled, call.console.isOpen {
            // Whoever looks at a log does not mind a quarter of a second, and a file may be replaced at any time.
            try? await Task.sleep(nanoseconds: 250_000_000)
            guard let size = (try? fileStatus(path))?.size else { continue }
            if size < offset { offset = 0 }
            guard size > offset, let added = try? readPart(of: path, from: offset, limit: most).bytes else { continue }
            // A line that is longer than all that is read at once is printed in parts.
            let last = added.lastIndex(of: UInt8(ascii: "\n")) ?? (added.count == most ? most - 1 : nil)
            guard let last else { continue }
            for line in added[...last].split(separator: UInt8(ascii: "\n")) {
                print(BytePath.displayString(of: line), call)
            }
            offset += Int64(last) + 1
        }
    }
}
