import Interface

/// Letters to choose with a pad.
final class KeyboardView: View {
    private let context: MenuContext
    private var rows: [[String]]
    private var row = 1
    private var column = 0
    /// Whether it hears the person; else its choice is not marked.
    var isActive = true { didSet { setNeedsDisplay() } }
    /// A character was chosen.
    var onText: ((String) -> Void)?
    /// The last character shall go.
    var onDelete: (() -> Void)?
    /// The person went past the right edge.
    var onLeave: (() -> Void)?
    /// The text is complete.
    var onDone: (() -> Void)?
    /// Whether letters are capitals.
    var isShifted = false { didSet { setNeedsDisplay() } }
    private let writesNames: Bool
    /// Whether signs are shown in place of letters.
    private var showsSigns = false

    private static let letters: [[String]] = [
        ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"],
        ["q", "w", "e", "r", "t", "y", "u", "i", "o", "p"],
        ["a", "s", "d", "f", "g", "h", "j", "k", "l", "'"],
        ["z", "x", "c", "v", "b", "n", "m", "&", "-", "."],
    ]
    /// With the letters and digits all that can be printed in ASCII, which a password may have, and some letters of names.
    private static let signs: [[String]] = [
        ["!", "@", "#", "$", "%", "^", "&", "*", "(", ")"],
        ["-", "_", "=", "+", "[", "]", "{", "}", "\\", "|"],
        ["'", "\"", "`", "~", ":", ";", "<", ">", "/", "?"],
        [",", ".", "ä", "ö", "ü", "ß", "é", "è", "ñ", "å"],
    ]
    private static let namesEnd = ["shift", "signs", "space", "delete", "done"]
    private static let words = [
        "space": "Space", "delete": "Delete", "shift": "Shift", "done": "Done", "signs": "#+=",
    ]

    /// - Parameter writesNames: whether capitals matter, and whether there is a key to end with.
    init(context: MenuContext, writesNames: Bool = false) {
        self.context = context
        self.writesNames = writesNames
        rows = KeyboardView.letters + [writesNames ? KeyboardView.namesEnd : ["space", "delete"]]
    }

    private func place(_ row: Int, _ column: Int) -> Rect {
        let theme = context.theme
        let gap = theme(8)
        let count = Double(rows[row].count)
        let height = (bounds.height - gap * 4) / 5
        let width = (bounds.width - gap * (count - 1)) / count
        return Rect(Double(column) * (width + gap), Double(row) * (height + gap), width, height)
    }

    override func draw(_ canvas: inout Canvas) {
        let theme = context.theme
        for (rowIndex, keys) in rows.enumerated() {
            for (columnIndex, key) in keys.enumerated() {
                let box = place(rowIndex, columnIndex)
                let isChosen = isActive && rowIndex == row && columnIndex == column
                canvas.fill(box, isChosen ? Color(hex: 0xF4F6FB) : Theme.panel, radius: theme(12))
                if key == "shift", isShifted {
                    canvas.stroke(box, Color.white.faded(0.7), radius: theme(12), width: max(1, theme(2)))
                }
                let ink = isChosen ? Theme.ink : Theme.text.faded(isActive ? 0.9 : 0.5)
                let label =
                    showsSigns && key == "signs"
                    ? "abc" : KeyboardView.words[key] ?? (writesNames && !isShifted ? key : KeyboardView.capital(key))
                canvas.text(
                    label, in: box, style: key.count == 1 ? theme.row : theme.label, color: ink, align: .center)
            }
        }
    }

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(let command, let isRepeat): return handle(command, isRepeat: isRepeat)
        case .pointerReleased(let point):
            let hit = convertFromWindow(point)
            for (rowIndex, keys) in rows.enumerated() {
                for columnIndex in keys.indices where place(rowIndex, columnIndex).contains(hit) {
                    (row, column) = (rowIndex, columnIndex)
                    press()
                    setNeedsDisplay()
                    return true
                }
            }
            return false
        case .text, .deleteBackward, .pointerMoved, .pointerPressed, .wheel: return false
        }
    }

    private func handle(_ command: Command, isRepeat: Bool) -> Bool {
        let last = rows.count - 1
        switch command {
        case .up: moveRow(to: row > 0 ? row - 1 : isRepeat ? row : last)
        case .down: moveRow(to: row < last ? row + 1 : isRepeat ? row : 0)
        case .left: column = column > 0 ? column - 1 : isRepeat ? column : rows[row].count - 1
        case .right:
            if column < rows[row].count - 1 {
                column += 1
            } else if !isRepeat {
                onLeave?()
            }
        case .accept:
            if !isRepeat { press() }
        default: return false
        }
        setNeedsDisplay()
        return true
    }

    /// Keeps the horizontal place between rows of different lengths.
    private func moveRow(to next: Int) {
        let from = Double(rows[row].count)
        let into = Double(rows[next].count)
        column = min(Int(into) - 1, Int((Double(column) + 0.5) / from * into))
        row = next
    }

    private func press() {
        switch rows[row][column] {
        case "space": onText?(" ")
        case "delete": onDelete?()
        case "shift": isShifted.toggle()
        case "done": onDone?()
        case "signs":
            showsSigns.toggle()
            rows = (showsSigns ? KeyboardView.signs : KeyboardView.letters) + [KeyboardView.namesEnd]
        case let key:
            onText?(isShifted ? KeyboardView.capital(key) : key)
        }
    }

    /// One letter stays one letter.
    private static func capital(_ key: String) -> String { key == "ß" ? "ẞ" : key.uppercased() }
}
