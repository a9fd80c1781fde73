import Controllers
import Interface

/// What stands for a function wherever it is named: an icon, or a short word in a rounded box.
enum PadSign {
    /// The icon of a face button that has no letter.
    static func icon(_ function: PadFunction, _ family: PadFamily) -> String? {
        guard family == .playstation else { return nil }
        switch function {
        case .south: return "pad-cross"
        case .east: return "pad-circle"
        case .west: return "pad-square"
        case .north: return "pad-triangle"
        default: return nil
        }
    }

    /// The icon of a direction.
    static func arrow(_ function: PadFunction) -> String? {
        switch function {
        case .up, .leftUp, .rightUp: "arrow-up"
        case .down, .leftDown, .rightDown: "arrow-down"
        case .left, .leftLeft, .rightLeft: "arrow-left"
        case .right, .leftRight, .rightRight: "arrow-right"
        default: nil
        }
    }

    /// The icon of everything that is not written.
    private static func drawing(_ function: PadFunction, _ family: PadFamily) -> String? {
        switch function {
        case .hotkey: "pad-bolt"
        case .guide: "pad-home"
        case .start: family == .nintendo ? nil : "pad-menu"
        case .select: family == .nintendo ? nil : "pad-view"
        default: arrow(function) ?? icon(function, family)
        }
    }

    /// A word of at most a few letters.
    static func word(_ function: PadFunction, _ family: PadFamily) -> String? {
        switch function {
        case .south, .east, .west, .north, .l, .r, .l2, .r2: function.title(on: family)
        case .l3: "L3"
        case .r3: "R3"
        case .start: "+"
        case .select: "–"
        default: nil
        }
    }

    /// Paints a function's sign into a square, for lists and prompts.
    static func draw(
        _ function: PadFunction, _ family: PadFamily, in rect: Rect, paper: Color, ink: Color, _ canvas: inout Canvas
    ) {
        let isStick = PadFunction.leftStick.contains(function) || PadFunction.rightStick.contains(function)
        let isFace = [PadFunction.south, .east, .west, .north].contains(function)
        let radius = isStick || isFace || function == .guide ? rect.width / 2 : rect.width * 0.26
        canvas.fill(rect, paper, radius: radius)
        if let name = drawing(function, family) {
            canvas.image(.icon(name), in: rect.scaled(isStick ? 0.44 : 0.58), tint: ink)
            if isStick {
                let ring = rect.scaled(0.84)
                canvas.stroke(ring, ink.faded(0.55), radius: ring.width / 2, width: max(1, rect.width * 0.05))
            }
            return
        }
        guard let word = word(function, family) else { return }
        var style = TextStyle((rect.height * (word.count > 2 ? 0.34 : 0.52)).rounded(), .bold)
        let width = canvas.measurer.width(of: word, style: style)
        if width > rect.width * 0.9 { style.size = max(7, (style.size * rect.width * 0.9 / width).rounded(.down)) }
        canvas.text(word, in: rect, style: style, color: ink, align: .center)
    }
}
