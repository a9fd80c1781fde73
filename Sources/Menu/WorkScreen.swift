import Appliance
import Interface
import SystemKit

/// Shows that the machine is being changed, and what just now. It goes by itself; who does not want to wait leaves it.
final class WorkScreen: Screen {
    private let title: String
    private var sentence = ""
    private var angle = 0.0

    init(context: MenuContext, title: String) {
        self.title = title
        super.init(context: context)
    }

    override var isOverlay: Bool { true }
    override var hints: [Hint] { [Hint(.back, "Go on meanwhile")] }

    /// Tells what is being done.
    func show(_ sentence: String) {
        self.sentence = sentence
        setNeedsDisplay()
    }

    override func animate(_ seconds: Double) -> Bool {
        angle = (angle + seconds * 0.8).truncatingRemainder(dividingBy: 1)
        return true
    }

    override func draw(_ canvas: inout Canvas) {
        canvas.fill(bounds, Color(hex: 0x05070B, alpha: 0.72))
        let width = min(content.width, theme(640))
        let height = theme(210)
        let box = Rect(bounds.midX - width / 2, content.midY - height / 2, width, height)
        canvas.shadow(box, Color(hex: 0, alpha: 0.55), radius: theme(26), blur: theme(44))
        canvas.fill(box, Color(hex: 0x1A1F2C), radius: theme(26))
        canvas.stroke(box, Theme.panelEdge, radius: theme(26), width: max(1, theme(1.5)))
        let inner = box.inset(theme(44))
        canvas.text(
            title, in: Rect(inner.x, inner.y, inner.width - theme(70), theme(44)), style: theme.heading,
            color: Theme.text)
        canvas.paragraph(
            sentence, in: Rect(inner.x, inner.y + theme(56), inner.width, theme(70)), style: theme.body,
            color: Theme.quiet)
        drawSign(&canvas, at: Point(inner.maxX - theme(22), inner.y + theme(22)))
    }

    /// Dots in a circle, of which one is the brightest and moves.
    private func drawSign(_ canvas: inout Canvas, at center: Point) {
        let count = 8
        for index in 0..<count {
            let share = Double(index) / Double(count)
            let behind = (angle - share + 1).truncatingRemainder(dividingBy: 1)
            let (x, y) = WorkScreen.places[index]
            let side = theme(6)
            canvas.fill(
                Rect(center.x + x * theme(18) - side / 2, center.y + y * theme(18) - side / 2, side, side),
                Theme.brand.mixed(with: .white, 0.4).faded(0.15 + 0.85 * (1 - behind)), radius: side / 2)
        }
    }

    private static let places: [(Double, Double)] = [
        (0, -1), (0.707, -0.707), (1, 0), (0.707, 0.707), (0, 1), (-0.707, 0.707), (-1, 0), (-0.707, -0.707),
    ]

    override func handle(_ event: Event) -> Bool {
        if event == .command(.back, isRepeat: false) { context.host?.remove(self) }
        return true
    }
}

extension MenuContext {
    /// Changes the machine while a sign says so, then tells what came of it.
    ///
    /// - Parameters:
    ///   - title: what is done: `Joining Home`.
    ///   - done: what is told when it worked; the change's own notes come in place of it.
    ///   - failed: gets the sentence of what went wrong; without it that is shown.
    func change(
        _ change: MachineChange, title: String, done: String, then: @escaping () -> Void = {},
        failed: ((String) -> Void)? = nil
    ) {
        let screen = WorkScreen(context: self, title: title)
        host?.push(screen)
        let desk = machine
        courier.work { tell in
            try desk.perform(change, tell)
        } progress: { [weak screen] in
            screen?.show($0)
        } then: { [weak self, weak screen] notes in
            guard let self else { return }
            if let screen { self.host?.remove(screen) }
            if notes.isEmpty {
                self.host?.toast(done)
            } else {
                self.host?.push(
                    QuestionScreen(
                        context: self, title: done, sentence: notes.joined(separator: " "), accent: Theme.brand))
            }
            then()
        } failed: { [weak self, weak screen] sentence in
            guard let self else { return }
            if let screen { self.host?.remove(screen) }
            if let failed { return failed(sentence) }
            self.host?.push(
                QuestionScreen(context: self, title: "That did not work", sentence: Phrase.sentence(sentence)))
            then()
        }
    }
}

extension Phrase {
    /// A message as a sentence: with a capital and a full stop.
    static func sentence(_ text: String) -> String {
        guard let first = text.first else { return "" }
        let whole = first.uppercased() + text.dropFirst()
        return [".", "!", "?", "…"].contains { whole.hasSuffix($0) } ? whole : whole + "."
    }
}
