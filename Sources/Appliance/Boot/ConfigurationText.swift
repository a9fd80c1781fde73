/// `config.txt` with the part that is ours: a block between two marks, which always begins with `[all]`, so that its
/// lines count on every model and leave no filter behind for the lines that follow. All bytes outside stay as they are.
public struct ConfigurationText: Sendable, Equatable {
    /// The longest line that the firmware reads, in bytes.
    static let lineLimit = 98
    private static let begin = "# retro-appliance begin"
    private static let end = "# retro-appliance end"

    /// What stands before the block, byte for byte.
    private var before: [UInt8]
    /// What stands behind the block, byte for byte.
    private var after: [UInt8]
    /// The block's own lines, without the marks and `[all]`.
    public var settings: [String]
    private let lineEnd: [UInt8]
    private let hasBlock: Bool

    /// Takes a file apart.
    public init(_ bytes: [UInt8]) {
        let lines = ConfigurationText.lines(of: bytes)
        lineEnd = lines.contains { $0.suffix(2).elementsEqual([0x0D, 0x0A]) } ? [0x0D, 0x0A] : [0x0A]
        var rest = lines.map { Array($0) }
        var place: Int?
        var own: [String] = []
        // A mark without its counterpart is somebody's remark. Of several blocks the last one counts, as for the firmware.
        var behind = 0
        while let last = rest[behind...].firstIndex(where: { ConfigurationText.content($0) == ConfigurationText.end }) {
            let first = rest[..<last].lastIndex { ConfigurationText.content($0) == ConfigurationText.begin }
            guard let first else {
                behind = last + 1
                continue
            }
            own = rest[(first + 1)..<last].map(ConfigurationText.content).filter { !$0.isEmpty && $0 != "[all]" }
            rest.removeSubrange(first...last)
            place = first
            behind = first
        }
        let split = place ?? rest.endIndex
        before = Array(rest[..<split].joined())
        after = Array(rest[split...].joined())
        settings = own
        hasBlock = place != nil
    }

    /// The file's bytes.
    public var bytes: [UInt8] {
        // Lines behind the block have so far been read under its [all]; without it they would fall under the filter before it.
        let mustReset = hasBlock && after.contains { $0 > 0x20 } && filter(before) != "[all]"
        guard !settings.isEmpty || mustReset else { return before + after }
        var text = before
        if let last = text.last, last != 0x0A { text += lineEnd }
        for line in [ConfigurationText.begin, "[all]"] + settings + [ConfigurationText.end] {
            text += Array(line.utf8) + lineEnd
        }
        return text + after
    }

    /// The last value that all models see for a key: of the block, or outside under no filter but `[all]`.
    public func value(_ key: String) -> String? {
        var found: String?
        var isForAll = true
        for line in ConfigurationText.lines(of: bytes).map(ConfigurationText.content) {
            if line.hasPrefix("[") { isForAll = line == "[all]" }
            if isForAll, let pair = ConfigurationText.pair(line), pair.key == key { found = pair.value }
        }
        return found
    }

    /// Keys among the given ones that are set outside the block.
    public func foreign(_ keys: [String]) -> [String] {
        let set = ConfigurationText.lines(of: before + after)
            .compactMap { ConfigurationText.pair(ConfigurationText.content($0))?.key }
        return keys.filter(set.contains)
    }

    /// Replaces the block's lines with these keys by others.
    public mutating func replace(keys: [String], with new: [String]) {
        settings.removeAll { line in ConfigurationText.pair(line).map { keys.contains($0.key) } ?? false }
        settings += new
    }

    /// What the firmware would misread in the block; `nil` where all is well.
    public var fault: String? {
        for line in settings {
            if line.utf8.count > ConfigurationText.lineLimit {
                return "the line '\(line)' is too long for the firmware"
            }
            if line.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) {
                return "a line has characters that are no ASCII"
            }
            if line.hasPrefix("[") {
                return "somebody wrote the filter '\(line)' between this program's own marks; take it out there"
            }
        }
        return nil
    }

    /// The filter in force at the end of some text.
    private func filter(_ text: [UInt8]) -> String {
        ConfigurationText.lines(of: text).map(ConfigurationText.content).last { $0.hasPrefix("[") } ?? "[all]"
    }

    /// Lines with their ends.
    static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == 0x0A {
            lines.append(bytes[start...index])
            start = index + 1
        }
        if start < bytes.count { lines.append(bytes[start...]) }
        return lines
    }

    /// A line's text without blanks at its ends.
    static func content(_ line: some Collection<UInt8>) -> String {
        trimmingSpaces(String(decoding: line.filter { $0 != 0x1A }, as: UTF8.self))
    }

    /// Whether the firmware could mean something by it.
    static func isStatement(_ line: String) -> Bool {
        line.hasPrefix("#") || line.hasPrefix("[") && line.hasSuffix("]") || pair(line) != nil
            || line.hasPrefix("include ") || line.hasPrefix("initramfs ")
    }

    /// `key=value`.
    static func pair(_ line: String) -> (key: String, value: String)? {
        guard let sign = line.firstIndex(of: "="), sign != line.startIndex else { return nil }
        let key = line[..<sign]
        let isKey = key.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isKey ? (String(key), trimmingSpaces(line[line.index(after: sign)...])) : nil
    }
}
