import Controllers
import EvdevKit
import SystemKit
import Testing

@Suite("The wizard's rows")
struct WizardRowTests {
    /// A pad with a hat, two sticks and all buttons, asked for the row.
    private func hand(at function: PadFunction) -> Hand {
        var hand = Hand(dragonRise)
        hand.answer(hatUp, hatDown, hatLeft, hatRight)
        var number = 0
        while let asked = hand.asked, asked != function, hand.wizard.phase == .listening, number < 12 {
            hand.tap(button(number))
            number += 1
        }
        while let asked = hand.asked, asked != function, hand.wizard.phase == .listening {
            hand.tap(hatDown, for: 1000)
        }
        #expect(hand.asked == function)
        return hand
    }

    @Test("a tap of B takes the last answer back, also a skipped one, and the first of all leaves")
    func back() {
        var hand = hand(at: .north)
        hand.tap(hatDown, for: 1000)
        #expect(hand.state(.north) == .skipped)
        hand.tap(button(1))
        #expect(hand.asked == .north)
        #expect(hand.state(.north) == .open)
        hand.tap(button(1))
        #expect(hand.asked == .west)
        #expect(hand.wizard.result.controls[.west] == nil)
        hand.tap(button(1))
        #expect(hand.asked == .east)
        #expect(hand.wizard.result.controls[.east] == nil)
        // Now it has no function, so it can be the answer again, or another can.
        hand.tap(button(3))
        #expect(hand.state(.east) == .bound(button(3)))
        hand.tap(button(1))
        #expect(hand.state(.west) == .bound(button(1)))
    }

    @Test("B held for longer than a tap goes nowhere")
    func longBack() {
        var hand = hand(at: .north)
        hand.tap(button(1), for: 1500)
        #expect(hand.asked == .north)
    }

    @Test("Back from elsewhere goes a row back at any moment, and leaves from the first row")
    func backFromElsewhere() {
        var hand = Hand(dragonRise)
        hand.answer(hatUp, hatDown, hatLeft)
        hand.press(hatRight)
        hand.wait(50)
        hand.wizard.back(at: hand.now)
        #expect(hand.asked == .left)
        #expect(hand.wizard.phase == .releasing)
        hand.letGo(hatRight)
        hand.wait(100)
        for _ in 0..<2 { hand.wizard.back(at: hand.now) }
        #expect(hand.asked == .up)
        hand.wizard.back(at: hand.now)
        #expect(hand.abandoned == .left)
    }

    @Test(
        "the first row of a stick offers to skip the whole stick, and B takes that back as one",
        arguments: [
            (PadFunction.leftUp, PadFunction.rightUp), (.rightUp, .hotkey),
        ])
    func group(_ first: PadFunction, _ next: PadFunction) {
        var hand = hand(at: first)
        #expect(hand.wizard.groupSkip == .north)
        hand.tap(button(3))
        #expect(hand.asked == next)
        let group = first == .leftUp ? PadFunction.leftStick : PadFunction.rightStick
        #expect(group.allSatisfy { hand.state($0) == .skipped })
        hand.tap(button(1))
        #expect(hand.asked == first)
        #expect(group.allSatisfy { hand.state($0) == .open })
    }

    @Test("in the middle of a stick the rest of it is skipped, and comes back alone")
    func restOfGroup() {
        var hand = hand(at: .leftUp)
        hand.answer(stickUp, stickDown)
        hand.tap(button(3))
        #expect(hand.asked == .rightUp)
        hand.tap(button(1))
        #expect(hand.asked == .leftLeft)
        #expect(hand.state(.leftDown) == .bound(stickDown))
    }

    @Test("outside the sticks that button is only refused")
    func noGroup() {
        var hand = hand(at: .start)
        #expect(hand.wizard.groupSkip == nil)
        hand.tap(button(3))
        #expect(hand.asked == .start)
        #expect(hand.wizard.notice?.sentence == "That is already Y")
        #expect(hand.wizard.notice?.sentence(for: .playstation) == "That is already Triangle")
    }

