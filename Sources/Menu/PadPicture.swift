import Controllers
import Interface

/// A large drawing of a pad, on which controls can be wanted, known, left out and held.
final class PadPicture: View {
    /// What is shown on the drawing.
    struct State: Equatable {
        /// The control that is asked for now.
        var wanted: PadFunction?
        /// Those that are known.
        var known: Set<PadFunction> = []
        /// Those that the pad does not have.
        var absent: Set<PadFunction> = []
        /// Those that are pressed at this moment.
        var held: Set<PadFunction> = []
        /// How far directions are moved, from 0 to 1.
        var levels: [PadFunction: Double] = [:]
        /// What is written on controls instead of their own signs.
        var labels: [PadFunction: String] = [:]
        /// Whether what is known lights up; else it only is not dimmed.
        var lightsKnown = true
    }

    /// How one control looks.
    enum Look {
        case idle
        case wanted
        case known
        case absent
        case held
    }

    let layoutOfPad: PadLayout
    let family: PadFamily
    var state = State() { didSet { if state != oldValue { setNeedsDisplay() } } }
    let accent: Color
    /// How strongly the wanted control shines just now.
    private(set) var pulse = Animated(0, duration: 0.40)

    init(model: PadLayout.Model, family: PadFamily, accent: Color) {
        layoutOfPad = PadLayout(model)
        self.family = family
        self.accent = accent
        super.init()
        takesPointer = false
    }

    /// The colour of what is asked for: nothing else in the menu has it.
    static let want = Color(hex: 0xFFC24B)

    /// How strongly the wanted control shines: without motion steadily.
    var glow: Double { isSteady ? 0.6 : pulse.value }
    /// Whether it shines without a pulse.
    var isSteady = false { didSet { if isSteady != oldValue { setNeedsDisplay() } } }

    /// Lets the wanted control shine up once.
    func beat() {
        pulse.move(to: 1)
        setNeedsDisplay()
    }

    override func animate(_ seconds: Double) -> Bool {
        let isMoving = pulse.step(seconds)
        if !isMoving, pulse.value == 1 {
            pulse.move(to: 0)
            return true
        }
        return isMoving
    }

    override func draw(_ canvas: inout Canvas) {
        let place = bounds.fitting(PadLayout.size)
        guard place.width > 40 else { return }
        var brush = PadBrush(picture: self, place: place)
        brush.draw(&canvas)
    }

    /// How a control looks now.
    func look(_ function: PadFunction) -> Look {
        if state.held.contains(function) { return .held }
        if state.wanted == function { return .wanted }
        if state.known.contains(function) { return state.lightsKnown ? .known : .idle }
        return state.absent.contains(function) ? .absent : .idle
    }

    /// Whether a control is there at all: what such pads never have shows only where this one has it.
    func isShown(_ function: PadFunction) -> Bool {
        guard layoutOfPad.ghosts.contains(function) else { return true }
        return state.held.contains(function) || state.wanted == function || state.known.contains(function)
    }
}
