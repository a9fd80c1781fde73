/// Cuts text that was meant to be XML into its parts, as a reader does who would rather understand than complain.
enum Markup {
    /// A part; ranges are places in the bytes.
    enum Token: Equatable {
        /// What stands between tags, up to the next `<`.
        case text
        /// A `<` that begins nothing.
        case stray
        case start(name: Range<Int>, isClosed: Bool)
        case end(name: Range<Int>)
        case comment
        /// A CDATA section.
        case data(content: Range<Int>)
        case instruction
        /// `<!DOCTYPE …>` and the like.
        case declaration
    }

    typealias Bytes = UnsafeBufferPointer<UInt8>

    /// The part that begins at `at`, which is a place in `bytes`, and where it ends.
    ///
    /// - Parameter isEnd: whether nothing follows; what is unfinished then is taken for text.
    /// - Returns: `nil` where more bytes are needed.
    static func next(in bytes: Bytes, at: Int, isEnd: Bool) -> (token: Token, end: Int)? {
        guard bytes[at] == 0x3C else { return (.text, find(0x3C, in: bytes, from: at) ?? bytes.count) }
        let stray = (Token.stray, at + 1)
        guard at + 1 < bytes.count else { return isEnd ? stray : nil }
        let found: Search
        switch bytes[at + 1] {
        case 0x21: found = marked(bytes, at)
        case 0x3F: found = instruction(bytes, at)
        case 0x2F: found = endTag(bytes, at)
        case let byte where isNameStart(byte): found = startTag(bytes, at)
        default: found = .none
        }
        switch found {
        case .found(let token, let end): return (token, end)
        case .none: return stray
        case .unfinished: return isEnd ? stray : nil
        }
    }

    private enum Search {
        case found(Token, Int)
        case none
        case unfinished
    }

    /// What begins with `<!`.
    private static func marked(_ bytes: Bytes, _ at: Int) -> Search {
        for (opening, isComment) in [("<!--", true), ("<![CDATA[", false)] {
            let opening = Array(opening.utf8)
            let available = min(opening.count, bytes.count - at)
            guard (0..<available).allSatisfy({ bytes[at + $0] == opening[$0] }) else { continue }
            guard available == opening.count else { return .unfinished }
            return isComment ? comment(bytes, at) : data(bytes, at)
        }
        guard at + 2 < bytes.count else { return .unfinished }
        return isNameStart(bytes[at + 2]) ? declaration(bytes, at) : .none
    }

    /// A comment in which another one begins was never ended: it must not hide the records between them.
    private static func comment(_ bytes: Bytes, _ at: Int) -> Search {
        var index = at + 4
        while let dash = find(0x2D, in: bytes, from: index) {
            guard dash + 2 < bytes.count else { return .unfinished }
            if bytes[dash + 1] == 0x2D {
                if bytes[dash + 2] == 0x3E { return .found(.comment, dash + 3) }
                if dash >= at + 6, bytes[dash - 1] == 0x21, bytes[dash - 2] == 0x3C { return .none }
            }
            index = dash + 1
        }
        return .unfinished
    }

    /// The same for a section in which another one begins.
    private static func data(_ bytes: Bytes, _ at: Int) -> Search {
        let opening = Array("<![CDATA[".utf8)
        let start = at + opening.count
        var index = start
        while index < bytes.count {
            if bytes[index] == 0x5D, matches(bytes, index, [0x5D, 0x5D, 0x3E]) {
                return .found(.data(content: start..<index), index + 3)
            }
            if bytes[index] == 0x3C, matches(bytes, index, opening) { return .none }
            index += 1
        }
        return .unfinished
    }

    private static func instruction(_ bytes: Bytes, _ at: Int) -> Search {
        var index = at + 2
        while index + 1 < bytes.count {
            if bytes[index] == 0x3F, bytes[index + 1] == 0x3E { return .found(.instruction, index + 2) }
            if bytes[index] == 0x3C, bytes[index + 1] == 0x3F { return .none }
            index += 1
        }
        return .unfinished
    }

    /// Ends early where it cannot be one, so that a file full of its beginnings is read once and not again for each.
    private static func declaration(_ bytes: Bytes, _ at: Int) -> Search {
        var depth = 0
        var quote: UInt8 = 0
        var index = at + 2
        while index < bytes.count {
            let byte = bytes[index]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == 0x22 || byte == 0x27 {
                quote = byte
            } else if byte == 0x3C {
                let opening: [UInt8] = [0x3C, 0x21, 0x2D, 0x2D]
                let available = min(opening.count, bytes.count - index)
                if matches(bytes, index, Array(opening.prefix(available))) {
                    // Whether it is a comment is in the bytes to come.
                    guard available == opening.count else { return .unfinished }
                    // An apostrophe in a comment is no quotation mark.
                    switch comment(bytes, index) {
                    case .found(_, let end):
                        index = end
                        continue
                    case .none: return .none
                    case .unfinished: return .unfinished
                    }
                }
                guard depth == 1 else { return .none }
            } else if byte == 0x5B {
                depth += 1
                guard depth == 1 else { return .none }
            } else if byte == 0x5D {
                depth -= 1
            } else if byte == 0x3E, depth <= 0 {
                return .found(.declaration, index + 1)
            }
            index += 1
        }
        return .unfinished
    }

    private static func endTag(_ bytes: Bytes, _ at: Int) -> Search {
        guard at + 2 < bytes.count else { return .unfinished }
        guard isNameStart(bytes[at + 2]) else { return .none }
        let name = name(bytes, at + 2)
        var index = name.upperBound
        while index < bytes.count {
            if bytes[index] == 0x3E { return .found(.end(name: name), index + 1) }
            // The bracket is missing, and the next tag begins.
            if bytes[index] == 0x3C { return .found(.end(name: name), index) }
            index += 1
        }
        return .unfinished
    }

    private static func startTag(_ bytes: Bytes, _ at: Int) -> Search {
        let name = name(bytes, at + 1)
        var quote: UInt8 = 0
        // The first end that stands in quotation marks, for a mark that was never closed.
        var quoted: Int?
        var index = name.upperBound
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x3C {
                // None may stand in a tag, not even in quotation marks.
                guard let quoted else { return .none }
                return .found(.start(name: name, isClosed: false), quoted + 1)
            } else if byte == 0x3E {
                if quote == 0 {
                    return .found(.start(name: name, isClosed: bytes[index - 1] == 0x2F), index + 1)
                }
                if quoted == nil { quoted = index }
            } else if byte == 0x22 || byte == 0x27 {
                if quote == 0 { quote = byte } else if quote == byte { quote = 0 }
            }
            index += 1
        }
        return .unfinished
    }

    // MARK: - Bytes

    private static func name(_ bytes: Bytes, _ start: Int) -> Range<Int> {
        var index = start
        while index < bytes.count, isName(bytes[index]) { index += 1 }
        return start..<index
    }

    static func isNameStart(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return (lower >= 0x61 && lower <= 0x7A) || byte == 0x5F || byte == 0x3A || byte >= 0xC0
    }

    static func isName(_ byte: UInt8) -> Bool {
        isNameStart(byte) || (byte >= 0x30 && byte <= 0x39) || byte == 0x2D || byte == 0x2E || byte >= 0x80
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }

    static func find(_ byte: UInt8, in bytes: Bytes, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if bytes[index] == byte { return index }
            index += 1
        }
        return nil
    }

    static func matches(_ bytes: Bytes, _ at: Int, _ text: [UInt8]) -> Bool {
        guard at >= 0, at + text.count <= bytes.count else { return false }
        for index in text.indices where bytes[at + index] != text[index] { return false }
        return true
    }
}
