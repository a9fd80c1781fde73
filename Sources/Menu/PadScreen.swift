import Controllers
import Interface

/// A screen with the drawing of a pad: picture, prompt, rows and the line that says what buttons do. What it shows is
/// a `MappingFace`; where that comes from, its subclasses know.
class PadScreen: Screen {
    let pad: PadInfo
    let picture: PadPicture
    private let prompt: MappingPrompt
    private let rows: MappingRows
    private(set) var face = MappingFace()
    /// What the pad's keyboard calls the keys that were chosen.
    private var keyPlaces: [Rect] = []

    init(context: MenuContext, pad: PadInfo) {
        self.pad = pad
        picture = PadPicture(model: PadLayout.model(of: pad), family: pad.family, accent: Theme.brand)
        prompt = MappingPrompt(context: context, family: pad.family)
        rows = MappingRows(context: context, family: pad.family)
        super.init(context: context)
        for view in [picture, rows, prompt] {
            view.fillsWindow = false
            add(view)
        }
    }

    override var showsBars: Bool { false }

    /// What is said at the top.
    var heading: String { "" }

    func show(_ face: MappingFace) {
        guard face != self.face else { return }
        self.face = face
        var labels: [PadFunction: String] = [:]
        if pad.family == .keyboard {
            for row in face.rows where row.kind == .known { labels[row.function] = row.value }
        }
        picture.state = face.picture(labels: labels)
        picture.opacity = face.isLost ? 0.35 : 1
        prompt.show(face)
        rows.show(face)
        setNeedsDisplay()
    }

    /// The signs shine up, unless nothing moves here.
    func beat() {
        picture.isSteady = !(context.host?.motionEnabled ?? true)
        if !picture.isSteady, face.wanted != nil { picture.beat() }
    }

    // MARK: Layout and painting

    private var header: Double { theme(62) }
    private var footer: Double { theme(52) }

    override func layout() {
        let area = theme.safeArea.inset(by: Insets(top: header, bottom: footer))
        let promptHeight = theme(theme.isLow ? 112 : 128)
        if area.width > area.height * 1.1 {
            let column = max(theme(316), area.width * 0.34)
            let left = Rect(area.x, area.y, area.width - column - theme(36), area.height)
            rows.frame = Rect(area.maxX - column, area.y, column, area.height)
            picture.frame = left.inset(by: Insets(bottom: promptHeight + theme(8)))
            prompt.frame = Rect(left.x, left.maxY - promptHeight, left.width, promptHeight)
        } else {
            let height = min(area.width * 0.64, area.height * 0.44)
            picture.frame = Rect(area.x, area.y, area.width, height)
            prompt.frame = Rect(area.x, area.y + height + theme(16), area.width, promptHeight)
            let top = prompt.frame.maxY + theme(20)
            rows.frame = Rect(area.x, top, area.width, area.maxY - top)
        }
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        let width = canvas.text(
            heading, in: Rect(safe.x, safe.y, safe.width * 0.5, theme(42)), style: theme.heading, color: Theme.text)
        let x = safe.x + width + theme(16)
        canvas.text(
            pad.name.trimmedBlanks, in: Rect(x, safe.y + theme(3), safe.maxX - x, theme(42)), style: theme.label,
            color: Theme.faint)
        let line = Rect(safe.x, safe.y + theme(50), safe.width, max(2, theme(4)))
        canvas.fill(line, Color(hex: 0xFFFFFF, alpha: 0.08), radius: line.height / 2)
        let done = line.width * face.progress
        if done >= line.height {
            canvas.fill(Rect(line.x, line.y, done, line.height), Theme.brand, radius: line.height / 2)
        }
        drawKeys(&canvas)
    }

    private func drawKeys(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        let height = theme(30)
        var x = safe.x
        let middle = safe.maxY - theme(20)
        keyPlaces = []
        for key in face.keys {
            let label = canvas.measurer.width(of: key.label, style: theme.label)
            let glyph = key.function == nil ? backGlyph.width(height: height, measurer: canvas.measurer) : height
            let width = glyph + theme(10) + label
            if x + width > safe.maxX { break }
            if let function = key.function {
                PadSign.draw(
                    function, pad.family, in: Rect(x, middle - height / 2, height, height),
                    paper: Color(hex: 0xFFFFFF, alpha: 0.92), ink: Theme.ink, &canvas)
            } else {
                backGlyph.draw(&canvas, x: x, y: middle - height / 2, height: height)
            }
            canvas.text(
                key.label, in: Rect(x + glyph + theme(10), middle - theme(20), label + 2, theme(40)),
                style: theme.label, color: Theme.quiet)
            keyPlaces.append(Rect(x, middle - theme(20), width, theme(40)))
            x += width + theme(30)
        }
    }

    /// Back of any other device: a keyboard is what is at hand most often.
    private var backGlyph: ButtonGlyph { ButtonGlyph(command: .back, family: .keyboard, swapsAcceptAndBack: false) }

    /// The key line's entry at a point.
    func key(at point: Point) -> MappingFace.Key? {
        let hit = convertFromWindow(point)
        guard let index = keyPlaces.firstIndex(where: { $0.contains(hit) }), face.keys.indices.contains(index) else {
            return nil
        }
        return face.keys[index]
    }
}
