import Controllers
import Interface

/// Paints a pad's drawing into a place.
struct PadBrush {
    let picture: PadPicture
    let place: Rect
    private let scale: Double
    private var layout: PadLayout { picture.layoutOfPad }
    private var accent: Color { picture.accent }

    private static let body = Color(hex: 0x2C3446)
    private static let shade = Color(hex: 0x0B0E15)

    init(picture: PadPicture, place: Rect) {
        self.picture = picture
        self.place = place
        scale = place.width / PadLayout.size.width
    }

    mutating func draw(_ canvas: inout Canvas) {
        let fromAbove = PadFunction.allCases.filter { isShoulder($0) && picture.isShown($0) }
        // The triggers lie behind the shoulders, and both behind the body.
        for function in fromAbove.filter({ $0 == .l2 || $0 == .r2 }) + fromAbove.filter({ $0 == .l || $0 == .r }) {
            drawShoulder(function, &canvas)
        }
        drawBody(&canvas)
        for well in layout.wells where well.functions.contains(where: { picture.isShown($0) }) {
            drawWell(well, &canvas)
        }
        drawCross(&canvas)
        let rest = PadFunction.allCases.filter { !isShoulder($0) && picture.isShown($0) && !isInWell($0) }
        // What is asked for shines over its neighbours.
        for function in rest where function != picture.state.wanted { drawControl(function, &canvas) }
        if let wanted = picture.state.wanted, rest.contains(wanted) { drawControl(wanted, &canvas) }
    }

    // MARK: Places

    private func at(_ point: Point) -> Point { Point(place.x + point.x * scale, place.y + point.y * scale) }

    private func box(_ center: Point, _ width: Double, _ height: Double) -> Rect {
        let middle = at(center)
        return Rect(middle.x - width * scale / 2, middle.y - height * scale / 2, width * scale, height * scale)
    }

    private func isShoulder(_ function: PadFunction) -> Bool {
        if case .shoulder? = layout.places[function]?.shape { true } else { false }
    }

    private func isInWell(_ function: PadFunction) -> Bool {
        layout.wells.contains { $0.functions.contains(function) }
    }

    // MARK: Parts

    private func drawBody(_ canvas: inout Canvas) {
        let middle = Rect(place.x + 130 * scale, place.y + 210 * scale, 740 * scale, 300 * scale)
        canvas.shadow(middle, Color(hex: 0, alpha: 0.55), radius: 120 * scale, blur: 90 * scale)
        let name = "padbody-\(layout.model.rawValue)"
        canvas.image(.icon(name), in: place, tint: PadBrush.body)
        canvas.image(.icon(name + "-light"), in: place)
    }

    private func drawShoulder(_ function: PadFunction, _ canvas: inout Canvas) {
        guard let control = layout.places[function], case .shoulder(let icon, let width, let height) = control.shape
        else { return }
        let rect = box(control.center, width, height)
        let look = picture.look(function)
        shine(look, rect.scaled(0.86), radius: rect.height * 0.4, &canvas)
        canvas.image(.icon(icon), in: rect.offset(0, -3 * scale), tint: edge(look))
        canvas.image(.icon(icon), in: rect, tint: fill(look, function))
        // The lower part hides behind the body.
        let isTrigger = height > width * 0.6
        let face = Rect(rect.x, rect.y, rect.width, rect.height * (isTrigger ? 0.64 : 0.62))
        sign(function, in: face, ink: ink(look), size: 27, &canvas)
    }

    private func drawCross(_ canvas: inout Canvas) {
        guard let cross = layout.cross else { return }
        let thickness = cross.reach * 0.66
        canvas.fill(
            box(cross.center, cross.reach * 2.36, cross.reach * 2.36), PadBrush.shade.faded(0.34),
            radius: cross.reach * 1.18 * scale)
        for (width, height) in [(cross.reach * 2, thickness), (thickness, cross.reach * 2)] {
            canvas.fill(
                box(cross.center, width + 8, height + 8), PadBrush.shade.faded(0.9), radius: thickness * 0.28 * scale)
        }
        for (width, height) in [(cross.reach * 2, thickness), (thickness, cross.reach * 2)] {
            canvas.fill(box(cross.center, width, height), idle, radius: thickness * 0.24 * scale)
        }
    }

