import Catalog
import Interface
import Launching
import SystemKit
import Systems

/// What there is to know about the chosen game: its picture, its name, what it is about, how often it was played.
final class GameDetailsView: View {
    private let context: MenuContext
    private var theme: Theme { context.theme }
    private var game: Game?
    private var accent = Theme.brand
    private var facts: GameFacts?
    private let inquiry: Inquiry
    private var arrival = Animated(1)
    private var text = PagedText()
    private var page = 0
    private var pages = 1
    private var turn = Animated(1, duration: 0.3)
    /// When the next part of the description is shown.
    private(set) var deadline: MonotonicInstant?

    /// Seconds for a page of the description.
    private static let reading = 7.0

    init(context: MenuContext) {
        self.context = context
        inquiry = Inquiry(courier: context.courier)
    }

    func show(_ game: Game?, accent: Color) {
        let isOther = game?.id != self.game?.id
        guard isOther || game != self.game else { return }
        self.game = game
        self.accent = accent
        if isOther {
            facts = nil
            arrival.jump(to: 0)
            arrival.move(to: 1)
            startReading()
            lookUp()
        }
        setNeedsDisplay()
    }

    /// Looks for the picture, the emulator and the details away from the menu's thread: the folder may be on a slow
    /// share.
    ///
    /// One look at a time: a person who scrolls past a hundred games must not leave a hundred threads in a dead share.
    func lookUp() {
        guard game != nil else { return }
        inquiry.ask({ [weak self] () -> @Sendable (CatalogStore) async throws -> GameFacts? in
            guard let self, let game = self.game else { return { _ in nil } }
            let look = GameFacts.look(at: game, context: self.context)
            return { store in try await look(store) }
        }) { [weak self] found in
            guard let self, let found, self.game?.id == found.game else { return }
            let isNew = self.facts?.details.description != found.details.description
            self.facts = found
            if isNew { self.startReading() }
            self.setNeedsDisplay()
        }
    }

    // MARK: Time

    private func startReading() {
        page = 0
        pages = 1
        deadline = nil
    }

    /// Turns the page of a long description.
    func update(now: MonotonicInstant) {
        guard let deadline, deadline <= now else { return }
        page = (page + 1) % max(1, pages)
        turn.jump(to: 0)
        turn.move(to: 1)
        self.deadline = now.advanced(bySeconds: GameDetailsView.reading)
        setNeedsDisplay()
    }

    override func animate(_ seconds: Double) -> Bool {
        let rises = arrival.step(seconds)
        return turn.step(seconds) || rises
    }

    // MARK: Painting

    override func draw(_ canvas: inout Canvas) {
        guard let game else { return }
        let rise = (1 - arrival.value) * theme(14)
        canvas.translated(0, rise, opacity: 0.2 + 0.8 * arrival.value) { canvas in
            let description = facts?.details.description ?? ""
            let share = description.isEmpty ? 0.52 : 0.37
            let artHeight = min(bounds.width * 0.74, bounds.height * (theme.isNarrow ? min(share, 0.36) : share))
            let art = Rect(0, theme(4), bounds.width, artHeight)
            drawArt(&canvas, game, in: art)
            var y = art.maxY + theme(description.isEmpty ? 20 : 14)
            y += canvas.paragraph(
                game.title, in: Rect(0, y, bounds.width, theme(76)), style: theme.heading, color: Theme.text)
            y += theme(6)
            y = drawSummary(&canvas, y: y)
            y = drawTags(&canvas, game, y: y)
            y = drawTrouble(&canvas, game, y: y)
            drawRest(&canvas, game, description, from: y)
        }
    }

    private func drawArt(_ canvas: inout Canvas, _ game: Game, in box: Rect) {
        let radius = theme(18)
        canvas.shadow(box, Color(hex: 0, alpha: 0.45), radius: radius, blur: theme(26))
        let from = Color(hex: 0x242A3A).mixed(with: accent, 0.42)
        canvas.gradient(box, from: from, to: Color(hex: 0x141824).mixed(with: accent, 0.14), radius: radius)
        if let picture = facts?.picture {
            canvas.image(
                .file(picture.bytes), in: box, .fit, radius: radius,
                tint: game.isMissing ? Color.white.faded(0.45) : .white)
        } else {
            // No picture: the system's sign stands for the game, large and quiet, as on a plain cartridge.
            let side = box.height * 0.56
            canvas.image(
                context.icon(game.system), in: Rect(box.midX - side / 2, box.midY - side / 2, side, side),
                tint: accent.mixed(with: .white, 0.35).faded(0.55))
        }
        canvas.stroke(box, Theme.panelEdge, radius: radius, width: max(1, theme(1)))
    }

