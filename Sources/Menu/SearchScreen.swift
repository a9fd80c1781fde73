import Catalog
import Interface
import Systems

/// Finds games by a few letters: a keyboard for the pad on the left, what matches on the right.
final class SearchScreen: Screen {
    private let system: String?
    private var text = ""
    private let keyboard: KeyboardView
    private let list = ListView()
    private var results: [Game] = []
    private var found = 0
    private let inquiry: Inquiry
    private var listHasFocus = false
    /// Whether the last letter came from a real keyboard, whose Enter then means the results.
    private var isTyping = false
    /// More than this many matches help nobody; the words must become longer.
    static let limit = 200

    init(context: MenuContext, system: String? = nil) {
        self.system = system
        keyboard = KeyboardView(context: context)
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context)
        add(keyboard)
        add(list)
        // While the person looks for the first letter.
        context.courier.perform({ store in try await store.prepareSearch() }) { (_: Void) in }
        keyboard.onText = { [weak self] character in
            self?.focusList(false)
            self?.type(character)
        }
        keyboard.onDelete = { [weak self] in self?.delete() }
        keyboard.onLeave = { [weak self] in self?.focusList(true) }
        list.drawRow = { [weak self] canvas, row, rect, nearness in self?.drawRow(&canvas, row, rect, nearness) }
        list.onSelect = { [weak self] _ in self?.focusList(true) }
        list.onAccept = { [weak self] index in
            guard let self, self.results.indices.contains(index) else { return }
            // The first row counts as chosen before anybody pointed at it.
            guard self.listHasFocus else { return self.focusList(true) }
            self.context.host?.launch(self.results[index], emulator: nil)
        }
    }

    override var wantsText: Bool { true }
    override var accent: Color { context.accent(system) }

    override var hints: [Hint] {
        listHasFocus
            ? [Hint(.accept, "Play"), Hint(.extra, "Favourite"), Hint(.left, "Keyboard"), Hint(.back, "Back")]
            : [Hint(.accept, acceptFinds ? "Results" : "Type"), Hint(.extra, "Delete")]
                + (acceptFinds ? [] : [Hint(.search, "Results")]) + [Hint(.back, "Back")]
    }

    private var acceptFinds: Bool { isTyping && !listHasFocus && !results.isEmpty }

    override func appear() { find() }

    override func catalogChanged(_ change: CatalogChange) {
        if case .scanning = change { return }
        find()
    }

    private func type(_ characters: String) {
        text += characters.filter { !$0.isNewline }
        text = String(text.prefix(60))
        find()
    }

    private func delete() {
        guard !text.isEmpty else { return }
        text.removeLast()
        find()
    }

    private func find() {
        setNeedsDisplay()
        guard !query.text.isEmpty else { return show(Answer(query: query, count: 0, games: [])) }
        inquiry.ask({ [weak self] in
            // Letters that came meanwhile count already.
            let query = self?.query ?? GameQuery()
            return { store in
                Answer(
                    query: query, count: try await store.count(query),
                    games: try await store.games(query, offset: 0, limit: SearchScreen.limit))
            }
        }) { [weak self] answer in
            guard let self, answer.query == self.query else { return }
            self.show(answer)
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    private struct Answer: Sendable {
        let query: GameQuery
        let count: Int
        let games: [Game]
    }

    private var query: GameQuery { GameQuery(system: system, text: text.trimmedBlanks) }

    private func show(_ answer: Answer) {
        let chosen = results.indices.contains(list.selection) ? results[list.selection].id : nil
        found = answer.count
        results = answer.games
        let row = chosen.flatMap { id in results.firstIndex { $0.id == id } }
        // The chosen game went: its neighbour is nearer to what was meant than the first row.
        list.reload(count: results.count, selection: listHasFocus ? row ?? list.selection : 0)
        if results.isEmpty { focusList(false) }
        markKey()
        refreshBars()
        setNeedsDisplay()
    }

    private func focusList(_ on: Bool) {
        listHasFocus = on && !results.isEmpty
        markKey()
        refreshBars()
        setNeedsDisplay()
    }

    /// A key is marked only where the button that accepts would press it.
    private func markKey() { keyboard.isActive = !listHasFocus && !acceptFinds }

    // MARK: Layout and painting

    override func layout() {
        let area = content.inset(by: Insets(top: theme(92)))
        let width = theme.isNarrow ? area.width * 0.5 : area.width * 0.46
        keyboard.frame = Rect(area.x, area.y, width, min(area.height, theme(360)))
        list.rowHeight = theme(56)
        let gap = theme(36)
        list.frame = Rect(area.x + width + gap, area.y, area.width - width - gap, area.height)
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        let title =
            system.flatMap { context.registry.system(named: $0)?.fullName }.map { "Search in \($0)" } ?? "Search"
        canvas.text(
            title, in: Rect(safe.x, safe.y, safe.width * 0.7, theme(40)), style: theme.heading, color: Theme.text)
        let field = Rect(content.x, content.y + theme(10), content.width, theme(62))
        canvas.fill(field, Color(hex: 0, alpha: 0.38), radius: theme(16))
        canvas.stroke(field, accent.faded(0.7), radius: theme(16), width: max(1, theme(2)))
        let inner = field.inset(by: Insets(left: theme(22), right: theme(22)))
        let note = text.isEmpty ? "" : found == 0 ? "nothing found" : Phrase.games(found)
        let noteWidth = canvas.measurer.width(of: note, style: theme.label)
        canvas.text(note, in: inner, style: theme.label, color: Theme.faint, align: .right)
        let room = Rect(inner.x, inner.y, inner.width - noteWidth - theme(20), inner.height)
        if text.isEmpty {
            canvas.text("A few letters of the title", in: room, style: theme.body, color: Theme.faint)
        }
        let width = canvas.text(text, in: room, style: theme.row, color: Theme.text)
        canvas.fill(
            Rect(room.x + width + theme(3), room.midY - theme(15), max(2, theme(3)), theme(30)), accent,
            radius: theme(1))
    }

    private func drawRow(_ canvas: inout Canvas, _ row: Int, _ rect: Rect, _ nearness: Double) {
        guard results.indices.contains(row) else { return }
        let game = results[row]
        let color = context.accent(game.system)
        let shown = listHasFocus ? nearness : 0
        let box = rect.inset(by: Insets(top: theme(3), bottom: theme(3)))
        if shown > 0.01 { canvas.fill(box, color.faded(0.95 * shown), radius: theme(14)) }
        let ink = shown > 0.5 ? color.readableText : Theme.text
        let side = theme(26)
        canvas.image(
            context.icon(game.system), in: Rect(box.x + theme(14), box.midY - side / 2, side, side),
            tint: shown > 0.5 ? ink : color.mixed(with: .white, 0.2))
        canvas.text(
            game.title, in: Rect(box.x + theme(54), box.y, box.width - theme(68), box.height), style: theme.body,
            color: ink)
    }

    // MARK: Input

    override func handle(_ event: Event) -> Bool {
        let accepted = acceptFinds
        let wasTyping = isTyping
        switch event {
        case .text, .deleteBackward: isTyping = true
        case .command: isTyping = false
        default: break
        }
        if isTyping != wasTyping {
            markKey()
            refreshBars()
        }
        switch event {
        case .text(let text): type(text)
        case .deleteBackward: delete()
        case .command(.accept, false) where accepted: focusList(true)
        case .command(.back, let isRepeat):
            if isRepeat { return true }
            if listHasFocus { focusList(false) } else { context.host?.pop() }
        case .command(.search, false): focusList(!listHasFocus)
        case .command(.extra, _):
            if listHasFocus { toggleFavourite() } else { delete() }
        case .command(.left, let isRepeat) where listHasFocus:
            if !isRepeat { focusList(false) }
        case .command where listHasFocus: return list.handle(event)
        case .command: return keyboard.handle(event)
        case .pointerMoved, .pointerPressed, .pointerReleased, .wheel: return false
        }
        return true
    }

    private func toggleFavourite() {
        guard results.indices.contains(list.selection) else { return }
        let game = results[list.selection]
        context.courier.change({ store in try await store.setFavourite(!game.isFavourite, game: game.id) }) {
            [weak self] in
            self?.context.host?.toast(game.isFavourite ? "Unmarked" : "Marked as favourite")
            self?.find()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }
}

extension String {
    /// Without blanks at both ends.
    var trimmedBlanks: String {
        var part = self[...]
        while part.first == " " { part.removeFirst() }
        while part.last == " " { part.removeLast() }
        return String(part)
    }
}
