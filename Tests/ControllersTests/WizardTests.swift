import Controllers
import EvdevKit
import SystemKit
import Testing

@Suite("The mapping wizard")
struct WizardTests {
    @Test("asks row by row, takes what is held for a tenth of a second, and ends after a test with a mapping")
    func wholePad() {
        var hand = Hand(snesAdapter)
        #expect(hand.wizard.phase == .listening)
        hand.answer(stickUp, stickDown, stickLeft, stickRight)
        for number in 0..<10 {
            #expect(hand.asked == WizardRows.order[4 + number])
            hand.tap(button(number))
        }
        #expect(hand.asked == .hotkey)
        hand.tap(button(5))
        #expect(hand.wizard.phase == .testing)
        hand.press(button(0))
        #expect(hand.wizard.held == [.south])
        hand.letGo(button(0))
        hand.press(button(4))
        hand.wait(1000)
        guard case .ended(.saved(let mapping)) = hand.wizard.phase else {
            Issue.record("\(hand.wizard.phase)")
            return
        }
        #expect(mapping.controls[.up] == [stickUp])
        #expect(mapping.controls[.r2] == [button(9)])
        #expect(mapping.controls[.hotkey] == [button(5)])
        #expect(mapping.controls[.l3] == nil)
        #expect(mapping.isUsable)
        #expect(hand.wizard.deadline == nil)
    }

    @Test("on known pads the answers of a person make the mapping that the convention has", arguments: pads)
    func knownPad(_ device: Device) {
        var hand = Hand(device)
        var expected = device.info.mapping.bindings
        expected[.guide] = nil
        for function in WizardRows.order {
            guard hand.asked == function else {
                #expect(hand.state(function) == .absent, "\(function)")
                #expect(expected[function] == nil)
                continue
            }
            if let control = expected[function] {
                hand.tap(control)
                #expect(hand.state(function) == .bound(control))
            } else {
                hand.tap(expected[.down] ?? hatDown, for: 1000)
                #expect(hand.state(function) == .skipped, "\(function)")
            }
            hand.wait(500)
        }
        #expect(hand.wizard.phase == .testing)
        var bindings = hand.wizard.result.bindings
        bindings[.guide] = nil
        #expect(bindings == expected)
        // What was answered does in the menu what it is called.
        var interpreter = PadInterpreter(capabilities: device.capabilities, mapping: hand.wizard.result)
        for (function, control) in expected {
            guard let button = function.button else { continue }
            for isPressed in [true, false] {
                let changes = interpreter.handle(hand.event(control, isPressed: isPressed))
                #expect(changes == [PadChange(button, isPressed: isPressed)], "\(function)")
            }
        }
    }
}
