import SystemKit

/// The text of `retro-setup.txt`: `KEY=VALUE` lines as a person writes them in whatever editor there is.
struct SetupText: Sendable {
    /// One line with a meaning, or one that should have one.
    struct Line: Sendable, Equatable {
        /// As an editor counts: from 1.
        let number: Int
        /// In lower case, `_` as `-`; empty where the line has no `=`.
        let key: String
        /// The key without its number, e.g. `ssid` of `ssid2`.
        let word: String
        /// 1 for `ssid`, 2 for `ssid2`.
        let index: Int
        /// Any bytes: the name of a network may be no text.
        let value: [UInt8]

        /// The value where it is UTF-8.
        var text: String? { String(validating: value, as: UTF8.self) }
    }

    /// All lines as they were written, without their ends.
    let raw: [[UInt8]]
    /// Those that are neither empty nor comments.
    let lines: [Line]
    /// Whether lines end as on Windows.
    let hasCarriageReturns: Bool

    /// Reads a text: UTF-8 with a byte order mark or without, UTF-16 with one, any line ends.
    init(_ bytes: [UInt8]) {
        let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        // Anything else stays as it is: a name in an old encoding is meant with just these bytes.
        let content = isWide || isMarked ? decodedTexts(bytes).first ?? bytes : bytes
        hasCarriageReturns = content.contains(0x0D)
        var raw: [[UInt8]] = [[]]
        var wasReturn = false
        for byte in content {
            switch byte {
            case 0x0A where wasReturn: break
            case 0x0A, 0x0D: raw.append([])
            default: raw[raw.count - 1].append(byte)
            }
            wasReturn = byte == 0x0D
        }
        if raw.last?.isEmpty == true { raw.removeLast() }
        self.raw = raw
        lines = raw.enumerated().compactMap { SetupText.line($0.element, number: $0.offset + 1) }
    }

    private static func line(_ bytes: [UInt8], number: Int) -> Line? {
        let trimmed = trimmingBlanks(bytes[...])
        guard let first = trimmed.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { return nil }
        guard let equals = trimmed.firstIndex(of: UInt8(ascii: "=")) else {
            return Line(number: number, key: "", word: "", index: 1, value: Array(trimmed))
        }
        let name = trimmingBlanks(trimmed[..<equals]).map {
            $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : asciiLowercased($0)
        }
        let key = String(decoding: name, as: UTF8.self)
        let digits = key.reversed().prefix { $0.isASCII && $0.isNumber }.count
        let word = String(key.dropLast(digits))
        return Line(
            number: number, key: key, word: word.hasSuffix("-") ? String(word.dropLast()) : word,
            index: digits == 0 ? 1 : Int(key.suffix(digits)) ?? 0, value: value(trimmed[(equals + 1)...]))
    }

    /// Blanks at both ends are cut off; between two quotes of one kind everything is meant as it is, blanks too.
    private static func value(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let trimmed = trimmingBlanks(bytes)
        if trimmed.count >= 2, let first = trimmed.first, first == trimmed.last,
            first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
        {
            return Array(trimmed.dropFirst().dropLast())
        }
        return Array(trimmed)
    }

    private static func trimmingBlanks(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes
        while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        return rest
    }
}
