import Appliance
import Controllers
import Interface

/// All controllers that are there: whose each is, who knows it, how full its battery is.
final class ControllersScreen: Screen {
    private enum Row: Equatable {
        case pad(PadInfo, Battery?)
        case problem(ControllerTable.Problem)
        case setUp
        case swap(Bool)
    }

    private let list = ListView()
    private var rows: [Row] = []

    override init(context: MenuContext) {
        super.init(context: context)
        list.fillsWindow = false
        add(list)
        list.drawRow = { [weak self] canvas, row, rect, nearness in self?.drawRow(&canvas, row, rect, nearness) }
        list.onAccept = { [weak self] row in self?.open(row) }
        list.onSelect = { [weak self] _ in self?.refreshBars() }
        controllersChanged()
        // Who set a pad up over SSH comes here to see it.
        let desk = context.controllers.desk
        let reload = desk.reload
        context.courier.perform({ _ in reload() }) { desk.refresh() }
    }

    override var hints: [Hint] {
        guard rows.indices.contains(list.selection) else { return [Hint(.back, "Back")] }
        switch rows[list.selection] {
        case .problem: return [Hint(.back, "Back")]
        case .swap: return [Hint(.accept, "Change"), Hint(.back, "Back")]
        case .setUp, .pad: return [Hint(.accept, "Choose"), Hint(.back, "Back")]
        }
    }

    override func appear() { controllersChanged() }

    override func controllersChanged() {
        let table = context.controllers
        let before = rows.indices.contains(list.selection) ? rows[list.selection] : nil
        rows = table.ordered.map { .pad($0, table.batteries[$0.id]) }
        rows += table.problems.map { .problem($0) }
        rows += [.setUp, .swap(context.mapper.swapsAcceptAndBack)]
        let same = rows.firstIndex { row in
            switch (row, before) {
            case (.pad(let one, _), .pad(let other, _)?): one.id == other.id
            case (.problem(let one), .problem(let other)?): one == other
            case (.setUp, .setUp?), (.swap, .swap?): true
            default: false
            }
        }
        list.update(count: rows.count, selection: same ?? list.selection)
        refreshBars()
        setNeedsDisplay()
    }

    private func open(_ index: Int) {
        guard rows.indices.contains(index) else { return }
        switch rows[index] {
        case .pad(let pad, _): context.host?.push(PadMenu(context: context, pad: pad))
        case .problem(let problem): context.host?.toast(problem.sentence)
        case .setUp: context.host?.push(DetectScreen(context: context))
        case .swap(let isOn):
            context.host?.settingChanged(Settings.swapAcceptBack.key, isOn ? "off" : "on")
            controllersChanged()
        }
    }

    override func handle(_ event: Event) -> Bool {
        if event == .command(.back, isRepeat: false) || event == .command(.menu, isRepeat: false) {
            context.host?.pop()
            return true
        }
        return list.handle(event)
    }

    // MARK: Layout and painting

    override func layout() {
        list.rowHeight = theme(84)
        let area = content
        list.frame = Rect(area.x - theme(14), area.y + theme(12), area.width + theme(28), area.height - theme(12))
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        let width = canvas.text(
            "Controllers", in: Rect(safe.x, safe.y, safe.width * 0.6, theme(42)), style: theme.heading,
            color: Theme.text)
        let count = context.controllers.pads.count
        canvas.text(
            count == 0 ? "none is connected" : count == 1 ? "1 connected" : "\(count) connected",
            in: Rect(safe.x + width + theme(16), safe.y + theme(3), theme(240), theme(42)), style: theme.label,
            color: Theme.faint)
    }

    private func drawRow(_ canvas: inout Canvas, _ index: Int, _ rect: Rect, _ nearness: Double) {
        guard rows.indices.contains(index) else { return }
        let box = rect.inset(by: Insets(top: theme(5), bottom: theme(5)))
        canvas.fill(box, Theme.panel, radius: theme(16))
        if nearness > 0.01 {
            canvas.gradient(
                box, from: Theme.brand.mixed(with: .white, 0.06).faded(nearness),
                to: Theme.brand.faded(0.72 * nearness), vertical: false, radius: theme(16))
        }
        let inner = box.inset(by: Insets(left: theme(20), right: theme(24)))
        switch rows[index] {
        case .pad(let pad, let battery): draw(pad, battery, in: inner, &canvas)
        case .problem(let problem):
            let side = theme(34)
            canvas.image(
                .icon("warning"), in: Rect(inner.x + theme(4), inner.midY - side / 2, side, side), tint: Theme.warning)
            let line = canvas.measurer.lineHeight(theme.label)
            let width = inner.width - theme(66)
            let lines = canvas.measurer.wrapped(problem.sentence, style: theme.label, width: width, lines: 2)
            canvas.paragraph(
                problem.sentence,
                in: Rect(inner.x + theme(62), inner.midY - line * Double(lines.count) / 2, width, line * 2.1),
                style: theme.label, color: Theme.text)
        case .setUp:
            draw(
                "controller", "Set up a controller", "Any that is connected, or the keyboard", tint: Theme.text,
                in: inner, &canvas)
        case .swap(let isOn):
            draw(
                "check", "Swap A and B", "Accept with the right button, go back with the lower one",
                tint: Theme.text.faded(isOn ? 1 : 0.25), in: inner, &canvas)
            canvas.text(isOn ? "on" : "off", in: inner, style: theme.body, color: Theme.text, align: .right)
        }
    }

