/// A list of any length in a column: only the rows in sight exist, and they are used again as it scrolls.
public final class ListView: View {
    /// How many rows there are.
    public private(set) var count = 0
    /// The chosen row; 0 in an empty list.
    public private(set) var selection = 0
    /// Pixels from one row to the next.
    public var rowHeight = 48.0 { didSet { if rowHeight != oldValue { setNeedsLayout() } } }
    /// Paints one row: canvas, index, its place, and how selected it is (0...1, moving).
    public var drawRow: ((inout Canvas, Int, Rect, Double) -> Void)?
    /// Called when another row is chosen.
    public var onSelect: ((Int) -> Void)?
    /// Called when the chosen row is taken.
    public var onAccept: ((Int) -> Void)?
    /// The rows that must be ready to be painted.
    public var onVisible: ((Range<Int>) -> Void)?
    private var scroll = Animated(0, duration: 0.16)
    private var highlight = Animated(0, duration: 0.12)
    private var pressedRow: Int?
    private var dragStart: (y: Double, scroll: Double)?

    /// An empty list.
    public override init() {
        super.init()
        clipsToBounds = true
    }

    /// Sets the number of rows and the chosen one, without motion.
    public func reload(count: Int, selection: Int) {
        self.count = max(0, count)
        self.selection = min(max(0, selection), max(0, count - 1))
        highlight.jump(to: Double(self.selection))
        scroll.jump(to: wantedScroll)
        announceVisible()
        setNeedsDisplay()
    }

    /// The number of rows changed around the chosen one, which stays in its place on the screen.
    public func update(count: Int, selection: Int) {
        let onScreen = Double(self.selection) * rowHeight - scroll.value
        self.count = max(0, count)
        self.selection = min(max(0, selection), max(0, count - 1))
        highlight.jump(to: Double(self.selection))
        scroll.jump(to: clampScroll(Double(self.selection) * rowHeight - onScreen))
        scroll.move(to: wantedScroll)
        announceVisible()
        setNeedsDisplay()
    }

    /// Chooses a row and brings it into sight.
    public func select(_ index: Int, animated: Bool = true) {
        guard count > 0 else { return }
        let index = min(max(0, index), count - 1)
        let moved = index != selection
        selection = index
        if animated {
            highlight.move(to: Double(index))
            scroll.move(to: wantedScroll)
            // From far away the rows in between are not worth a trip through all of them.
            if abs(scroll.target - scroll.value) > frame.height * 3 {
                let side = scroll.target > scroll.value ? -1.0 : 1.0
                scroll.jump(to: clampScroll(scroll.target + side * frame.height))
                scroll.move(to: wantedScroll)
                highlight.jump(to: Double(index))
            }
        } else {
            highlight.jump(to: Double(index))
            scroll.jump(to: wantedScroll)
        }
        announceVisible()
        setNeedsDisplay()
        if moved { onSelect?(index) }
    }

    /// How many whole rows are in sight.
    public var rowsInSight: Int { max(1, Int(frame.height / max(rowHeight, 1))) }

    /// The rows that are at least partly in sight.
    public var visibleRows: Range<Int> {
        guard count > 0, rowHeight > 0, frame.height > 0 else { return 0..<0 }
        let first = max(0, Int((scroll.value / rowHeight).rounded(.down)))
        let last = min(count, Int(((scroll.value + frame.height) / rowHeight).rounded(.up)))
        return first < last ? first..<last : 0..<0
    }

    /// Keeps the chosen row in sight after a change of size.
    public override func layout() {
        scroll.jump(to: wantedScroll)
        announceVisible()
    }

    /// Paints the rows in sight.
    public override func draw(_ canvas: inout Canvas) {
        for index in visibleRows {
            let rect = Rect(0, Double(index) * rowHeight - scroll.value, frame.width, rowHeight)
            let nearness = max(0, 1 - abs(Double(index) - highlight.value))
            drawRow?(&canvas, index, rect, nearness)
        }
    }

    /// Moves the highlight and the scroll position.
    public override func animate(_ seconds: Double) -> Bool {
        let moved = scroll.step(seconds)
        let glided = highlight.step(seconds)
        if moved { announceVisible() }
        return moved || glided
    }

    /// Up, down, pages, pointer and wheel.
    public override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(let command, let isRepeat): return handle(command, isRepeat: isRepeat)
        case .pointerPressed(let point):
            let place = convertFromWindow(point)
            pressedRow = row(at: place)
            dragStart = (place.y, scroll.value)
            return true
        case .pointerMoved(let point):
            guard let start = dragStart else { return false }
            let moved = start.y - convertFromWindow(point).y
            if abs(moved) > rowHeight / 3 { pressedRow = nil }
            if pressedRow == nil {
                scroll.jump(to: clampScroll(start.scroll + moved))
                announceVisible()
                setNeedsDisplay()
            }
            return true
        case .pointerReleased(let point):
            defer {
                pressedRow = nil
                dragStart = nil
            }
            guard let pressed = pressedRow, row(at: convertFromWindow(point)) == pressed else { return true }
            if pressed == selection { onAccept?(pressed) } else { select(pressed) }
            return true
        case .wheel(let notches, _):
            select(selection - Int(notches.rounded(.awayFromZero)))
            return true
        case .text, .deleteBackward: return false
        }
    }

    private func handle(_ command: Command, isRepeat: Bool) -> Bool {
        guard count > 0 else { return false }
        switch command {
        case .up:
            // A held key stops at the end; a new press goes round.
            if selection > 0 { select(selection - 1) } else if !isRepeat { select(count - 1) }
        case .down:
            if selection < count - 1 { select(selection + 1) } else if !isRepeat { select(0) }
        case .pageUp: select(max(0, selection - rowsInSight))
        case .pageDown: select(min(count - 1, selection + rowsInSight))
        case .accept:
            if !isRepeat { onAccept?(selection) }
        default: return false
        }
        return true
    }

    private func row(at point: Point) -> Int? {
        // A press that is let go beside the list chooses nothing.
        guard bounds.contains(point) else { return nil }
        let index = Int(((point.y + scroll.value) / max(rowHeight, 1)).rounded(.down))
        return index >= 0 && index < count ? index : nil
    }

    private var wantedScroll: Double {
        clampScroll(Double(selection) * rowHeight + rowHeight / 2 - frame.height / 2)
    }

    private func clampScroll(_ value: Double) -> Double {
        min(max(0, value), max(0, Double(count) * rowHeight - frame.height))
    }

    private func announceVisible() {
        let rows = visibleRows
        if !rows.isEmpty { onVisible?(rows) }
    }
}