    private func drawWell(_ well: PadLayout.Well, _ canvas: inout Canvas) {
        let outer = box(well.center, well.radius * 2 + 12, well.radius * 2 + 12)
        canvas.fill(outer, PadBrush.shade.faded(0.35), radius: outer.width / 2)
        let hollow = box(well.center, well.radius * 2, well.radius * 2)
        canvas.gradient(
            hollow, from: PadBrush.shade, to: Color(hex: 0x1A202D), radius: hollow.width / 2)
        var lean = Point(0, 0)
        for (function, step) in zip(well.directions, PadLayout.steps) {
            // Where it shall be moved, it leans by itself, to show how.
            let shown = picture.look(function) == .wanted ? picture.glow * 0.9 : 0
            let level = picture.state.levels[function] ?? (picture.state.held.contains(function) ? 1 : shown)
            lean.x += step.x * level
            lean.y += step.y * level
        }
        for function in well.directions where picture.look(function) != .wanted { drawControl(function, &canvas) }
        let press = well.functions.dropFirst(4).first
        let look = press.map { picture.look($0) } ?? .idle
        let radius = well.radius * (press == nil ? 0.44 : 0.58)
        let center = Point(
            well.center.x + lean.x * well.radius * 0.30, well.center.y + lean.y * well.radius * 0.30)
        let cap = box(center, radius * 2, radius * 2)
        shine(look, cap, radius: cap.width / 2, &canvas)
        canvas.shadow(
            cap.offset(0, 4 * scale), Color(hex: 0, alpha: 0.5), radius: cap.width / 2, blur: 14 * scale)
        paint(cap, radius: cap.width / 2, look, press, &canvas)
        let dish = cap.scaled(0.70)
        canvas.stroke(dish, ink(look).faded(0.22), radius: dish.width / 2, width: max(1, 3 * scale))
        if let press { sign(press, in: cap, ink: ink(look).faded(look == .idle ? 0.7 : 1), size: 27, &canvas) }
        for (function, step) in zip(well.directions, PadLayout.steps) where picture.look(function) == .wanted {
            drawWantedArrow(function, step, well, &canvas)
        }
    }

    /// The arrow that is asked for stands outside the hollow, where the stick does not hide it.
    private func drawWantedArrow(
        _ function: PadFunction, _ step: Point, _ well: PadLayout.Well, _ canvas: inout Canvas
    ) {
        let reach = well.radius * 1.16
        let side = min(well.radius, 90) * (0.62 + 0.10 * picture.glow)
        let rect = box(Point(well.center.x + step.x * reach, well.center.y + step.y * reach), side, side)
        shine(.wanted, rect, radius: rect.width / 2, &canvas)
        canvas.shadow(rect.scaled(0.5), Color(hex: 0, alpha: 0.5), radius: rect.width / 4, blur: 16 * scale)
        canvas.image(.icon(arrow(function)), in: rect, tint: fill(.wanted, function))
    }

    private func drawControl(_ function: PadFunction, _ canvas: inout Canvas) {
        guard let control = layout.places[function] else { return }
        let look = picture.look(function)
        // What is asked for is a little larger at the height of its shine.
        let growth = look == .wanted ? 1 + 0.10 * picture.glow : 1
        switch control.shape {
        case .disc(let radius):
            let rect = box(control.center, radius * 2, radius * 2)
            button(rect.scaled(growth), rect.width / 2 * growth, look, function, size: radius * 1.02, &canvas)
        case .pill(let width, let height):
            let rect = box(control.center, width, height)
            button(
                rect.scaled(growth), min(rect.width, rect.height) / 2 * growth, look, function, size: 24, &canvas)
        case .cap(let width):
            let rect = box(control.center, width, 66)
            button(rect.scaled(growth), 12 * scale, look, function, size: width > 70 ? 23 : 28, &canvas)
        case .arm:
            let reach = layout.cross?.reach ?? 70
            let rect = box(control.center, reach * 0.60, reach * 0.60)
            if look != .idle {
                shine(look, rect, radius: rect.width * 0.3, &canvas)
                canvas.fill(rect.scaled(growth), fill(look, function), radius: reach * 0.14 * scale)
            }
            sign(function, in: rect, ink: ink(look), size: 34, &canvas)
        case .arrow:
            let side = layout.wells.first { $0.functions.contains(function) }?.radius ?? 70
            let rect = box(control.center, side * 0.36, side * 0.36)
            shine(look, rect, radius: rect.width / 2, &canvas)
            let tint: Color =
                switch look {
                case .idle: Theme.text.faded(0.34)
                case .absent: Theme.text.faded(0.08)
                case .known: accent.mixed(with: .white, 0.15)
                case .wanted, .held: fill(look, function)
                }
            canvas.image(.icon(arrow(function)), in: rect, tint: tint)
        case .stick, .shoulder: break
        }
    }

