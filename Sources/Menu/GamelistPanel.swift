import Catalog
import Interface
import SystemKit
import Systems

/// Takes in the lists that other front ends left beside the games, and writes them out again.
final class GamelistPanel: ChoiceScreen {
    private let inquiry: Inquiry
    private var found: [Place] = []
    private var isBusy = false

    /// A system and the list that there is for it.
    private struct Place: Sendable, Equatable {
        let system: String
        let games: Int
        let file: BytePath?
        let target: BytePath?
    }

    init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(
            context: context, title: "Game lists", subtitle: "Descriptions, ratings and years from gamelist.xml",
            rows: [])
        fill()
    }

    override func appear() { look() }

    /// Looks for lists where the other front ends keep them; the folders may be on a slow share.
    private func look() {
        let registry = context.registry
        inquiry.ask({
            { store in
                let games = Dictionary(
                    try await store.counts().map { ($0.system, $0.games) }, uniquingKeysWith: +)
                var places: [Place] = []
                for system in registry.systems {
                    guard let count = games[system.name] else { continue }
                    let candidates = try await store.gamelistPlaces(system: system.name)
                    places.append(
                        Place(
                            system: system.name, games: count, file: candidates.first { fileExists($0) },
                            target: candidates.first))
                }
                return places
            }
        }) { [weak self] places in
            self?.found = places
            self?.fill()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    private func fill() {
        let readable = found.filter { $0.file != nil }
        var rows = [
            Row(label: "Import all", value: readable.isEmpty ? "none found" : "\(readable.count) found") {
                [weak self] in self?.importLists(readable)
            },
            Row(label: "Export all", value: found.isEmpty ? "" : "\(found.count) systems") { [weak self] in
                guard let self else { return }
                self.exportLists(self.found)
            },
        ]
        rows += found.map { place in
            let title = context.registry.system(named: place.system)?.fullName ?? place.system
            return Row(label: title, value: place.file == nil ? "no list" : "list found") { [weak self] in
                self?.open(place, title)
            }
        }
        replace(rows)
    }

    private func open(_ place: Place, _ title: String) {
        var rows: [Row] = []
        if let file = place.file {
            rows.append(
                Row(label: "Import", value: file.name.displayString) { [weak self] in
                    self?.context.host?.pop()
                    self?.importLists([place])
                })
        }
        rows.append(
            Row(label: "Export") { [weak self] in
                self?.context.host?.pop()
                self?.exportLists([place])
            })
        context.host?.push(
            ChoiceScreen(
                context: context, title: title,
                subtitle: (place.file ?? place.target)?.displayString ?? "", rows: rows))
    }

    private func importLists(_ places: [Place]) {
        guard !isBusy, !places.isEmpty else { return }
        isBusy = true
        let mailbox = context.courier.mailbox
        context.host?.toast("Reading \(places.count == 1 ? "the list" : "\(places.count) lists")")
        context.courier.change({ store in
            var sum = GamelistSum()
            for place in places {
                guard let file = place.file else { continue }
                let before = sum.records
                let report = try await store.importGamelist(system: place.system, from: file) { records in
                    // One word in a while; the catalog tells every few hundred records.
                    if records % 5000 == 0, records > 0 {
                        mailbox.post(.notice("\(Phrase.grouped(before + records)) records read"))
                    }
                }
                sum.add(report, system: place.system)
            }
            return sum
        }) { [weak self] sum in
            guard let self else { return }
            self.isBusy = false
            self.context.host?.toast("Lists are read: \(Phrase.games(sum.matched)) known")
            self.context.host?.push(GamelistReportScreen(context: self.context, title: "Import", sum: sum))
        } failed: { [weak self] sentence in
            self?.isBusy = false
            self?.context.host?.toast(sentence)
        }
    }

    private func exportLists(_ places: [Place]) {
        guard !isBusy, !places.isEmpty else { return }
        isBusy = true
        context.host?.toast("Writing \(places.count == 1 ? "the list" : "\(places.count) lists")")
        context.courier.change({ store in
            var sum = GamelistSum()
            for place in places {
                guard let target = place.file ?? place.target else { continue }
                sum.add(try await store.exportGamelist(system: place.system, to: target), system: place.system)
            }
            return sum
        }) { [weak self] sum in
            guard let self else { return }
            self.isBusy = false
            self.context.host?.toast("Lists are written: \(Phrase.grouped(sum.records)) records")
            self.look()
        } failed: { [weak self] sentence in
            self?.isBusy = false
            self?.context.host?.toast(sentence)
        }
    }
}

/// What the lists of several systems gave together.
struct GamelistSum: Sendable {
    /// A record that could not be taken.
    struct Problem: Sendable {
        let system: String
        let record: Int
        let reason: String
    }

    var records = 0
    var matched = 0
    var added = 0
    var unknown = 0
    var problems: [Problem] = []
    /// Problems beyond those that are listed.
    var moreProblems = 0

    mutating func add(_ report: GamelistReport, system: String) {
        records += report.records
        matched += report.matched
        added += report.added
        unknown += report.unknown
        moreProblems += report.moreProblems
        problems += report.problems.map { Problem(system: system, record: $0.record, reason: $0.reason) }
    }
}

/// What an import found, and what it could not take.
final class GamelistReportScreen: Screen {
    private let title: String
    private let sum: GamelistSum
    private let list = ListView()

    init(context: MenuContext, title: String, sum: GamelistSum) {
        self.title = title
        self.sum = sum
        super.init(context: context)
        add(list)
        list.drawRow = { [weak self] canvas, row, rect, nearness in self?.drawRow(&canvas, row, rect, nearness) }
        list.reload(count: sum.problems.count, selection: 0)
    }

    override var accent: Color { sum.problems.isEmpty ? Theme.brand : Theme.warning }
    override var hints: [Hint] { [Hint(.accept, "Done"), Hint(.back, "Back")] }

    override func layout() {
        list.rowHeight = theme(44)
        let top = content.y + theme(190)
        list.frame = Rect(content.x, top, content.width, max(0, content.maxY - top))
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        canvas.text(
            title, in: Rect(safe.x, safe.y, safe.width * 0.7, theme(42)), style: theme.heading, color: Theme.text)
        let numbers = [
            (sum.records, "records read"), (sum.matched, "games found"), (sum.unknown, "for games that are not here"),
            (sum.problems.count + sum.moreProblems, "could not be read"),
        ]
        let gap = theme(18)
        let width = (content.width - gap * Double(numbers.count - 1)) / Double(numbers.count)
        for (index, (number, words)) in numbers.enumerated() {
            let box = Rect(
                content.x + Double(index) * (width + gap), content.y + theme(16), width, theme(128))
            canvas.fill(box, Theme.panel, radius: theme(18))
            let isBad = index == 3 && number > 0
            canvas.text(
                Phrase.grouped(number), in: Rect(box.x, box.y + theme(16), box.width, theme(52)), style: theme.title,
                color: isBad ? Theme.warning : Theme.text, align: .center)
            canvas.paragraph(
                words, in: Rect(box.x + theme(12), box.y + theme(68), box.width - theme(24), theme(52)),
                style: theme.caption, color: Theme.quiet, align: .center)
        }
    }

    private func drawRow(_ canvas: inout Canvas, _ index: Int, _ rect: Rect, _ nearness: Double) {
        guard sum.problems.indices.contains(index) else { return }
        let problem = sum.problems[index]
        if nearness > 0.01 { canvas.fill(rect, Color.white.faded(0.07 * nearness), radius: theme(10)) }
        let name = context.registry.system(named: problem.system)?.name ?? problem.system
        let inner = rect.inset(by: Insets(left: theme(14), right: theme(14)))
        let column = theme(230)
        canvas.text(
            "\(name), record \(Phrase.grouped(problem.record))",
            in: Rect(inner.x, inner.y, column - theme(10), inner.height), style: theme.label, color: Theme.faint)
        canvas.text(
            problem.reason, in: Rect(inner.x + column, inner.y, inner.width - column, inner.height),
            style: theme.label, color: Theme.text.faded(0.85))
    }

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.back, false), .command(.accept, false): context.host?.pop()
        default: return list.handle(event)
        }
        return true
    }
}
