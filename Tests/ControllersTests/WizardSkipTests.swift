import Controllers
import EvdevKit
import SystemKit
import Testing

/// What a person and the clock do on the row of the right face button, with Down known and the row free to be skipped.
struct SkipCase: Sendable, CustomTestStringConvertible {
    enum Act: Sendable {
        case down
        case up
        case wait(Double)
        /// The clock jumps.
        case jump(Double)
        case press(Control)
        case letGo(Control)
    }

    let name: String
    let acts: [Act]
    /// How many rows are skipped.
    let skipped: Int
    let notice: MappingWizard.Notice?

    init(_ name: String, _ acts: [Act], skips skipped: Int, notice: MappingWizard.Notice? = nil) {
        self.name = name
        self.acts = acts
        self.skipped = skipped
        self.notice = notice
    }

    var testDescription: String { name }
}

private let alreadyDown = MappingWizard.Notice.alreadyUsed(stickDown, by: .down)

private let cases: [SkipCase] = [
    SkipCase("a tap", [.down, .wait(150), .up], skips: 0, notice: alreadyDown),
    SkipCase("0.9 s", [.down, .wait(900), .up], skips: 0, notice: alreadyDown),
    SkipCase("0.999 s", [.down, .wait(999), .up], skips: 0, notice: alreadyDown),
    SkipCase("1.0 s", [.down, .wait(1000), .up], skips: 1),
    SkipCase("1.1 s", [.down, .wait(1100), .up], skips: 1),
    SkipCase("1.9 s", [.down, .wait(1900), .up], skips: 1),
    SkipCase("2.5 s", [.down, .wait(2500), .up], skips: 1),
    SkipCase("9 s", [.down, .wait(9000), .up], skips: 1),
    SkipCase("still held after 2.5 s", [.down, .wait(2500)], skips: 1),
    SkipCase(
        "twice 0.6 s", [.down, .wait(600), .up, .wait(20), .down, .wait(600), .up], skips: 0, notice: alreadyDown),
    SkipCase(
        "twice 0.99 s", [.down, .wait(990), .up, .wait(200), .down, .wait(990), .up], skips: 0, notice: alreadyDown),
    SkipCase("twice 1.0 s", [.down, .wait(1000), .up, .wait(200), .down, .wait(1000), .up], skips: 2),
    SkipCase(
        "three times 1.2 s",
        [
            .down, .wait(1200), .up, .wait(100), .down, .wait(1200), .up, .wait(100), .down, .wait(1200), .up,
        ], skips: 3),
    SkipCase(
        "released for a moment and pressed before the next row listens",
        [.down, .wait(1000), .up, .wait(30), .down, .wait(1500), .up], skips: 1),
    SkipCase("ten looks at the clock in a second", [.down] + .init(repeating: .wait(100), count: 10) + [.up], skips: 1),
    SkipCase("nine looks", [.down] + .init(repeating: .wait(100), count: 9) + [.up], skips: 0, notice: alreadyDown),
    SkipCase(
        "another button in between",
        [
            .down, .wait(600), .press(button(5)), .wait(300), .letGo(button(5)), .wait(600), .up,
        ], skips: 0, notice: alreadyDown),
    SkipCase(
        "another button in between, then long enough",
        [
            .down, .wait(600), .press(button(5)), .wait(300), .letGo(button(5)), .wait(1000), .up,
        ], skips: 1),
    // A clock that jumps.
    SkipCase(
        "forward by an hour, then let go", [.down, .wait(500), .jump(3_600_000), .up], skips: 0),
    SkipCase(
        "forward by an hour: the hold begins anew", [.down, .wait(500), .jump(3_600_000), .wait(990), .up], skips: 0,
        notice: alreadyDown),
    SkipCase("forward by an hour, then a second", [.down, .wait(500), .jump(3_600_000), .wait(1000), .up], skips: 1),
    SkipCase("forward by 2.5 s", [.down, .wait(900), .jump(2500), .up], skips: 0),
    SkipCase("back by an hour", [.down, .wait(900), .jump(-3_600_000), .wait(50), .up], skips: 0, notice: alreadyDown),
    SkipCase("back by an hour, then a second", [.down, .wait(900), .jump(-3_600_000), .wait(1000), .up], skips: 1),
    SkipCase("back by a moment", [.down, .wait(900), .jump(-100), .wait(150), .up], skips: 0, notice: alreadyDown),
    SkipCase(
        "back and forth", [.down, .wait(500), .jump(-5000), .jump(5000), .wait(900), .up], skips: 0, notice: alreadyDown
    ),
]

