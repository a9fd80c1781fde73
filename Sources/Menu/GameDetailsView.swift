import Catalog
import Interface
import Launching
import SystemKit
import Systems

/// What there is to know about the chosen game: its picture, its name, how often it was played.
final class GameDetailsView: View {
    private let context: MenuContext
    private var theme: Theme { context.theme }
    private var game: Game?
    private var accent = Theme.brand
    private var picture: BytePath?
    private let inquiry: Inquiry
    private var emulator = ""
    private var arrival = Animated(1)

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
            picture = nil
            arrival.jump(to: 0)
            arrival.move(to: 1)
            lookUp()
        }
        setNeedsDisplay()
    }

    /// Looks for the picture and the emulator away from the menu's thread: the folder may be on a slow share.
    ///
    /// One look at a time: a person who scrolls past a hundred games must not leave a hundred threads in a dead share.
    func lookUp() {
        guard game != nil else { return }
        inquiry.ask({ [weak self] in
            self?.look() ?? { _ in nil }
        }) { [weak self] found in
            guard let self, let found, self.game?.id == found.game else { return }
            guard (self.picture, self.emulator) != (found.picture, found.emulator) else { return }
            self.picture = found.picture
            self.emulator = found.emulator
            self.setNeedsDisplay()
        }
    }

    private struct Found: Sendable {
        let game: Int64
        let picture: BytePath?
        let emulator: String
    }

    private func look() -> @Sendable (CatalogStore) async throws -> Found? {
        guard let game else { return { _ in nil } }
        let artwork = Artwork(root: context.root)
        let locator = context.locator
        let definition = context.registry.system(named: game.system)
        return { store in
            let choice = try await store.emulator(system: game.system)
            let wanted = game.emulator ?? choice
            let installed = definition?.emulators.first { candidate in
                (wanted == nil || candidate.name == wanted) && locator.locate(candidate) != nil
            }
            let title = wanted.map { name in definition?.emulators.first { $0.name == name }?.title ?? name }
            return Found(
                game: game.id, picture: artwork.picture(for: game),
                emulator: installed?.title ?? title.map { "\($0), not installed" } ?? "none installed")
        }
    }

    override func animate(_ seconds: Double) -> Bool { arrival.step(seconds) }

    override func draw(_ canvas: inout Canvas) {
        guard let game else { return }
        let rise = (1 - arrival.value) * theme(14)
        canvas.translated(0, rise, opacity: 0.2 + 0.8 * arrival.value) { canvas in
            let artHeight = min(bounds.width * 0.74, bounds.height * (theme.isNarrow ? 0.40 : 0.52))
            let art = Rect(0, theme(4), bounds.width, artHeight)
            drawArt(&canvas, game, in: art)
            var y = art.maxY + theme(20)
            y += canvas.paragraph(
                game.title, in: Rect(0, y, bounds.width, theme(76)), style: theme.heading, color: Theme.text)
            y += theme(8)
            y = drawTags(&canvas, game, y: y)
            let column = bounds.width * (theme.isNarrow || bounds.width / theme.unit < 330 ? 0.40 : 0.30)
            for (label, value) in facts(game) {
                let height = theme(32)
                guard y + height <= bounds.height else { break }
                canvas.text(label, in: Rect(0, y, column - theme(8), height), style: theme.label, color: Theme.faint)
                canvas.text(
                    value, in: Rect(column, y, bounds.width - column, height), style: theme.label,
                    color: Theme.text.faded(0.86))
                y += height
            }
        }
    }

    private func drawArt(_ canvas: inout Canvas, _ game: Game, in box: Rect) {
        let radius = theme(18)
        canvas.shadow(box, Color(hex: 0, alpha: 0.45), radius: radius, blur: theme(26))
        let from = Color(hex: 0x242A3A).mixed(with: accent, 0.42)
        canvas.gradient(box, from: from, to: Color(hex: 0x141824).mixed(with: accent, 0.14), radius: radius)
        if let picture {
            canvas.image(.file(picture.bytes), in: box, .fit, radius: radius)
        } else {
            // No picture: the system's sign stands for the game, large and quiet, as on a plain cartridge.
            let side = box.height * 0.56
            canvas.image(
                context.icon(game.system), in: Rect(box.midX - side / 2, box.midY - side / 2, side, side),
                tint: accent.mixed(with: .white, 0.35).faded(0.55))
        }
        canvas.stroke(box, Theme.panelEdge, radius: radius, width: max(1, theme(1)))
    }

    private func drawTags(_ canvas: inout Canvas, _ game: Game, y: Double) -> Double {
        var tags = game.tags
        if game.isMissing { tags.insert("Not there now", at: 0) }
        if game.discs > 1 { tags.append("\(game.discs) discs") }
        guard !tags.isEmpty else { return y }
        var x = 0.0
        let height = theme(32)
        for tag in tags {
            let width = canvas.measurer.width(of: tag, style: theme.caption) + theme(24)
            if x + width > bounds.width { break }
            let box = Rect(x, y, width, height)
            canvas.fill(box, Theme.panel, radius: theme(8))
            canvas.stroke(box, Theme.panelEdge, radius: theme(8), width: 1)
            canvas.text(tag, in: box, style: theme.caption, color: Theme.quiet, align: .center)
            x += width + theme(8)
        }
        return y + height + theme(14)
    }

    private func facts(_ game: Game) -> [(String, String)] {
        var facts: [(String, String)] = []
        if let system = context.registry.system(named: game.system) {
            facts.append(("System", system.fullName))
        }
        if game.playCount > 0 {
            let times = game.playCount == 1 ? "once" : "\(Phrase.grouped(game.playCount)) times"
            facts.append(("Played", "\(times), \(Phrase.duration(game.playSeconds)) in all"))
            if let last = game.lastPlayed { facts.append(("Last time", Phrase.ago(last, now: wallClockSeconds()))) }
        } else {
            facts.append(("Played", "not yet"))
        }
        facts.append(("Size", Phrase.bytes(game.size)))
        if !emulator.isEmpty { facts.append(("Emulator", emulator)) }
        return facts
    }
}
