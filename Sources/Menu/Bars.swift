import Interface
import SystemKit

/// The clock at the top right.
final class ClockView: View {
    private let context: MenuContext
    private(set) var shown = ""

    init(context: MenuContext) { self.context = context }

    /// Sets the time of day.
    ///
    /// - Parameter minutes: since midnight, local time.
    func show(minutes: Int) {
        let text = ClockView.format(minutes: minutes, uses24Hours: context.uses24Hours)
        guard text != shown else { return }
        shown = text
        setNeedsDisplay()
    }

    static func format(minutes: Int, uses24Hours: Bool) -> String {
        let hour = minutes / 60
        let minute = String(minutes % 60 + 100).dropFirst()
        if uses24Hours { return "\(hour):\(minute)" }
        return "\(hour % 12 == 0 ? 12 : hour % 12):\(minute) \(hour < 12 ? "am" : "pm")"
    }

    override func draw(_ canvas: inout Canvas) {
        canvas.text(shown, in: bounds, style: context.theme.body, color: Theme.quiet, align: .right)
    }
}

/// The bar at the bottom that says what each button does.
final class HintBar: View {
    private let context: MenuContext
    private(set) var hints: [Hint] = []
    private var places: [(Rect, Command)] = []
    /// Called when a hint is clicked or touched.
    var onCommand: ((Command) -> Void)?

    init(context: MenuContext) { self.context = context }

    func show(_ hints: [Hint]) {
        if hints != self.hints {
            self.hints = hints
            setNeedsLayout()
        }
        setNeedsDisplay()
    }

    override func layout() { measure() }

    private func measure() {
        guard let measurer else { return }
        let theme = context.theme
        let height = theme(30)
        places = []
        var x = 0.0
        for hint in hints {
            let glyph = context.glyph(hint.command).width(height: height, measurer: measurer)
            let label = measurer.width(of: hint.label, style: theme.label)
            let width = glyph + theme(10) + label
            // What does not fit is left out from the end: the first hints matter most.
            if x + width > bounds.width { break }
            places.append((Rect(x, 0, width, bounds.height), hint.command))
            x += width + theme(30)
        }
    }

    override func draw(_ canvas: inout Canvas) {
        measure()
        let theme = context.theme
        let height = theme(30)
        for ((place, command), hint) in zip(places, hints) {
            let glyph = context.glyph(command)
            glyph.draw(&canvas, x: place.x, y: place.midY - height / 2, height: height)
            let offset = glyph.width(height: height, measurer: canvas.measurer) + theme(10)
            canvas.text(
                hint.label, in: Rect(place.x + offset, place.y, place.width - offset + 2, place.height),
                style: theme.label, color: Theme.quiet)
        }
    }

    override func handle(_ event: Event) -> Bool {
        guard case .pointerReleased(let point) = event else { return false }
        let place = convertFromWindow(point)
        guard let hit = places.first(where: { $0.0.contains(place) }) else { return false }
        onCommand?(hit.1)
        return true
    }
}

/// A short message that goes away by itself.
final class ToastView: View {
    private let context: MenuContext
    private var text = ""
    private var presence = Animated(0)
    /// When it goes away.
    private(set) var deadline: MonotonicInstant?

    init(context: MenuContext) {
        self.context = context
        super.init()
        // It lies over the whole screen, in front of everything.
        takesPointer = false
    }

    func show(_ text: String, now: MonotonicInstant) {
        self.text = text
        deadline = now.advanced(bySeconds: 3.2)
        presence.move(to: 1)
        setNeedsDisplay()
    }

    /// Hides it when its time is over.
    func update(now: MonotonicInstant) {
        guard let deadline, deadline <= now else { return }
        self.deadline = nil
        presence.move(to: 0)
        setNeedsDisplay()
    }

    override func animate(_ seconds: Double) -> Bool { presence.step(seconds) }

    override func draw(_ canvas: inout Canvas) {
        guard presence.value > 0.01 else { return }
        let theme = context.theme
        let width = min(canvas.measurer.width(of: text, style: theme.label) + theme(56), bounds.width * 0.8)
        let height = theme(48)
        // In the corner that the hints leave free: no title, no row and no card is under it.
        let safe = theme.safeArea
        let box = Rect(
            safe.maxX - width + (1 - presence.value) * theme(40), safe.maxY - theme(44), width, height)
        canvas.translated(0, 0, opacity: presence.value) { canvas in
            canvas.shadow(box, Color(hex: 0, alpha: 0.5), radius: height / 2, blur: theme(22))
            canvas.fill(box, Color(hex: 0x262B38), radius: height / 2)
            canvas.stroke(box, Theme.panelEdge, radius: height / 2, width: 1)
            canvas.text(
                text, in: box.inset(by: Insets(left: theme(28), right: theme(28))), style: theme.label,
                color: Theme.text, align: .center)
        }
    }
}
