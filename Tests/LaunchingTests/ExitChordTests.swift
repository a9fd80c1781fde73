import Controllers
import EvdevKit
import Launching
import SystemKit
import Testing

@Suite struct LeavingAGame {
    enum Step: Sendable {
        case press(PadButton, pad: Int, Double)
        case release(PadButton, pad: Int, Double)
        case unplug(Int)
        /// Asks at a time whether it fires, and what is expected.
        case ask(Double, Bool)
    }

    static let table: [(String, [Step])] = [
        ("not before half a second", [.press(.select, pad: 1, 0), .press(.start, pad: 1, 0.2), .ask(0.69, false)]),
        ("after half a second", [.press(.select, pad: 1, 0), .press(.start, pad: 1, 0.2), .ask(0.7, true)]),
        ("in either order", [.press(.start, pad: 1, 0), .press(.select, pad: 1, 0), .ask(0.5, true)]),
        ("Start alone never", [.press(.start, pad: 1, 0), .ask(0.5, false), .ask(60, false)]),
        ("Select alone never", [.press(.select, pad: 1, 0), .ask(60, false)]),
        (
            "released at 0.49 s",
            [
                .press(.select, pad: 1, 0), .press(.start, pad: 1, 0), .release(.start, pad: 1, 0.49),
                .ask(0.5, false), .ask(9, false),
            ]
        ),
        (
            "released at 0.5 s while nobody asked",
            [
                .press(.select, pad: 1, 0), .press(.start, pad: 1, 0), .release(.start, pad: 1, 0.5),
                .ask(0.6, true), .ask(0.7, false),
            ]
        ),
        (
            "once for a hold, and again for the next",
            [
                .press(.select, pad: 1, 0), .press(.start, pad: 1, 0), .ask(0.5, true), .ask(0.6, false),
                .ask(30, false), .release(.start, pad: 1, 31), .ask(31, false), .press(.start, pad: 1, 32),
                .ask(32.4, false), .ask(32.5, true),
            ]
        ),
        (
            "two short holds do not add up",
            [
                .press(.select, pad: 1, 0), .press(.start, pad: 1, 0), .release(.start, pad: 1, 0.3),
                .press(.start, pad: 1, 0.4), .ask(0.8, false), .ask(0.9, true),
            ]
        ),
        ("not across two pads", [.press(.select, pad: 1, 0), .press(.start, pad: 2, 0), .ask(9, false)]),
        (
            "either pad",
            [
                .press(.select, pad: 1, 0), .press(.select, pad: 2, 0), .press(.start, pad: 2, 1), .ask(1.5, true),
            ]
        ),
        ("the keyboard is a pad", [.press(.select, pad: 0, 0), .press(.start, pad: 0, 0), .ask(0.5, true)]),
        (
            "other buttons do not matter",
            [
                .press(.select, pad: 1, 0), .press(.south, pad: 1, 0), .press(.start, pad: 1, 0),
                .release(.south, pad: 1, 0.2), .press(.up, pad: 1, 0.3), .ask(0.5, true),
            ]
        ),
        (
            "a repeated press does not begin anew",
            [
                .press(.select, pad: 1, 0), .press(.start, pad: 1, 0), .press(.start, pad: 1, 0.4), .ask(0.5, true),
            ]
        ),
        ("an unplugged pad", [.press(.select, pad: 1, 0), .press(.start, pad: 1, 0), .unplug(1), .ask(9, false)]),
    ]

    @Test("the chord fires when both are held for half a second", arguments: table)
    func chord(name: String, steps: [Step]) {
        var chord = ExitChord()
        for step in steps {
            switch step {
            case .press(let button, let pad, let time): chord.handle(button, pad: pad, isPressed: true, time: at(time))
            case .release(let button, let pad, let time):
                chord.handle(button, pad: pad, isPressed: false, time: at(time))
            case .unplug(let pad): chord.disconnect(pad: pad)
            case .ask(let time, let expected): #expect(chord.fired(at: at(time)) == expected, "\(name), at \(time)")
            }
        }
    }

    @Test("the deadline is there while both are held, and only until it has fired")
    func deadline() {
        var chord = ExitChord()
        #expect(chord.deadline == nil)
        chord.handle(.start, pad: 3, isPressed: true, time: at(1))
        #expect(chord.deadline == nil)
        chord.handle(.select, pad: 3, isPressed: true, time: at(2))
        #expect(chord.deadline == at(2.5))
        let fired = chord.fired(at: at(2.5))
        #expect(fired)
        #expect(chord.deadline == nil)
    }

    /// A pad as the monitor tells it.
    private func pad(_ id: Int, _ controls: [PadFunction: [Control]], player: Int = 1) -> PadInfo {
        PadInfo(
            id: id, node: "/dev/input/event0",
            facts: DeviceFacts(name: "Pad", identity: PadIdentity(bus: 3, vendor: 1, product: 2, version: 3)),
            family: .xbox, mapping: PadMapping(controls: controls), source: .user, player: player)
    }

