import Interface

/// The dark room behind everything, lit in the colour of what is chosen.
final class Backdrop: View {
    private var from = Theme.brand
    private var to = Theme.brand
    private var progress = Animated(1, duration: 0.35)

    /// Turns the light to another colour.
    func light(_ color: Color) {
        guard color != to else { return }
        from = current
        to = color
        progress.jump(to: 0)
        progress.move(to: 1)
        setNeedsDisplay()
    }

    private var current: Color { from.mixed(with: to, progress.value) }

    override func animate(_ seconds: Double) -> Bool { progress.step(seconds) }

    override func draw(_ canvas: inout Canvas) {
        let color = current
        canvas.gradient(
            bounds, from: Theme.night.mixed(with: color, 0.10), to: Theme.ink.mixed(with: color, 0.02))
        let reach = max(bounds.width, bounds.height)
        canvas.glow(Point(bounds.width * 0.80, bounds.height * 0.16), radius: reach * 0.52, color.faded(0.30))
        canvas.glow(Point(bounds.width * 0.06, bounds.height * 1.02), radius: reach * 0.42, color.faded(0.12))
    }
}
