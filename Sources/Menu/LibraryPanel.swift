import Catalog
import Interface
import SystemKit

/// How lists are made, and what is known about the games: the rows of the library.
final class LibraryPanel: ChoiceScreen {
    private let inquiry: Inquiry
    private var problems: [ScanReport.Problem] = []

    init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context, title: "Library", rows: [])
        fill()
    }

    override func appear() {
        fill()
        look()
    }

    override func catalogChanged(_ change: CatalogChange) {
        if case .scanned = change { look() }
    }

    private struct Answer: Sendable {
        let total: Int
        let problems: [ScanReport.Problem]
    }

    private func look() {
        inquiry.ask({
            { store in Answer(total: try await store.total(), problems: try await store.lastScanProblems()) }
        }) { [weak self] answer in
            self?.subtitle = Phrase.games(answer.total)
            self?.problems = answer.problems
            self?.fill()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    private func fill() {
        var rows = [
            Row(label: "Scan again") { [weak self] in
                self?.context.host?.rescan()
            }
        ]
        let count = problems.count
        rows.append(
            Row(label: "Problems", value: count == 0 ? "none" : Phrase.grouped(count), warns: count > 0) {
                [weak self] in
                guard let self else { return }
                self.context.host?.push(ProblemsScreen(context: self.context))
            })
        rows.append(
            setting("One row for all versions", LibrarySetting.collapse, context.collapsesVersions))
        rows.append(
            Row(label: "Preferred regions", value: context.regionOrder.prefix(2).joined(separator: ", ")) {
                [weak self] in
                guard let self else { return }
                self.context.host?.push(RegionsPanel(context: self.context))
            })
        rows.append(setting("Browse folders", LibrarySetting.folders, context.browsesFolders))
        rows.append(
            Row(label: "Game lists", value: "gamelist.xml") { [weak self] in
                guard let self else { return }
                self.context.host?.push(GamelistPanel(context: self.context))
            })
        rows.append(
            Row(label: "Names by contents", value: "DAT files") { [weak self] in
                guard let self else { return }
                self.context.host?.push(DATPanel(context: self.context))
            })
        replace(rows)
    }

    private func setting(_ label: String, _ key: String, _ isOn: Bool) -> Row {
        Row(label: label, isOn: isOn) { [weak self] in
            self?.context.host?.settingChanged(key, isOn ? "off" : "on")
            self?.fill()
        }
    }
}

/// The regions in the order of preference: the chosen one moves up.
final class RegionsPanel: ChoiceScreen {
    private let inquiry: Inquiry
    private var order: [String]

    init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        order = context.regionOrder
        super.init(
            context: context, title: "Preferred regions", subtitle: "The first one that there is stands for a game",
            rows: [])
        fill()
        lookForOthers()
    }

    override var hints: [Hint] {
        [Hint(.accept, "Move up"), Hint(.right, "Move down"), Hint(.back, "Back")]
    }

    /// Regions that games have and nobody ordered yet come last.
    private func lookForOthers() {
        inquiry.ask({ { store in try await store.regions(system: nil) } }) { [weak self] found in
            guard let self else { return }
            self.order += found.filter { !self.order.contains($0) }
            self.fill()
        }
    }

    private func fill() {
        replace(
            order.enumerated().map { index, region in
                Row(label: region, value: "\(index + 1)") { [weak self] in self?.move(index, by: -1) }
            })
    }

    private func move(_ index: Int, by step: Int) {
        guard order.indices.contains(index), order.indices.contains(index + step) else { return }
        order.swapAt(index, index + step)
        fill()
        select(index + step)
        context.host?.settingChanged(LibrarySetting.regions, order.joined(separator: ","))
    }

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.left, _): move(selection, by: -1)
        case .command(.right, _): move(selection, by: 1)
        default: return super.handle(event)
        }
        return true
    }
}

/// What could not be read at the last look, and why.
final class ProblemsScreen: Screen {
    private let list = ListView()
    private var problems: [ScanReport.Problem] = []
    private var isLoaded = false
    private let inquiry: Inquiry

    override init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context)
        add(list)
        list.drawRow = { [weak self] canvas, row, rect, nearness in self?.drawRow(&canvas, row, rect, nearness) }
    }

    override var accent: Color { problems.isEmpty ? Theme.brand : Theme.warning }
    override var hints: [Hint] { [Hint(.extra, "Scan again"), Hint(.up, "Scroll"), Hint(.back, "Back")] }

    override func appear() { look() }

    override func catalogChanged(_ change: CatalogChange) {
        if case .scanned = change { look() }
    }

    private func look() {
        inquiry.ask({ { store in try await store.lastScanProblems() } }) { [weak self] problems in
            guard let self else { return }
            self.problems = problems
            self.isLoaded = true
            self.list.update(count: problems.count, selection: self.list.selection)
            self.refreshBars()
            self.setNeedsDisplay()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    override func layout() {
        list.rowHeight = theme(84)
        list.frame = Rect(
            content.x - theme(14), content.y + theme(8), content.width + theme(28), content.height - theme(8))
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        let width = canvas.text(
            "Problems of the last scan", in: Rect(safe.x, safe.y, safe.width * 0.7, theme(42)), style: theme.heading,
            color: Theme.text)
        guard isLoaded else { return }
        if problems.isEmpty {
            canvas.text(
                "Everything could be read.", in: content, style: theme.body, color: Theme.quiet, align: .center)
        } else {
            canvas.text(
                problems.count == 1 ? "1 place" : "\(Phrase.grouped(problems.count)) places",
                in: Rect(safe.x + width + theme(16), safe.y + theme(3), theme(240), theme(42)), style: theme.label,
                color: Theme.faint)
        }
    }

    private func drawRow(_ canvas: inout Canvas, _ index: Int, _ rect: Rect, _ nearness: Double) {
        guard problems.indices.contains(index) else { return }
        let problem = problems[index]
        let box = rect.inset(by: Insets(top: theme(4), left: theme(2), bottom: theme(4), right: theme(2)))
        canvas.fill(box, Color(hex: 0xFFFFFF, alpha: 0.055 + 0.09 * nearness), radius: theme(16))
        let side = theme(26)
        canvas.image(
            .icon("warning"), in: Rect(box.x + theme(20), box.midY - side / 2, side, side), tint: Theme.warning)
        let inner = Rect(box.x + theme(64), box.y + theme(8), box.width - theme(84), box.height - theme(16))
        canvas.text(
            problem.reason, in: Rect(inner.x, inner.y, inner.width, inner.height / 2), style: theme.body,
            color: Theme.text)
        canvas.text(
            problem.path.displayString,
            in: Rect(inner.x, inner.midY, inner.width, inner.height / 2), style: theme.label, color: Theme.faint)
    }

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.back, false): context.host?.pop()
        case .command(.extra, false): context.host?.rescan()
        default: return list.handle(event)
        }
        return true
    }
}
