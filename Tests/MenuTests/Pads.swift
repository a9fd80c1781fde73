import Controllers
import EvdevKit
import Interface
import SystemKit
import Testing

@testable import Menu

/// Pads for tests, and what is done with them.
enum Pads {
    /// Twelve buttons without a place, a hat and two axes: nobody knows it.
    static func unknown(_ id: Int, port: String = "usb-1/input0") -> PadInfo {
        let capabilities = Capabilities(
            keys: Set((0..<12).map { KeyCode.joystick.advanced(by: $0) }),
            axes: [
                .x: AxisInfo(value: 128, minimum: 0, maximum: 255), .y: AxisInfo(value: 128, minimum: 0, maximum: 255),
                .hat0X: AxisInfo(minimum: -1, maximum: 1), .hat0Y: AxisInfo(minimum: -1, maximum: 1),
            ])
        let facts = DeviceFacts(
            name: "Generic USB Joystick", identity: PadIdentity(bus: 3, vendor: 0x0079, product: 0x0006, version: 1),
            physicalPath: port, capabilities: capabilities)
        return PadInfo(
            id: id, node: BytePath("/dev/input/event\(id)"), facts: facts, family: .xbox,
            mapping: PadMapping(guess: capabilities, identity: facts.identity, name: facts.name), source: .none)
    }

    /// Two axes and some buttons.
    static func simple(_ buttons: Int) -> PadInfo {
        let axis = AxisInfo(value: 128, minimum: 0, maximum: 255)
        let facts = DeviceFacts(
            name: "USB gamepad", identity: PadIdentity(bus: 3, vendor: 0x0810, product: 0xE501, version: 1),
            capabilities: Capabilities(
                keys: Set((0..<buttons).map { KeyCode.joystick.advanced(by: $0) }), axes: [.x: axis, .y: axis]))
        return PadInfo(id: 5, node: "/dev/input/event5", unmapped: facts)
    }

    /// A pad of the kernel's convention.
    static func known(_ id: Int, player: Int = 1, source: MappingSource = .kernel, family: PadFamily = .xbox) -> PadInfo
    {
        let keys: Set<KeyCode> = [
            .south, .east, .north, .west, .shoulderLeft, .shoulderRight, .start, .select, .mode, .thumbLeft,
            .thumbRight, .dpadUp, .dpadDown, .dpadLeft, .dpadRight,
        ]
        let stick = AxisInfo(minimum: -32768, maximum: 32767)
        let facts = DeviceFacts(
            name: "Living Room Pad \(id)", identity: PadIdentity(bus: 5, vendor: 0x2DC8, product: 0x6001, version: 1),
            unique: "aa:bb:\(id)", capabilities: Capabilities(keys: keys, axes: [.x: stick, .y: stick]))
        var pad = PadInfo(id: id, node: BytePath("/dev/input/event\(id)"), unmapped: facts)
        pad.family = family
        pad.source = source
        pad.player = player
        return pad
    }

    static let mouse = PadInfo(
        id: 40, node: "/dev/input/event40",
        facts: DeviceFacts(
            name: "Optical Mouse", identity: PadIdentity(bus: 3, vendor: 1, product: 2, version: 1),
            capabilities: Capabilities(keys: [.mouseLeft], relative: [0, 1])),
        family: .xbox, mapping: PadMapping(), source: .none)

    static func button(_ number: Int) -> InputEvent.Kind { .key(KeyCode.joystick.advanced(by: number - 1), value: 1) }
}

