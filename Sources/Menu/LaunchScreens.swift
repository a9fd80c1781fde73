import Catalog
import Controllers
import Interface
import Launching
import SystemKit

/// What is seen between the choice of a game and its first picture.
final class SplashScreen: Screen {
    private let game: Game
    private let color: Color

    init(context: MenuContext, game: Game) {
        self.game = game
        color = context.accent(game.system)
        super.init(context: context)
    }

    override var accent: Color { color }
    override var showsBars: Bool { false }

    override func handle(_ event: Event) -> Bool {
        if event == .command(.back, isRepeat: false) { context.host?.cancelLaunch() }
        return true
    }

    override func draw(_ canvas: inout Canvas) {
        canvas.gradient(bounds, from: color.mixed(with: Theme.ink, 0.55), to: Theme.ink)
        canvas.glow(Point(bounds.midX, bounds.height * 0.36), radius: bounds.height * 0.6, color.faded(0.5))
        let side = theme(180)
        canvas.image(
            context.icon(game.system), in: Rect(bounds.midX - side / 2, bounds.height * 0.36 - side / 2, side, side),
            tint: color.mixed(with: .white, 0.55))
        let area = theme.safeArea
        canvas.text(
            game.title, in: Rect(area.x, bounds.height * 0.56, area.width, theme(64)), style: theme.title,
            color: .white, align: .center)
        canvas.text(
            "Starting…", in: Rect(area.x, bounds.height * 0.56 + theme(62), area.width, theme(36)), style: theme.body,
            color: Theme.quiet, align: .center)
        drawExitHint(&canvas, area)
    }

    private func drawExitHint(_ canvas: inout Canvas, _ area: Rect) {
        let height = theme(30)
        let words = ["To come back, hold", "and"]
        let style = theme.label
        let glyphs = exitGlyphs
        let widths = glyphs.map { $0.width(height: height, measurer: canvas.measurer) }
        let gap = theme(10)
        let texts = words.map { canvas.measurer.width(of: $0, style: style) }
        var x = area.midX - (texts[0] + texts[1] + widths[0] + widths[1] + gap * 3) / 2
        let y = area.maxY - theme(44)
        for index in 0..<2 {
            canvas.text(
                words[index], in: Rect(x, y, texts[index] + 2, height), style: style, color: Theme.quiet)
            x += texts[index] + gap
            glyphs[index].draw(&canvas, x: x, y: y, height: height)
            x += widths[index] + gap
        }
    }

    /// The two buttons of the pad that started the game; where it has not both, those of the keyboard, which
    /// RetroArch has for them.
    private var exitGlyphs: [ButtonGlyph] {
        guard let pad = context.pad, let chord = pad.chord else {
            return [ButtonGlyph(key: "R-Shift"), ButtonGlyph(key: "Enter")]
        }
        return [chord.modifier, chord.start].map { ButtonGlyph(button: $0, family: pad.family) }
    }
}

/// Says in a sentence why a game is not running, with the details behind a button.
final class FailureScreen: Screen {
    private let game: Game
    private let sentence: String
    private let logTail: [String]
    private var choice = 0

    init(context: MenuContext, game: Game, sentence: String, logTail: [String]) {
        self.game = game
        self.sentence = sentence
        self.logTail = logTail
        super.init(context: context)
    }

    override var accent: Color { Theme.warning }
    override var hints: [Hint] { [Hint(.accept, "Choose"), Hint(.back, "Back")] }

    private var buttons: [String] { logTail.isEmpty ? ["Back to the games"] : ["Back to the games", "Show details"] }

