internal import SystemKit

/// The wizard's own time, in nanoseconds from its start: it runs with the clock, but never jumps.
struct WizardClock: Sendable {
    /// What a reading of the clock means.
    enum Passage: Sendable, Equatable {
        /// The wizard's time goes on to here.
        case on(to: Int64)
        /// The clock jumped: no time passed, and nobody knows what happened meanwhile.
        case jump
    }

    /// A step that no loop makes that calls at the deadline.
    static let longestStep: Int64 = 2_000_000_000
    /// An event may be handed in a little after a time that is later.
    static let lateness: Int64 = 250_000_000

    /// The wizard's time.
    var now: Int64 = 0
    private var last: Int64

    init(at time: MonotonicInstant) { last = time.nanoseconds }

    /// Reads the clock.
    mutating func read(_ time: MonotonicInstant) -> Passage {
        let (step, overflow) = time.nanoseconds.subtractingReportingOverflow(last)
        if overflow || step > WizardClock.longestStep || step < -WizardClock.lateness {
            last = time.nanoseconds
            return .jump
        }
        guard step > 0 else { return .on(to: now) }
        last = time.nanoseconds
        return .on(to: now + step)
    }

    /// When the clock will read so much more than now.
    func instant(of due: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: last.addingReportingOverflow(max(0, due - now)).partialValue)
    }
}

/// Seconds of nanoseconds.
func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }
