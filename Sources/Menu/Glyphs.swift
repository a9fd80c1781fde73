import Controllers
import Interface

/// Draws the sign of a button as it is printed on the pad in use.
struct ButtonGlyph {
    let command: Command
    let family: PadFamily
    let swapsAcceptAndBack: Bool

    /// Width in pixels at a height.
    func width(height: Double, measurer: any TextMeasuring) -> Double {
        guard case .word(let word) = sign else { return height }
        return max(height, measurer.width(of: word, style: style(height)) + height * 0.7)
    }

    /// Paints it into a box of `width` x `height` at a point.
    func draw(_ canvas: inout Canvas, x: Double, y: Double, height: Double) {
        let width = width(height: height, measurer: canvas.measurer)
        let box = Rect(x, y, width, height)
        switch sign {
        case .word(let word):
            canvas.fill(box, Color(hex: 0xFFFFFF, alpha: 0.92), radius: word.count == 1 ? height / 2 : height * 0.32)
            canvas.text(word, in: box, style: style(height), color: Theme.ink, align: .center)
        case .icon(let name):
            canvas.fill(box, Color(hex: 0xFFFFFF, alpha: 0.92), radius: height / 2)
            canvas.image(.icon(name), in: box.scaled(0.62), tint: Theme.ink)
        }
    }

    private enum Sign {
        case word(String)
        case icon(String)
    }

    private func style(_ height: Double) -> TextStyle { TextStyle((height * 0.6).rounded(), .bold) }

    private var sign: Sign {
        if family == .keyboard { return keyboardSign }
        let acceptsEast = (family == .nintendo) != swapsAcceptAndBack
        switch command {
        case .accept: return face(acceptsEast ? .east : .south)
        case .back: return face(acceptsEast ? .south : .east)
        case .extra: return face(.west)
        case .search: return face(.north)
        case .menu: return .word(family == .playstation ? "OPTIONS" : family == .nintendo ? "+" : "START")
        case .select: return .word(family == .playstation ? "SHARE" : family == .nintendo ? "–" : "SELECT")
        case .pageUp: return .word(family == .playstation ? "L1" : "L")
        case .pageDown: return .word(family == .playstation ? "R1" : "R")
        case .previousGroup: return .word("L2")
        case .nextGroup: return .word("R2")
        case .up, .down: return .icon("dpad-vertical")
        case .left, .right: return .icon("dpad-horizontal")
        }
    }

    private func face(_ button: PadButton) -> Sign {
        switch (family, button) {
        case (.playstation, .south): .icon("pad-cross")
        case (.playstation, .east): .icon("pad-circle")
        case (.playstation, .west): .icon("pad-square")
        case (.playstation, _): .icon("pad-triangle")
        case (.nintendo, .south): .word("B")
        case (.nintendo, .east): .word("A")
        case (.nintendo, .west): .word("Y")
        case (.nintendo, _): .word("X")
        case (_, .south): .word("A")
        case (_, .east): .word("B")
        case (_, .west): .word("X")
        default: .word("Y")
        }
    }

    private var keyboardSign: Sign {
        switch command {
        case .accept: .word("Enter")
        case .back: .word("Esc")
        case .extra: .word("F3")
        case .search: .word("F4")
        case .menu: .word("Tab")
        case .select: .word("R-Shift")
        case .pageUp: .word("PgUp")
        case .pageDown: .word("PgDn")
        case .previousGroup: .word("Home")
        case .nextGroup: .word("End")
        case .up, .down: .icon("dpad-vertical")
        case .left, .right: .icon("dpad-horizontal")
        }
    }
}
