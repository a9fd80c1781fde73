/// How a text is set.
public struct TextStyle: Sendable, Hashable {
    /// Thickness of the strokes.
    public enum Weight: Int, Sendable, Hashable {
        /// For reading.
        case regular
        /// A little stronger.
        case medium
        /// For labels and rows.
        case semibold
        /// For headings.
        case bold
        /// For the largest headings.
        case heavy
    }

    /// Which cut of the typeface.
    public enum Design: Int, Sendable, Hashable {
        /// For text.
        case text
        /// Tighter, for large sizes.
        case display
        /// Equal widths, for logs.
        case monospaced
    }

    /// Height of the em square in pixels.
    public var size: Double
    /// Thickness of the strokes.
    public var weight: Weight
    /// Which cut.
    public var design: Design

    /// A style.
    public init(_ size: Double, _ weight: Weight = .regular, _ design: Design = .text) {
        self.size = size
        self.weight = weight
        self.design = design
    }
}

/// Where along its line a text stands.
public enum TextAlignment: Sendable {
    /// At the left edge.
    case left
    /// In the middle.
    case center
    /// At the right edge.
    case right
}

/// Tells how large a text becomes; the stage knows, because it owns the fonts.
public protocol TextMeasuring: AnyObject {
    /// Pixels from the start of the text to its end.
    func width(of text: String, style: TextStyle) -> Double
    /// Pixels from one line to the next.
    func lineHeight(_ style: TextStyle) -> Double
}

extension TextMeasuring {
    /// The text cut to a width, with an ellipsis where something was left out.
    public func truncated(_ text: String, style: TextStyle, width limit: Double) -> String {
        if width(of: text, style: style) <= limit { return text }
        let characters = Array(text)
        var low = 0
        var high = characters.count
        while low < high {
            let middle = (low + high + 1) / 2
            if width(of: String(characters[0..<middle]) + "…", style: style) <= limit {
                low = middle
            } else {
                high = middle - 1
            }
        }
        var kept = characters[0..<low]
        while kept.last == " " { kept.removeLast() }
        return String(kept) + "…"
    }

    /// The text broken into lines at blanks; what is written without blanks, as Japanese is, at any character.
    ///
    /// - Parameter lines: the most lines that are returned; the last one is cut with an ellipsis.
    public func wrapped(_ text: String, style: TextStyle, width limit: Double, lines: Int = .max) -> [String] {
        var result: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                let candidate = line.isEmpty ? String(word) : line + " " + word
                if width(of: candidate, style: style) <= limit {
                    line = candidate
                    continue
                }
                if !line.isEmpty { result.append(line) }
                var pieces = broken(word, style: style, width: limit)
                line = pieces.removeLast()
                result += pieces
                // Nobody reads further than that, and measuring takes time.
                if result.count > lines { break }
            }
            result.append(line)
        }
        if result.count > lines {
            let rest = result[(lines - 1)...].joined(separator: " ")
            result.removeSubrange((lines - 1)...)
            result.append(rest)
        }
        return result.map { truncated($0, style: style, width: limit) }
    }

    /// A sentence of a script that writes no blanks in pieces that fit; a word of another script stays whole.
    private func broken(_ word: Substring, style: TextStyle, width limit: Double) -> [String] {
        guard word.unicodeScalars.contains(where: writesNoBlanks) else { return [String(word)] }
        var pieces: [String] = []
        var rest = Array(word)
        while rest.count > 1, width(of: String(rest), style: style) > limit {
            var low = 1
            // A line is rarely longer than what its height alone allows; so much less is measured.
            var high = min(rest.count - 1, max(4, Int(limit / max(1, style.size) * 5)))
            while low < high {
                let middle = (low + high + 1) / 2
                let fits = width(of: String(rest[0..<middle]), style: style) <= limit
                if fits { low = middle } else { high = middle - 1 }
            }
            // No line begins with what ends a sentence.
            if low > 1, closing.contains(rest[low]) { low -= 1 }
            pieces.append(String(rest[0..<low]))
            rest.removeFirst(low)
        }
        return pieces + [String(rest)]
    }
}

/// Thai, Lao, Myanmar, Khmer; Chinese and Japanese. Korean writes blanks.
private func writesNoBlanks(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: true
    case 0x2E80...0xA4CF, 0xF900...0xFAFF, 0xFF00...0xFF65, 0x20000...0x3FFFF: true
    default: false
    }
}

private let closing: Set<Character> = ["、", "。", "，", "．", "！", "？", "」", "』", "）", "】", "ー", "々", "…", "：", "；"]
