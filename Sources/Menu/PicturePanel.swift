import Appliance
import Interface

/// The resolution of each screen, and what the television cuts off.
final class PicturePanel: ChoiceScreen {
    private let inquiry: Inquiry
    private var facts: PictureFacts?

    init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context, title: "Picture", rows: [])
    }

    override func appear() { look() }

    private func look() {
        let machine = context.machine.machine
        inquiry.ask({ { _ in PictureFacts.read(machine) } }) { [weak self] facts in
            self?.facts = facts
            self?.fill()
        }
    }

    private func fill() {
        guard let facts else { return }
        guard facts.isChangeable else {
            return replace([
                Row(label: "Set by the system") { [weak self] in
                    guard let self else { return }
                    self.context.host?.push(
                        QuestionScreen(
                            context: self.context, title: "Picture",
                            sentence: "This machine has no cmdline.txt: its resolution is chosen elsewhere."))
                }
            ])
        }
        let connected = facts.outputs.filter(\.isConnected)
        var rows = connected.map { output in
            Row(
                label: connected.count > 1 ? "Resolution, \(output.name)" : "Resolution",
                value: output.setting ?? "automatic"
            ) { [weak self] in
                guard let self else { return }
                self.context.host?.push(ResolutionPanel(context: self.context, output: output))
            }
        }
        let margins = connected.first?.margins ?? facts.firmwareMargins
        let isCut = margins != PictureFacts.Margins()
        rows.append(
            Row(label: "Edges of the picture", value: isCut ? "moved in" : "not moved") { [weak self] in
                guard let self else { return }
                self.context.host?.push(EdgesScreen(context: self.context, margins: margins))
            })
        replace(rows)
    }
}

/// The resolutions that a screen offers.
final class ResolutionPanel: ChoiceScreen {
    init(context: MenuContext, output: PictureFacts.Output) {
        super.init(
            context: context, title: "Resolution", subtitle: "From the next start", rows: [])
        let automatic = Row(label: "Automatic", value: output.modes.first ?? "", isChecked: output.setting == nil) {
            [weak self] in self?.take(output.name, nil)
        }
        replace(
            [automatic]
                + output.modes.map { mode in
                    Row(label: mode, isChecked: output.setting == mode) { [weak self] in
                        self?.take(output.name, mode)
                    }
                })
    }

    private func take(_ output: String, _ mode: String?) {
        let context = context
        context.host?.remove(self)
        context.change(
            .boot(.resolution(output: output, mode: mode)), title: "Setting the resolution",
            done: "\(mode ?? "Automatic") from the next start")
    }
}

/// A frame at the edges of the picture, which is moved in until all of it can be seen.
final class EdgesScreen: Screen {
    private var horizontal: Int
    private var vertical: Int

    /// Pixels a press.
    private static let step = 4
    private static let most = 200

    init(context: MenuContext, margins: PictureFacts.Margins) {
        horizontal = max(margins.left, margins.right)
        vertical = max(margins.top, margins.bottom)
        super.init(context: context)
    }

    override var showsBars: Bool { false }

    override func draw(_ canvas: inout Canvas) {
        canvas.fill(bounds, Theme.ink)
        let frame = bounds.inset(
            by: Insets(
                top: Double(vertical), left: Double(horizontal), bottom: Double(vertical), right: Double(horizontal)))
        let line = max(2, theme(4))
        canvas.stroke(frame, Theme.brand, radius: 0, width: line)
        let arm = theme(64)
        for (x, y) in [
            (frame.x, frame.y), (frame.maxX - arm, frame.y), (frame.x, frame.maxY - arm),
            (frame.maxX - arm, frame.maxY - arm),
        ] {
            canvas.fill(Rect(x, y, arm, arm), Theme.brand.faded(0.45))
        }
        let high = theme(44)
        canvas.text(
            "Edges of the picture", in: Rect(0, bounds.midY - high * 1.6, bounds.width, high), style: theme.heading,
            color: Theme.text, align: .center)
        canvas.text(
            "Move the frame with the D-pad until all of it can be seen.",
            in: Rect(0, bounds.midY - high * 0.5, bounds.width, high), style: theme.body, color: Theme.quiet,
            align: .center)
        let accept = context.glyph(.accept)
        let back = context.glyph(.back)
        let sign = theme(30)
        let parts: [(ButtonGlyph, String)] = [(accept, "Keep it"), (back, "Leave it")]
        var width = 0.0
        for (glyph, word) in parts {
            width += glyph.width(height: sign, measurer: canvas.measurer) + theme(10)
            width += canvas.measurer.width(of: word, style: theme.label) + theme(30)
        }
        var x = bounds.midX - width / 2
        let y = bounds.midY + high * 0.9
        for (glyph, word) in parts {
            glyph.draw(&canvas, x: x, y: y, height: sign)
            x += glyph.width(height: sign, measurer: canvas.measurer) + theme(10)
            let room = canvas.measurer.width(of: word, style: theme.label)
            canvas.text(word, in: Rect(x, y, room + 2, sign), style: theme.label, color: Theme.text)
            x += room + theme(30)
        }
    }

    override func handle(_ event: Event) -> Bool {
        let step = EdgesScreen.step
        switch event {
        case .command(.left, _): horizontal = max(0, horizontal - step)
        case .command(.right, _): horizontal = min(EdgesScreen.most, horizontal + step)
        case .command(.up, _): vertical = max(0, vertical - step)
        case .command(.down, _): vertical = min(EdgesScreen.most, vertical + step)
        case .command(.accept, false): keep()
        case .command(.back, false): context.host?.pop()
        default: return true
        }
        setNeedsDisplay()
        return true
    }

    private func keep() {
        let context = context
        let change = BootChange.overscan(left: horizontal, right: horizontal, top: vertical, bottom: vertical)
        context.host?.remove(self)
        context.change(.boot(change), title: "Setting the edges", done: "The edges count from the next start")
    }
}
