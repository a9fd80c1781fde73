import Interface
import SystemKit

/// What can be done about something that was just told.
struct ToastAction {
    /// One word: `Undo`.
    let label: String
    let run: () -> Void
}

/// A short message that goes away by itself; while it is there, Select does what it offers.
final class ToastView: View {
    private let context: MenuContext
    private var text = ""
    private var action: ToastAction?
    private var actionPlace = Rect.zero
    private var presence = Animated(0)
    /// When it goes away.
    private(set) var deadline: MonotonicInstant?

    /// Seconds for which it is there.
    private static let patience = 3.2
    /// Seconds for which something can be undone.
    private static let undoPatience = 6.0

    init(context: MenuContext) {
        self.context = context
        super.init()
        // It lies over the whole screen, in front of everything.
        takesPointer = false
    }

    func show(_ text: String, action: ToastAction? = nil, now: MonotonicInstant) {
        self.text = text
        self.action = action
        deadline = now.advanced(bySeconds: action == nil ? ToastView.patience : ToastView.undoPatience)
        presence.move(to: 1)
        setNeedsDisplay()
    }

    /// Hides it when its time is over.
    func update(now: MonotonicInstant) {
        guard let deadline, deadline <= now else { return }
        hide()
    }

    private func hide() {
        deadline = nil
        action = nil
        presence.move(to: 0)
        setNeedsDisplay()
    }

    /// Whether the event asked for what is offered; it is done then.
    func takes(_ event: Event) -> Bool {
        guard deadline != nil, let action else { return false }
        switch event {
        case .command(.select, false): break
        case .pointerReleased(let point) where actionPlace.contains(point): break
        default: return false
        }
        hide()
        action.run()
        return true
    }

    override func animate(_ seconds: Double) -> Bool { presence.step(seconds) }

    override func draw(_ canvas: inout Canvas) {
        guard presence.value > 0.01 else { return }
        let theme = context.theme
        let measurer = canvas.measurer
        let sign = theme(28)
        let glyph = context.glyph(.select)
        let offer = action.map { offer in
            glyph.width(height: sign, measurer: measurer) + theme(34)
                + measurer.width(of: offer.label, style: theme.label)
        }
        let most = theme.safeArea.width * (theme.isNarrow ? 1 : 0.8)
        let padding = theme(56) + (offer ?? 0)
        let full = measurer.width(of: text, style: theme.label)
        // What is too long for a line gets a second one.
        let lines =
            full + padding <= most
            ? [text] : measurer.wrapped(text, style: theme.label, width: most - padding, lines: 2)
        let width = min((lines.map { measurer.width(of: $0, style: theme.label) }.max() ?? full) + padding, most)
        let lineHeight = measurer.lineHeight(theme.label)
        let height = lines.count > 1 ? lineHeight * 2 + theme(26) : theme(48)
        // In the corner that the hints leave free: no title, no row and no card is under it.
        let safe = theme.safeArea
        let box = Rect(
            safe.maxX - width + (1 - presence.value) * theme(40), safe.maxY + theme(4) - height, width, height)
        let radius = theme(24)
        canvas.translated(0, 0, opacity: presence.value) { canvas in
            canvas.shadow(box, Color(hex: 0, alpha: 0.5), radius: radius, blur: theme(22))
            canvas.fill(box, Color(hex: 0x262B38), radius: radius)
            canvas.stroke(box, Theme.panelEdge, radius: radius, width: 1)
            let inner = box.inset(by: Insets(left: theme(28), right: theme(28) + (offer ?? 0)))
            let top = box.midY - Double(lines.count) * lineHeight / 2
            for (index, line) in lines.enumerated() {
                canvas.text(
                    line, in: Rect(inner.x, top + Double(index) * lineHeight, inner.width, lineHeight),
                    style: theme.label, color: Theme.text,
                    align: action == nil && lines.count == 1 ? .center : .left)
            }
            guard let action, let offer else { return }
            let x = box.maxX - theme(28) - offer + theme(24)
            actionPlace = Rect(x - theme(12), box.y, offer + theme(28), box.height)
            glyph.draw(&canvas, x: x, y: box.midY - sign / 2, height: sign)
            let after = x + glyph.width(height: sign, measurer: measurer) + theme(10)
            canvas.text(
                action.label, in: Rect(after, box.y, box.maxX - after, box.height), style: theme.label,
                color: Theme.text)
        }
    }
}

/// A quiet sign beside the clock while the folders are being looked through.
final class ScanSign: View {
    private let context: MenuContext
    private var entries = 0
    private var since: MonotonicInstant?
    private var presence = Animated(0)
    /// When it goes away although nobody said that the scan is over: the process that scanned may be gone.
    private(set) var deadline: MonotonicInstant?

    /// Seconds that a scan may take without being told.
    private static let discretion = 0.8

    init(context: MenuContext) {
        self.context = context
        super.init()
        takesPointer = false
    }

    /// Takes in how far a scan is.
    func show(entries: Int, now: MonotonicInstant) {
        let began = since ?? now
        since = began
        deadline = now.advanced(bySeconds: 6)
        guard now.seconds(since: began) >= ScanSign.discretion else { return }
        self.entries = entries
        presence.move(to: 1)
        setNeedsDisplay()
    }

    /// The scan is over.
    func hide() {
        since = nil
        deadline = nil
        guard presence.target > 0 else { return }
        presence.move(to: 0)
        setNeedsDisplay()
    }

    /// Hides it when nothing was heard for long.
    func update(now: MonotonicInstant) {
        if let deadline, deadline <= now { hide() }
    }

    override func animate(_ seconds: Double) -> Bool { presence.step(seconds) }

    override func draw(_ canvas: inout Canvas) {
        guard presence.value > 0.01 else { return }
        let theme = context.theme
        let text = "\(Phrase.grouped(entries)) looked at"
        let width = canvas.measurer.width(of: text, style: theme.caption)
        canvas.translated(0, 0, opacity: presence.value) { canvas in
            canvas.text(text, in: bounds, style: theme.caption, color: Theme.faint, align: .right)
            let side = theme(16)
            canvas.ring(
                Point(bounds.maxX - width - theme(10) - side / 2, bounds.midY), radius: side / 2, width: theme(3),
                fraction: 0.72, Theme.brand.mixed(with: .white, 0.3))
        }
    }
}

/// Counts games that arrive in a row into one message: ten thousand copied files are one sentence that grows.
struct ArrivalNews {
    /// Seconds in which further arrivals belong to the same message.
    private static let memory = 4.0
    /// Seconds between two changes of the message.
    private static let pace = 0.5
    private var count = 0
    private var heard: MonotonicInstant?
    private var shown: MonotonicInstant?
    /// When the message is due that was held back.
    private(set) var deadline: MonotonicInstant?

    /// Games arrived.
    mutating func add(_ games: Int, now: MonotonicInstant) {
        if let heard, now.seconds(since: heard) > ArrivalNews.memory { count = 0 }
        heard = now
        count += games
        let earliest = shown?.advanced(bySeconds: ArrivalNews.pace) ?? now
        deadline = max(now, earliest)
    }

    /// The sentence that is due.
    mutating func take(now: MonotonicInstant) -> String? {
        guard let deadline, deadline <= now else { return nil }
        self.deadline = nil
        shown = now
        return count == 1 ? "1 new game" : "\(Phrase.grouped(count)) new games"
    }
}
