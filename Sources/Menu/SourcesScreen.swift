import Catalog
import Interface
import SystemKit

/// Where games are: the folder of this machine, disks and shares; and disks that could be added.
final class SourcesScreen: Screen {
    private enum Entry: Equatable {
        case source(GameSource)
        case candidate(GameSource)

        var source: GameSource {
            switch self {
            case .source(let source), .candidate(let source): source
            }
        }
    }

    private let list = ListView()
    private var entries: [Entry] = []
    private var counts: [Int64: Int] = [:]
    private let inquiry: Inquiry

    override init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context)
        add(list)
        list.drawRow = { [weak self] canvas, row, rect, nearness in self?.drawRow(&canvas, row, rect, nearness) }
        list.onAccept = { [weak self] row in self?.accept(row) }
        list.onSelect = { [weak self] _ in self?.refreshBars() }
    }

    private var chosen: Entry? { entries.indices.contains(list.selection) ? entries[list.selection] : nil }

    override var hints: [Hint] {
        switch chosen {
        case .candidate: [Hint(.accept, "Add"), Hint(.back, "Back")]
        case .source(let source) where source.id != 0: [Hint(.accept, "Options"), Hint(.back, "Back")]
        default: [Hint(.back, "Back")]
        }
    }

    override func appear() { look() }

    override func catalogChanged(_ change: CatalogChange) {
        switch change {
        case .sources, .scanned, .games: look()
        case .game, .scanning, .collections, .notice: break
        }
    }

    private struct Answer: Sendable {
        let sources: [GameSource]
        let candidates: [GameSource]
        let counts: [Int64: Int]
    }

    private func look() {
        inquiry.ask({
            { store in
                Answer(
                    sources: try await store.sources(), candidates: try await store.candidateSources(),
                    counts: try await store.gamesBySource())
            }
        }) { [weak self] answer in
            guard let self else { return }
            let before = self.chosen?.source.path
            self.entries = answer.sources.map { .source($0) } + answer.candidates.map { .candidate($0) }
            self.counts = answer.counts
            self.list.update(
                count: self.entries.count,
                selection: self.entries.firstIndex { $0.source.path == before } ?? self.list.selection)
            self.refreshBars()
            self.setNeedsDisplay()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    // MARK: Painting

    override func layout() {
        list.rowHeight = theme(92)
        let top = theme(58)
        list.frame = Rect(
            content.x - theme(14), content.y + top, content.width + theme(28), content.height - top)
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        canvas.text(
            "Games folders", in: Rect(safe.x, safe.y, safe.width * 0.6, theme(42)), style: theme.heading,
            color: Theme.text)
        canvas.paragraph(
            "Disks and shares with a folder “roms” can be added. The first one that has a game wins.",
            in: Rect(content.x, content.y, content.width, theme(54)), style: theme.label, color: Theme.faint)
    }

    private func drawRow(_ canvas: inout Canvas, _ index: Int, _ rect: Rect, _ nearness: Double) {
        guard entries.indices.contains(index) else { return }
        let entry = entries[index]
        let source = entry.source
        let color = Theme.brand
        let box = rect.inset(by: Insets(top: theme(4), left: theme(2), bottom: theme(4), right: theme(2)))
        canvas.fill(box, Theme.panel, radius: theme(18))
        if nearness > 0.01 { canvas.fill(box, color.faded(0.92 * nearness), radius: theme(18)) }
        let ink = nearness > 0.5 ? color.readableText : Theme.text
        let side = theme(38)
        canvas.image(
            .icon(icon(entry)), in: Rect(box.x + theme(22), box.midY - side / 2, side, side),
            tint: nearness > 0.5
                ? ink
                : color.mixed(with: .white, source.isPresent ? 0.3 : 0).faded(
                    source.isPresent ? 1 : 0.6))
        let inner = Rect(
            box.x + theme(82), box.y + theme(10), box.width - theme(104), box.height - theme(20))
        let state = state(entry)
        let width = canvas.measurer.width(of: state, style: theme.label)
        let isWarning = !source.isPresent
        canvas.text(
            state, in: Rect(inner.maxX - width - 1, inner.y, width + 2, inner.height), style: theme.label,
            color: isWarning && nearness <= 0.5 ? Theme.warning : ink.faded(0.75))
        let room = inner.width - width - theme(20)
        let half = inner.height / 2
        canvas.text(
            label(entry), in: Rect(inner.x, inner.y, room, half), style: theme.row,
            color: ink.faded(source.isPresent ? 1 : 0.6))
        canvas.text(
            source.path.displayString, in: Rect(inner.x, inner.y + half, room, half), style: theme.label,
            color: ink.faded(0.5))
    }

    private func icon(_ entry: Entry) -> String {
        if case .candidate = entry { return "plus" }
        let source = entry.source
        if source.id == 0 { return "folder" }
        return source.identity.hasPrefix("net:") ? "network" : source.identity.isEmpty ? "folder" : "drive"
    }

    private func label(_ entry: Entry) -> String {
        switch entry {
        case .source(let source): source.id == 0 ? "This machine" : source.label
        case .candidate(let source): "Add \(source.label)"
        }
    }

    private func state(_ entry: Entry) -> String {
        switch entry {
        case .candidate: "found now"
        case .source(let source):
            source.isPresent
                ? Phrase.games(counts[source.id] ?? 0)
                : source.identity.hasPrefix("net:") ? "does not answer" : "not there now"
        }
    }

    // MARK: Input

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.back, false): context.host?.pop()
        case .command(.menu, false): accept(list.selection)
        default: return list.handle(event)
        }
        return true
    }

    private func accept(_ row: Int) {
        guard entries.indices.contains(row) else { return }
        switch entries[row] {
        case .candidate(let candidate):
            change(saying: "\(candidate.label) is added. Its games come as they are found") { store in
                _ = try await store.addSource(path: candidate.path, label: candidate.label)
            }
        case .source(let source) where source.id != 0: openOptions(source)
        case .source: break
        }
    }

    private func openOptions(_ source: GameSource) {
        let others = entries.compactMap { entry -> GameSource? in
            if case .source(let source) = entry { return source }
            return nil
        }
        let position = others.firstIndex { $0.id == source.id } ?? 1
        var rows: [ChoiceScreen.Row] = []
        func move(_ label: String, to target: Int) {
            rows.append(
                .init(label: label) { [weak self] in
                    self?.context.host?.pop()
                    self?.change { store in try await store.moveSource(source.id, to: target) }
                })
        }
        if position > 1 { move("Move up", to: position - 1) }
        if position < others.count - 1 { move("Move down", to: position + 1) }
        rows.append(
            .init(label: "Remove", warns: true) { [weak self] in
                self?.context.host?.pop()
                self?.remove(source)
            })
        context.host?.push(
            ChoiceScreen(context: context, title: source.label, subtitle: source.path.displayString, rows: rows))
    }

    private func remove(_ source: GameSource) {
        context.host?.push(
            QuestionScreen(
                context: context, title: "Remove \(source.label)?",
                sentence: "Its games are not listed any more. Nothing is deleted from the disk, and what you marked "
                    + "and played is kept for the day it is added again.",
                yes: "Remove", no: "Keep"
            ) { [weak self] in
                self?.change(saying: "\(source.label) is removed. Its files are as they were") { store in
                    try await store.removeSource(source.id)
                }
            })
    }

    private func change(
        saying sentence: String? = nil, _ work: @escaping @Sendable (CatalogStore) async throws -> Void
    ) {
        context.courier.change(work) { [weak self] in
            if let sentence { self?.context.host?.toast(sentence) }
            self?.look()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }
}
