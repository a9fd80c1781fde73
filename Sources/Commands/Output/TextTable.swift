import SystemKit

/// Rows for people, with columns aligned by what the eye sees.
struct TextTable: Sendable {
    struct Column: Sendable {
        let title: String
        let isNumeric: Bool
        /// Whether this column gives way where the terminal is too narrow.
        let isFlexible: Bool

        init(_ title: String, isNumeric: Bool = false, isFlexible: Bool = false) {
            self.title = title
            self.isNumeric = isNumeric
            self.isFlexible = isFlexible
        }
    }

    let columns: [Column]
    private(set) var rows: [[String]] = []

    init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row; control characters of its texts become pictures.
    mutating func add(_ cells: [String]) {
        rows.append(cells.map { BytePath.displayString(of: Array($0.utf8)) })
    }

    /// The lines, each with its end.
    ///
    /// - Parameters:
    ///   - width: columns of the terminal; `nil` cuts nothing.
    ///   - heading: how the line of titles is decorated.
    func text(width: Int?, heading: (String) -> String = { $0 }) -> String {
        let widths = columnWidths(limit: width)
        var text = heading(line(columns.map(\.title), widths)) + "\n"
        for row in rows { text += line(row, widths) + "\n" }
        return text
    }

    private func columnWidths(limit: Int?) -> [Int] {
        var widths = columns.map { displayWidth($0.title) }
        for row in rows {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], displayWidth(cell)) }
        }
        guard let limit, let flexible = columns.firstIndex(where: \.isFlexible) else { return widths }
        let excess = widths.reduce(0, +) + 2 * (widths.count - 1) - limit
        if excess > 0 { widths[flexible] = max(12, widths[flexible] - excess) }
        return widths
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var text = ""
        for (index, cell) in cells.enumerated() {
            let shown = truncated(cell, to: widths[index])
            let padding = String(repeating: " ", count: max(0, widths[index] - displayWidth(shown)))
            if index > 0 { text += "  " }
            if columns[index].isNumeric { text += padding + shown } else { text += shown + padding }
        }
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}

/// Names and values below each other, the values aligned; a name without a value is left out by the caller.
func factLines(_ facts: [(name: String, value: String)]) -> String {
    let width = facts.reduce(0) { max($0, displayWidth($1.name)) }
    var text = ""
    for (name, value) in facts {
        let padding = String(repeating: " ", count: width - displayWidth(name))
        text += "\(name):\(padding) \(BytePath.displayString(of: Array(value.utf8)))\n"
    }
    return text
}
