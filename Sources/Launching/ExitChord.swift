public import Controllers
public import SystemKit

/// Notices when the two buttons that leave a game (a pad's modifier or Select, and Start) are held together for half
/// a second on one pad, or their keys.
///
/// Pure: the caller feeds it pads and button events with their times and asks again at `deadline`.
public struct ExitChord: Sendable, Equatable {
    /// How long both must be held, in seconds.
    public static let holdSeconds = 0.5

    private struct Hold: Sendable, Equatable {
        /// The buttons of the pad; `nil` on one that cannot leave a game.
        var chord: PadChord? = .usual
        var hasModifier = false
        var hasStart = false
        var since: MonotonicInstant?
        /// It was held long enough but let go before anybody asked.
        var isDue = false
        /// It has fired; both must come up anew.
        var hasFired = false

        var areBoth: Bool { hasModifier && hasStart }
    }

    private var holds: [Int: Hold] = [:]

    /// Nothing is held.
    public init() {}

    /// Takes in which buttons a pad has for it. Until then, and for the keyboard, they are Select and Start.
    ///
    /// A pad whose buttons changed holds nothing: what was down of it was released before.
    public mutating func connect(_ pad: PadInfo) {
        if let hold = holds[pad.id], hold.chord == pad.chord { return }
        holds[pad.id] = Hold(chord: pad.chord)
    }

    /// Takes in a button event of a pad; the keyboard is one of them.
    public mutating func handle(_ button: PadButton, pad: Int, isPressed: Bool, time: MonotonicInstant) {
        var hold = holds[pad] ?? Hold()
        guard let chord = hold.chord, button == chord.modifier || button == chord.start else { return }
        let wereBoth = hold.areBoth
        if button == chord.modifier { hold.hasModifier = isPressed } else { hold.hasStart = isPressed }
        if hold.areBoth && !wereBoth {
            hold.since = time
        } else if wereBoth && !hold.areBoth {
            // The timer that asks at the deadline may be late; the events' own times decide.
            if let since = hold.since, !hold.hasFired, time >= since.advanced(bySeconds: Self.holdSeconds) {
                hold.isDue = true
            }
            hold.since = nil
            hold.hasFired = false
        }
        holds[pad] = hold
    }

    /// Forgets a pad that was unplugged; what it held counts as released without effect.
    public mutating func disconnect(pad: Int) { holds[pad] = nil }

    /// When to call `fired(at:)`; `nil` while nothing is held.
    public var deadline: MonotonicInstant? {
        holds.values.compactMap { hold -> MonotonicInstant? in
            guard let since = hold.since, !hold.hasFired else { return nil }
            return since.advanced(bySeconds: Self.holdSeconds)
        }.min()
    }

    /// Whether the game is to be left now. True exactly once for a hold, however long it is.
    public mutating func fired(at time: MonotonicInstant) -> Bool {
        var fired = false
        for (pad, var hold) in holds {
            if hold.isDue {
                hold.isDue = false
                fired = true
            }
            if let since = hold.since, !hold.hasFired, time >= since.advanced(bySeconds: Self.holdSeconds) {
                hold.hasFired = true
                fired = true
            }
            holds[pad] = hold
        }
        return fired
    }
}
