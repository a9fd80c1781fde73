import Controllers
import EvdevKit
import SystemKit
import Testing

@testable import Commands

/// A stick with two buttons in front of the wizard.
private struct Bench {
    var wizard: MappingWizard
    private var time: Int64 = 0

    init(isTest: Bool = false) {
        let stick = AxisInfo(value: 127, minimum: 0, maximum: 255)
        let facts = DeviceFacts(
            name: "Stick\u{1B}[2J", identity: PadIdentity(bus: 3, vendor: 1, product: 2, version: 3),
            capabilities: Capabilities(
                keys: [.joystick, KeyCode.joystick.advanced(by: 1)], axes: [.x: stick, .y: stick, .z: stick]))
        let pad = PadInfo(id: 1, node: "/dev/input/event3", unmapped: facts)
        let start = MonotonicInstant(nanoseconds: 0)
        wizard = isTest ? MappingWizard(testing: pad, at: start) : MappingWizard(pad: pad, at: start)
        wait(0.3)
    }

    mutating func wait(_ seconds: Double) {
        for _ in 0..<Int((seconds * 20).rounded()) {
            time += 50_000_000
            wizard.advance(to: MonotonicInstant(nanoseconds: time))
        }
    }

    mutating func send(_ event: InputEvent.Kind) {
        wizard.handle(event, at: MonotonicInstant(nanoseconds: time))
    }

    mutating func tap(_ press: InputEvent.Kind, _ release: InputEvent.Kind, for seconds: Double = 0.15) {
        send(press)
        wait(seconds)
        send(release)
        wait(0.2)
    }

    mutating func directions() {
        for value: Int32 in [0, 255] { tap(.axis(.y, value: value), .axis(.y, value: 127)) }
        for value: Int32 in [0, 255] { tap(.axis(.x, value: value), .axis(.x, value: 127)) }
    }

    mutating func button(_ number: Int, for seconds: Double = 0.15) {
        let key = KeyCode.joystick.advanced(by: number)
        tap(.key(key, value: 1), .key(key, value: 0), for: seconds)
    }

    var picture: String { WizardText.picture(wizard, hasKeys: true).joined(separator: "\n") }
}

@Suite("The wizard in a terminal")
struct WizardTextTests {
    @Test("the picture shows the rows around the one that is asked, the ring, the notice and what can be done")
    func picture() {
        var bench = Bench()
        #expect(
            bench.picture == #"""
                Stick␛[2J

                > D-pad up          press it and hold it for a moment
                  D-pad down
                  D-pad left
                  D-pad right
                  A
                  B
                  X



                \#("")
                Escape: back. q: leave. Ctrl-C: leave without storing.
                """#)
        bench.directions()
        bench.button(0)
        bench.button(0)
        #expect(bench.picture.contains("\nThat is already A.\nHold D-pad down to skip.\nEscape"))
        bench.button(1)
        bench.send(.axis(.y, value: 255))
        bench.wait(0.5)
        #expect(
            bench.picture == #"""
                Stick␛[2J

                  D-pad right       axis 0 +
                  A                 button 288
                  B                 button 289
                > X                 hold it to skip this
                  Y
                  Start
                  Select

                [###############...............] skip

                Hold D-pad down to skip. B: back.
                Escape: back. q: leave. Ctrl-C: leave without storing.
                """#)
        bench.wait(0.5)
        #expect(bench.picture.contains("> Y                 let everything go"))
        bench.send(.axis(.y, value: 127))
        bench.wizard.deviceRemoved(at: MonotonicInstant(nanoseconds: 0))
        #expect(bench.picture.contains("plug it in again within 10 s"))
    }

    @Test("the test shows what is held and where the axes are, in as many lines")
    func test() {
        var bench = Bench(isTest: true)
        let lines = bench.picture.split(separator: "\n", omittingEmptySubsequences: false).count
        bench.send(.axis(.y, value: 255))
        bench.send(.key(.joystick, value: 1))
        bench.wait(0.5)
        #expect(bench.picture.contains("Pressed: D-pad down and A\n"))
        #expect(bench.picture.contains("axis 0   [--------#--------]   axis 1   [--------|-------#]"))
        #expect(bench.picture.contains("[###############...............] done"))
        #expect(bench.picture.split(separator: "\n", omittingEmptySubsequences: false).count == lines)
        bench.wait(0.5)
        #expect(bench.wizard.phase == .ended(.saved(bench.wizard.pad.mapping)))
    }

    @Test("a picture takes the place of the one before, is not painted twice, and no line of it wraps")
    func repainting() {
        var painting = Repainting(width: 10)
        #expect(painting.text(for: ["one", "two"]) == "\r\u{1B}[Kone\n\r\u{1B}[Ktwo\n")
        #expect(painting.text(for: ["one", "two"]) == "")
        let text = painting.text(for: ["one", "a line that is too long"])
        #expect(text == "\u{1B}[2A\r\u{1B}[Kone\n\r\u{1B}[Ka line t…\n")
        #expect(painting.text(for: ["one"]) == "\u{1B}[2A\r\u{1B}[Kone\n\u{1B}[J")
    }

    @Test("without a screen everything that happens is a line")
    func lines() {
        var bench = Bench()
        var lines = WizardLines(bench.wizard)
        #expect(lines.news(bench.wizard) == ["Press D-pad up."])
        #expect(lines.news(bench.wizard).isEmpty)
        bench.tap(.axis(.y, value: 0), .axis(.y, value: 127))
        #expect(lines.news(bench.wizard) == ["D-pad up: axis 1 -", "Press D-pad down."])
        bench.tap(.axis(.y, value: 0), .axis(.y, value: 127))
        #expect(lines.news(bench.wizard) == ["That is already D-pad up."])
        bench.wizard.back(at: MonotonicInstant(nanoseconds: 0))
        bench.wait(0.2)
        #expect(lines.news(bench.wizard) == ["D-pad up: asked again", "Press D-pad up."])
        bench.directions()
        _ = lines.news(bench.wizard)
        bench.button(0)
        bench.button(1)
        #expect(lines.news(bench.wizard) == ["A: button 288", "B: button 289", "Press X."])
        bench.wizard.deviceRemoved(at: MonotonicInstant(nanoseconds: 0))
        #expect(lines.news(bench.wizard) == ["It is gone: plug it in again within ten seconds."])
        bench.wizard.deviceReturned(bench.wizard.pad, at: MonotonicInstant(nanoseconds: 0))
        bench.wait(0.5)
        #expect(lines.news(bench.wizard) == ["It is back."])
        while bench.wizard.phase == .listening { bench.button(1, for: 1) }
        #expect(
            lines.news(bench.wizard).suffix(3) == [
                "Right stick right: skipped", "Hotkey: skipped", "Try every control. Hold A when done.",
            ])
        bench.send(.key(.joystick, value: 1))
        #expect(lines.news(bench.wizard) == ["A down"])
        bench.send(.key(.joystick, value: 0))
        #expect(lines.news(bench.wizard) == ["A up"])
    }

    @Test(
        "an Escape alone goes back, cursor keys and letters are nothing",
        arguments: [
            ([0x1B], WizardRun.Typed.back), ([0x1B, 0x5B, 0x41], nil), ([0x71], .leave), ([0x04], .leave),
            ([0x61], nil),
            ([], nil),
        ] as [([UInt8], WizardRun.Typed?)])
    func typed(_ bytes: [UInt8], _ meaning: WizardRun.Typed?) {
        #expect(WizardRun.typed(bytes) == meaning)
    }
}
