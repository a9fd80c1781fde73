import Synchronization
import SystemKit

/// Lets long work in the background go on, wait or end.
final class BackgroundGate: Sendable {
    private struct State {
        var holders: Set<Int64> = []
        var isStopped = false
        var isWaiting = false
    }

    private let state = Mutex(State())
    private let opened = Semaphore()

    /// Waits while somebody holds the gate.
    ///
    /// - Returns: whether to go on.
    func pass() -> Bool {
        while true {
            let (mayPass, isStopped) = state.withLock { state in
                state.isWaiting = !state.holders.isEmpty && !state.isStopped
                return (!state.isWaiting, state.isStopped)
            }
            if mayPass { return !isStopped }
            opened.wait()
        }
    }

    /// Closes the gate for as long as a game runs, by the number of its play.
    func hold(_ play: Int64) { state.withLock { _ = $0.holders.insert(play) } }

    func release(_ play: Int64) {
        change { state in
            state.holders.remove(play)
            return state.holders.isEmpty
        }
    }

    /// Ends the work.
    func stop() {
        change { state in
            state.isStopped = true
            return true
        }
    }

    var isStopped: Bool { state.withLock(\.isStopped) }

    private func change(_ body: (inout State) -> Bool) {
        let wakes = state.withLock { state in
            let isOpen = body(&state)
            defer { if isOpen { state.isWaiting = false } }
            return isOpen && state.isWaiting
        }
        if wakes { opened.signal() }
    }
}
