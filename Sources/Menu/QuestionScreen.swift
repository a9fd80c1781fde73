import Interface

/// Asks before something is done that cannot be undone by a press.
final class QuestionScreen: Screen {
    private let title: String
    private let sentence: String
    private let answers: [String]
    private let color: Color
    private let onYes: () -> Void
    private let onNo: () -> Void
    private var choice = 0
    private var places: [Rect] = []

    /// - Parameters:
    ///   - yes: what the button says that does it; the other one, which is chosen first, says `no`.
    init(
        context: MenuContext, title: String, sentence: String, yes: String, no: String = "Cancel",
        accent: Color = Theme.warning, onYes: @escaping () -> Void
    ) {
        self.title = title
        self.sentence = sentence
        answers = [no, yes]
        color = accent
        self.onYes = onYes
        onNo = {}
        super.init(context: context)
    }

    /// Tells something that must be read, and has one button.
    init(
        context: MenuContext, title: String, sentence: String, button: String = "OK", accent: Color = Theme.warning,
        then: @escaping () -> Void = {}
    ) {
        self.title = title
        self.sentence = sentence
        answers = [button]
        color = accent
        onYes = {}
        onNo = then
        super.init(context: context)
    }

    override var accent: Color { color }
    override var isOverlay: Bool { true }
    override var hints: [Hint] {
        answers.count == 1
            ? [Hint(.accept, answers[0])]
            : [Hint(.accept, "Choose"), Hint(.right, "Other"), Hint(.back, answers[0])]
    }

    override func draw(_ canvas: inout Canvas) {
        canvas.fill(bounds, Color(hex: 0x05070B, alpha: 0.72))
        let width = min(content.width, theme(760))
        let inside = width - theme(88)
        let lines = canvas.measurer.wrapped(sentence, style: theme.body, width: inside, lines: 7)
        let lineHeight = canvas.measurer.lineHeight(theme.body) * 1.14
        let height = theme(44) * 2 + theme(60) + Double(lines.count) * lineHeight + theme(28) + theme(56)
        let box = Rect(bounds.midX - width / 2, max(theme(20), content.midY - height / 2), width, height)
        canvas.shadow(box, Color(hex: 0, alpha: 0.55), radius: theme(26), blur: theme(44))
        canvas.fill(box, Color(hex: 0x1A1F2C), radius: theme(26))
        canvas.stroke(box, Theme.panelEdge, radius: theme(26), width: max(1, theme(1.5)))
        let inner = box.inset(theme(44))
        canvas.text(
            title, in: Rect(inner.x, inner.y, inner.width, theme(44)), style: theme.heading, color: Theme.text)
        var y = inner.y + theme(60)
        for line in lines {
            canvas.text(line, in: Rect(inner.x, y, inner.width, lineHeight), style: theme.body, color: Theme.quiet)
            y += lineHeight
        }
        var x = inner.x
        places = []
        for (index, answer) in answers.enumerated() {
            let width = canvas.measurer.width(of: answer, style: theme.label) + theme(56)
            let place = Rect(x, inner.maxY - theme(56), width, theme(56))
            let isChosen = index == choice
            canvas.fill(place, isChosen ? Color(hex: 0xF4F6FB) : Theme.panel, radius: theme(14))
            canvas.text(
                answer, in: place, style: theme.label, color: isChosen ? Theme.ink : Theme.text, align: .center)
            places.append(place)
            x += width + theme(16)
        }
    }

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.left, _), .command(.up, _): choose(0)
        case .command(.right, _), .command(.down, _): choose(1)
        case .command(.accept, false): answer(choice)
        case .command(.back, false): answer(0)
        case .pointerReleased(let point):
            if let hit = places.firstIndex(where: { $0.contains(convertFromWindow(point)) }) { answer(hit) }
        default: break
        }
        return true
    }

    private func choose(_ index: Int) {
        choice = min(index, answers.count - 1)
        setNeedsDisplay()
    }

    private func answer(_ index: Int) {
        context.host?.remove(self)
        if index == 1 { onYes() } else { onNo() }
    }
}
