internal import Synchronization
internal import SystemKit

/// What a monitor was made with.
struct MonitorSettings: Sendable {
    let scope: PadMonitor.Scope
    let knowledge: PadKnowledge?
    let players: PlayerStore
    let log: Log
    let deliver: @Sendable (ControllerEvent) -> Void
}

/// What the application wants of the monitor's thread.
struct MonitorWishes: Sendable {
    struct Move: Sendable {
        let pad: Int
        let player: Int
    }

    var isRaw = false
    var guessing: Set<Int> = []
    /// How often a refresh was asked for.
    var refreshes = 0
    var moves: [Move] = []
    /// To be called once the rest was done.
    var echoes: [@Sendable () -> Void] = []
}

/// What the monitor and its thread share.
final class MonitorState: Sendable {
    private enum Phase: Sendable {
        case new
        case running
        case ended
    }

    let wake: Wake
    private let phase = Mutex(Phase.new)
    private let stopping = Atomic<Bool>(false)
    private let ended = Semaphore()
    private let list = Mutex<[PadInfo]>([])
    private let wishes = Mutex(MonitorWishes())
    private let count = Atomic<Int>(0)

    init(wake: Wake) { self.wake = wake }

    var isStopping: Bool { stopping.load(ordering: .acquiring) }

    var pads: [PadInfo] {
        get { list.withLock { $0 } }
        set { list.withLock { $0 = newValue } }
    }

    var wakeups: Int { count.load(ordering: .relaxed) }

    func countWakeup() { count.wrappingAdd(1, ordering: .relaxed) }

    func change(_ body: (inout MonitorWishes) -> Void) {
        wishes.withLock { body(&$0) }
        wake.ring()
    }

    /// What is wanted now; each move and echo is handed over once.
    func takeWishes() -> MonitorWishes {
        wishes.withLock { wishes in
            defer {
                wishes.moves = []
                wishes.echoes = []
            }
            return wishes
        }
    }

    /// Whether the caller is the first to start it.
    func begin() -> Bool {
        phase.withLock { phase in
            guard phase == .new else { return false }
            phase = .running
            return true
        }
    }

    func finish() {
        phase.withLock { $0 = .ended }
        ended.signal()
    }

    func requestStop() {
        stopping.store(true, ordering: .releasing)
        wake.ring()
    }

    func stop() {
        requestStop()
        guard phase.withLock({ $0 }) == .running else { return }
        ended.wait()
        // The next caller must not wait for ever.
        ended.signal()
    }
}
