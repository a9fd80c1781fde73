import Catalog
import Interface
import SystemKit
import Systems

/// Chooses what games must be like, and shows meanwhile how many are.
final class FilterScreen: Screen {
    private enum Field: CaseIterable {
        case system, genre, players, firstYear, lastYear, rating, region, text
    }

    private let base: GameQuery
    private let title: String
    private let color: Color
    /// The collection whose filter is changed.
    private let editing: GameCollection?
    private(set) var filter: GameFilter
    private let list = ListView()
    private let inquiry: Inquiry
    private var fields: [Field] = []
    private var found: Answer?
    private var pulse = Animated(1, duration: 0.2)

    init(
        context: MenuContext, base: GameQuery, title: String, accent: Color, filter: GameFilter? = nil,
        editing: GameCollection? = nil
    ) {
        self.base = base
        self.title = title
        color = accent
        self.editing = editing
        self.filter = filter ?? base.filter
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context)
        add(list)
        // A list of one system has no system to choose.
        fields = Field.allCases.filter { $0 != .system || base.system == nil }
        list.drawRow = { [weak self] canvas, row, rect, nearness in self?.drawRow(&canvas, row, rect, nearness) }
        list.onAccept = { [weak self] _ in self?.choose() }
        list.reload(count: fields.count, selection: 0)
    }

    override var accent: Color { color }

    override var hints: [Hint] {
        var hints = [Hint(.accept, "Choose"), Hint(.search, "Show the games"), Hint(.back, "Back")]
        hints.append(Hint(.menu, editing == nil ? "Save as collection" : "Save"))
        if filter != GameFilter() { hints.append(Hint(.extra, "Clear")) }
        return hints
    }

    override func appear() { look() }

    override func catalogChanged(_ change: CatalogChange) {
        if case .scanning = change { return }
        look()
    }

    // MARK: Counting

    private struct Answer: Sendable, Equatable {
        let count: Int
        let games: [Game]
    }

    private var query: GameQuery {
        var query = base
        query.filter = filter
        return query
    }

    private func look() {
        inquiry.ask({ [weak self] in
            let query = self?.query ?? GameQuery()
            return { store in
                Answer(
                    count: try await store.count(query), games: try await store.games(query, offset: 0, limit: 8))
            }
        }) { [weak self] answer in
            guard let self else { return }
            if let before = self.found, before.count != answer.count {
                self.pulse.jump(to: 0)
                self.pulse.move(to: 1)
            }
            self.found = answer
            self.setNeedsDisplay()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    private func set(_ change: (inout GameFilter) -> Void) {
        change(&filter)
        refreshBars()
        setNeedsDisplay()
        look()
    }

    // MARK: Painting

    override func layout() {
        let area = content
        list.rowHeight = theme(theme.isLow ? 54 : 62)
        let width = theme.isNarrow ? area.width * 0.6 : area.width * 0.56
        list.frame = Rect(area.x - theme(14), area.y + theme(6), width + theme(14), area.height - theme(6))
    }

    override func animate(_ seconds: Double) -> Bool { pulse.step(seconds) }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        canvas.fill(Rect(safe.x, safe.y + theme(5), theme(6), theme(32)), color, radius: theme(3))
        let width = canvas.text(
            "Filter", in: Rect(safe.x + theme(22), safe.y, safe.width * 0.4, theme(42)), style: theme.heading,
            color: Theme.text)
        canvas.text(
            title, in: Rect(safe.x + theme(38) + width, safe.y + theme(3), safe.width * 0.5, theme(42)),
            style: theme.label, color: Theme.faint)
        guard let found else { return }
        let left = list.frame.maxX + theme(theme.isNarrow ? 20 : 48)
        let area = Rect(left, content.y, content.maxX - left, content.height)
        var y = area.y + theme(10)
        let number = TextStyle(theme(74), .heavy, .display)
        let height = canvas.measurer.lineHeight(number)
        canvas.translated(0, 0, opacity: 0.35 + 0.65 * pulse.value) { canvas in
            canvas.text(
                Phrase.grouped(found.count), in: Rect(area.x, y, area.width, height), style: number,
                color: found.count == 0 ? Theme.quiet : Theme.text)
        }
        y += height
        canvas.text(
            found.count == 1 ? "game is like that" : "games are like that",
            in: Rect(area.x, y, area.width, theme(32)), style: theme.body, color: Theme.quiet)
        y += theme(52)
        let row = theme(36)
        for game in found.games {
            guard y + row <= area.maxY else { break }
            let side = theme(20)
            let tint = context.accent(game.system)
            canvas.image(
                context.icon(game.system), in: Rect(area.x, y + (row - side) / 2, side, side),
                tint: tint.mixed(with: .white, 0.2))
            canvas.text(
                game.title, in: Rect(area.x + side + theme(12), y, area.width - side - theme(12), row),
                style: theme.label, color: Theme.text.faded(0.7))
            y += row
        }
    }

    private func value(_ field: Field) -> (label: String, value: String, isSet: Bool) {
        switch field {
        case .system: ("System", FilterWords.systems(filter, context), !filter.systems.isEmpty)
        case .genre: ("Genre", FilterWords.genres(filter), !filter.genres.isEmpty)
        case .players: ("Players", FilterWords.players(filter), filter.players != nil)
        case .firstYear: ("Year, from", filter.firstYear.map { "\($0)" } ?? "any", filter.firstYear != nil)
        case .lastYear: ("Year, until", filter.lastYear.map { "\($0)" } ?? "any", filter.lastYear != nil)
        case .rating: ("Rating", FilterWords.rating(filter), filter.rating != nil)
        case .region: ("Region", FilterWords.regions(filter), !filter.regions.isEmpty)
        case .text: ("Words in the title", filter.text.isEmpty ? "any" : "“\(filter.text)”", !filter.text.isEmpty)
        }
    }

    /// Whether left and right change the value.
    private func steps(_ field: Field) -> Bool {
        switch field {
        case .players, .firstYear, .lastYear, .rating: true
        case .system, .genre, .region, .text: false
        }
    }

    private func drawRow(_ canvas: inout Canvas, _ index: Int, _ rect: Rect, _ nearness: Double) {
        guard fields.indices.contains(index) else { return }
        let (label, value, isSet) = value(fields[index])
        let box = rect.inset(by: Insets(top: theme(3), bottom: theme(3)))
        if nearness > 0.01 {
            canvas.gradient(
                box, from: color.mixed(with: .white, 0.06).faded(nearness), to: color.faded(0.72 * nearness),
                vertical: false, radius: theme(14))
        }
        let ink = nearness > 0.5 ? color.readableText : Theme.text
        let inner = box.inset(by: Insets(left: theme(18), right: theme(18)))
        var right = inner.maxX
        let shown = canvas.measurer.truncated(value, style: theme.label, width: inner.width * 0.56)
        let width = canvas.measurer.width(of: shown, style: theme.label)
        if steps(fields[index]), nearness > 0.5 {
            let side = theme(16)
            canvas.image(
                .icon("arrow-right"), in: Rect(right - side, inner.midY - side / 2, side, side), tint: ink.faded(0.7))
            right -= side + theme(10)
            canvas.image(
                .icon("arrow-left"), in: Rect(right - width - side - theme(10), inner.midY - side / 2, side, side),
                tint: ink.faded(0.7))
        }
        canvas.text(
            shown, in: Rect(right - width - 1, inner.y, width + 2, inner.height), style: theme.label,
            color: isSet ? (nearness > 0.5 ? ink : color.mixed(with: .white, 0.45)) : ink.faded(0.45))
        canvas.text(
            label, in: Rect(inner.x, inner.y, right - width - theme(40) - inner.x, inner.height), style: theme.row,
            color: ink)
    }

    // MARK: Input

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.back, false): context.host?.pop()
        case .command(.search, false): showGames()
        case .command(.extra, false): set { $0 = GameFilter() }
        case .command(.menu, false): save()
        case .command(.left, _): step(-1)
        case .command(.right, _): step(1)
        default: return list.handle(event)
        }
        return true
    }

    private func showGames() {
        context.host?.push(
            GamesScreen(
                context: context, title: FilterWords.sentence(filter, context), query: query, accent: color))
    }

    private func save() {
        let saved = savedFilter
        if let editing {
            return store(saying: "“\(editing.name)” is changed", closes: true) { store in
                try await store.setFilter(saved, collection: editing.id)
            }
        }
        context.host?.push(
            TextEntryScreen(
                context: context, title: "Save as collection", note: "A name for the list", accent: color, limit: 60
            ) { [weak self] name in
                self?.store(saying: "“\(name)” is among the collections now", closes: false) { store in
                    _ = try await store.createCollection(name: name, filter: saved)
                }
            })
    }

    /// What is asked for, also by the list that it began with.
    private var savedFilter: GameFilter {
        var saved = filter
        if let system = base.system, saved.systems.isEmpty { saved.systems = [system] }
        return saved
    }

    private func store(
        saying sentence: String, closes: Bool, _ work: @escaping @Sendable (CatalogStore) async throws -> Void
    ) {
        context.courier.change(work) { [weak self] in
            guard let self else { return }
            self.context.host?.toast(sentence)
            if closes { self.context.host?.remove(self) }
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    private func choose() {
        guard fields.indices.contains(list.selection) else { return }
        switch fields[list.selection] {
        case .system:
            // Only systems with games can be meant.
            let registry = context.registry
            pick("System", filter.systems, title: { registry.system(named: $0)?.fullName ?? $0 }) { store in
                let names = Set(try await store.counts().map(\.system))
                return registry.systems.map(\.name).filter { names.contains($0) }
            } set: {
                $0.systems = $1
            }
        case .genre:
            pick("Genre", filter.genres, title: { $0 }) { store in
                try await store.genres()
            } set: {
                $0.genres = $1
            }
        case .region:
            let system = base.system
            pick("Region", filter.regions, title: { $0 }) { store in
                try await store.regions(system: system)
            } set: {
                $0.regions = $1
            }
        case .text:
            context.host?.push(
                TextEntryScreen(
                    context: context, title: "Words in the title", note: "A part of the title", text: filter.text,
                    accent: color, mayBeEmpty: true
                ) { [weak self] text in
                    self?.set { $0.text = text }
                })
        case .players, .firstYear, .lastYear, .rating: step(1)
        }
    }

    /// Opens a list of values, of which any number can be chosen.
    private func pick(
        _ title: String, _ chosen: [String], title name: @escaping (String) -> String,
        values: @escaping @Sendable (CatalogStore) async throws -> [String],
        set: @escaping (inout GameFilter, [String]) -> Void
    ) {
        context.courier.perform(values) { [weak self] found in
            guard let self, self.context.host?.top === self else { return }
            guard !found.isEmpty || !chosen.isEmpty else {
                self.context.host?.toast("Nothing is known of that: import a gamelist")
                return
            }
            // What was chosen before stays choosable, though no game is like that any more.
            let all = found + chosen.filter { !found.contains($0) }
            self.context.host?.push(
                PickScreen(
                    context: self.context, title: title, accent: self.color, values: all, chosen: Set(chosen),
                    name: name
                ) { [weak self] picked in
                    self?.set { set(&$0, all.filter { picked.contains($0) }) }
                })
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    /// The next or previous value; past the last there is none again.
    private func step(_ direction: Int) {
        guard fields.indices.contains(list.selection) else { return }
        switch fields[list.selection] {
        case .players: set { $0.players = next($0.players, in: 1...8, direction) }
        case .firstYear: set { $0.firstYear = nextYear($0.firstYear, direction, start: 1980) }
        case .lastYear: set { $0.lastYear = nextYear($0.lastYear, direction, start: 1999) }
        case .rating:
            set { filter in
                let stars = next(filter.rating.map { Int(($0 * 5).rounded()) }, in: 1...5, direction)
                filter.rating = stars.map { Double($0) / 5 }
            }
        case .system, .genre, .region, .text: break
        }
    }

    private func next(_ value: Int?, in range: ClosedRange<Int>, _ direction: Int) -> Int? {
        guard let value else { return direction > 0 ? range.lowerBound : range.upperBound }
        return range.contains(value + direction) ? value + direction : nil
    }

    /// The years in which games for television were sold.
    private static let years = 1972...2030

    private func nextYear(_ value: Int?, _ direction: Int, start: Int) -> Int? {
        guard let value else { return start }
        return FilterScreen.years.contains(value + direction) ? value + direction : nil
    }
}

/// A panel of values with marks at those that are chosen.
final class PickScreen: ChoiceScreen {
    private let values: [String]
    private var chosen: Set<String>
    private let name: (String) -> String
    private let onChange: (Set<String>) -> Void

    init(
        context: MenuContext, title: String, accent: Color, values: [String], chosen: Set<String>,
        name: @escaping (String) -> String, onChange: @escaping (Set<String>) -> Void
    ) {
        self.values = values
        self.chosen = chosen
        self.name = name
        self.onChange = onChange
        super.init(context: context, title: title, accent: accent, rows: [])
        fill()
    }

    override var hints: [Hint] { [Hint(.accept, "Mark"), Hint(.back, "Done")] }

    private func fill() {
        replace(
            values.map { value in
                Row(label: name(value), isOn: chosen.contains(value)) { [weak self] in self?.toggle(value) }
            })
    }

    private func toggle(_ value: String) {
        if chosen.contains(value) { chosen.remove(value) } else { chosen.insert(value) }
        fill()
        onChange(chosen)
    }
}
