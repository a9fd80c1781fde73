import Catalog
import Interface
import SystemKit
import Systems

/// The games of a system or a selection: a list on the left, the chosen game on the right.
final class GamesScreen: Screen {
    let screenTitle: String
    private let color: Color
    private let pager: GamePager
    private let list = ListView()
    private let details: GameDetailsView
    /// The first row of each letter, for the rows of `lettersGeneration`.
    private var letters: [Int] = []
    private var lettersGeneration = 0
    private var generation = 0

    init(context: MenuContext, title: String, query: GameQuery, accent: Color) {
        screenTitle = title
        color = accent
        pager = GamePager(query: query, courier: context.courier)
        details = GameDetailsView(context: context)
        super.init(context: context)
        add(list)
        add(details)
        list.drawRow = { [weak self] canvas, row, rect, nearness in
            self?.drawRow(&canvas, row, rect, nearness)
        }
        list.onSelect = { [weak self] _ in self?.selectionChanged() }
        list.onAccept = { [weak self] _ in self?.play() }
        list.onVisible = { [weak self] rows in self?.pager.want(rows) }
        pager.chosenRow = { [weak self] in self?.list.selection ?? 0 }
        pager.onRows = { [weak self] in
            self?.setNeedsDisplay()
            self?.selectionChanged()
        }
        pager.onCount = { [weak self] count, row in self?.countChanged(count, row: row) }
        pager.onFailure = { [weak self] sentence in self?.context.host?.toast(sentence) }
    }

    override var accent: Color { color }

    override var hints: [Hint] {
        guard let game = chosen else { return [Hint(.back, "Back")] }
        return [
            Hint(.accept, "Play"), Hint(.back, "Back"), Hint(.extra, game.isFavourite ? "Unmark" : "Favourite"),
            Hint(.menu, "Options"), Hint(.search, "Search"), Hint(.nextGroup, "Letter"),
        ]
    }

    /// The chosen game, when its row is loaded.
    var chosen: Game? { pager.game(at: list.selection) }

    override func appear() { reload() }

    override func catalogChanged(_ change: CatalogChange) {
        switch change {
        case .games(let systems):
            guard let system = pager.query.system else { return reload() }
            if systems.contains(system) { reload() }
        case .game, .scanned, .collections: reload()
        case .scanning, .sources, .notice: break
        }
    }

    private func reload() {
        pager.reload()
    }

    private func countChanged(_ count: Int, row: Int) {
        generation += 1
        list.update(count: count, selection: row)
        list.onVisible?(list.visibleRows)
        selectionChanged()
        // Its emulator or its picture may be what changed.
        details.lookUp()
        setNeedsDisplay()
    }

    private func selectionChanged() {
        details.show(chosen, accent: chosen.map { context.accent($0.system) } ?? color)
        refreshBars()
    }

    // MARK: Layout and painting

    override func layout() {
        let area = content
        let rowHeight = theme(56)
        list.rowHeight = rowHeight
        let listWidth = theme.isNarrow ? area.width * 0.56 : area.width * 0.58
        let whole = max(1, (area.height / rowHeight).rounded(.down)) * rowHeight
        list.frame = Rect(area.x - theme(14), area.y + (area.height - whole) / 2, listWidth + theme(14), whole)
        let gap = theme(theme.isNarrow ? 18 : 44)
        details.frame = Rect(area.x + listWidth + gap, area.y, area.width - listWidth - gap, area.height)
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        canvas.fill(Rect(safe.x, safe.y + theme(5), theme(6), theme(32)), color, radius: theme(3))
        let width = canvas.text(
            screenTitle, in: Rect(safe.x + theme(22), safe.y, safe.width * 0.6, theme(42)), style: theme.heading,
            color: Theme.text)
        if pager.isLoaded {
            canvas.text(
                Phrase.games(pager.count),
                in: Rect(safe.x + theme(22) + width + theme(16), safe.y + theme(3), theme(240), theme(42)),
                style: theme.label, color: Theme.faint)
        }
        if pager.isLoaded && pager.count == 0 {
            canvas.text(
                "Nothing is here any more.", in: Rect(content.x, content.y, content.width, content.height),
                style: theme.body, color: Theme.quiet, align: .center)
        }
    }

