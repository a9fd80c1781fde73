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

    /// The text broken into lines at blanks (or inside a word that alone is too long).
    ///
    /// - Parameter lines: the most lines that are returned; the last one is cut with an ellipsis.
    public func wrapped(_ text: String, style: TextStyle, width limit: Double, lines: Int = .max) -> [String] {
        var result: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                let candidate = line.isEmpty ? String(word) : line + " " + word
                if line.isEmpty || width(of: candidate, style: style) <= limit {
                    line = candidate
                } else {
                    result.append(line)
                    line = String(word)
                }
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
}
