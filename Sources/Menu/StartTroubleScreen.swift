import Catalog
import Interface

/// Says calmly that nothing can be stored and what to do about it; the games can be played all the same.
final class StartTroubleScreen: Screen {
    private let trouble: StartTrouble

    init(context: MenuContext, trouble: StartTrouble) {
        self.trouble = trouble
        super.init(context: context)
    }

    override var accent: Color { Theme.warning }
    override var hints: [Hint] { [Hint(.accept, "Go on to the games")] }

    override func draw(_ canvas: inout Canvas) {
        let width = min(content.width, theme(860))
        let side = theme(64)
        let body = theme.body
        let lineHeight = canvas.measurer.lineHeight(body) * 1.2
        let room = max(2, Int((content.height - theme(190)) / lineHeight / 2))
        let what = canvas.measurer.wrapped(trouble.sentence, style: body, width: width, lines: room)
        let advice = canvas.measurer.wrapped(trouble.advice, style: body, width: width, lines: room)
        let height = side + theme(84) + Double(what.count + advice.count) * lineHeight + theme(20)
        let x = bounds.midX - width / 2
        var y = max(content.y, content.midY - height / 2)
        canvas.glow(Point(x + side / 2, y + side / 2), radius: theme(150), Theme.warning.faded(0.25))
        canvas.image(.icon("warning"), in: Rect(x, y, side, side), tint: Theme.warning)
        y += side + theme(18)
        canvas.text(
            "Nothing can be stored now", in: Rect(x, y, width, theme(52)), style: theme.title, color: Theme.text)
        y += theme(66)
        for line in what {
            canvas.text(line, in: Rect(x, y, width, lineHeight), style: body, color: Theme.text.faded(0.9))
            y += lineHeight
        }
        y += theme(20)
        for line in advice {
            canvas.text(line, in: Rect(x, y, width, lineHeight), style: body, color: Theme.quiet)
            y += lineHeight
        }
    }

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.accept, false), .command(.back, false), .command(.menu, false), .pointerReleased:
            context.host?.remove(self)
        default: break
        }
        return true
    }
}
