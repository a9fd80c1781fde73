import Controllers
import Interface

/// A drawn pad: its body, and where on it each function's control is. Lengths are those of the drawing, 1000 wide.
struct PadLayout {
    /// Which pad is drawn.
    enum Model: String, CaseIterable {
        case xbox
        case playstation
        case nintendo
        /// A pad without sticks.
        case snes
        /// A stick, or a panel with a stick and many buttons.
        case arcade
        case keyboard
    }

    /// What a control looks like.
    enum Shape: Equatable {
        /// A round button.
        case disc(radius: Double)
        /// A small button that is longer than high, or the other way round.
        case pill(width: Double, height: Double)
        /// A key of a keyboard.
        case cap(width: Double)
        /// One of the upper edge's buttons, by its drawing; half hidden by the body.
        case shoulder(icon: String, width: Double, height: Double)
        /// An arm of the cross.
        case arm
        /// An arrow beside a stick.
        case arrow
        /// The cap of a stick, which can be pressed.
        case stick(radius: Double)
    }

    /// One control.
    struct Place: Equatable {
        let center: Point
        let shape: Shape

        init(_ x: Double, _ y: Double, _ shape: Shape) {
            center = Point(x, y)
            self.shape = shape
        }
    }

    /// A round hollow with a stick in it.
    struct Well: Equatable {
        let center: Point
        let radius: Double
        /// The four directions and the cap, which belong together.
        let functions: [PadFunction]
        /// Up, down, left and right.
        var directions: ArraySlice<PadFunction> { functions.prefix(4) }
    }

    let model: Model
    /// Where each function is.
    private(set) var places: [PadFunction: Place] = [:]
    /// The hollows of the sticks.
    private(set) var wells: [Well] = []
    /// What such a pad does not have: shown only where the one at hand has it all the same.
    private(set) var ghosts: Set<PadFunction> = []
    /// The middle of the cross; `nil` where there is none.
    private(set) var cross: (center: Point, reach: Double)?

    /// The drawing's size.
    static let size = Size(1000, 640)

    init(_ model: Model) {
        self.model = model
        switch model {
        case .xbox: xbox()
        case .playstation: playstation()
        case .nintendo: nintendo()
        case .snes: snes()
        case .arcade: arcade()
        case .keyboard: keyboard()
        }
    }

    // MARK: Parts

    mutating func put(_ function: PadFunction, _ x: Double, _ y: Double, _ shape: Shape) {
        places[function] = Place(x, y, shape)
    }

    mutating func putCross(_ x: Double, _ y: Double, reach: Double) {
        cross = (Point(x, y), reach)
        for (function, step) in zip(PadFunction.dpad, PadLayout.steps) {
            put(function, x + step.x * reach * 0.68, y + step.y * reach * 0.68, .arm)
        }
    }

    mutating func putFaces(_ x: Double, _ y: Double, offset: Double, radius: Double) {
        for (function, step) in zip([PadFunction.north, .south, .west, .east], PadLayout.steps) {
            put(function, x + step.x * offset, y + step.y * offset, .disc(radius: radius))
        }
    }

    /// A stick: four arrows around a cap that can be pressed.
    mutating func putStick(_ directions: [PadFunction], press: PadFunction?, _ x: Double, _ y: Double, radius: Double) {
        for (function, step) in zip(directions, PadLayout.steps) {
            put(function, x + step.x * radius * 0.80, y + step.y * radius * 0.80, .arrow)
        }
        if let press { put(press, x, y, .stick(radius: radius * 0.58)) }
        wells.append(Well(center: Point(x, y), radius: radius, functions: directions + (press.map { [$0] } ?? [])))
    }

    /// The buttons of the upper edge: shoulders before the triggers.
    mutating func putShoulders(left: Double, top: Double) {
        for (side, x, l, l2) in [("left", left, PadFunction.l, PadFunction.l2), ("right", 1000 - left, .r, .r2)] {
            put(l, x, top + 32, .shoulder(icon: "padshoulder-\(side)", width: 226, height: 84))
            let outward = side == "left" ? -14.0 : 14
            put(l2, x + outward, top - 36, .shoulder(icon: "padtrigger-\(side)", width: 124, height: 104))
        }
    }

    mutating func putMiddle(
        _ selectX: Double, _ selectY: Double, guide: Point, hotkey: Point, shape: Shape = .pill(width: 58, height: 34)
    ) {
        put(.select, selectX, selectY, shape)
        put(.start, 1000 - selectX, selectY, shape)
        put(.guide, guide.x, guide.y, .disc(radius: 27))
        put(.hotkey, hotkey.x, hotkey.y, .pill(width: 84, height: 36))
    }

    mutating func hide(_ functions: [PadFunction]) { ghosts.formUnion(functions) }

    /// One step up, down, left and right.
    static let steps = [Point(0, -1), Point(0, 1), Point(-1, 0), Point(1, 0)]
}
