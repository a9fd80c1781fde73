import Controllers
import Interface

/// What the person shall do now, in large: the control's sign with the ring around it, and the words beside it.
final class MappingPrompt: View {
    private let context: MenuContext
    private let family: PadFamily
    private var theme: Theme { context.theme }
    private var face = MappingFace()
    private var arrival = Animated(1, duration: 0.18)
    private var alarm = Animated(0, duration: 0.45)
    /// The sign that goes on being shown while there is no other.
    private var sign: PadFunction?

    init(context: MenuContext, family: PadFamily) {
        self.context = context
        self.family = family
        super.init()
        takesPointer = false
    }

    func show(_ face: MappingFace) {
        guard face != self.face else { return }
        if face.prompt != self.face.prompt {
            arrival.jump(to: 0)
            arrival.move(to: 1)
        }
        if face.isUrgent, face.detail != self.face.detail, face.seconds == nil || !self.face.isUrgent {
            alarm.jump(to: 1)
            alarm.move(to: 0)
        }
        self.face = face
        sign = face.wanted ?? (face.isTesting || face.isLost ? nil : sign)
        setNeedsDisplay()
    }

    override func animate(_ seconds: Double) -> Bool {
        let parts = [arrival.step(seconds), alarm.step(seconds)]
        return parts.contains(true)
    }

    override func draw(_ canvas: inout Canvas) {
        let side = min(bounds.height * 0.86, theme(104))
        let center = Point(side / 2 + theme(4), bounds.midY)
        drawSign(&canvas, center: center, side: side)
        let x = center.x + side / 2 + theme(26)
        let width = bounds.width - x
        var style = theme.title
        while style.size > theme.row.size, canvas.measurer.width(of: face.prompt, style: style) > width {
            style.size = (style.size * 0.92).rounded()
        }
        let rise = (1 - arrival.value) * theme(10)
        let lines =
            face.detail.isEmpty
            ? []
            : canvas.measurer.wrapped(
                face.detail, style: theme.body, width: width, lines: 2)
        let lineHeight = canvas.measurer.lineHeight(theme.body) * 1.04
        let titleHeight = canvas.measurer.lineHeight(style)
        // Two lines keep their room, so that the large words do not jump when a small line comes.
        var y = bounds.midY - (titleHeight + lineHeight * Double(max(1, lines.count))) / 2
        canvas.translated(0, rise, opacity: 0.3 + 0.7 * arrival.value) { canvas in
            canvas.text(
                face.prompt, in: Rect(x, y, width, titleHeight), style: style, color: Theme.text)
        }
        y += titleHeight
        // Something to look at moves a little, once.
        let shake = alarm.value * theme(14)
        for line in lines {
            canvas.text(
                line, in: Rect(x + shake, y, width, lineHeight), style: theme.body,
                color: face.isUrgent ? Theme.warning : Theme.quiet)
            y += lineHeight
        }
    }

    private func drawSign(_ canvas: inout Canvas, center: Point, side: Double) {
        let radius = side / 2
        let width = max(2, theme(8))
        canvas.ring(center, radius: radius, width: width, fraction: 1, Color(hex: 0xFFFFFF, alpha: 0.10))
        if let ring = face.ring, ring > 0 {
            let color = face.isLost ? Theme.warning : PadPicture.want
            canvas.glow(center, radius: radius * 1.7, color.faded(0.35))
            // As few pictures of arcs as the eye cannot tell from all of them.
            canvas.ring(center, radius: radius, width: width, fraction: (ring * 96).rounded() / 96, color)
        }
        let inner = (side - width * 2) * 0.74
        let tile = Rect(center.x - inner / 2, center.y - inner / 2, inner, inner)
        if let seconds = face.seconds {
            canvas.text(
                "\(seconds)", in: tile, style: TextStyle((inner * 0.62).rounded(), .bold, .display),
                color: Theme.text, align: .center)
        } else if face.isTesting || face.isLost {
            canvas.image(.icon(family == .keyboard ? "keyboard" : "controller"), in: tile, tint: Theme.text)
        } else if let sign {
            PadSign.draw(sign, family, in: tile, paper: PadPicture.want, ink: Theme.ink, &canvas)
        }
    }
}