    private func button(
        _ rect: Rect, _ radius: Double, _ look: PadPicture.Look, _ function: PadFunction, size: Double,
        _ canvas: inout Canvas
    ) {
        shine(look, rect, radius: radius, &canvas)
        if look == .absent {
            canvas.fill(rect, PadBrush.shade.faded(0.4), radius: radius)
        } else {
            let edge = 4 * scale
            canvas.fill(rect.inset(-edge), PadBrush.shade.faded(0.8), radius: radius + edge)
            paint(rect, radius: radius, look, function, &canvas)
        }
        sign(function, in: rect, ink: ink(look), size: size, &canvas)
    }

    /// A raised surface, lighter at the top.
    private func paint(
        _ rect: Rect, radius: Double, _ look: PadPicture.Look, _ function: PadFunction?, _ canvas: inout Canvas
    ) {
        switch look {
        case .idle, .known:
            let base = look == .known ? accent : idle
            canvas.gradient(
                rect, from: base.mixed(with: .white, 0.16), to: base.mixed(with: PadBrush.shade, 0.22), radius: radius)
        // A colour that changes all the time is no gradient: each would be made anew.
        case .wanted, .held, .absent: canvas.fill(rect, fill(look, function), radius: radius)
        }
    }

    // MARK: Colours

    private var idle: Color { Color(hex: 0x434D64) }

    private func fill(_ look: PadPicture.Look, _ function: PadFunction?) -> Color {
        switch look {
        case .idle: idle
        case .known: accent
        case .absent: Color(hex: 0x1C2230)
        case .wanted: PadPicture.want.mixed(with: .white, 0.15 + 0.55 * picture.glow)
        case .held: .white
        }
    }

    private func edge(_ look: PadPicture.Look) -> Color {
        look == .absent ? Color(hex: 0x252C3B) : fill(look, nil).mixed(with: .white, 0.30)
    }

    private func ink(_ look: PadPicture.Look) -> Color {
        switch look {
        case .idle: Theme.text.faded(0.88)
        case .known: .white
        case .absent: Theme.text.faded(0.16)
        case .wanted, .held: Theme.ink
        }
    }

    /// The light around what is asked for or held.
    private func shine(_ look: PadPicture.Look, _ rect: Rect, radius: Double, _ canvas: inout Canvas) {
        switch look {
        case .wanted:
            canvas.glow(
                Point(rect.midX, rect.midY), radius: max(rect.width, rect.height) / 2 + 88 * scale,
                PadPicture.want.faded(0.30 + 0.55 * picture.glow))
        case .held:
            canvas.glow(
                Point(rect.midX, rect.midY), radius: max(rect.width, rect.height) / 2 + 60 * scale,
                accent.mixed(with: .white, 0.4).faded(0.75))
        case .idle, .known, .absent: break
        }
    }

    // MARK: Signs

    private func sign(_ function: PadFunction, in rect: Rect, ink: Color, size: Double, _ canvas: inout Canvas) {
        let height = max(9, size * scale)
        let label = picture.state.labels[function]
        if label == nil, let icon = icon(function) {
            let side = height * 1.06
            canvas.image(.icon(icon), in: Rect(rect.midX - side / 2, rect.midY - side / 2, side, side), tint: ink)
            return
        }
        guard let word = label ?? word(function) else { return }
        var style = TextStyle(height.rounded(), .bold)
        let room = rect.width * 0.92
        let width = canvas.measurer.width(of: word, style: style)
        if width > room { style.size = max(8, (style.size * room / width).rounded(.down)) }
        canvas.text(word, in: rect, style: style, color: ink, align: .center)
    }

    private func icon(_ function: PadFunction) -> String? {
        switch function {
        case .up, .down, .left, .right, .leftUp, .leftDown, .leftLeft, .leftRight, .rightUp, .rightDown, .rightLeft,
            .rightRight:
            return arrow(function)
        case .guide: return "pad-home"
        case .hotkey: return "pad-bolt"
        case .start where layout.model == .xbox || layout.model == .arcade: return "pad-menu"
        case .select where layout.model == .xbox || layout.model == .arcade: return "pad-view"
        case .south, .east, .west, .north: return PadSign.icon(function, picture.family)
        default: return nil
        }
    }

    private func arrow(_ function: PadFunction) -> String { PadSign.arrow(function) ?? "arrow-up" }

    private func word(_ function: PadFunction) -> String? {
        switch function {
        case .start, .select:
            switch layout.model {
            case .nintendo: function == .start ? "+" : "–"
            case .keyboard: function.title(on: .keyboard).uppercased()
            default: nil
            }
        case .l3: "L3"
        case .r3: "R3"
        default: function.title(on: picture.family)
        }
    }
}
