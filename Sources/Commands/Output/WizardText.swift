import Controllers

/// What the mapping wizard says in a terminal: as a picture of a fixed number of lines that is redrawn, or as lines
/// that follow each other.
enum WizardText {
    /// How many rows are in sight.
    static let rowCount = 7
    private static let barWidth = 30

    // MARK: Redrawn

    /// The picture of the whole wizard.
    ///
    /// - Parameter hasKeys: whether there is a terminal to type at.
    static func picture(_ wizard: MappingWizard, hasKeys: Bool) -> [String] {
        let body = wizard.current == nil ? test(wizard) : rows(wizard)
        var lines = [safeText(wizard.pad.name), ""]
        lines += (0..<rowCount).map { $0 < body.count ? body[$0] : "" }
        lines += ["", bar(wizard), wizard.notice.map { $0.sentence(for: wizard.pad.family) + "." } ?? ""]
        lines += [hint(wizard), hasKeys ? "Escape: back. q: leave. Ctrl-C: leave without storing." : ""]
        return lines
    }

    private static func rows(_ wizard: MappingWizard) -> [String] {
        let current = wizard.current ?? 0
        let first = min(max(0, current - rowCount / 2), max(0, wizard.rows.count - rowCount))
        return wizard.rows.indices.dropFirst(first).prefix(rowCount).map { index in
            let row = wizard.rows[index]
            let title = "\(index == current ? ">" : " ") \(row.function.title(on: wizard.pad.family))"
            let words = index == current ? wish(wizard) : words(for: row.state)
            return words.isEmpty ? title : padded(title, to: 20) + words
        }
    }

    private static func wish(_ wizard: MappingWizard) -> String {
        switch wizard.phase {
        case .listening: "press it and hold it for a moment"
        case .pressing: "..."
        case .skipping: "hold it to skip this"
        case .releasing: "let everything go"
        case .lost(let seconds): "plug it in again within \(Int(seconds.rounded(.up))) s"
        case .testing, .ended: ""
        }
    }

    static func words(for state: MappingWizard.Row.State) -> String {
        switch state {
        case .open: ""
        case .bound(let control): control.description
        case .skipped: "skipped"
        case .absent: "has none"
        }
    }

    private static func test(_ wizard: MappingWizard) -> [String] {
        let held = wizard.held.sorted().map { $0.title(on: wizard.pad.family) }
        let axes = wizard.numberedLevels.map { "axis \(padded(String($0.number), to: 3)) [\(level($0.level))]" }
        let wish: String
        switch wizard.phase {
        case .lost(let seconds): wish = "Plug it in again within \(Int(seconds.rounded(.up))) s"
        case .releasing: wish = "Let everything go"
        default: wish = "Try every control"
        }
        // Two axes a line: a pad with two sticks and two triggers still fits.
        let pairs = stride(from: 0, to: axes.count, by: 2).map {
            axes[$0..<min($0 + 2, axes.count)].joined(separator: "   ")
        }
        return [wish, "Pressed: \(listText(held))"] + pairs
    }

    /// A level of -1 to 1 as a mark between two ends.
    static func level(_ value: Double) -> String {
        let place = Int((min(1, max(-1, value)) * 8).rounded()) + 8
        return String((0..<17).map { $0 == place ? "#" : $0 == 8 ? "|" : "-" })
    }

    /// A ring, drawn as a bar.
    static func bar(_ progress: Double) -> String {
        let full = Int((min(1, max(0, progress)) * Double(barWidth)).rounded(.down))
        return "[" + String(repeating: "#", count: full) + String(repeating: ".", count: barWidth - full) + "]"
    }

    private static func bar(_ wizard: MappingWizard) -> String {
        if case .skipping(let progress) = wizard.phase { return bar(progress) + " skip" }
        if let hold = wizard.hold {
            return bar(hold.progress) + (hold.function == wizard.finishFunction ? " done" : " back")
        }
        if let seconds = wizard.secondsToTimeout { return "Leaving in \(Int(seconds.rounded(.up))) s." }
        return ""
    }

