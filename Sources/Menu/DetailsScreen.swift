import Catalog
import Interface
import SystemKit
import Systems

/// Everything about one game, with room for its words.
final class DetailsScreen: Screen {
    private var game: Game
    private var facts: GameFacts?
    private let color: Color
    private let inquiry: Inquiry
    private var text = PagedText()
    private var scroll = Animated(0, duration: 0.16)
    private var area = Rect.zero
    private var lineHeight = 1.0
    private var height = 0.0
    private var dragStart: (y: Double, scroll: Double)?

    init(context: MenuContext, game: Game) {
        self.game = game
        color = context.accent(game.system)
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context)
    }

    override var accent: Color { color }

    override var hints: [Hint] {
        var hints = [Hint(.accept, "Play"), Hint(.back, "Back")]
        if mostScroll > 0 { hints.append(Hint(.up, "Read on")) }
        return hints + [Hint(.extra, game.isFavourite ? "Unmark" : "Favourite"), Hint(.menu, "Options")]
    }

    override func appear() { look() }

    override func catalogChanged(_ change: CatalogChange) {
        if case .scanning = change { return }
        look()
    }

    private struct Answer: Sendable {
        let game: Game?
        let facts: GameFacts
    }

    private func look() {
        inquiry.ask({ [weak self] () -> @Sendable (CatalogStore) async throws -> Answer? in
            guard let self else { return { _ in nil } }
            let id = self.game.id
            let look = GameFacts.look(at: self.game, context: self.context)
            return { store in Answer(game: try await store.game(id: id), facts: try await look(store)) }
        }) { [weak self] answer in
            guard let self, let answer else { return }
            if let game = answer.game {
                self.game = game
            } else if self.context.host?.top === self {
                // Its file was deleted, and nothing the person did keeps it.
                self.context.host?.toast("\(self.game.title) is gone")
                self.context.host?.remove(self)
                return
            }
            self.facts = answer.facts
            self.refreshBars()
            self.setNeedsDisplay()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    private var mostScroll: Double { max(0, height - area.height) }

    override func animate(_ seconds: Double) -> Bool { scroll.step(seconds) }

    // MARK: Painting

    override func draw(_ canvas: inout Canvas) {
        drawTitle(&canvas)
        let gap = theme(theme.isNarrow ? 24 : 52)
        let isPortrait = bounds.height > bounds.width
        let left: Rect
        let right: Rect
        if isPortrait {
            let artHeight = content.height * 0.3
            left = Rect(content.x, content.y, content.width, artHeight)
            right = Rect(
                content.x, left.maxY + theme(24), content.width, content.maxY - left.maxY - theme(24))
        } else {
            let width = content.width * 0.36
            left = Rect(content.x, content.y, width, content.height)
            right = Rect(content.x + width + gap, content.y, content.width - width - gap, content.height)
        }
        drawArt(&canvas, in: left, isPortrait: isPortrait)
        drawWords(&canvas, in: right)
    }

    private func drawTitle(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        canvas.fill(Rect(safe.x, safe.y + theme(5), theme(6), theme(32)), color, radius: theme(3))
        canvas.text(
            game.title, in: Rect(safe.x + theme(22), safe.y, safe.width - theme(170), theme(42)),
            style: theme.heading, color: Theme.text)
    }

    private func drawArt(_ canvas: inout Canvas, in area: Rect, isPortrait: Bool) {
        let radius = theme(18)
        let marqueeHeight = facts?.marquee != nil && !isPortrait ? theme(96) : 0
        let box = Rect(
            area.x, area.y + theme(4), area.width,
            min(area.height - marqueeHeight - theme(16), area.width * 1.02))
        canvas.shadow(box, Color(hex: 0, alpha: 0.45), radius: radius, blur: theme(26))
        canvas.gradient(
            box, from: Color(hex: 0x242A3A).mixed(with: color, 0.42),
            to: Color(hex: 0x141824).mixed(with: color, 0.14), radius: radius)
        if let picture = facts?.picture {
            canvas.image(
                .file(picture.bytes), in: box, .fit, radius: radius,
                tint: game.isMissing ? Color.white.faded(0.45) : .white)
        } else {
            let side = min(box.width, box.height) * 0.5
            canvas.image(
                context.icon(game.system), in: Rect(box.midX - side / 2, box.midY - side / 2, side, side),
                tint: color.mixed(with: .white, 0.35).faded(0.55))
        }
        canvas.stroke(box, Theme.panelEdge, radius: radius, width: max(1, theme(1)))
        if let marquee = facts?.marquee, marqueeHeight > 0 {
            canvas.image(
                .file(marquee.bytes), in: Rect(area.x, box.maxY + theme(16), area.width, marqueeHeight - theme(16)))
        }
    }

    private func drawWords(_ canvas: inout Canvas, in area: Rect) {
        var y = area.y
        if let facts {
            var x = area.x
            let row = theme(34)
            if let rating = facts.details.rating {
                x += Stars.draw(
                    &canvas, rating, x: x, midY: y + row / 2, side: theme(22), color: Color(hex: 0xFFC857))
                x += theme(18)
            }
            if x > area.x || !facts.summary.isEmpty {
                canvas.text(
                    facts.summary, in: Rect(x, y, area.maxX - x, row), style: theme.body, color: Theme.text)
                y += row + theme(8)
            }
            let words = Chips.words(game, facts.tags)
            if !words.isEmpty {
                Chips.draw(words, &canvas, in: Rect(area.x, y, area.width, theme(32)), theme: theme)
                y += theme(32) + theme(14)
            }
        }
        if let trouble = GameFacts.trouble(game, facts) {
            let side = theme(24)
            canvas.image(.icon("warning"), in: Rect(area.x, y + theme(2), side, side), tint: Theme.warning)
            y += canvas.paragraph(
                trouble, in: Rect(area.x + side + theme(12), y, area.width - side - theme(12), theme(84)),
                style: theme.body, color: Theme.warning)
            y += theme(14)
        }
        let pairs = GameFacts.pairs(game, facts, context: context, all: true)
        let columns = area.width / theme.unit > 560 ? 2 : 1
        let rows = (pairs.count + columns - 1) / columns
        let pairHeight = theme(30)
        let isSilent = (facts?.details.description ?? "").isEmpty
        // With nothing to read between, the facts stand together.
        let pairsTop = isSilent ? min(y + theme(6), area.maxY) : area.maxY - Double(rows) * pairHeight
        drawDescription(&canvas, in: Rect(area.x, y, area.width, max(0, pairsTop - y - theme(20))))
        for (index, pair) in pairs.enumerated() {
            let width = area.width / Double(columns) - theme(12)
            let x = area.x + Double(index / rows) * (width + theme(24))
            let place = pairsTop + Double(index % rows) * pairHeight
            guard place >= y else { continue }
            let label = theme(104)
            canvas.text(
                pair.0, in: Rect(x, place, label - theme(8), pairHeight), style: theme.label, color: Theme.faint)
            canvas.text(
                pair.1, in: Rect(x + label, place, width - label, pairHeight), style: theme.label,
                color: Theme.text.faded(0.86))
        }
    }

    private func drawDescription(_ canvas: inout Canvas, in place: Rect) {
        let description = facts?.details.description ?? ""
        let style = theme.body
        lineHeight = (canvas.measurer.lineHeight(style) * 1.08).rounded()
        let before = mostScroll
        area = Rect(place.x, place.y, place.width, (place.height / lineHeight).rounded(.down) * lineHeight)
        let lines =
            description.isEmpty
            ? [] : text.lay(description, width: place.width - theme(18), style: style, measurer: canvas.measurer)
        height = Double(lines.count) * lineHeight
        if (before > 0) != (mostScroll > 0) { refreshBars() }
        if scroll.target > mostScroll { scroll.jump(to: mostScroll) }
        guard !lines.isEmpty, area.height >= lineHeight else { return }
        let offset = scroll.value
        canvas.clipped(to: area) { canvas in
            let first = max(0, Int(offset / lineHeight))
            let last = min(lines.count, Int((offset + area.height) / lineHeight) + 1)
            guard first < last else { return }
            for index in first..<last {
                canvas.text(
                    lines[index],
                    in: Rect(
                        area.x, area.y + Double(index) * lineHeight - offset, area.width - theme(16), lineHeight),
                    style: style, color: Theme.text.faded(0.82))
            }
        }
        guard mostScroll > 0 else { return }
        let track = Rect(area.maxX - theme(4), area.y + theme(2), theme(4), area.height - theme(4))
        canvas.fill(track, Color(hex: 0xFFFFFF, alpha: 0.07), radius: theme(2))
        let thumb = max(theme(24), track.height * area.height / height)
        canvas.fill(
            Rect(track.x, track.y + (track.height - thumb) * offset / mostScroll, track.width, thumb),
            color.faded(0.85), radius: theme(2))
    }

    // MARK: Input

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.back, false): context.host?.pop()
        case .command(.accept, false): context.host?.launch(game, emulator: nil)
        case .command(.menu, false):
            context.host?.push(GameOptions.screen(context: context, game: game, accent: color))
        case .command(.extra, false): toggleFavourite()
        case .command(.down, _): scroll(by: lineHeight * 2)
        case .command(.up, _): scroll(by: -lineHeight * 2)
        case .command(.pageDown, _): scroll(by: area.height - lineHeight)
        case .command(.pageUp, _): scroll(by: lineHeight - area.height)
        case .wheel(let notches, _): scroll(by: -notches * lineHeight * 2)
        case .pointerPressed(let point): dragStart = (point.y, scroll.target)
        case .pointerMoved(let point):
            guard let start = dragStart else { return false }
            scroll.jump(to: min(max(0, start.scroll + start.y - point.y), mostScroll))
            setNeedsDisplay()
        case .pointerReleased: dragStart = nil
        default: return false
        }
        return true
    }

    private func scroll(by distance: Double) {
        scroll.move(to: min(max(0, scroll.target + distance), mostScroll))
        setNeedsDisplay()
    }

    private func toggleFavourite() {
        let on = !game.isFavourite
        let id = game.id
        context.courier.change({ store in try await store.setFavourite(on, game: id) }) { [weak self] in
            self?.look()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }
}
