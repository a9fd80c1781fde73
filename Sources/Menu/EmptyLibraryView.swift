import Interface
import SystemKit

/// What a person sees before the first game is there: how to bring one, and that nothing else has to be done.
final class EmptyLibraryView: View {
    /// The line above the steps.
    var heading = "Bring your first game"
    private let context: MenuContext
    private var theme: Theme { context.theme }

    init(context: MenuContext) { self.context = context }

    override func draw(_ canvas: inout Canvas) {
        let iconSide = theme.isNarrow ? 0 : theme(250)
        let width = bounds.width - (iconSide > 0 ? iconSide + theme(70) : 0)
        if iconSide > 0 {
            let box = Rect(
                bounds.maxX - iconSide - theme(10), bounds.midY - iconSide / 2 - theme(20), iconSide, iconSide)
            canvas.glow(Point(box.midX, box.midY), radius: iconSide * 0.7, Theme.brand.faded(0.35))
            canvas.image(.icon("console"), in: box, tint: Theme.brand.mixed(with: .white, 0.25))
        }
        var y = theme(theme.isLow ? 6 : 26)
        canvas.text(
            heading, in: Rect(0, y, width, theme(58)), style: theme.title, color: Theme.text)
        y += theme(theme.isLow ? 58 : 70)
        for (index, step) in steps.enumerated() {
            y += draw(step, number: index + 1, in: Rect(0, y, width, bounds.height - y), &canvas)
        }
    }

    private struct Step {
        let text: String
        let values: [String]
    }

    private var steps: [Step] {
        var addresses: [String] = []
        if let windows = context.share.windows { addresses.append(windows) }
        if let url = context.share.url { addresses.append(url) }
        let first =
            addresses.isEmpty
            ? Step(text: "Open the folder of games on this machine", values: [context.share.folder.displayString])
            : Step(text: "On another computer, open the shared folder", values: addresses)
        return [
            first,
            Step(text: "Copy a game into the folder of its system", values: ["nes", "snes", "megadrive", "gb", "…"]),
            Step(text: "It appears here by itself, a moment after it is copied", values: []),
        ]
    }

    private func draw(_ step: Step, number: Int, in area: Rect, _ canvas: inout Canvas) -> Double {
        let side = theme(40)
        canvas.fill(Rect(area.x, area.y, side, side), Theme.brand.faded(0.9), radius: side / 2)
        canvas.text(
            String(number), in: Rect(area.x, area.y, side, side), style: theme.caption, color: .white, align: .center)
        let x = area.x + side + theme(20)
        let width = area.width - side - theme(20)
        let used = canvas.paragraph(
            step.text, in: Rect(x, area.y + theme(6), width, theme(62)), style: theme.body, color: Theme.text)
        var height = theme(6) + used
        if !step.values.isEmpty {
            height += theme(10)
            var left = x
            for value in step.values {
                let chip = min(canvas.measurer.width(of: value, style: theme.body) + theme(32), width)
                if left > x && left + chip > x + width {
                    left = x
                    height += theme(52)
                }
                let box = Rect(left, area.y + height, chip, theme(44))
                canvas.fill(box, Theme.panel, radius: theme(10))
                canvas.stroke(box, Theme.panelEdge, radius: theme(10), width: 1)
                canvas.text(
                    value, in: box.inset(by: Insets(left: theme(16), right: theme(12))), style: theme.body,
                    color: Theme.brand.mixed(with: .white, 0.6))
                left += chip + theme(12)
            }
            height += theme(44)
        }
        return max(height, side) + theme(theme.isLow ? 16 : 26)
    }
}