@Suite("Skipping by holding Down")
struct WizardSkipTests {
    /// On the row of B, with directions and A known.
    private func hand() -> Hand {
        var hand = Hand(snesAdapter)
        hand.answer(stickUp, stickDown, stickLeft, stickRight, button(0))
        #expect(hand.asked == .east)
        #expect(hand.wizard.skipControl == .down)
        return hand
    }

    @Test("exactly one row a hold of a second, and none for less", arguments: cases)
    func table(_ entry: SkipCase) {
        var hand = hand()
        for act in entry.acts {
            switch act {
            case .down: hand.press(stickDown)
            case .up: hand.letGo(stickDown)
            case .wait(let time): hand.wait(time)
            case .jump(let time): hand.jump(time)
            case .press(let control): hand.press(control)
            case .letGo(let control): hand.letGo(control)
            }
        }
        hand.wait(100)
        #expect(hand.wizard.rows.filter { $0.state == .skipped }.count == entry.skipped)
        #expect(hand.wizard.current == 5 + entry.skipped)
        #expect(hand.wizard.notice == entry.notice)
        #expect(hand.wizard.result.controls[.down] == [stickDown])
        #expect(hand.wizard.result.controls.count == 5)
    }

    @Test("the ring fills in step with the hold and is empty for the next one")
    func ring() {
        var hand = hand()
        hand.press(stickDown)
        #expect(hand.wizard.phase == .skipping(progress: 0))
        hand.wait(250)
        #expect(hand.wizard.phase == .skipping(progress: 0.25))
        hand.wait(500)
        #expect(hand.wizard.phase == .skipping(progress: 0.75))
        hand.letGo(stickDown)
        #expect(hand.wizard.phase == .releasing)
        hand.wait(100)
        #expect(hand.wizard.phase == .listening)
        hand.press(stickDown)
        #expect(hand.wizard.phase == .skipping(progress: 0))
    }

    @Test("a Down that was held when the row before was answered does not count")
    func heldAcrossAnswer() {
        var hand = hand()
        hand.press(button(1))
        hand.wait(90)
        hand.press(stickDown)
        hand.wait(50)
        // The button is the answer, whatever else is held.
        #expect(hand.wizard.rows[5].state == .bound(button(1)))
        hand.letGo(button(1))
        hand.wait(1500)
        #expect(hand.wizard.current == 6)
        #expect(hand.wizard.phase == .releasing)
        hand.letGo(stickDown)
        hand.wait(100)
        #expect(hand.wizard.phase == .listening)
        hand.tap(stickDown, for: 1000)
        #expect(hand.wizard.rows[6].state == .skipped)
    }

    @Test("directions and A cannot be skipped, and the person is told", arguments: [PadFunction.left, .right, .south])
    func required(_ function: PadFunction) {
        var hand = Hand(snesAdapter)
        let answers = [stickUp, stickDown, stickLeft, stickRight]
        for (row, control) in zip(PadFunction.dpad, answers) where row != function && hand.asked == row {
            hand.tap(control)
        }
        #expect(hand.asked == function)
        #expect(!hand.wizard.canSkip)
        hand.press(stickDown)
        hand.wait(150)
        #expect(hand.wizard.phase == .pressing(stickDown))
        #expect(hand.wizard.notice == .alreadyUsed(stickDown, by: .down))
        hand.wait(900)
        #expect(hand.wizard.notice == .cannotSkip(function))
        hand.letGo(stickDown)
        hand.wait(100)
        #expect(hand.asked == function)
        #expect(hand.wizard.phase == .listening)
    }

    @Test("a release that is handed in late, with its own time, still ends a hold of less than a second")
    func lateRelease() {
        var hand = hand()
        hand.press(stickDown)
        hand.wait(995)
        hand.wizard.handle(.axis(.y, value: 127), at: hand.now)
        hand.wizard.advance(to: hand.now.advanced(bySeconds: 0.02))
        #expect(hand.wizard.current == 5)
        #expect(hand.wizard.notice == .alreadyUsed(stickDown, by: .down))
    }

    @Test("a hold that ends by unplugging skips nothing")
    func unplugged() {
        var hand = hand()
        hand.press(stickDown)
        hand.wait(800)
        hand.wizard.deviceRemoved(at: hand.now)
        hand.wait(500)
        hand.wizard.deviceReturned(hand.device.info, at: hand.now)
        hand.wait(2000)
        #expect(hand.wizard.current == 5)
        #expect(hand.wizard.phase == .listening)
    }

    @Test("lost events end a hold")
    func dropped() {
        var hand = hand()
        hand.press(stickDown)
        hand.wait(800)
        hand.send(.dropped)
        hand.wait(800)
        #expect(hand.wizard.current == 5)
        #expect(hand.wizard.phase == .releasing)
        hand.letGo(stickDown)
        hand.wait(100)
        #expect(hand.wizard.phase == .listening)
    }
}
