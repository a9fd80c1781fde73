import Interface
import SystemKit

/// The clock at the top right.
final class ClockView: View {
    private let context: MenuContext
    private(set) var shown = ""

    init(context: MenuContext) { self.context = context }

    /// Sets the time of day.
    ///
    /// - Parameter minutes: since midnight, local time; `nil` where the time is not known.
    func show(minutes: Int?) {
        let text = minutes.map { ClockView.format(minutes: $0, uses24Hours: context.uses24Hours) } ?? "Clock not set"
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
