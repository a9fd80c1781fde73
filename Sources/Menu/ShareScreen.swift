import Appliance
import Interface
import SystemKit

/// The share: how other computers reach the folders, with whose name and password, and its switches.
final class ShareScreen: Screen {
    private enum Row: Equatable {
        case isOn(Bool)
        case newPassword
        case ownPassword
        case guest(Bool)
        case repair
    }

    private struct Answer: Sendable {
        let facts: ShareFacts
        let password: String?
    }

    private let list = ListView()
    private var rows: [Row] = []
    private var known: Answer?
    private let inquiry: Inquiry

    override init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context)
        list.fillsWindow = false
        add(list)
        list.drawRow = { [weak self] canvas, row, rect, nearness in self?.drawRow(&canvas, row, rect, nearness) }
        list.onAccept = { [weak self] row in self?.open(row) }
    }

    override var hints: [Hint] { [Hint(.accept, "Change"), Hint(.back, "Back")] }

    override func appear() { look() }

    private func look() {
        let machine = context.machine.machine
        inquiry.ask({
            { _ in
                Answer(
                    facts: ShareFacts.read(
                        roms: machine.data.roms, network: NetworkFacts.read(), sources: machine.files),
                    password: ShareFacts.password(machine.files))
            }
        }) { [weak self] answer in
            self?.known = answer
            self?.fill()
        }
    }

    private var isOn: Bool { known?.facts.state == .running }

    private func fill() {
        guard let facts = known?.facts else { return }
        rows = [.isOn(isOn)]
        if isOn { rows += [.newPassword, .ownPassword, .guest(facts.isGuestAllowed)] }
        if facts.state != .notInstalled { rows.append(.repair) }
        list.update(count: rows.count, selection: list.selection)
        setNeedsLayout()
        setNeedsDisplay()
    }

    private func change(_ change: ShareChange, _ title: String, _ done: String) {
        context.change(.share(change), title: title, done: done) { [weak self] in
            self?.look()
            self?.context.host?.lookAtShareIfShown()
        }
    }

    private func open(_ index: Int) {
        guard rows.indices.contains(index) else { return }
        switch rows[index] {
        case .isOn(true): change(.off, "Stopping the share", "The share is off")
        case .isOn(false): change(.on(password: nil), "Setting the share up", "The share is on")
        case .newPassword:
            ask("A new password?", "Computers that know the old one ask for it again.", "Make one") {
                $0.change(.newPassword, "Making a password", "The share has a new password")
            }
        case .ownPassword:
            context.host?.push(
                TextEntryScreen(
                    context: context, title: "Password of the share", note: "At least eight characters", limit: 64,
                    kind: .exact
                ) { [weak self] text in
                    self?.change(.password(text), "Setting the password", "The share has a new password")
                })
        case .guest(true): change(.guest(isAllowed: false), "Asking for a password", "A password is asked for")
        case .guest(false):
            ask("Let everybody in?", ShareFacts.guestExplanation, "Let everybody in") {
                $0.change(.guest(isAllowed: true), "Letting everybody in", "No password is asked for")
            }
        case .repair: change(.repair, "Looking at who owns what", "Everything can be read and changed")
        }
    }

    private func ask(_ title: String, _ sentence: String, _ yes: String, then: @escaping (ShareScreen) -> Void) {
        context.host?.push(
            QuestionScreen(context: context, title: title, sentence: Phrase.sentence(sentence), yes: yes) {
                [weak self] in
                if let self { then(self) }
            })
    }

    override func handle(_ event: Event) -> Bool {
        if event == .command(.back, isRepeat: false) || event == .command(.menu, isRepeat: false) {
            context.host?.pop()
            return true
        }
        return list.handle(event)
    }

    // MARK: Painting

    private var cardHeight: Double { isOn ? theme(184) : theme(92) }

    override func layout() {
        list.rowHeight = theme(64)
        let top = cardHeight + theme(20)
        list.frame = Rect(
            content.x - theme(14), content.y + theme(8) + top, content.width + theme(28),
            max(theme(64), content.height - theme(8) - top))
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        canvas.text(
            "Share", in: Rect(safe.x, safe.y, safe.width * 0.6, theme(42)), style: theme.heading, color: Theme.text)
        guard let known else { return }
        let card = Rect(content.x, content.y + theme(8), content.width, cardHeight)
        canvas.fill(card, Theme.panel, radius: theme(18))
        canvas.stroke(card, Theme.panelEdge, radius: theme(18), width: 1)
        let inner = card.inset(by: Insets(top: theme(18), left: theme(28), bottom: theme(18), right: theme(28)))
        guard isOn else {
            canvas.paragraph(
                off(known.facts), in: inner, style: theme.body,
                color: known.facts.state == .notInstalled ? Theme.warning : Theme.quiet)
            return
        }
        let facts = known.facts
        var lines: [(String, String)] = [("Windows", facts.windowsAddress)]
        if let address = facts.addresses.first { lines.append(("Others", address)) }
        if facts.isGuestAllowed {
            lines.append(("Password", "none is asked for"))
        } else {
            lines.append(("Name", facts.user ?? "retro"))
            lines.append(("Password", known.password ?? "set by you"))
        }
        let height = inner.height / 4
        for (index, line) in lines.prefix(4).enumerated() {
            let y = inner.y + Double(index) * height
            canvas.text(
                line.0, in: Rect(inner.x, y, theme(130), height), style: theme.label, color: Theme.faint)
            canvas.text(
                line.1, in: Rect(inner.x + theme(140), y, inner.width - theme(140), height), style: theme.row,
                color: Theme.text)
        }
    }

    private func off(_ facts: ShareFacts) -> String {
        switch facts.state {
        case .notInstalled: "Samba is not installed; the package samba brings it."
        case .notConfigured: "The folders are not shared yet."
        case .stopped: "The share is off: no other computer sees the folders."
        case .running: ""
        }
    }

    private func drawRow(_ canvas: inout Canvas, _ index: Int, _ rect: Rect, _ nearness: Double) {
        guard rows.indices.contains(index) else { return }
        let box = rect.inset(by: Insets(top: theme(3), bottom: theme(3)))
        canvas.fill(box, Theme.panel, radius: theme(14))
        if nearness > 0.01 {
            canvas.gradient(
                box, from: Theme.brand.mixed(with: .white, 0.06).faded(nearness),
                to: Theme.brand.faded(0.72 * nearness), vertical: false, radius: theme(14))
        }
        let inner = box.inset(by: Insets(left: theme(26), right: theme(26)))
        let words: (String, String) =
            switch rows[index] {
            case .isOn(let isOn): ("Share the folders", isOn ? "on" : "off")
            case .newPassword: ("Make a new password", "")
            case .ownPassword: ("Choose a password", "")
            case .guest(let isAllowed): ("Let everybody in", isAllowed ? "on" : "off")
            case .repair: ("Repair who owns the files", "")
            }
        canvas.text(words.0, in: inner, style: theme.body, color: Theme.text)
        canvas.text(
            words.1, in: inner, style: theme.label, color: Theme.text.faded(0.6 + 0.3 * nearness), align: .right)
    }
}
