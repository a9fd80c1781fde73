import Catalog
import Interface

/// Lists across systems: those that make themselves, and those that the person made.
final class CollectionsScreen: Screen {
    /// A row: what opens, and what it says of itself.
    struct Entry {
        let title: String
        let note: String
        let icon: String
        let accent: Color
        let games: Int
        let query: GameQuery
        /// The collection of the person that it is.
        var collection: GameCollection?
    }

    private let list = ListView()
    private var entries: [Entry] = []
    private var isLoaded = false
    /// The name of a collection that is chosen as soon as it is listed.
    private var expected: String?
    private let inquiry: Inquiry

    override init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context)
        add(list)
        list.drawRow = { [weak self] canvas, row, rect, nearness in self?.drawRow(&canvas, row, rect, nearness) }
        list.onAccept = { [weak self] row in self?.open(row) }
        list.onSelect = { [weak self] _ in
            self?.refreshBars()
            self?.setNeedsDisplay()
        }
    }

    /// The colour of collections.
    static let color = Color(hex: 0x8C7BFF)

    private var chosen: Entry? { entries.indices.contains(list.selection) ? entries[list.selection] : nil }

    override var accent: Color { chosen?.accent ?? CollectionsScreen.color }

    override var hints: [Hint] {
        guard let chosen else { return [Hint(.accept, "New collection"), Hint(.back, "Back")] }
        return [Hint(.accept, "Open"), Hint(.back, "Back"), Hint(.extra, "New")]
            + (chosen.collection == nil ? [] : [Hint(.menu, "Options")])
    }

    override func appear() { look() }

    override func catalogChanged(_ change: CatalogChange) {
        if case .scanning = change { return }
        look()
    }

    // MARK: Reading

    private struct Answer: Sendable {
        let automatic: [GameQuery.Selection: Int]
        let own: [(GameCollection, Int)]
    }

    private func look() {
        inquiry.ask({
            { store in
                var automatic: [GameQuery.Selection: Int] = [:]
                for entry in Automatic.all {
                    automatic[entry.selection] = try await store.count(GameQuery(selection: entry.selection))
                }
                var own: [(GameCollection, Int)] = []
                for collection in try await store.collections() {
                    own.append((collection, try await store.count(CollectionsScreen.query(of: collection))))
                }
                return Answer(automatic: automatic, own: own)
            }
        }) { [weak self] in
            self?.show($0)
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    /// The games of a collection.
    static func query(of collection: GameCollection) -> GameQuery {
        GameQuery(selection: .collection(collection.id))
    }

    private func show(_ answer: Answer) {
        let before = chosen
        var entries = answer.own.map { collection, games in
            Entry(
                title: collection.name,
                note: collection.filter.map { FilterWords.sentence($0, context) } ?? "Your list",
                icon: collection.filter == nil ? "collection" : "filter", accent: CollectionsScreen.color,
                games: games, query: CollectionsScreen.query(of: collection), collection: collection)
        }
        // What has nothing in it is not worth a row, but what the person made stays where they made it.
        entries += Automatic.all.compactMap { kind in
            guard let games = answer.automatic[kind.selection], games > 0 else { return nil }
            return Entry(
                title: kind.title, note: kind.note, icon: kind.icon, accent: kind.accent, games: games,
                query: GameQuery(selection: kind.selection))
        }
        self.entries = entries
        isLoaded = true
        var row = entries.firstIndex { $0.query == before?.query } ?? list.selection
        if let expected, let made = entries.firstIndex(where: { $0.collection?.name == expected }) {
            row = made
            self.expected = nil
        }
        list.update(count: entries.count, selection: row)
        refreshBars()
        setNeedsDisplay()
    }

    // MARK: Painting

    override func layout() {
        let area = content
        list.rowHeight = theme(64)
        let width = theme.isNarrow ? area.width : area.width * 0.54
        let whole = max(1, (area.height / list.rowHeight).rounded(.down)) * list.rowHeight
        list.frame = Rect(area.x - theme(14), area.y + (area.height - whole) / 2, width + theme(14), whole)
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        canvas.fill(Rect(safe.x, safe.y + theme(5), theme(6), theme(32)), accent, radius: theme(3))
        canvas.text(
            "Collections", in: Rect(safe.x + theme(22), safe.y, safe.width * 0.6, theme(42)), style: theme.heading,
            color: Theme.text)
        guard isLoaded else { return }
        guard let chosen else {
            canvas.text(
                "No collection yet", in: content, style: theme.body, color: Theme.quiet, align: .center)
            return
        }
        if !theme.isNarrow { draw(chosen, &canvas) }
    }

    private func draw(_ entry: Entry, _ canvas: inout Canvas) {
        let left = list.frame.maxX + theme(48)
        let area = Rect(left, content.y, content.maxX - left, content.height)
        let side = min(area.width * 0.44, area.height * 0.34)
        let box = Rect(area.midX - side / 2, area.y + area.height * 0.12, side, side)
        canvas.glow(Point(box.midX, box.midY), radius: side * 1.05, entry.accent.faded(0.34))
        canvas.image(.icon(entry.icon), in: box, tint: entry.accent.mixed(with: .white, 0.25))
        var y = box.maxY + theme(34)
        y += canvas.paragraph(
            entry.title, in: Rect(area.x, y, area.width, theme(92)), style: theme.title, color: Theme.text,
            align: .center)
        y += theme(8)
        canvas.text(
            Phrase.games(entry.games), in: Rect(area.x, y, area.width, theme(34)), style: theme.body,
            color: entry.accent.mixed(with: .white, 0.45), align: .center)
        y += theme(46)
        canvas.paragraph(
            entry.note, in: Rect(area.x, y, area.width, max(theme(30), area.maxY - y)), style: theme.label,
            color: Theme.quiet, align: .center, lineSpacing: 1.1)
    }

    private func drawRow(_ canvas: inout Canvas, _ index: Int, _ rect: Rect, _ nearness: Double) {
        guard entries.indices.contains(index) else { return }
        let entry = entries[index]
        let box = rect.inset(by: Insets(top: theme(3), bottom: theme(3)))
        if nearness > 0.01 {
            canvas.gradient(
                box, from: entry.accent.mixed(with: .white, 0.06).faded(nearness),
                to: entry.accent.faded(0.72 * nearness), vertical: false, radius: theme(16))
        }
        let ink = nearness > 0.5 ? entry.accent.readableText : Theme.text
        let side = theme(28)
        canvas.image(
            .icon(entry.icon), in: Rect(box.x + theme(18), box.midY - side / 2, side, side),
            tint: nearness > 0.5 ? ink : entry.accent.mixed(with: .white, 0.2))
        let count = Phrase.grouped(entry.games)
        let width = canvas.measurer.width(of: count, style: theme.label)
        let right = box.maxX - theme(20) - width
        canvas.text(
            count, in: Rect(right - 1, box.y, width + 2, box.height), style: theme.label, color: ink.faded(0.6))
        let x = box.x + theme(18) + side + theme(18)
        canvas.text(
            entry.title, in: Rect(x, box.y, right - theme(16) - x, box.height), style: theme.row, color: ink)
    }

    // MARK: Input

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.back, false): context.host?.pop()
        case .command(.extra, false): create()
        case .command(.accept, false) where entries.isEmpty: create()
        case .command(.menu, false): openOptions()
        default: return list.handle(event)
        }
        return true
    }

    private func open(_ row: Int) {
        guard entries.indices.contains(row) else { return }
        let entry = entries[row]
        context.host?.push(
            GamesScreen(context: context, title: entry.title, query: entry.query, accent: entry.accent))
    }

    private func create() {
        context.host?.push(
            TextEntryScreen(
                context: context, title: "New collection", note: "A name for the list",
                accent: CollectionsScreen.color, limit: 60
            ) { [weak self] name in
                self?.expected = name
                self?.change { store in
                    _ = try await store.createCollection(name: name, filter: nil)
                } then: { [weak self] in
                    self?.context.host?.toast("Put games in with Options, Collections")
                }
            })
    }

    private func openOptions() {
        guard let collection = chosen?.collection else { return }
        context.host?.push(
            CollectionOptions.screen(context: context, collection: collection) { [weak self] in self?.look() })
    }

    private func change(
        _ work: @escaping @Sendable (CatalogStore) async throws -> Void, then: @escaping () -> Void = {}
    ) {
        context.courier.change(work) { [weak self] in
            self?.look()
            then()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }
}

