internal import SDLKit
internal import Synchronization
internal import SystemKit

/// Rings from any thread; the stage's `waitEvents` then returns with `.woken`.
///
/// Rings before the stage looks are one ring. None is lost: whatever a thread did before it rang is visible to
/// the main thread after the `.woken` that follows.
public final class StageWaker: Sendable {
    let wake: Wake
    private let isRung = Atomic<Bool>(false)
    // Whether SDL's queue exists. Held while an event is pushed, so that the queue cannot end meanwhile.
    private let hasQueue = Mutex(false)

    init() throws(SystemError) { wake = try Wake() }

    /// Wakes the main thread.
    public func ring() {
        // Somebody rang already and the main thread has not looked since.
        if isRung.exchange(true, ordering: .acquiringAndReleasing) { return }
        nudge()
    }

    /// Ends the sleep without reporting a ring; for the stage's own threads.
    func nudge() {
        wake.ring()
        hasQueue.withLock { if $0 { EventQueue.pushWake() } }
    }

    /// Whether somebody rang since the last call.
    func takeRing() -> Bool {
        wake.silence()
        return isRung.exchange(false, ordering: .acquiringAndReleasing)
    }

    func setHasQueue(_ value: Bool) { hasQueue.withLock { $0 = value } }
}
