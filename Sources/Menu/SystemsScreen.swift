import Catalog
import Interface
import SystemKit
import Systems

/// The first screen: every system that has games, as a row of cards, and the chosen one in large.
final class SystemsScreen: Screen {
    /// What a card stands for.
    struct Entry: Equatable {
        let id: String
        let name: String
        let fullName: String
        let detail: String
        let games: Int
        let accent: Color
        let icon: ImageSource
        let query: GameQuery
    }

    private static let collections = "*collections"
    private(set) var entries: [Entry] = []
    private(set) var total: Int?
    private var selection = 0
    private var scroll = Animated(0)
    private var focus = Animated(0, duration: 0.14)
    private var arrival = Animated(1)
    private let empty: EmptyLibraryView
    private let inquiry: Inquiry
    private var pressed: Point?

    override init(context: MenuContext) {
        empty = EmptyLibraryView(context: context)
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context)
        add(empty)
        empty.isHidden = true
    }

    override var accent: Color { entries.isEmpty ? Theme.brand : entries[selection].accent }

    override var hints: [Hint] {
        if entries.isEmpty { return [Hint(.menu, "Menu")] }
        return [Hint(.accept, "Open"), Hint(.right, "Choose"), Hint(.search, "Search"), Hint(.menu, "Menu")]
    }

    /// Whether the library was read at least once.
    var isReady: Bool { total != nil }

    override var showsShare: Bool { entries.isEmpty }

    override func appear() { reload() }

    override func catalogChanged(_ change: CatalogChange) {
        switch change {
        case .games, .game, .scanned, .collections: reload()
        case .scanning, .sources, .notice: break
        }
    }

    private func reload() {
        inquiry.ask({
            { store in
                Library(
                    counts: try await store.counts(), total: try await store.total(),
                    favourites: try await store.favouriteCount(), played: try await store.playedCount(),
                    collections: try await store.collections().count)
            }
        }) { [weak self] in
            self?.show($0)
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    private struct Library: Sendable {
        let counts: [SystemCount]
        let total: Int
        let favourites: Int
        let played: Int
        let collections: Int
    }

    private func show(_ library: Library) {
        let entries = entries(of: library)
        guard entries != self.entries || library.total != total else { return }
        let selected = self.entries.isEmpty ? nil : self.entries[selection].id
        let first = self.entries.isEmpty
        let before = selection
        self.entries = entries
        total = library.total
        // A card that came or went must not move the choice to another system; from nothing, a system is chosen, and not a
        // selection that somebody else made meanwhile.
        let fallback =
            first ? (entries.firstIndex { !$0.id.hasPrefix("*") } ?? 0) : min(selection, max(0, entries.count - 1))
        selection = selected.flatMap { id in entries.firstIndex { $0.id == id } } ?? max(0, fallback)
        if selection != before {
            focus.jump(to: Double(selection))
            scroll.jump(to: wantedScroll)
        } else {
            scroll.move(to: wantedScroll)
        }
        empty.isHidden = !entries.isEmpty
        if context.host?.top === self { context.host?.lookAtShareIfShown() }
        refreshBars()
        setNeedsDisplay()
    }

    private func entries(of library: Library) -> [Entry] {
        var entries: [Entry] = []
        if library.played > 0 {
            entries.append(
                Entry(
                    id: "*recent", name: "Recent", fullName: "Recently played", detail: "Go on where you were",
                    games: library.played, accent: Color(hex: 0x3FC1A5), icon: .icon("clock"),
                    query: GameQuery(selection: .recentlyPlayed)))
        }
        if library.favourites > 0 {
            entries.append(
                Entry(
                    id: "*favourites", name: "Favourites", fullName: "Favourites", detail: "The ones you marked",
                    games: library.favourites, accent: Theme.heart, icon: .icon("heart"),
                    query: GameQuery(selection: .favourites)))
        }
        let byName = Dictionary(library.counts.map { ($0.system, $0.games) }, uniquingKeysWith: +)
        for system in context.registry.systems {
            guard let games = byName[system.name], games > 0 else { continue }
            let year = system.year.map { String($0) }
            // "various" is a word of the data, not one for the screen.
            let maker = system.maker == "various" ? "" : system.maker
            entries.append(
                Entry(
                    id: system.name, name: system.fullName, fullName: system.fullName,
                    detail: [maker, year ?? ""].filter { !$0.isEmpty }.joined(separator: "  ·  "), games: games,
                    accent: Theme.accent(system.color), icon: MenuContext.icon(system),
                    query: GameQuery(system: system.name)))
        }
        if library.total > 0 || library.collections > 0 {
            let lists = library.collections
            entries.append(
                Entry(
                    id: SystemsScreen.collections, name: "Collections", fullName: "Collections",
                    detail: "Most played, never played, your own lists", games: lists,
                    accent: CollectionsScreen.color, icon: .icon("collection"), query: GameQuery()))
        }
        return entries
    }

    // MARK: Layout

    private var cardSize: Size { Size(theme(236), theme(theme.isLow ? 128 : 148)) }
    private var cardGap: Double { theme(22) }

    private var cardsTop: Double { content.maxY - cardSize.height - theme(28) }

    private var wantedScroll: Double {
        let step = cardSize.width + cardGap
        let inSight = content.width
        let whole = Double(entries.count) * step - cardGap
        let centred = Double(selection) * step - (inSight - cardSize.width) * 0.42
        return min(max(0, centred), max(0, whole - inSight))
    }

    override func layout() {
        empty.frame = content
        scroll.jump(to: wantedScroll)
    }

    override func animate(_ seconds: Double) -> Bool {
        let parts = [scroll.step(seconds), focus.step(seconds), arrival.step(seconds)]
        return parts.contains(true)
    }

    // MARK: Painting

    override func draw(_ canvas: inout Canvas) {
        guard let total else { return }
        drawHeadline(&canvas, total: total)
        guard !entries.isEmpty else { return }
        drawHero(&canvas, entries[selection])
        drawCards(&canvas)
    }

    private func drawHeadline(_ canvas: inout Canvas, total: Int) {
        let safe = theme.safeArea
        let text = total == 0 ? "No games yet" : "\(Phrase.games(total)) available"
        let width = canvas.text(
            text, in: Rect(safe.x, safe.y, safe.width * 0.6, theme(40)), style: theme.heading, color: Theme.text)
        let systems = entries.filter { !$0.id.hasPrefix("*") }.count
        if systems > 0 {
            canvas.text(
                systems == 1 ? "on 1 system" : "on \(systems) systems",
                in: Rect(safe.x + width + theme(14), safe.y + theme(3), theme(260), theme(40)), style: theme.label,
                color: Theme.faint)
        }
    }

    private func drawHero(_ canvas: inout Canvas, _ entry: Entry) {
        let area = Rect(content.x, content.y, content.width, cardsTop - content.y - theme(20))
        let iconSide = theme.isNarrow ? 0 : min(area.height * 0.92, theme(300))
        let shift = (1 - arrival.value) * theme(26)
        canvas.translated(shift, 0, opacity: 0.25 + 0.75 * arrival.value) { canvas in
            if iconSide > 0 {
                let box = Rect(area.maxX - iconSide - theme(24), area.midY - iconSide / 2, iconSide, iconSide)
                canvas.glow(Point(box.midX, box.midY), radius: iconSide * 0.72, entry.accent.faded(0.34))
                canvas.image(entry.icon, in: box, tint: entry.accent.mixed(with: .white, 0.18))
            }
            let width = area.width - iconSide - theme(iconSide > 0 ? 60 : 0)
            let style = heroStyle(entry.fullName, width: width, canvas.measurer)
            let lines = canvas.measurer.wrapped(entry.fullName, style: style, width: width, lines: 2)
            let heroHeight = canvas.measurer.lineHeight(style) * 0.94
            let block = theme(34) + Double(lines.count) * heroHeight + theme(58)
            var y = area.y + (area.height - block) * 0.46
            canvas.text(
                entry.detail.uppercased(), in: Rect(area.x, y, width, theme(30)), style: theme.caption,
                color: entry.accent.mixed(with: .white, 0.35))
            y += theme(34)
            for line in lines {
                canvas.text(line, in: Rect(area.x, y, width, heroHeight), style: style, color: Theme.text)
                y += heroHeight
            }
            y += theme(14)
            drawPill(&canvas, pill(entry), at: Point(area.x, y), entry.accent)
        }
    }

    private func pill(_ entry: Entry) -> String {
        guard entry.id == SystemsScreen.collections else { return Phrase.games(entry.games) }
        return entry.games == 0 ? "for all systems" : entry.games == 1 ? "1 of your own" : "\(entry.games) of your own"
    }

    /// The largest of a few sizes in which a name fits into two lines as a whole.
    private func heroStyle(_ name: String, width: Double, _ measurer: any TextMeasuring) -> TextStyle {
        for scale in [1, 0.84, 0.7, 0.58] {
            var style = theme.hero
            style.size = (style.size * scale).rounded()
            let lines = measurer.wrapped(name, style: style, width: width)
            if lines.count <= 2 && !lines.contains(where: { $0.hasSuffix("…") }) { return style }
        }
        return theme.title
    }

    private func drawPill(_ canvas: inout Canvas, _ text: String, at point: Point, _ color: Color) {
        let width = canvas.measurer.width(of: text, style: theme.label) + theme(36)
        let box = Rect(point.x, point.y, width, theme(40))
        canvas.fill(box, color.faded(0.24), radius: theme(20))
        canvas.stroke(box, color.faded(0.55), radius: theme(20), width: max(1, theme(1.5)))
        canvas.text(text, in: box, style: theme.label, color: .white, align: .center)
    }

    private func drawCards(_ canvas: inout Canvas) {
        let step = cardSize.width + cardGap
        for (index, entry) in entries.enumerated() {
            let nearness = max(0, 1 - abs(Double(index) - focus.value))
            let place = Rect(
                content.x + Double(index) * step - scroll.value, cardsTop, cardSize.width, cardSize.height)
            guard place.maxX > -theme(40), place.x < bounds.width + theme(40) else { continue }
            draw(card: entry, in: place.scaled(1 + 0.06 * nearness), nearness: nearness, &canvas)
        }
    }

    private func draw(card entry: Entry, in box: Rect, nearness: Double, _ canvas: inout Canvas) {
        let radius = theme(20)
        if nearness > 0 {
            canvas.shadow(box, entry.accent.faded(0.55 * nearness), radius: radius, blur: theme(34))
        }
        let top = Color(hex: 0x232838).mixed(with: entry.accent, 0.16 + 0.70 * nearness)
        let bottom = Color(hex: 0x171B26).mixed(with: entry.accent, 0.07 + 0.42 * nearness)
        canvas.gradient(box, from: top, to: bottom, radius: radius)
        canvas.stroke(
            box, Color(hex: 0xFFFFFF, alpha: 0.07 + 0.75 * nearness), radius: radius,
            width: max(1, theme(1 + 1.6 * nearness)))
        let inner = box.inset(theme(18))
        let iconSide = theme(44)
        let ink = top.mixed(with: bottom, 0.5).readableText
        let word = nearness > 0.5 ? ink : Theme.text
        canvas.image(
            entry.icon, in: Rect(inner.x, inner.y, iconSide, iconSide),
            tint: nearness > 0.5 ? ink.faded(0.92) : entry.accent.mixed(with: .white, 0.15))
        let count = entry.id == SystemsScreen.collections && entry.games == 0 ? "" : Phrase.grouped(entry.games)
        canvas.text(
            count, in: Rect(inner.x + iconSide, inner.y, inner.width - iconSide, iconSide),
            style: theme.label, color: word.faded(0.7), align: .right)
        let lines = canvas.measurer.wrapped(entry.name, style: theme.caption, width: inner.width, lines: 2)
        let height = canvas.measurer.lineHeight(theme.caption)
        for (index, line) in lines.enumerated() {
            canvas.text(
                line, in: Rect(inner.x, inner.maxY - height * Double(lines.count - index), inner.width, height),
                style: theme.caption, color: word)
        }
    }

    // MARK: Input

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(let command, let isRepeat): return handle(command, isRepeat: isRepeat)
        case .pointerPressed(let point):
            pressed = convertFromWindow(point)
            return true
        case .pointerReleased(let point):
            defer { pressed = nil }
            let place = convertFromWindow(point)
            guard let pressed, let index = card(at: place), card(at: pressed) == index else { return false }
            if index == selection { open() } else { select(index) }
            return true
        case .wheel(let notches, _):
            select(selection - Int(notches.rounded(.awayFromZero)))
            return true
        case .text, .deleteBackward, .pointerMoved: return false
        }
    }

    private func handle(_ command: Command, isRepeat: Bool) -> Bool {
        switch command {
        case .left: move(-1, isRepeat: isRepeat)
        case .right: move(1, isRepeat: isRepeat)
        case .pageUp: select(max(0, selection - 4))
        case .pageDown: select(min(entries.count - 1, selection + 4))
        case .accept: open()
        case .search: context.host?.push(SearchScreen(context: context))
        case .menu: context.host?.push(MainMenu.screen(context: context))
        case .up, .down, .back, .extra, .select, .previousGroup, .nextGroup: return false
        }
        return true
    }

    private func move(_ step: Int, isRepeat: Bool) {
        guard !entries.isEmpty else { return }
        let next = selection + step
        if entries.indices.contains(next) {
            select(next)
        } else if !isRepeat {
            select(next < 0 ? entries.count - 1 : 0)
        }
    }

    private func select(_ index: Int) {
        guard !entries.isEmpty else { return }
        let index = min(max(0, index), entries.count - 1)
        guard index != selection else { return }
        selection = index
        focus.move(to: Double(index))
        scroll.move(to: wantedScroll)
        arrival.jump(to: 0)
        arrival.move(to: 1)
        refreshBars()
        setNeedsDisplay()
    }

    private func open() {
        guard !entries.isEmpty else { return }
        let entry = entries[selection]
        if entry.id == SystemsScreen.collections {
            context.host?.push(CollectionsScreen(context: context))
            return
        }
        context.host?.push(
            GamesScreen(context: context, title: entry.fullName, query: entry.query, accent: entry.accent))
    }

    private func card(at point: Point) -> Int? {
        guard point.y >= cardsTop, point.y < cardsTop + cardSize.height else { return nil }
        let step = cardSize.width + cardGap
        let index = Int(((point.x - content.x + scroll.value) / step).rounded(.down))
        return entries.indices.contains(index) ? index : nil
    }
}