    override func drawOverlay(_ canvas: inout Canvas) {
        guard pager.count > list.rowsInSight else { return }
        let track = Rect(list.frame.maxX + theme(8), list.frame.y + theme(4), theme(4), list.frame.height - theme(8))
        canvas.fill(track, Color(hex: 0xFFFFFF, alpha: 0.07), radius: theme(2))
        let share = Double(list.rowsInSight) / Double(pager.count)
        let height = max(theme(26), track.height * share)
        let progress = pager.count > 1 ? Double(list.selection) / Double(pager.count - 1) : 0
        canvas.fill(
            Rect(track.x, track.y + (track.height - height) * progress, track.width, height), color.faded(0.85),
            radius: theme(2))
    }

    private func drawRow(_ canvas: inout Canvas, _ row: Int, _ rect: Rect, _ nearness: Double) {
        let box = rect.inset(by: Insets(top: theme(3), bottom: theme(3)))
        if nearness > 0.01 {
            canvas.gradient(
                box, from: color.mixed(with: .white, 0.06).faded(nearness), to: color.faded(0.72 * nearness),
                vertical: false, radius: theme(14))
        }
        guard let game = pager.game(at: row) else { return }
        let ink = nearness > 0.5 ? color.readableText : Theme.text
        var right = box.maxX - theme(18)
        if game.isFavourite {
            let side = theme(20)
            canvas.image(
                .icon("heart"), in: Rect(right - side, box.midY - side / 2, side, side),
                tint: nearness > 0.5 ? ink : Theme.heart)
            right -= side + theme(12)
        }
        let note =
            pager.query.system == nil
            ? context.registry.system(named: game.system)?.name ?? game.system : game.tags.first ?? ""
        if !note.isEmpty {
            let width = min(canvas.measurer.width(of: note, style: theme.caption), box.width * 0.3)
            canvas.text(
                note, in: Rect(right - width - 1, box.y, width + 2, box.height), style: theme.caption,
                color: ink.faded(nearness > 0.5 ? 0.75 : 0.42))
            right -= width + theme(16)
        }
        canvas.text(
            game.title, in: Rect(box.x + theme(18), box.y, right - box.x - theme(18), box.height), style: theme.row,
            color: ink.faded(nearness > 0.5 || !game.isMissing ? 1 : 0.5))
    }

    // MARK: Input

    override func handle(_ event: Event) -> Bool {
        guard case .command(let command, let isRepeat) = event else { return list.handle(event) }
        switch command {
        case .back:
            if !isRepeat { context.host?.pop() }
        case .extra: toggleFavourite()
        case .menu: openOptions()
        case .search:
            context.host?.push(SearchScreen(context: context, system: pager.query.system))
        case .nextGroup, .right: jump(1)
        case .previousGroup, .left: jump(-1)
        case .up, .down, .accept, .pageUp, .pageDown, .select: return list.handle(event)
        }
        return true
    }

    private func play() {
        guard let game = chosen else { return }
        context.host?.launch(game, emulator: nil)
    }

    private func toggleFavourite() {
        guard let game = chosen else { return }
        let on = !game.isFavourite
        context.courier.change({ store in try await store.setFavourite(on, game: game.id) }) { [weak self] in
            self?.reload()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    private func openOptions() {
        guard let game = chosen else { return }
        context.host?.push(GameOptions.screen(context: context, game: game, accent: color))
    }

    /// To the first game of the next or previous letter.
    private func jump(_ direction: Int) {
        let current = generation
        if lettersGeneration == current { return move(direction) }
        let query = pager.query
        context.courier.perform({ store in try await store.letters(query).map(\.offset) }) { [weak self] rows in
            guard let self else { return }
            self.letters = rows
            self.lettersGeneration = current
            self.move(direction)
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    private func move(_ direction: Int) {
        guard !letters.isEmpty else { return }
        let row = list.selection
        let current = letters.lastIndex { $0 <= row } ?? 0
        if direction > 0 {
            list.select(current + 1 < letters.count ? letters[current + 1] : letters[0])
        } else if row > letters[current] {
            list.select(letters[current])
        } else {
            list.select(letters[current == 0 ? letters.count - 1 : current - 1])
        }
    }
}
