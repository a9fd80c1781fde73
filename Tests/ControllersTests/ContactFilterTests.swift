import SystemKit
import Testing

@testable import Controllers

@Suite("Contacts that bounce")
struct ContactFilterTests {
    /// What is told of presses (`+`) and releases (`-`) at milliseconds, as text.
    private func told(_ steps: [(Int64, PadButton, Bool)], until end: Int64) -> [String] {
        var filter = ContactFilter()
        var told: [String] = []
        func note(_ change: PadChange, _ time: MonotonicInstant) {
            told.append("\(change.isPressed ? "+" : "-")\(change.button.rawValue) \(time.nanoseconds / 1_000_000)")
        }
        for (milliseconds, button, isPressed) in steps {
            let time = MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
            filter.pass([PadChange(button, isPressed: isPressed)], at: time, tell: note)
        }
        filter.expire(at: MonotonicInstant(nanoseconds: end * 1_000_000), tell: note)
        return told
    }

    @Test("a press that bounces at both ends is one press")
    func bounces() {
        let steps: [(Int64, PadButton, Bool)] = [
            (0, .south, true), (1, .south, false), (3, .south, true), (5, .south, false), (6, .south, true),
            (80, .south, false), (82, .south, true), (84, .south, false),
        ]
        #expect(told(steps, until: 200) == ["+south 0", "-south 84"])
    }

    @Test("a release is told when it is sure, with the time at which it happened")
    func sureness() {
        #expect(told([(0, .south, true), (50, .south, false)], until: 57) == ["+south 0"])
        #expect(told([(0, .south, true), (50, .south, false)], until: 58) == ["+south 0", "-south 50"])
    }

    @Test("two presses of a fast thumb, or of a turbo button, are two")
    func fastThumb() {
        let steps: [(Int64, PadButton, Bool)] = [
            (0, .south, true), (16, .south, false), (33, .south, true), (49, .south, false),
        ]
        #expect(told(steps, until: 100) == ["+south 0", "-south 16", "+south 33", "-south 49"])
    }

    @Test("a thumb that rolls to the other side lets go before it presses")
    func rolling() {
        let steps: [(Int64, PadButton, Bool)] = [(0, .left, true), (50, .left, false), (51, .right, true)]
        #expect(told(steps, until: 52) == ["+left 0", "-left 50", "+right 51"])
    }

    @Test("nothing is due while nothing is uncertain, and what goes is told at once")
    func goes() {
        var filter = ContactFilter()
        var told: [PadChange] = []
        filter.pass([PadChange(.start, isPressed: true)], at: MonotonicInstant(nanoseconds: 0)) { change, _ in
            told.append(change)
        }
        #expect(filter.due == nil)
        filter.pass([PadChange(.start, isPressed: false)], at: MonotonicInstant(nanoseconds: 9)) { change, _ in
            told.append(change)
        }
        #expect(filter.due == MonotonicInstant(nanoseconds: 8_000_009))
        filter.flush { change, _ in told.append(change) }
        #expect(told == [PadChange(.start, isPressed: true), PadChange(.start, isPressed: false)])
        #expect(filter.due == nil)
    }
}
