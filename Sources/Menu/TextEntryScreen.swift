import Interface

/// Asks for a line of text: a name, a title, words to look for.
final class TextEntryScreen: Screen {
    private let title: String
    private let note: String
    private let color: Color
    private let limit: Int
    private let mayBeEmpty: Bool
    private let kind: Kind
    private let onDone: (String) -> Void
    private var text: String
    private let keyboard: KeyboardView
    /// Whether the last letter came from a real keyboard, whose Enter then ends.
    private var isTyping = false

    /// What is written.
    enum Kind {
        /// Words: capitals begin them, and blanks at the ends mean nothing.
        case name
        /// What counts letter by letter: a password, a network's name.
        case exact
    }

    /// - Parameter note: what the text is for, in a few words, shown while there is none.
    init(
        context: MenuContext, title: String, note: String = "", text: String = "", accent: Color = Theme.brand,
        limit: Int = 80, mayBeEmpty: Bool = false, kind: Kind = .name, onDone: @escaping (String) -> Void
    ) {
        self.title = title
        self.note = note
        self.text = text
        self.limit = limit
        self.mayBeEmpty = mayBeEmpty
        self.kind = kind
        self.onDone = onDone
        color = accent
        keyboard = KeyboardView(context: context, writesNames: true)
        super.init(context: context)
        add(keyboard)
        keyboard.isShifted = text.isEmpty && kind == .name
        keyboard.onText = { [weak self] in self?.type($0) }
        keyboard.onDelete = { [weak self] in self?.delete() }
        keyboard.onDone = { [weak self] in self?.done() }
    }

    override var accent: Color { color }
    override var wantsText: Bool { true }
    override var hints: [Hint] {
        [
            Hint(.accept, isTyping ? "Done" : "Type"), Hint(.extra, "Delete"), Hint(.search, "Shift"),
            Hint(.menu, "Done"), Hint(.back, "Cancel"),
        ]
    }

    private func type(_ characters: String) {
        text = String((text + characters.filter { !$0.isNewline }).prefix(limit))
        // As a name is written: a capital begins a word.
        if kind == .name { keyboard.isShifted = text.last == " " }
        setNeedsDisplay()
    }

    private func delete() {
        if !text.isEmpty { text.removeLast() }
        if text.isEmpty, kind == .name { keyboard.isShifted = true }
        setNeedsDisplay()
    }

    private func done() {
        let result = kind == .name ? text.trimmedBlanks : text
        guard mayBeEmpty || !result.isEmpty else { return }
        context.host?.remove(self)
        onDone(result)
    }

    override func layout() {
        let width = min(content.width, theme(820))
        let top = content.y + theme(theme.isLow ? 92 : 120)
        keyboard.frame = Rect(bounds.midX - width / 2, top, width, min(content.maxY - top, theme(380)))
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        canvas.text(
            title, in: Rect(safe.x, safe.y, safe.width * 0.7, theme(42)), style: theme.heading, color: Theme.text)
        let field = Rect(
            keyboard.frame.x, content.y + theme(theme.isLow ? 8 : 24), keyboard.frame.width, theme(64))
        canvas.fill(field, Color(hex: 0, alpha: 0.38), radius: theme(16))
        canvas.stroke(field, color.faded(0.8), radius: theme(16), width: max(1, theme(2)))
        let room = field.inset(by: Insets(left: theme(22), right: theme(26)))
        if text.isEmpty {
            canvas.text(note, in: room, style: theme.body, color: Theme.faint)
        }
        // The end is what is being written: what does not fit goes out of sight at the left.
        var shown = Substring(text)
        while canvas.measurer.width(of: String(shown), style: theme.row) > room.width, !shown.isEmpty {
            shown.removeFirst()
        }
        let width = canvas.text(String(shown), in: room, style: theme.row, color: Theme.text)
        canvas.fill(
            Rect(room.x + width + theme(3), room.midY - theme(15), max(2, theme(3)), theme(30)), color,
            radius: theme(1))
    }

    override func handle(_ event: Event) -> Bool {
        let wasTyping = isTyping
        switch event {
        case .text, .deleteBackward: isTyping = true
        case .command: isTyping = false
        default: break
        }
        if isTyping != wasTyping {
            // A key is marked only where the button that accepts would press it.
            keyboard.isActive = !isTyping
            refreshBars()
        }
        switch event {
        case .text(let text): type(text)
        case .deleteBackward: delete()
        case .command(.accept, false) where wasTyping: done()
        case .command(.menu, false): done()
        case .command(.back, let isRepeat):
            if !isRepeat { context.host?.pop() }
        case .command(.extra, _): delete()
        case .command(.search, false): keyboard.isShifted.toggle()
        case .command: _ = keyboard.handle(event)
        case .pointerMoved, .pointerPressed, .pointerReleased, .wheel: return false
        }
        return true
    }
}