    /// Stars, year, kinds and players.
    private func drawSummary(_ canvas: inout Canvas, y: Double) -> Double {
        guard let facts else { return y }
        let height = theme(30)
        var x = 0.0
        if let rating = facts.details.rating {
            let side = theme(18)
            let color = Color(hex: 0xFFC857)
            x += Stars.draw(&canvas, rating, x: x, midY: y + height / 2, side: side, color: color) + theme(14)
        }
        let summary = facts.summary
        guard x > 0 || !summary.isEmpty else { return y }
        canvas.text(
            summary, in: Rect(x, y, bounds.width - x, height), style: theme.label, color: Theme.text.faded(0.8))
        return y + height + theme(6)
    }

    private func drawTags(_ canvas: inout Canvas, _ game: Game, y: Double) -> Double {
        let words = facts.map { Chips.words(game, $0.tags) } ?? game.tags
        guard !words.isEmpty else { return y }
        Chips.draw(words, &canvas, in: Rect(0, y, bounds.width, theme(32)), theme: theme)
        return y + theme(32) + theme(12)
    }

    /// What is wrong, where it cannot be overlooked.
    private func drawTrouble(_ canvas: inout Canvas, _ game: Game, y: Double) -> Double {
        guard let trouble = GameFacts.trouble(game, facts) else { return y }
        let side = theme(22)
        canvas.image(.icon("warning"), in: Rect(0, y + theme(2), side, side), tint: Theme.warning)
        let used = canvas.paragraph(
            trouble, in: Rect(side + theme(12), y, bounds.width - side - theme(12), theme(74)), style: theme.label,
            color: Theme.warning)
        return y + used + theme(12)
    }

    private func drawRest(_ canvas: inout Canvas, _ game: Game, _ description: String, from top: Double) {
        let isAcross = theme.isNarrow || bounds.width / theme.unit < 330
        var pairs = GameFacts.pairs(game, facts, context: context, all: false)
        let rowHeight = theme(30)
        var y = top
        if !description.isEmpty {
            // The words of the game are worth more than its size on the disk.
            pairs.removeAll { $0.0 == "Size" || $0.0 == "Last time" }
            let style = theme.label
            let lineHeight = canvas.measurer.lineHeight(style) * 1.06
            let room = bounds.height - y - Double(pairs.count) * rowHeight - theme(10)
            let count = Int((room / lineHeight).rounded(.down))
            if count >= 2 {
                y += drawDescription(
                    &canvas, description, in: Rect(0, y, bounds.width, Double(count) * lineHeight), lines: count,
                    style: style, lineHeight: lineHeight)
                y += theme(10)
            }
        }
        let column = bounds.width * (isAcross ? 0.40 : 0.30)
        for (label, value) in pairs {
            guard y + rowHeight <= bounds.height + 1 else { break }
            canvas.text(label, in: Rect(0, y, column - theme(8), rowHeight), style: theme.label, color: Theme.faint)
            canvas.text(
                value, in: Rect(column, y, bounds.width - column, rowHeight), style: theme.label,
                color: Theme.text.faded(0.86))
            y += rowHeight
        }
    }

    /// A page of the description; the next one comes by itself after a moment.
    private func drawDescription(
        _ canvas: inout Canvas, _ description: String, in area: Rect, lines count: Int, style: TextStyle,
        lineHeight: Double
    ) -> Double {
        let lines = text.lay(description, width: area.width, style: style, measurer: canvas.measurer)
        pages = max(1, (lines.count + count - 1) / count)
        if page >= pages { page = 0 }
        if pages > 1, deadline == nil {
            deadline = MonotonicInstant.now.advanced(bySeconds: GameDetailsView.reading)
        }
        let shown = lines.dropFirst(page * count).prefix(count)
        canvas.translated(0, (1 - turn.value) * theme(8), opacity: turn.value) { canvas in
            for (index, line) in shown.enumerated() {
                canvas.text(
                    line, in: Rect(area.x, area.y + Double(index) * lineHeight, area.width, lineHeight), style: style,
                    color: Theme.quiet)
            }
        }
        return pages > 1 ? area.height : Double(shown.count) * lineHeight
    }
}