    @Test("the hotkey may be a button with a function, but no direction, nor A, nor B, which goes back")
    func hotkey() {
        var hand = hand(at: .hotkey)
        hand.tap(hatLeft)
        #expect(hand.wizard.notice == .alreadyUsed(hatLeft, by: .left))
        hand.tap(button(0))
        #expect(hand.wizard.notice == .alreadyUsed(button(0), by: .south))
        #expect(hand.asked == .hotkey)
        hand.tap(button(5))
        #expect(hand.wizard.phase == .testing)
        #expect(hand.wizard.result.controls[.hotkey] == [button(5)])
        #expect(hand.wizard.result.controls[.select] == [button(5)])
        #expect(hand.wizard.result.modifier == .hotkey)
    }

    @Test("without a hotkey Select is the modifier")
    func noHotkey() {
        var hand = hand(at: .hotkey)
        hand.tap(hatDown, for: 1000)
        #expect(hand.wizard.phase == .testing)
        #expect(hand.wizard.result.modifier == .select)
    }

    @Test("rows that a device has nothing left for are passed over")
    func absent() {
        var hand = Hand(buffaloSNES)
        hand.answer(stickUp, stickDown, stickLeft, stickRight)
        for number in 0..<8 { hand.tap(button(number)) }
        #expect(hand.asked == .hotkey)
        #expect(hand.wizard.rows.filter { $0.state == .absent }.map(\.function) == WizardRows.order[12..<24].map { $0 })
        // Taking the last answer back opens them again.
        hand.tap(button(1))
        #expect(hand.asked == .r)
        #expect(!hand.wizard.rows.contains { $0.state == .absent })
    }

    @Test("a press that is too short is not taken, and the person is told")
    func tooShort() {
        var hand = hand(at: .west)
        hand.tap(button(4), for: 99)
        #expect(hand.asked == .west)
        #expect(hand.wizard.notice == .tooShort)
        hand.wait(4000)
        #expect(hand.wizard.notice == nil)
        hand.tap(button(4), for: 100)
        #expect(hand.state(.west) == .bound(button(4)))
    }

    @Test("the next row listens only when everything is let go and has rested for a moment")
    func releasing() {
        var hand = hand(at: .west)
        hand.press(button(4))
        hand.wait(100)
        #expect(hand.asked == .north)
        #expect(hand.wizard.phase == .releasing)
        hand.press(button(5))
        hand.wait(500)
        hand.letGo(button(4))
        hand.wait(500)
        #expect(hand.wizard.phase == .releasing)
        hand.letGo(button(5))
        hand.wait(79)
        #expect(hand.wizard.phase == .releasing)
        hand.wait(1)
        #expect(hand.wizard.phase == .listening)
        #expect(hand.state(.north) == .open)
    }

    @Test("two buttons at once are no answer until one of them remains")
    func two() {
        var hand = hand(at: .west)
        hand.press(button(4))
        hand.wait(50)
        hand.press(button(5))
        hand.wait(3000)
        #expect(hand.asked == .west)
        hand.letGo(button(4))
        hand.wait(99)
        #expect(hand.asked == .west)
        hand.wait(1)
        #expect(hand.state(.west) == .bound(button(5)))
    }

    @Test("a button that never comes up is passed over after a while")
    func stuckButton() {
        var hand = hand(at: .west)
        hand.press(button(4))
        hand.wait(9000)
        #expect(hand.wizard.phase == .releasing)
        hand.wait(1500)
        #expect(hand.wizard.phase == .listening)
        hand.tap(button(5))
        #expect(hand.state(.north) == .bound(button(5)))
    }

    @Test("what was held when the wizard began must be let go first")
    func heldAtFirst() {
        let code = KeyCode.joystick.advanced(by: 3)
        var wizard = MappingWizard(pad: dragonRise.info, held: [code], at: MonotonicInstant(nanoseconds: 0))
        func at(_ time: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(time * 1e9)) }
        wizard.advance(to: at(1))
        wizard.handle(.key(code, value: 2), at: at(1.5))
        #expect(wizard.phase == .releasing)
        wizard.handle(.key(code, value: 0), at: at(1.6))
        wizard.advance(to: at(2))
        #expect(wizard.phase == .listening)
        #expect(wizard.current == 0)
    }

    @Test("the maker's button stays what it was known for, unless it got a function")
    func guide() {
        var hand = Hand(xbox360)
        hand.answer(hatUp, hatDown, hatLeft, hatRight, .key(.south))
        #expect(hand.wizard.result.controls[.guide] == [.key(.mode)])
        hand.tap(.key(.mode))
        #expect(hand.wizard.result.controls[.guide] == nil)
        #expect(hand.wizard.result.controls[.east] == [.key(.mode)])
    }
}