    /// Holds buttons of a pad for ten seconds and says whether the game is left.
    private func leaves(_ pad: PadInfo, holding buttons: [PadButton]) -> Bool {
        var chord = ExitChord()
        chord.connect(pad)
        for button in buttons { chord.handle(button, pad: pad.id, isPressed: true, time: at(0)) }
        return chord.fired(at: at(10))
    }

    private static func key(_ number: UInt16) -> [Control] { Control("button \(number)").map { [$0] } ?? [] }

    @Test("each pad leaves with its own modifier and Start, whoever is player 1, and never with Start alone")
    func modifiers() {
        let select: [PadFunction: [Control]] = [.select: Self.key(314), .start: Self.key(315)]
        let guide = select.merging([.guide: Self.key(316), .hotkey: Self.key(316)]) { $1 }
        let own = select.merging([.hotkey: Self.key(704)]) { $1 }
        for (mapping, modifier) in [(select, PadButton.select), (guide, .guide), (own, .hotkey)] {
            for player in 1...3 {
                let pad = pad(player, mapping, player: player)
                #expect(leaves(pad, holding: [modifier, .start]))
                #expect(!leaves(pad, holding: [.start]))
                #expect(!leaves(pad, holding: [modifier]))
                #expect(!leaves(pad, holding: [.start, .south, .l, .r]))
                // Games use Select and Start to save; with another modifier the two are theirs.
                if modifier != .select { #expect(!leaves(pad, holding: [.select, .start])) }
            }
        }
    }

    @Test("a modifier that was mapped to Start itself is none: Select is, where there is one")
    func modifierIsStart() {
        let start: [PadFunction: [Control]] = [.start: Self.key(315), .hotkey: Self.key(315)]
        #expect(pad(1, start).chord == nil)
        #expect(!leaves(pad(1, start), holding: [.start]))
        #expect(pad(1, start.merging([.select: Self.key(314)]) { $1 }).chord == .usual)
    }

    @Test("B046: whatever is mapped to whatever, nothing that is held alone leaves a game")
    func startAlone() {
        var state: UInt64 = 46
        func below(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(truncatingIfNeeded: state >> 33) % limit
        }
        let axes: [AxisCode: AxisInfo] = [
            .hat0X: AxisInfo(minimum: -1, maximum: 1), .z: AxisInfo(minimum: 0, maximum: 255),
        ]
        let capabilities = Capabilities(keys: [.south, .east, .start, .select], axes: axes)
        let controls: [Control] =
            [.key(.south), .key(.start), .key(.select), .axis(.hat0X, .positive), .axis(.z, .positive)]
        var withChord = 0
        for _ in 0..<2000 {
            var mapping = PadMapping(travels: [.z: AxisTravel(rest: .minimum)])
            for function in [PadFunction.south, .start, .select, .guide, .hotkey, .rightUp] {
                for _ in 0..<below(3) { mapping.add(controls[below(controls.count)], for: function) }
            }
            let pad = PadInfo(
                id: 1, node: "/dev/input/event0",
                facts: DeviceFacts(
                    name: "Pad", identity: PadIdentity(bus: 3, vendor: 1, product: 2, version: 3),
                    capabilities: capabilities), family: .xbox, mapping: mapping, source: .user)
            if pad.chord != nil { withChord += 1 }
            for control in controls {
                var chord = ExitChord()
                chord.connect(pad)
                var interpreter = PadInterpreter(capabilities: capabilities, mapping: mapping)
                let event: InputEvent.Kind =
                    switch control {
                    case .key(let code): .key(code, value: 1)
                    case .axis(let code, _): .axis(code, value: axes[code]?.maximum ?? 0)
                    }
                for change in interpreter.handle(event) {
                    chord.handle(change.button, pad: 1, isPressed: change.isPressed, time: at(0))
                }
                let hasFired = chord.fired(at: at(60))
                #expect(!hasFired, "\(control) of \(mapping)")
            }
        }
        #expect(withChord > 200)
    }

    @Test("a pad without Start or without a modifier leaves no game, whatever is held")
    func incompletePads() {
        for mapping in [
            [.start: Self.key(315)], [.select: Self.key(314)], [.south: Self.key(304), .hotkey: Self.key(304)], [:],
        ] as [[PadFunction: [Control]]] {
            #expect(pad(1, mapping).chord == nil)
            #expect(!leaves(pad(1, mapping), holding: PadButton.allCases))
        }
    }

    @Test("a pad that gets another mapping in the game has its new chord, and what was held before does not count")
    func changedMapping() {
        var chord = ExitChord()
        let before: [PadFunction: [Control]] = [.select: Self.key(314), .start: Self.key(315)]
        chord.connect(pad(1, before))
        chord.handle(.start, pad: 1, isPressed: true, time: at(0))
        chord.connect(pad(1, before.merging([.hotkey: Self.key(704)]) { $1 }))
        chord.handle(.hotkey, pad: 1, isPressed: true, time: at(0))
        #expect(chord.deadline == nil)
        chord.handle(.start, pad: 1, isPressed: true, time: at(1))
        #expect(chord.deadline == at(1.5))
    }

    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64((seconds * 1e9).rounded()) + 77_000_000_000)
    }
}
