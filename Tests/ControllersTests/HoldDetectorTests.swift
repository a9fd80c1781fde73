import EvdevKit
import SystemKit
import Testing

@testable import Controllers

private func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

@Suite("Finding the device in the person's hand")
struct HoldDetectorTests {
    private func key(_ isPressed: Bool, _ time: Double, code: KeyCode = .south) -> InputEvent {
        InputEvent(.key(code, value: isPressed ? 1 : 0), time: at(time))
    }

    @Test("a button held for a second counts, a shorter press and a release do not")
    func second() {
        var holds = HoldDetector()
        #expect(holds.deadline == nil)
        holds.handle(key(true, 1), from: 3)
        #expect(holds.hold(at: at(1.5))?.progress == 0.5)
        #expect(holds.deadline == at(2))
        #expect(holds.hold(at: at(2))?.progress == 1)
        holds.handle(key(false, 1.9), from: 3)
        #expect(holds.hold(at: at(2)) == nil)
    }

    @Test("what is held longest counts; repeats of a keyboard do not begin anew; axes are nothing")
    func longest() {
        var holds = HoldDetector()
        holds.handle(key(true, 1, code: .enter), from: 1)
        holds.handle(key(true, 1.4), from: 2)
        holds.handle(InputEvent(.key(.enter, value: 2), time: at(1.6)), from: 1)
        holds.handle(InputEvent(.axis(.x, value: 255), time: at(0)), from: 4)
        #expect(holds.hold(at: at(2))?.device == 1)
        #expect(holds.keys(of: 1) == [.enter])
        holds.forget(1)
        #expect(holds.hold(at: at(2.4)) == HoldDetector.Hold(device: 2, progress: 1))
    }

    @Test("lost events mean that nobody knows what is held")
    func dropped() {
        var holds = HoldDetector()
        holds.handle(key(true, 1), from: 1)
        holds.handle(InputEvent(.dropped, time: at(1.1)), from: 1)
        #expect(holds.hold(at: at(3)) == nil)
    }
}

@Suite("Words for controls")
struct ControlWordsTests {
    private let pad = PadInfo(
        id: 1, node: "/dev/input/event1",
        facts: DeviceFacts(
            name: "Pad", identity: PadIdentity(bus: 3, vendor: 1, product: 2, version: 1),
            capabilities: Capabilities(
                keys: [.joystick, .joystick.advanced(by: 1), .homePage],
                axes: [
                    .x: AxisInfo(minimum: 0, maximum: 255), .rz: AxisInfo(minimum: 0, maximum: 255),
                    .hat0X: AxisInfo(minimum: -1, maximum: 1),
                ])),
        family: .xbox, mapping: PadMapping(), source: .none)

    @Test(
        "buttons and axes count from one, hats have arrows, keys their names",
        arguments: [
            (Control.key(.joystick), "Button 1"), (.key(.homePage), "Button 3"), (.axis(.x, .negative), "Axis 1 −"),
            (.axis(.rz, .positive), "Axis 2 +"), (.axis(.hat0Y, .negative), "Hat ↑"),
            (.axis(.hat3Y, .positive), "Hat 4 ↓"),
        ])
    func words(control: Control, title: String) {
        #expect(pad.title(of: control) == title)
    }

    @Test("every key of the keyboard has a short name, and comes as the event that its node would send")
    func keys() {
        for key in Key.allCases where key != .menu {
            #expect(!key.title.isEmpty && key.title.count <= 9, "\(key)")
            #expect(InputEvent(key, isPressed: true, time: at(0)) != nil, "\(key)")
        }
        #expect(InputEvent(.return, isPressed: true, time: at(0))?.kind == .key(.enter, value: 1))
        #expect(PadInfo.keyboard.title(of: .key(.rightShift)) == "R-Shift")
    }

    @Test("no two functions of a family share their name", arguments: [PadFamily.xbox, .playstation, .nintendo])
    func functions(family: PadFamily) {
        let titles = PadFunction.allCases.map { $0.title(on: family) }
        #expect(Set(titles).count == titles.count)
    }
}

@Suite("What could not be stored")
struct KeptMappingTests {
    @Test("it counts until the process ends, survives a reading of the files, and a stored one takes its place")
    func kept() throws {
        let folder = BytePath("/nonexistent/controllers")
        let knowledge = PadKnowledge(folder: folder)
        let facts = DeviceFacts(
            name: "Odd", identity: PadIdentity(bus: 3, vendor: 0xF00D, product: 9, version: 1),
            capabilities: Capabilities(keys: [.joystick]))
        let mapping = PadMapping(controls: [.south: [.key(.joystick)]])
        #expect(!knowledge.isWanted(facts))
        knowledge.keep(mapping, for: facts)
        knowledge.reload()
        #expect(knowledge.isWanted(facts))
        #expect(knowledge.answer(for: facts).source == .user)
        #expect(knowledge.answer(for: facts).mapping == mapping)
        #expect(try knowledge.forget(facts))
        #expect(knowledge.answer(for: facts).source == .none)
    }
}