/// The lists that make themselves.
struct Automatic {
    let selection: GameQuery.Selection
    let title: String
    let note: String
    let icon: String
    let accent: Color

    static let all = [
        Automatic(
            selection: .favourites, title: "Favourites", note: "The ones you marked", icon: "heart",
            accent: Theme.heart),
        Automatic(
            selection: .recentlyPlayed, title: "Recently played", note: "Go on where you were", icon: "clock",
            accent: Color(hex: 0x3FC1A5)),
        Automatic(
            selection: .mostPlayed, title: "Most played", note: "What you spent the most time with", icon: "chart",
            accent: Color(hex: 0xF29F4B)),
        Automatic(
            selection: .neverPlayed, title: "Never played", note: "Still waiting for you", icon: "sparkle",
            accent: Color(hex: 0xE58CFF)),
        Automatic(
            selection: .all, title: "All games", note: "Of all systems, in one list", icon: "library",
            accent: Theme.brand),
    ]
}

/// What can be done with a collection of the person.
enum CollectionOptions {
    static func screen(
        context: MenuContext, collection: GameCollection, changed: @escaping () -> Void
    ) -> ChoiceScreen {
        var rows: [ChoiceScreen.Row] = [
            .init(label: "Rename") { [weak context] in
                guard let context else { return }
                context.host?.pop()
                rename(collection, context, changed)
            }
        ]
        if let filter = collection.filter {
            rows.append(
                .init(label: "Change the filter") { [weak context] in
                    guard let context else { return }
                    context.host?.pop()
                    context.host?.push(
                        FilterScreen(
                            context: context, base: GameQuery(), title: collection.name,
                            accent: CollectionsScreen.color, filter: filter, editing: collection))
                })
        }
        rows.append(
            .init(label: "Delete this collection", warns: true) { [weak context] in
                guard let context else { return }
                context.host?.pop()
                delete(collection, context, changed)
            })
        return ChoiceScreen(
            context: context, title: "Options", subtitle: collection.name, accent: CollectionsScreen.color,
            rows: rows)
    }

    private static func rename(
        _ collection: GameCollection, _ context: MenuContext, _ changed: @escaping () -> Void
    ) {
        context.host?.push(
            TextEntryScreen(
                context: context, title: "Rename", note: "A name for the list", text: collection.name,
                accent: CollectionsScreen.color, limit: 60
            ) { [weak context] name in
                context?.courier.change({ store in try await store.renameCollection(collection.id, to: name) }) {
                    changed()
                } failed: { [weak context] sentence in
                    context?.host?.toast(sentence)
                }
            })
    }

    private static func delete(
        _ collection: GameCollection, _ context: MenuContext, _ changed: @escaping () -> Void
    ) {
        context.host?.push(
            QuestionScreen(
                context: context, title: "Delete “\(collection.name)”?",
                sentence: "The list is deleted. Its games stay where they are.", yes: "Delete"
            ) { [weak context] in
                context?.courier.change({ store in try await store.deleteCollection(collection.id) }) {
                    changed()
                } failed: { [weak context] sentence in
                    context?.host?.toast(sentence)
                }
            })
    }
}
