import Controllers
import Interface

/// Draws the sign of a button as it is printed on the pad in use.
struct ButtonGlyph {
    private let sign: Sign

    /// The button that gives a command.
    init(command: Command, family: PadFamily, swapsAcceptAndBack: Bool) {
        if family == .keyboard {
            sign = ButtonGlyph.key(for: command)
        } else {
            let mapper = InputMapper(swapsAcceptAndBack: swapsAcceptAndBack)
            sign = ButtonGlyph.sign(of: mapper.button(for: command, family: family), family)
        }
    }

    /// A button of a pad.
    init(button: PadButton, family: PadFamily) { sign = ButtonGlyph.sign(of: button, family) }

    /// A key of the keyboard.
    init(key: String) { sign = .word(key) }

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

    private static func sign(of button: PadButton, _ family: PadFamily) -> Sign {
        switch button {
        case .south, .east, .west, .north: face(button, family)
        case .start: .word(family == .playstation ? "OPTIONS" : family == .nintendo ? "+" : "START")
        case .select: .word(family == .playstation ? "SHARE" : family == .nintendo ? "–" : "SELECT")
        case .l: .word(family == .playstation ? "L1" : "L")
        case .r: .word(family == .playstation ? "R1" : "R")
        case .l2: .word(family == .nintendo ? "ZL" : "L2")
        case .r2: .word(family == .nintendo ? "ZR" : "R2")
        case .l3: .word("L3")
        case .r3: .word("R3")
        case .guide: .icon("pad-home")
        case .hotkey: .word("HOTKEY")
        case .up, .down: .icon("dpad-vertical")
        case .left, .right: .icon("dpad-horizontal")
        }
    }

    private static func face(_ button: PadButton, _ family: PadFamily) -> Sign {
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

    private static func key(for command: Command) -> Sign {
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
