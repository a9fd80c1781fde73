import Controllers
import Interface

extension PadLayout {
    mutating func xbox() {
        putShoulders(left: 300, top: 96)
        putStick(PadFunction.leftStick, press: .l3, 286, 256, radius: 76)
        putCross(392, 392, reach: 76)
        putStick(PadFunction.rightStick, press: .r3, 608, 392, radius: 76)
        putFaces(714, 256, offset: 64, radius: 36)
        putMiddle(432, 262, guide: Point(500, 200), hotkey: Point(500, 336))
        hide([.hotkey])
    }

    mutating func playstation() {
        putShoulders(left: 268, top: 112)
        putCross(258, 276, reach: 78)
        putStick(PadFunction.leftStick, press: .l3, 386, 404, radius: 74)
        putStick(PadFunction.rightStick, press: .r3, 614, 404, radius: 74)
        putFaces(742, 276, offset: 66, radius: 36)
        putMiddle(
            364, 212, guide: Point(500, 420), hotkey: Point(500, 336), shape: .pill(width: 28, height: 56))
        hide([.hotkey])
    }

    mutating func nintendo() {
        putShoulders(left: 286, top: 92)
        putStick(PadFunction.leftStick, press: .l3, 276, 246, radius: 76)
        putCross(388, 388, reach: 76)
        putStick(PadFunction.rightStick, press: .r3, 612, 388, radius: 76)
        putFaces(724, 246, offset: 66, radius: 37)
        putMiddle(412, 206, guide: Point(556, 278), hotkey: Point(500, 352), shape: .disc(radius: 24))
        hide([.hotkey])
    }

    mutating func snes() {
        putShoulders(left: 276, top: 124)
        putCross(262, 330, reach: 96)
        putFaces(738, 330, offset: 84, radius: 45)
        putMiddle(440, 350, guide: Point(500, 236), hotkey: Point(500, 290), shape: .pill(width: 78, height: 36))
        putStick(PadFunction.leftStick, press: .l3, 416, 552, radius: 72)
        putStick(PadFunction.rightStick, press: .r3, 584, 552, radius: 72)
        hide([.l2, .r2, .l3, .r3, .guide, .hotkey] + PadFunction.leftStick + PadFunction.rightStick)
    }

    mutating func arcade() {
        putStick(PadFunction.dpad, press: nil, 262, 410, radius: 132)
        // Two bows of four, as the fingers lie.
        let rows: [(PadFunction, Double, Double)] = [
            (.west, 500, 366), (.north, 608, 330), (.r, 722, 330), (.l, 834, 350),
            (.south, 486, 490), (.east, 600, 458), (.r2, 722, 458), (.l2, 842, 478),
        ]
        for (function, x, y) in rows { put(function, x, y, .disc(radius: 48)) }
        let top: [(PadFunction, Double)] = [
            (.select, 560), (.start, 648), (.guide, 730), (.l3, 800), (.r3, 870),
        ]
        for (function, x) in top { put(function, x, 196, .disc(radius: 26)) }
        put(.hotkey, 450, 196, .pill(width: 84, height: 36))
        putStick(PadFunction.leftStick, press: nil, 390, 66, radius: 62)
        putStick(PadFunction.rightStick, press: nil, 610, 66, radius: 62)
        hide([.guide, .l3, .r3, .hotkey] + PadFunction.leftStick + PadFunction.rightStick)
    }

    mutating func keyboard() {
        let key = Shape.cap(width: 66)
        func keys(_ directions: [PadFunction], _ x: Double, _ y: Double, into layout: inout PadLayout) {
            for (function, place) in zip(directions, [(0.0, -74.0), (0, 0), (-74, 0), (74, 0)]) {
                layout.put(function, x + place.0, y + place.1, key)
            }
        }
        keys(PadFunction.leftStick, 188, 376, into: &self)
        keys(PadFunction.rightStick, 462, 376, into: &self)
        keys([.north, .south, .west, .east], 736, 376, into: &self)
        keys(PadFunction.dpad, 808, 524, into: &self)
        for (function, x) in [(PadFunction.l2, 114.0), (.l, 188), (.r, 838), (.r2, 912)] { put(function, x, 222, key) }
        put(.guide, 300, 222, key)
        put(.hotkey, 388, 222, .cap(width: 94))
        put(.select, 506, 222, .cap(width: 126))
        put(.start, 646, 222, .cap(width: 126))
        put(.l3, 325, 302, key)
        put(.r3, 599, 302, key)
        hide([.guide])
    }

    /// The drawing that is most like a device.
    static func model(of pad: PadInfo) -> Model {
        if pad.family == .keyboard { return .keyboard }
        let name = pad.name.lowercased()
        if ["arcade", "i-pac", "ipac", "fight stick", "fightstick", "encoder"].contains(where: { name.contains($0) }) {
            return .arcade
        }
        switch pad.stickCount {
        case 0 where pad.buttonCount < 6: return .arcade
        case 0: return .snes
        default:
            switch pad.family {
            case .playstation: return .playstation
            case .nintendo: return .nintendo
            case .xbox, .keyboard: return .xbox
            }
        }
    }
}