    private func draw(
        _ icon: String, _ title: String, _ note: String, tint: Color, in box: Rect, _ canvas: inout Canvas
    ) {
        let side = theme(34)
        canvas.image(
            .icon(icon), in: Rect(box.x + theme(4), box.midY - side / 2, side, side), tint: tint)
        words(title, note, in: Rect(box.x + theme(62), box.y, box.width - theme(130), box.height), &canvas)
    }

    private func words(_ title: String, _ note: String, in box: Rect, _ canvas: inout Canvas) {
        let high = canvas.measurer.lineHeight(theme.row)
        let low = canvas.measurer.lineHeight(theme.label)
        let top = box.midY - (high + low) / 2
        canvas.text(
            title, in: Rect(box.x, top, box.width, high), style: theme.row, color: Theme.text)
        canvas.text(
            note, in: Rect(box.x, top + high, box.width, low), style: theme.label, color: Theme.quiet)
    }

    private func draw(_ pad: PadInfo, _ battery: Battery?, in box: Rect, _ canvas: inout Canvas) {
        let side = theme(44)
        let badge = Rect(box.x, box.midY - side / 2, side, side)
        let isKnown = pad.source != .none
        canvas.fill(badge, isKnown ? Theme.text.faded(0.95) : Theme.warning, radius: theme(12))
        canvas.text(
            pad.player > 0 ? "\(pad.player)" : "–", in: badge, style: theme.row, color: Theme.ink, align: .center)
        var right = box.maxX
        if let battery { right = draw(battery, right: right, box, &canvas) }
        let icon = theme(40)
        right -= icon
        canvas.image(
            .icon(ControllerIcon.name(pad)), in: Rect(right, box.midY - icon / 2, icon, icon),
            tint: Theme.text.faded(0.8))
        words(
            pad.name.trimmedBlanks, Phrase.origin(pad),
            in: Rect(box.x + theme(62), box.y, right - box.x - theme(80), box.height), &canvas)
    }

    /// - Returns: the left edge of what was painted.
    private func draw(_ battery: Battery, right: Double, _ box: Rect, _ canvas: inout Canvas) -> Double {
        let text = "\(battery.percent) %"
        let width = theme(64)
        let isLow = battery.percent <= 15 && !battery.isCharging
        let ink = isLow ? Theme.warning : Theme.text
        canvas.text(
            text, in: Rect(right - width, box.y, width, box.height), style: theme.label, color: ink, align: .right)
        let shell = Rect(right - width - theme(54), box.midY - theme(12), theme(42), theme(24))
        canvas.stroke(shell, ink.faded(0.85), radius: theme(6), width: max(1, theme(2.5)))
        canvas.fill(
            Rect(shell.maxX + theme(1), shell.midY - theme(5), theme(4), theme(10)), ink.faded(0.85), radius: theme(2))
        let room = shell.inset(theme(5))
        canvas.fill(
            Rect(room.x, room.y, max(theme(3), room.width * Double(battery.percent) / 100), room.height), ink,
            radius: theme(2))
        if battery.isCharging {
            let side = theme(22)
            canvas.image(
                .icon("pad-bolt"), in: Rect(shell.midX - side / 2, shell.midY - side / 2, side, side),
                tint: Theme.warning)
        }
        return shell.x - theme(20)
    }
}

extension Phrase {
    /// Who said what a pad's controls are for.
    static func origin(_ pad: PadInfo) -> String {
        switch pad.source {
        case .none: "Not set up"
        case .user: pad.chord == nil ? "Set up by you; cannot leave a game" : "Set up by you"
        case .database, .kernel: pad.chord == nil ? "Known; cannot leave a game" : "Known"
        }
    }
}
