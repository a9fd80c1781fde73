import Catalog
import Interface
import SystemKit
import Systems

/// The versions of one game: regions, revisions, languages; each can be played.
final class VersionsScreen: Screen {
    private let game: Game
    private let color: Color
    private let list = ListView()
    private var versions: [Game] = []
    /// The words of each version.
    private var chips: [[String]] = []
    private let inquiry: Inquiry

    init(context: MenuContext, game: Game, accent: Color) {
        self.game = game
        color = accent
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context)
        add(list)
        list.drawRow = { [weak self] canvas, row, rect, nearness in self?.drawRow(&canvas, row, rect, nearness) }
        list.onAccept = { [weak self] row in
            guard let self, self.versions.indices.contains(row) else { return }
            self.context.host?.launch(self.versions[row], emulator: nil)
        }
        list.onSelect = { [weak self] _ in self?.refreshBars() }
    }

    override var accent: Color { color }

    private var chosen: Game? { versions.indices.contains(list.selection) ? versions[list.selection] : nil }

    override var hints: [Hint] {
        guard let chosen else { return [Hint(.back, "Back")] }
        return [
            Hint(.accept, "Play"), Hint(.back, "Back"),
            Hint(.extra, chosen.isFavourite ? "Unmark" : "Favourite"), Hint(.menu, "Options"),
        ]
    }

    override func appear() { look() }

    override func catalogChanged(_ change: CatalogChange) {
        if case .scanning = change { return }
        look()
    }

    private func look() {
        let id = game.id
        inquiry.ask({ { store in try await store.versions(of: id) } }) { [weak self] versions in
            guard let self else { return }
            let chosen = self.chosen?.id
            self.versions = versions
            let store = self.context.courier.store
            self.chips = versions.map { Chips.words($0, store.tags(of: $0)) }
            self.list.update(
                count: versions.count, selection: versions.firstIndex { $0.id == chosen } ?? self.list.selection)
            self.refreshBars()
            self.setNeedsDisplay()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    override func layout() {
        let area = content.inset(by: Insets(top: theme(48)))
        list.rowHeight = theme(96)
        list.frame = Rect(area.x - theme(14), area.y, area.width + theme(28), area.height)
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        canvas.fill(Rect(safe.x, safe.y + theme(5), theme(6), theme(32)), color, radius: theme(3))
        canvas.text(
            game.title, in: Rect(safe.x + theme(22), safe.y, safe.width - theme(170), theme(42)),
            style: theme.heading, color: Theme.text)
        let system = context.registry.system(named: game.system)?.fullName ?? game.system
        let note = versions.isEmpty ? system : "\(versions.count) versions  ·  \(system)"
        canvas.text(
            note, in: Rect(content.x + theme(22), content.y - theme(6), content.width, theme(34)), style: theme.label,
            color: Theme.faint)
    }

    private func drawRow(_ canvas: inout Canvas, _ index: Int, _ rect: Rect, _ nearness: Double) {
        guard versions.indices.contains(index) else { return }
        let game = versions[index]
        let box = rect.inset(by: Insets(top: theme(4), left: theme(2), bottom: theme(4), right: theme(2)))
        canvas.fill(box, Theme.panel, radius: theme(16))
        if nearness > 0.01 {
            canvas.gradient(
                box, from: color.mixed(with: .white, 0.06).faded(nearness), to: color.faded(0.72 * nearness),
                vertical: false, radius: theme(16))
        }
        let ink = nearness > 0.5 ? color.readableText : Theme.text
        let inner = box.inset(by: Insets(top: theme(8), left: theme(20), bottom: theme(8), right: theme(20)))
        var right = inner.maxX
        if game.isFavourite {
            let side = theme(22)
            canvas.image(
                .icon("heart"), in: Rect(right - side, inner.midY - side / 2, side, side),
                tint: nearness > 0.5 ? ink : Theme.heart)
            right -= side + theme(16)
        }
        if index == 0 {
            let word = "shown in the list"
            let width = canvas.measurer.width(of: word, style: theme.caption)
            if !theme.isNarrow {
                canvas.text(
                    word, in: Rect(right - width - 1, inner.y, width + 2, inner.height), style: theme.caption,
                    color: ink.faded(0.55))
                right -= width + theme(18)
            }
        }
        let words = chips[index]
        canvas.text(
            game.path.name.displayString, in: Rect(inner.x, inner.y + theme(40), right - inner.x, theme(34)),
            style: theme.label, color: ink.faded(game.isMissing ? 0.35 : 0.6))
        Chips.draw(
            words.isEmpty ? ["No region told"] : words, &canvas, in: Rect(inner.x, inner.y, right - inner.x, theme(34)),
            theme: theme, ink: ink)
    }

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.back, false), .command(.select, false): context.host?.pop()
        case .command(.extra, false): toggleFavourite()
        case .command(.menu, false):
            guard let chosen else { return true }
            context.host?.push(GameOptions.screen(context: context, game: chosen, accent: color))
        default: return list.handle(event)
        }
        return true
    }

    private func toggleFavourite() {
        guard let chosen else { return }
        context.courier.change({ store in try await store.setFavourite(!chosen.isFavourite, game: chosen.id) }) {
            [weak self] in
            self?.look()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }
}

/// Small words in frames: what the brackets of a file name say.
enum Chips {
    /// The words that tell a version from its siblings.
    static func words(_ game: Game, _ tags: NameTags) -> [String] {
        var words: [String] = game.isMissing ? ["Not there now"] : []
        words += tags.regions
        if let revision = tags.revision { words.append("Rev \(revision)") }
        if !tags.languages.isEmpty { words.append(tags.languages.map { $0.uppercased() }.joined(separator: " ")) }
        words += tags.others
        if tags.isVerified { words.append("Verified") }
        if game.discs > 1 { words.append("\(game.discs) discs") }
        // What the catalog read is better than nothing.
        return words.isEmpty ? game.tags : words
    }

    /// Paints as many as fit.
    ///
    /// - Returns: the width that was used.
    @discardableResult
    static func draw(
        _ words: [String], _ canvas: inout Canvas, in row: Rect, theme: Theme, ink: Color = Theme.text
    ) -> Double {
        var x = row.x
        let height = min(row.height, theme(32))
        for word in words {
            let width = canvas.measurer.width(of: word, style: theme.caption) + theme(24)
            if x + width > row.maxX { break }
            let box = Rect(x, row.midY - height / 2, width, height)
            canvas.fill(box, ink.faded(0.07), radius: theme(8))
            canvas.stroke(box, ink.faded(0.14), radius: theme(8), width: 1)
            canvas.text(word, in: box, style: theme.caption, color: ink.faded(0.75), align: .center)
            x += width + theme(8)
        }
        return x - row.x
    }
}
