import Interface

/// A panel at the right edge with a few things to choose from.
class ChoiceScreen: Screen {
    /// One row: what it is, what it is set to, and what choosing it does.
    struct Row {
        let label: String
        var value: String = ""
        var isChecked = false
        /// A switch or a member of a set; `nil` for other rows.
        var isOn: Bool?
        /// Whether it warns: something is lost.
        var warns = false
        let action: () -> Void
    }

    let title: String
    var subtitle: String { didSet { setNeedsDisplay() } }
    private let color: Color
    private(set) var rows: [Row]
    private let list = ListView()
    private var presence = Animated(0, duration: 0.16)

    init(context: MenuContext, title: String, subtitle: String = "", accent: Color = Theme.brand, rows: [Row]) {
        self.title = title
        self.subtitle = subtitle
        color = accent
        self.rows = rows
        super.init(context: context)
        add(list)
        list.drawRow = { [weak self] canvas, row, rect, nearness in self?.drawRow(&canvas, row, rect, nearness) }
        list.onAccept = { [weak self] index in
            guard let self, self.rows.indices.contains(index) else { return }
            self.rows[index].action()
        }
        list.reload(count: rows.count, selection: rows.firstIndex { $0.isChecked } ?? 0)
        presence.move(to: 1)
    }

    override var accent: Color { color }
    override var isOverlay: Bool { true }
    override var hints: [Hint] { [Hint(.accept, "Choose"), Hint(.back, "Back")] }

    /// The chosen row.
    var selection: Int { list.selection }

    /// Chooses a row.
    func select(_ row: Int) { list.select(row) }

    /// Shows other rows, keeping the chosen one.
    func replace(_ rows: [Row]) {
        self.rows = rows
        list.update(count: rows.count, selection: list.selection)
        setNeedsDisplay()
    }

    private var panel: Rect {
        let width = min(bounds.width * 0.9, theme(520))
        return Rect(bounds.width - width * presence.value, 0, width, bounds.height)
    }

    override func layout() {
        list.rowHeight = theme(60)
        placeList()
    }

    private func placeList() {
        let safe = theme.safeArea
        let top = safe.y + theme(subtitle.isEmpty ? 76 : 112)
        list.frame = Rect(
            panel.x + theme(24), top, panel.width - theme(48), max(theme(60), content.maxY - top))
    }

    override func animate(_ seconds: Double) -> Bool {
        let moving = presence.step(seconds)
        placeList()
        return moving
    }

    override func draw(_ canvas: inout Canvas) {
        canvas.fill(bounds, Color(hex: 0x05070B, alpha: 0.62 * presence.value))
        canvas.shadow(panel, Color(hex: 0, alpha: 0.6), radius: 0, blur: theme(40))
        canvas.gradient(
            panel, from: Color(hex: 0x1B2030).mixed(with: color, 0.10),
            to: Color(hex: 0x12151F).mixed(with: color, 0.04))
        let safe = theme.safeArea
        let x = panel.x + theme(40)
        canvas.text(
            title, in: Rect(x, safe.y, panel.width - theme(80), theme(44)), style: theme.heading, color: Theme.text)
        if !subtitle.isEmpty {
            canvas.text(
                subtitle, in: Rect(x, safe.y + theme(46), panel.width - theme(80), theme(34)), style: theme.label,
                color: Theme.faint)
        }
    }

    private func drawRow(_ canvas: inout Canvas, _ index: Int, _ rect: Rect, _ nearness: Double) {
        guard rows.indices.contains(index) else { return }
        let row = rows[index]
        let box = rect.inset(by: Insets(top: theme(3), bottom: theme(3)))
        if nearness > 0.01 { canvas.fill(box, color.faded(0.92 * nearness), radius: theme(14)) }
        let ink = nearness > 0.5 ? color.readableText : Theme.text
        let inner = box.inset(by: Insets(left: theme(18), right: theme(18)))
        var right = inner.maxX
        if let isOn = row.isOn {
            let side = theme(26)
            let mark = Rect(right - side, inner.midY - side / 2, side, side)
            if isOn {
                canvas.fill(mark, ink.faded(0.95), radius: theme(7))
                canvas.image(.icon("check"), in: mark.scaled(0.68), tint: nearness > 0.5 ? color : Theme.ink)
            } else {
                canvas.stroke(mark, ink.faded(0.45), radius: theme(7), width: max(1, theme(2)))
            }
            right -= side + theme(14)
        }
        if row.isChecked {
            let side = theme(22)
            canvas.image(.icon("check"), in: Rect(right - side, inner.midY - side / 2, side, side), tint: ink)
            right -= side + theme(12)
        }
        if !row.value.isEmpty {
            let width = min(canvas.measurer.width(of: row.value, style: theme.label), inner.width * 0.5)
            canvas.text(
                row.value, in: Rect(right - width - 1, inner.y, width + 2, inner.height), style: theme.label,
                color: ink.faded(0.65))
            right -= width + theme(14)
        }
        canvas.text(
            row.label, in: Rect(inner.x, inner.y, right - inner.x, inner.height), style: theme.body,
            color: row.warns && nearness <= 0.5 ? Theme.warning : ink)
    }

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.back, false), .command(.menu, false): context.host?.pop()
        case .pointerReleased(let point) where !panel.contains(convertFromWindow(point)): context.host?.pop()
        default:
            // Nothing below an open panel may react.
            _ = list.handle(event)
        }
        return true
    }
}
