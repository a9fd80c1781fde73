import Appliance
import Interface

/// A quiet sign beside the clock while games are copied from a stick.
final class StickSign: View {
    private let context: MenuContext
    private var text = ""
    private var fraction = 0.0
    private var presence = Animated(0)

    init(context: MenuContext) {
        self.context = context
        super.init()
        takesPointer = false
    }

    /// Takes in how far a copy is; `nil` where none runs.
    func show(_ journal: StickJournal?) {
        guard let journal else {
            guard presence.target > 0 else { return }
            presence.move(to: 0)
            setNeedsDisplay()
            return
        }
        let text = StickSign.text(journal)
        let fraction = journal.bytes > 0 ? min(1, Double(journal.doneBytes) / Double(journal.bytes)) : 0
        if presence.target > 0, text == self.text, abs(fraction - self.fraction) < 0.004 { return }
        self.text = text
        self.fraction = fraction
        presence.move(to: 1)
        setNeedsDisplay()
    }

    static func text(_ journal: StickJournal) -> String {
        "Copying \(Phrase.grouped(min(journal.doneGames + 1, journal.games))) of \(Phrase.grouped(journal.games))"
    }

    override func animate(_ seconds: Double) -> Bool { presence.step(seconds) }

    override func draw(_ canvas: inout Canvas) {
        guard presence.value > 0.01 else { return }
        let theme = context.theme
        let width = canvas.measurer.width(of: text, style: theme.caption)
        canvas.translated(0, 0, opacity: presence.value) { canvas in
            canvas.text(text, in: bounds, style: theme.caption, color: Theme.faint, align: .right)
            let side = theme(16)
            let place = Point(bounds.maxX - width - theme(10) - side / 2, bounds.midY)
            canvas.ring(place, radius: side / 2, width: theme(3), fraction: 1, Theme.faint.faded(0.25))
            canvas.ring(
                place, radius: side / 2, width: theme(3), fraction: max(0.02, fraction),
                Theme.brand.mixed(with: .white, 0.3))
        }
    }
}