    private static func hint(_ wizard: MappingWizard) -> String {
        let family = wizard.pad.family
        var words: [String] = []
        if wizard.current == nil {
            if let finish = wizard.finishFunction { words.append("Hold \(finish.title(on: family)) when done.") }
            if !wizard.isTestOnly, wizard.isKnown(.east) {
                words.append("Hold \(PadFunction.east.title(on: family)) to go back.")
            }
            return words.joined(separator: " ")
        }
        if let skip = wizard.skipControl {
            words.append("Hold \(skip.title(on: family)) to skip.")
        } else if wizard.anyControlSkips {
            words.append("Hold anything to skip.")
        }
        if let group = wizard.groupSkip { words.append("\(group.title(on: family)): no such stick.") }
        if wizard.isKnown(.east) { words.append("\(PadFunction.east.title(on: family)): back.") }
        return words.joined(separator: " ")
    }

    private static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(1, columns - displayWidth(text)))
    }
}

extension MappingWizard {
    /// Whether a function was answered.
    func isKnown(_ function: PadFunction) -> Bool { result.controls[function] != nil }
}

/// A picture of a few lines that takes the place of the one before.
struct Repainting {
    private var shown: [String] = []
    private let width: Int

    /// A picture for a terminal of so many columns.
    init(width: Int) { self.width = width }

    /// What to print to have these lines on the screen; nothing where they are there already.
    mutating func text(for lines: [String]) -> String {
        // A line that wraps would make the picture taller than it is known to be.
        let lines = lines.map { truncated($0, to: width - 1) }
        guard lines != shown else { return "" }
        let up = shown.isEmpty ? "" : "\u{1B}[\(shown.count)A"
        let rest = shown.count > lines.count ? "\u{1B}[J" : ""
        shown = lines
        return up + lines.map { "\r\u{1B}[K\($0)\n" }.joined() + rest
    }
}

/// The same for those who have no screen: a line for everything that happens.
struct WizardLines {
    private var states: [MappingWizard.Row.State]
    private var asked: Int?
    private var notice: MappingWizard.Notice?
    private var held: Set<PadFunction> = []
    private var isLost = false
    private var isTesting = false

    /// Lines about a wizard from now on.
    init(_ wizard: MappingWizard) { states = wizard.rows.map(\.state) }

    /// What happened since the last time.
    mutating func news(_ wizard: MappingWizard) -> [String] {
        let family = wizard.pad.family
        var lines: [String] = []
        for (index, row) in wizard.rows.enumerated() where row.state != states[index] {
            let words = row.state == .open ? "asked again" : WizardText.words(for: row.state)
            lines.append("\(row.function.title(on: family)): \(words)")
        }
        states = wizard.rows.map(\.state)
        if wizard.notice != notice, let notice = wizard.notice { lines.append(notice.sentence(for: family) + ".") }
        notice = wizard.notice
        if case .lost = wizard.phase {
            if !isLost { lines.append("It is gone: plug it in again within ten seconds.") }
            isLost = true
            return lines
        }
        if isLost { lines.append("It is back.") }
        isLost = false
        if let current = wizard.current, current != asked, wizard.phase == .listening {
            asked = current
            lines.append("Press \(wizard.rows[current].function.title(on: family)).")
        }
        if wizard.current != nil { isTesting = false }
        guard wizard.phase == .testing else { return lines }
        if !isTesting {
            asked = nil
            let finish = wizard.finishFunction.map { " Hold \($0.title(on: family)) when done." } ?? ""
            lines.append("Try every control.\(finish)")
        }
        isTesting = true
        for function in wizard.held.subtracting(held).sorted() { lines.append("\(function.title(on: family)) down") }
        for function in held.subtracting(wizard.held).sorted() { lines.append("\(function.title(on: family)) up") }
        held = wizard.held
        return lines
    }
}
