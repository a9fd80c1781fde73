internal import FontKit
internal import Interface

/// A piece of a line: one font, one script, one direction.
struct TextRun: Equatable {
    let text: String
    let file: FontFile
    let script: String
    let isRightToLeft: Bool
}

extension FontBook {
    /// Characters of a line that are looked at; no screen shows more.
    static let longestLine = 2000
    /// Scalars of one cluster that are drawn: a family of emoji has ten, a joke of combining marks has hundreds.
    static let longestCluster = 12

    /// The pieces of a line in the order of the screen, from the left.
    func runs(_ text: String, style: TextStyle) -> [TextRun] {
        guard let primary = primary(style) else { return [] }
        if text.utf8.count <= FontBook.longestLine, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            return text.isEmpty ? [] : [TextRun(text: text, file: primary, script: "Latn", isRightToLeft: false)]
        }
        let clusters = FontBook.clusters(text)
        let levels = LineOrder.levels(clusters.map(\.kind.direction))
        var pieces: [(text: String, file: FontFile, script: String?, level: Int)] = []
        for (cluster, level) in zip(clusters, levels) {
            var character = cluster.character
            var file = font(for: character, style: style, primary: primary)
            if file == nil {
                character = "\u{25A1}"
                file = font(for: character, style: style, primary: primary)
            }
            let script = cluster.kind.script
            if let last = pieces.last, last.file == file ?? primary, last.level == level,
                last.script == nil || script == nil || last.script == script
            {
                pieces[pieces.count - 1].text.append(character)
                if last.script == nil { pieces[pieces.count - 1].script = script }
            } else {
                pieces.append((String(character), file ?? primary, script, level))
            }
        }
        return LineOrder.visual(pieces.map(\.level)).map { index in
            let piece = pieces[index]
            return TextRun(
                text: piece.text, file: piece.file, script: piece.script ?? "Zyyy",
                isRightToLeft: piece.level % 2 == 1)
        }
    }

    private static func clusters(_ text: String) -> [(character: Character, kind: ScriptClass)] {
        text.prefix(longestLine).compactMap { character in
            var scalars = String.UnicodeScalarView()
            for scalar in character.unicodeScalars.prefix(longestCluster) {
                switch scalar.value {
                // A line is one line, and a byte order mark or an override of the direction is not shown.
                case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029:
                    if scalars.isEmpty { scalars.append(" ") }
                case 0xFEFF, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: break
                default: scalars.append(scalar)
                }
            }
            guard let first = scalars.first else { return nil }
            return (Character(String(scalars)), ScriptClass(first))
        }
    }
}
