internal import SystemKit

/// Takes the bounces of worn contacts out: a button that was let go for some milliseconds only was held all the time.
///
/// Pure. A press is told at once, a release when it is sure; what is told has the time at which it happened.
struct ContactFilter {
    /// What is told, and when it happened.
    typealias Tell = (PadChange, MonotonicInstant) -> Void

    /// How long a contact may be open in a press, in seconds. The fastest thumbs and turbo buttons take twice as long.
    static let seconds = 0.008

    private var releases: [(button: PadButton, time: MonotonicInstant)] = []

    /// When `expire` has something to tell; `nil` while nothing is uncertain.
    var due: MonotonicInstant? { releases.first.map { $0.time.advanced(bySeconds: ContactFilter.seconds) } }

    /// Takes in what an interpreter says.
    mutating func pass(_ changes: [PadChange], at time: MonotonicInstant, tell: Tell) {
        expire(at: time, tell: tell)
        for change in changes {
            guard change.isPressed else {
                releases.append((change.button, time))
                continue
            }
            if let index = releases.firstIndex(where: { $0.button == change.button }) {
                releases.remove(at: index)
                continue
            }
            // Releases come before presses: nobody shall see left and right held together.
            flush(tell: tell)
            tell(change, time)
        }
    }

    /// Tells the releases that have become sure.
    mutating func expire(at time: MonotonicInstant, tell: Tell) {
        while let first = releases.first, first.time.advanced(bySeconds: ContactFilter.seconds) <= time {
            releases.removeFirst()
            tell(PadChange(first.button, isPressed: false), first.time)
        }
    }

    /// Tells all releases: nothing more will come.
    mutating func flush(tell: Tell) {
        for release in releases { tell(PadChange(release.button, isPressed: false), release.time) }
        releases.removeAll(keepingCapacity: true)
    }
}