    override func draw(_ canvas: inout Canvas) {
        let width = min(content.width, theme(840))
        let lines = canvas.measurer.wrapped(sentence, style: theme.body, width: width - theme(96), lines: 6)
        let lineHeight = canvas.measurer.lineHeight(theme.body) * 1.12
        let height = theme(250) + Double(lines.count) * lineHeight
        let box = Rect(bounds.midX - width / 2, content.midY - height / 2, width, height)
        canvas.shadow(box, Color(hex: 0, alpha: 0.55), radius: theme(26), blur: theme(44))
        canvas.fill(box, Color(hex: 0x1A1F2C), radius: theme(26))
        canvas.stroke(box, Theme.panelEdge, radius: theme(26), width: max(1, theme(1.5)))
        let inner = box.inset(theme(48))
        let side = theme(44)
        canvas.image(.icon("warning"), in: Rect(inner.x, inner.y, side, side), tint: Theme.warning)
        canvas.text(
            game.title, in: Rect(inner.x + side + theme(18), inner.y, inner.width - side - theme(18), side),
            style: theme.heading, color: Theme.text)
        var y = inner.y + side + theme(20)
        for line in lines {
            canvas.text(line, in: Rect(inner.x, y, inner.width, lineHeight), style: theme.body, color: Theme.quiet)
            y += lineHeight
        }
        drawButtons(&canvas, in: Rect(inner.x, box.maxY - theme(48) - theme(54), inner.width, theme(54)))
    }

    private func drawButtons(_ canvas: inout Canvas, in row: Rect) {
        for (index, place) in places(row, canvas.measurer).enumerated() {
            let isChosen = index == choice
            canvas.fill(place, isChosen ? Color(hex: 0xF4F6FB) : Theme.panel, radius: theme(14))
            canvas.text(
                buttons[index], in: place, style: theme.label, color: isChosen ? Theme.ink : Theme.text, align: .center)
        }
        buttonRow = row
    }

    private var buttonRow = Rect.zero

    private func places(_ row: Rect, _ measurer: any TextMeasuring) -> [Rect] {
        var x = row.x
        return buttons.map { title in
            let width = measurer.width(of: title, style: theme.label) + theme(56)
            defer { x += width + theme(16) }
            return Rect(x, row.y, width, row.height)
        }
    }

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.left, _): choose(choice - 1)
        case .command(.right, _): choose(choice + 1)
        case .command(.accept, false): press(choice)
        case .command(.back, false): context.host?.pop()
        case .pointerReleased(let point):
            guard let measurer,
                let hit = places(buttonRow, measurer).firstIndex(where: {
                    $0.contains(convertFromWindow(point))
                })
            else { return false }
            press(hit)
        default: return false
        }
        return true
    }

    private func choose(_ index: Int) {
        choice = min(max(0, index), buttons.count - 1)
        setNeedsDisplay()
    }

    private func press(_ index: Int) {
        if index == 1 {
            context.host?.push(LogScreen(context: context, title: game.title, lines: logTail))
        } else {
            context.host?.pop()
        }
    }
}

/// The last lines that an emulator wrote.
final class LogScreen: Screen {
    private let title: String
    private let list = ListView()

    init(context: MenuContext, title: String, lines: [String]) {
        self.title = title
        super.init(context: context)
        add(list)
        list.drawRow = { [weak self] canvas, index, rect, _ in
            guard let self else { return }
            canvas.text(
                lines[index], in: rect.inset(by: Insets(left: self.theme(16), right: self.theme(16))),
                style: self.theme.mono, color: Theme.text.faded(0.85))
        }
        list.reload(count: lines.count, selection: max(0, lines.count - 1))
    }

    override var accent: Color { Theme.warning }
    override var hints: [Hint] { [Hint(.up, "Scroll"), Hint(.back, "Back")] }

    override func layout() {
        list.rowHeight = theme(26)
        list.frame = content.inset(by: Insets(top: theme(12), bottom: theme(12)))
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        canvas.text(
            "What the emulator said", in: Rect(safe.x, safe.y, safe.width * 0.7, theme(40)), style: theme.heading,
            color: Theme.text)
        canvas.fill(
            content.inset(by: Insets(top: theme(2), bottom: theme(2))), Color(hex: 0, alpha: 0.42), radius: theme(16))
    }

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.back, false): context.host?.pop()
        // A log has no row to choose, so the arrows scroll by what is in sight.
        case .command(.up, _): list.select(max(0, list.visibleRows.lowerBound + list.rowsInSight / 2 - 3))
        case .command(.down, _): list.select(list.visibleRows.lowerBound + list.rowsInSight / 2 + 3)
        default: return list.handle(event)
        }
        return true
    }
}
