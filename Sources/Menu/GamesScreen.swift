import Catalog
import Interface
import SystemKit
import Systems

/// The games of a system or a selection: a list on the left, the chosen game on the right.
final class GamesScreen: Screen {
    /// What a list is called, and where in it the person is.
    struct Heading {
        let title: String
        /// Names of the folders that were opened, the outermost first.
        var folders: [String] = []
    }

    let heading: Heading
    let color: Color
    let pager: GamePager
    let list = ListView()
    private let details: GameDetailsView
    /// The first row of each letter, for the rows of `lettersGeneration`.
    private var letters: [Int] = []
    private var lettersGeneration = 0
    private var generation = 0

    /// - Parameter folder: the folder of the system that is shown; `nil` where folders are not browsed.
    init(context: MenuContext, heading: Heading, query: GameQuery, folder: BytePath? = nil, accent: Color) {
        self.heading = heading
        color = accent
        pager = GamePager(
            query: query, place: folder, remembered: context.places[ListKey(query, folder)], courier: context.courier)
        details = GameDetailsView(context: context)
        super.init(context: context)
        add(list)
        add(details)
        list.drawRow = { [weak self] canvas, row, rect, nearness in
            self?.drawRow(&canvas, row, rect, nearness)
        }
        list.onSelect = { [weak self] _ in self?.selectionChanged() }
        list.onAccept = { [weak self] _ in self?.accept() }
        list.onVisible = { [weak self] rows in self?.pager.want(rows) }
        pager.chosenRow = { [weak self] in self?.list.selection ?? 0 }
        pager.onRows = { [weak self] in
            self?.setNeedsDisplay()
            self?.selectionChanged()
        }
        pager.onCount = { [weak self] count, row in self?.countChanged(count, row: row) }
        pager.onFailure = { [weak self] sentence in self?.context.host?.toast(sentence) }
    }

    /// The list of a query; a system's list shows its folders where the person wants that.
    convenience init(context: MenuContext, title: String, query: GameQuery, accent: Color) {
        let browses =
            context.browsesFolders && query.system != nil && query.selection == .all && query.text.isEmpty
            && query.filter.isEmpty
        self.init(
            context: context, heading: Heading(title: title), query: query, folder: browses ? "" : nil,
            accent: accent)
    }

    var screenTitle: String { heading.title }
    override var accent: Color { color }

    override var hints: [Hint] {
        if let folder = chosenFolder {
            return [
                Hint(.accept, "Open"), Hint(.back, "Back"), Hint(.menu, "Options"), Hint(.search, "Search"),
            ] + (folder.games > 0 ? [Hint(.nextGroup, "Letter")] : [])
        }
        guard let game = chosen else { return [Hint(.back, "Back"), Hint(.menu, "Options")] }
        var hints = [
            Hint(.accept, "Play"), Hint(.back, "Back"), Hint(.extra, game.isFavourite ? "Unmark" : "Favourite"),
            Hint(.menu, "Options"),
        ]
        if chosenVersions > 1 { hints.append(Hint(.select, "Versions")) }
        return hints + [Hint(.search, "Search"), Hint(.nextGroup, "Letter")]
    }

    /// The chosen game, when its row is loaded.
    var chosen: Game? { pager.game(at: list.selection) }

    /// The chosen folder.
    var chosenFolder: GameFolder? { pager.folder(at: list.selection) }

    /// How many versions the chosen row stands for.
    var chosenVersions: Int { pager.versions(at: list.selection) }

    override func appear() { reload() }

    override var deadline: MonotonicInstant? { context.host?.top === self ? details.deadline : nil }

    override func update(now: MonotonicInstant) { details.update(now: now) }

    override func catalogChanged(_ change: CatalogChange) {
        switch change {
        case .games(let systems):
            guard let system = pager.base.system else { return reload() }
            if systems.contains(system) { reload() }
        case .game, .scanned, .collections: reload()
        case .scanning, .sources, .notice: break
        }
    }

    func reload() {
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
        if let place = pager.listPlace(at: list.selection) {
            context.places[ListKey(pager.base, pager.place)] = place
        }
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
        drawHeading(&canvas)
        if pager.isLoaded && pager.rows == 0 {
            canvas.text(
                pager.base.filter.isEmpty ? "Nothing is here any more." : "No game is like that.",
                in: Rect(content.x, content.y, content.width, content.height), style: theme.body,
                color: Theme.quiet, align: .center)
        } else if let folder = chosenFolder {
            draw(folder: folder, &canvas)
        }
    }

    override func drawOverlay(_ canvas: inout Canvas) {
        guard pager.rows > list.rowsInSight else { return }
        let track = Rect(list.frame.maxX + theme(8), list.frame.y + theme(4), theme(4), list.frame.height - theme(8))
        canvas.fill(track, Color(hex: 0xFFFFFF, alpha: 0.07), radius: theme(2))
        let share = Double(list.rowsInSight) / Double(pager.rows)
        let height = max(theme(26), track.height * share)
        let progress = pager.rows > 1 ? Double(list.selection) / Double(pager.rows - 1) : 0
        canvas.fill(
            Rect(track.x, track.y + (track.height - height) * progress, track.width, height), color.faded(0.85),
            radius: theme(2))
    }

    // MARK: Input

    override func handle(_ event: Event) -> Bool {
        guard case .command(let command, let isRepeat) = event else { return list.handle(event) }
        switch command {
        case .back:
            if !isRepeat { context.host?.pop() }
        case .extra: toggleFavourite()
        case .menu: openOptions()
        case .select: openVersions()
        case .search:
            context.host?.push(SearchScreen(context: context, system: pager.base.system))
        case .nextGroup, .right: jump(1)
        case .previousGroup, .left: jump(-1)
        case .up, .down, .accept, .pageUp, .pageDown: return list.handle(event)
        }
        return true
    }

    private func accept() {
        if let folder = chosenFolder {
            let inside = Heading(title: heading.title, folders: heading.folders + [folder.name])
            let screen = GamesScreen(
                context: context, heading: inside, query: pager.base, folder: folder.path, accent: color)
            screen.pager.showsHidden = pager.showsHidden
            screen.pager.showsMissing = pager.showsMissing
            return context.host?.push(screen) ?? ()
        }
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
        guard let game = chosen else {
            return context.host?.push(ListOptions.screen(context: context, list: self)) ?? ()
        }
        context.host?.push(
            GameOptions.screen(context: context, game: game, versions: chosenVersions, list: self, accent: color))
    }

    private func openVersions() {
        guard let game = chosen, chosenVersions > 1 else { return }
        context.host?.push(VersionsScreen(context: context, game: game, accent: context.accent(game.system)))
    }

    /// To the first game of the next or previous letter.
    private func jump(_ direction: Int) {
        let current = generation
        if lettersGeneration == current { return move(direction) }
        let query = pager.query
        context.courier.perform({ store in try await store.letters(query).map(\.offset) }) { [weak self] rows in
            guard let self else { return }
            // All folders together are one letter before the first.
            let folders = self.pager.folders.count
            self.letters = (folders > 0 ? [0] : []) + rows.map { $0 + folders }
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
