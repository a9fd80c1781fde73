import Appliance
import Interface
import SystemKit

/// What is wrong with the machine, and what to do about it.
final class HealthScreen: Screen {
    private struct Finding: Sendable {
        let state: DoctorState
        let reason: String
        let cure: String
    }

    private let list = ListView()
    private var findings: [Finding] = []
    private var looked = 0
    private var isLoaded = false
    private let inquiry: Inquiry

    override init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context)
        add(list)
        list.drawRow = { [weak self] canvas, row, rect, nearness in self?.drawRow(&canvas, row, rect, nearness) }
        list.onAccept = { [weak self] row in self?.open(row) }
    }

    override var accent: Color { findings.isEmpty ? Theme.brand : Theme.warning }
    override var hints: [Hint] {
        (findings.isEmpty ? [] : [Hint(.accept, "What to do")]) + [Hint(.extra, "Look again"), Hint(.back, "Back")]
    }

    override func appear() { if !isLoaded { look() } }

    private func look() {
        isLoaded = false
        setNeedsDisplay()
        let machine = context.machine.machine
        inquiry.ask({
            { _ in
                var doctor = DoctorContext(machine: machine, network: NetworkFacts.read())
                // Measuring the disk writes to it, which is for who asks for it.
                doctor.durableWrite = { _ in nil }
                let context = doctor
                return Doctor.checks.map { check in
                    let verdict = check.look(context)
                    return Finding(state: verdict.state, reason: verdict.reason, cure: verdict.cure)
                }
            }
        }) { [weak self] (all: [Finding]) in
            guard let self else { return }
            self.looked = all.count
            self.findings = all.filter { $0.state == .failed } + all.filter { $0.state == .warning }
            self.isLoaded = true
            self.list.update(count: self.findings.count, selection: self.list.selection)
            self.refreshBars()
            self.setNeedsDisplay()
        }
    }

    private func open(_ index: Int) {
        guard findings.indices.contains(index) else { return }
        let finding = findings[index]
        context.host?.push(
            QuestionScreen(
                context: context, title: finding.state == .failed ? "This does not work" : "This wants a look",
                sentence: [finding.reason, finding.cure].filter { !$0.isEmpty }.map(Phrase.sentence)
                    .joined(separator: "\n")))
    }

    override func layout() {
        list.rowHeight = theme(76)
        list.frame = Rect(
            content.x - theme(14), content.y + theme(10), content.width + theme(28), content.height - theme(10))
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        let width = canvas.text(
            "Health", in: Rect(safe.x, safe.y, safe.width * 0.7, theme(42)), style: theme.heading, color: Theme.text)
        let words =
            !isLoaded
            ? "looking" : findings.isEmpty ? "\(looked) things looked at" : "\(findings.count) of \(looked) want a look"
        canvas.text(
            words, in: Rect(safe.x + width + theme(16), safe.y + theme(3), theme(360), theme(42)), style: theme.label,
            color: Theme.faint)
        if isLoaded, findings.isEmpty {
            canvas.text("All is well.", in: content, style: theme.body, color: Theme.quiet, align: .center)
        }
    }

    private func drawRow(_ canvas: inout Canvas, _ index: Int, _ rect: Rect, _ nearness: Double) {
        guard findings.indices.contains(index) else { return }
        let finding = findings[index]
        let box = rect.inset(by: Insets(top: theme(4), bottom: theme(4)))
        canvas.fill(box, Color(hex: 0xFFFFFF, alpha: 0.055 + 0.09 * nearness), radius: theme(16))
        let side = theme(26)
        canvas.image(
            .icon("warning"), in: Rect(box.x + theme(20), box.midY - side / 2, side, side),
            tint: finding.state == .failed ? Theme.heart : Theme.warning)
        let inner = Rect(box.x + theme(64), box.y, box.width - theme(84), box.height)
        let line = canvas.measurer.lineHeight(theme.label)
        let lines = canvas.measurer.wrapped(finding.reason, style: theme.label, width: inner.width, lines: 2)
        canvas.paragraph(
            Phrase.sentence(finding.reason),
            in: Rect(inner.x, inner.midY - line * Double(lines.count) / 2, inner.width, line * 2.1), style: theme.label,
            color: Theme.text)
    }

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.back, false), .command(.menu, false): context.host?.pop()
        case .command(.extra, false): look()
        default: return list.handle(event)
        }
        return true
    }
}
