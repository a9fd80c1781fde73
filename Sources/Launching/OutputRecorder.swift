internal import SystemKit

/// Keeps what a game prints: the beginning and the end in a file, however much it is, and the last lines for showing.
final class OutputRecorder {
    /// So much is written as it comes, so that it is there even when this process dies.
    private static let headLimit = 512 << 10
    /// So much of the end is kept in memory and added when the game has ended.
    private static let tailLimit = 256 << 10

    private let file: OutputFile
    private var written = 0
    private var passed = 0
    private var tail: [UInt8] = []

    /// Begins a new log; the one before it is kept beside it as `NAME.1`.
    ///
    /// A log that cannot be written is no reason not to play.
    init(path: BytePath) {
        file = OutputFile(path: path)
    }

    /// Takes in a piece of output.
    func record(_ bytes: ArraySlice<UInt8>) {
        passed += bytes.count
        if written < Self.headLimit {
            let part = Array(bytes.prefix(Self.headLimit - written))
            file.append(part)
            written += part.count
        }
        tail.append(contentsOf: bytes.suffix(Self.tailLimit))
        // Cut now and then instead of with every piece.
        if tail.count > 2 * Self.tailLimit { tail.removeFirst(tail.count - Self.tailLimit) }
    }

    /// Adds the end to the file where it is not in it yet, and gives the last lines.
    func finish() -> [String] {
        if tail.count > Self.tailLimit { tail.removeFirst(tail.count - Self.tailLimit) }
        let absent = passed - written
        if absent > 0 {
            let end = Array(tail.suffix(absent))
            let left = absent - end.count
            let note = left > 0 ? "\n[\(left) bytes are left out here]\n" : ""
            file.append(Array(note.utf8) + end)
        }
        return LogTail.lines(of: tail)
    }
}

/// Makes lines that are fit to be shown from what a program printed.
enum LogTail {
    private static let lineLimit = 200
    private static let characterLimit = 300

    /// The last lines, without escape sequences and control characters, long ones cut.
    static func lines(of bytes: [UInt8]) -> [String] {
        bytes.split { $0 == 0x0A || $0 == 0x0D }
            .suffix(lineLimit)
            .compactMap { line in
                let text = BytePath.displayString(of: withoutEscapes(line))
                if text.allSatisfy({ $0 == " " }) { return nil }
                return text.count > characterLimit ? "\(text.prefix(characterLimit))…" : text
            }
    }

    /// Without colours and cursor movements (`ESC [ ... letter`); a tab becomes a blank.
    private static func withoutEscapes(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var index = line.startIndex
        while index < line.endIndex {
            let byte = line[index]
            if byte == 0x1B, index + 1 < line.endIndex, line[index + 1] == UInt8(ascii: "[") {
                index = line[(index + 2)...].firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 } ?? line.endIndex
                continue
            }
            result.append(byte == 0x09 ? 0x20 : byte)
            index += 1
        }
        return result
    }

    /// Without what programs put in front for themselves, such as `[ERROR] [Content]: `.
    private static func withoutLabels(_ line: String) -> Substring {
        var rest = line[...]
        while rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            let next = rest[rest.index(after: end)...].drop { $0 == " " || $0 == ":" }
            if next.isEmpty { return rest }
            rest = next
        }
        return rest
    }

    /// The line that says best why a program gave up; `nil` when it said nothing.
    static func mostTelling(_ lines: [String]) -> String? {
        let complaints = ["error", "fatal", "failed", "cannot", "can't", "could not", "unable", "not found", "missing"]
        // Noise of every run on some machines: it says nothing about the game.
        let noise = [
            "alsa lib", "[midi]", "xdg-screensaver", "gamemode", "failed_to_start_audio_driver", "libegl warning",
            "[wayland]", "audio driver",
        ]
        let candidates = lines.filter { line in
            let line = line.lowercased()
            return !line.hasPrefix("[info]") && !line.hasPrefix("[libretro info]")
                && !noise.contains { line.contains($0) }
        }
        let telling = candidates.last { line in
            let line = line.lowercased()
            return complaints.contains { line.contains($0) }
        }
        guard let line = (telling ?? candidates.last).map({ withoutLabels($0) }) else { return nil }
        return line.count > 140 ? "\(line.prefix(140))…" : String(line)
    }
}
