import Controllers
import Interface

/// The rows of the wizard: what was answered above, what is asked for in large, what comes below.
final class MappingRows: View {
    private let context: MenuContext
    private let family: PadFamily
    private var theme: Theme { context.theme }
    private var face = MappingFace()
    private var focus = Animated(0, duration: 0.2)

    init(context: MenuContext, family: PadFamily) {
        self.context = context
        self.family = family
        super.init()
        clipsToBounds = true
        takesPointer = false
    }

    func show(_ face: MappingFace) {
        guard face != self.face else { return }
        let isFirst = self.face.rows.isEmpty
        let wasTesting = self.face.isTesting
        self.face = face
        var row = face.current
        // A test goes where the person presses.
        if face.isTesting { row = face.rows.firstIndex { face.held.contains($0.function) } ?? (wasTesting ? nil : 0) }
        if let row {
            if isFirst { focus.jump(to: Double(row)) } else { focus.move(to: Double(row)) }
        }
        setNeedsDisplay()
    }

    override func animate(_ seconds: Double) -> Bool { focus.step(seconds) }

    private var rowHeight: Double { theme(46) }
    /// Only a row that is asked for is large.
    private var growth: Double { face.isTesting ? 0 : theme(24) }

    /// The middle of a row: those beside the large one make room for it.
    private func middle(_ index: Int) -> Double {
        let distance = Double(index) - focus.value
        let room = growth / 2 * max(-1, min(1, distance))
        let all = Double(face.rows.count) * rowHeight + growth
        // Near the ends the list stays where it is, and the large row walks.
        let wish = bounds.height * 0.44
        let before = focus.value * rowHeight + (rowHeight + growth) / 2
        let after = all - before
        let anchor =
            all <= bounds.height ? before : max(min(wish, before), bounds.height - after)
        return anchor + distance * rowHeight + room
    }

    override func draw(_ canvas: inout Canvas) {
        for index in face.rows.indices {
            let nearness = max(0, 1 - abs(Double(index) - focus.value))
            let height = rowHeight + growth * nearness
            let box = Rect(0, middle(index) - height / 2, bounds.width, height)
            guard box.maxY > 0, box.minY < bounds.height else { continue }
            // Rows fade out towards the edges under which they go.
            let edge = min(box.midY, bounds.height - box.midY) / rowHeight
            canvas.translated(0, 0, opacity: max(0, min(1, edge + 0.25))) { canvas in
                draw(face.rows[index], isCurrent: index == face.current, nearness, in: box, &canvas)
            }
        }
    }

    private func draw(
        _ row: MappingFace.Row, isCurrent: Bool, _ nearness: Double, in place: Rect, _ canvas: inout Canvas
    ) {
        let isHeld = face.held.contains(row.function)
        let box = place.inset(by: Insets(top: theme(3), bottom: theme(3)))
        let isWanted = isCurrent && face.wanted != nil
        if isWanted {
            canvas.fill(box, PadPicture.want.faded(0.16 * nearness), radius: theme(14))
            canvas.stroke(box, PadPicture.want.faded(0.8 * nearness), radius: theme(14), width: max(1, theme(2)))
        } else if isHeld {
            canvas.fill(box, Theme.brand.faded(0.85), radius: theme(14))
        }
        let side = theme(26) + theme(12) * (isWanted ? nearness : 0)
        let tile = Rect(box.x + theme(12), box.midY - side / 2, side, side)
        let isDim = row.kind == .skipped || row.kind == .absent
        let strength = isWanted || isHeld ? 1 : isDim ? 0.30 : row.kind == .known ? 0.92 : 0.55
        let paper: Color = isWanted ? PadPicture.want : row.kind == .known ? .white : Theme.text.faded(0.8)
        canvas.translated(0, 0, opacity: strength) { canvas in
            PadSign.draw(row.function, family, in: tile, paper: paper, ink: Theme.ink, &canvas)
        }
        let style = isWanted ? theme.row : theme.label
        let x = tile.maxX + theme(14)
        var right = box.maxX - theme(16)
        let value = row.kind == .skipped ? "skipped" : row.kind == .absent ? "not there" : row.value
        if !value.isEmpty {
            let width = min(canvas.measurer.width(of: value, style: theme.caption), (right - x) * 0.55)
            canvas.text(
                value, in: Rect(right - width - 1, box.y, width + 2, box.height), style: theme.caption,
                color: isHeld ? .white : isDim ? Theme.faint : Theme.brand.mixed(with: .white, 0.45))
            right -= width + theme(12)
        }
        canvas.text(
            row.function.title(on: family), in: Rect(x, box.y, right - x, box.height), style: style,
            color: Theme.text.faded(strength))
    }
}