/// What the menu asked for at the desk, from whichever thread.
final class DeskNotes: @unchecked Sendable {
    // Only the test reads it, after the menu has heard of the end of what wrote it.
    var saved: [(mapping: PadMapping, facts: DeviceFacts, onlyThisUnit: Bool)] = []
    var kept: [DeviceFacts] = []
    var forgotten: [DeviceFacts] = []
    var listening: [Bool] = []
    var guessing: [Int] = []
    var moves: [[Int]] = []
    var refreshes = 0
    /// Why nothing can be stored.
    var refusal: String?

    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    var desk: ControllerDesk {
        var desk = ControllerDesk()
        desk.listen = { self.listening.append($0) }
        desk.setGuessing = { pad, isOn in if isOn { self.guessing.append(pad) } }
        desk.refresh = { self.refreshes += 1 }
        desk.assign = { self.moves.append([$0, $1]) }
        desk.save = { mapping, facts, _, onlyThisUnit in
            if let refusal = self.refusal { throw Refusal(description: refusal) }
            self.saved.append((mapping, facts, onlyThisUnit))
        }
        desk.keep = { _, facts, _ in self.kept.append(facts) }
        desk.forget = { facts in
            self.forgotten.append(facts)
            return true
        }
        return desk
    }
}

/// The menu with a clock of its own, which goes on only when the test lets it.
final class PadRig {
    let notes = DeskNotes()
    let rig: Rig
    private(set) var now = MonotonicInstant.now

    init(size: Size = Size(1280, 720)) async throws {
        rig = try Rig(size: size, desk: notes.desk)
        rig.application.window.motionEnabled = false
        for name in ["A.nes", "B.nes", "C.nes"] { try rig.add(BytePath(name)) }
        try await rig.scan()
        // The menu has its own look at the clock here and there, so this one must not be behind.
        now = .now
    }

    var application: Application { rig.application }
    var top: Screen { application.top }
    var face: MappingFace? { (top as? PadScreen)?.face }

    func receive(_ event: ControllerEvent) {
        application.receive(.controller(event))
        paint()
    }

    /// Lets time pass in steps as small as a display's.
    func wait(_ seconds: Double) {
        let end = now.advanced(bySeconds: seconds)
        while now < end {
            now = min(end, now.advanced(bySeconds: 0.02))
            application.update(now: now)
        }
        paint()
    }

    func paint() {
        if application.needsDisplay { _ = application.render() }
    }

    func raw(_ kind: InputEvent.Kind, pad: Int = 7) {
        application.receive(.controller(.raw(pad: pad, InputEvent(kind, time: now))))
        application.receive(.controller(.raw(pad: pad, InputEvent(.report, time: now))))
    }

    /// Presses a control for a time, and waits until the next row listens.
    func press(_ down: InputEvent.Kind, for seconds: Double = 0.15, pad: Int = 7) {
        raw(down, pad: pad)
        wait(seconds)
        switch down {
        case .key(let code, _): raw(.key(code, value: 0), pad: pad)
        case .axis(let code, _): raw(.axis(code, value: code.isHat ? 0 : 128), pad: pad)
        case .report, .dropped, .other: break
        }
        wait(0.3)
    }

    /// Answers the rows of the four directions, A and B.
    func answerSix(pad: Int = 7) {
        wait(0.5)
        press(.axis(.hat0Y, value: -1), pad: pad)
        press(.axis(.hat0Y, value: 1), pad: pad)
        press(.axis(.hat0X, value: -1), pad: pad)
        press(.axis(.hat0X, value: 1), pad: pad)
        press(Pads.button(3), pad: pad)
        press(Pads.button(2), pad: pad)
    }

    func skip(pad: Int = 7) { press(.axis(.hat0Y, value: 1), for: 1.1, pad: pad) }

    /// Skips all rows that are left.
    func skipAll(pad: Int = 7) {
        for _ in 0..<40 where face?.isTesting == false { skip(pad: pad) }
    }

    func button(_ button: PadButton, _ isPressed: Bool, pad: Int) {
        receive(.button(pad: pad, button: button, isPressed: isPressed, time: now))
    }

    func tap(_ name: PadButton, pad: Int) {
        button(name, true, pad: pad)
        button(name, false, pad: pad)
    }

    func shows(_ text: String) -> Bool {
        application.window.setNeedsDisplay()
        paint()
        return rig.shows(text)
    }
}
