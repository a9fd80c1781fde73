internal import EvdevKit
internal import Synchronization
public import SystemKit

/// Finds pads, follows their coming and going, and tells their buttons, from one thread that sleeps while nothing
/// happens.
///
/// A machine without `/dev/input` or without udev is a machine without pads, not an error.
public final class PadMonitor: Sendable {
    /// What to listen to.
    enum Scope: Sendable {
        case pads
        case padsAndKeyboards
        case keyboards
    }

    private let shared: MonitorState?
    private let scope: Scope
    private let players: PlayerStore
    private let log: Log
    private let deliver: @Sendable (ControllerEvent) -> Void

    /// A monitor that is not running yet.
    ///
    /// - Parameter includeKeyboards: also tells the keys of keyboards and remote controls, for a console without X.
    ///   Characters are those of a US keyboard.
    /// - Parameter players: whose pad is whose, from earlier sessions and for later ones.
    /// - Parameter deliver: called on the monitor's own thread, in order; must not call `stop`.
    public convenience init(
        includeKeyboards: Bool = false, players: PlayerStore = PlayerStore(),
        deliver: @escaping @Sendable (ControllerEvent) -> Void, log: Log
    ) {
        self.init(
            scope: includeKeyboards ? .padsAndKeyboards : .pads, players: players, deliver: deliver, log: log)
    }

    init(
        scope: Scope, players: PlayerStore, deliver: @escaping @Sendable (ControllerEvent) -> Void, log: Log
    ) {
        self.scope = scope
        self.players = players
        self.deliver = deliver
        self.log = log
        do throws(SystemError) {
            shared = MonitorState(wake: try Wake())
        } catch {
            // Without descriptors left no pad could be opened either.
            log.write(.error, "controllers cannot be used: \(error)")
            shared = nil
        }
    }

    deinit { shared?.requestStop() }

    /// Starts the thread; a second call does nothing.
    public func start() {
        guard let shared, shared.begin() else { return }
        let scope = scope
        let log = log
        let deliver = deliver
        let code = startThread(name: "pads") {
            MonitorLoop(state: shared, scope: scope, log: log, deliver: deliver).run()
            shared.finish()
        }
        if code != 0 {
            shared.finish()
            log.write(.error, "\(SystemError(call: "pthread_create", subject: "pads", code: code))")
        }
    }

    /// Ends the thread and waits for its end: nothing is delivered afterwards.
    public func stop() { shared?.stop() }

    /// The pads that are ready now, oldest first.
    public var pads: [PadInfo] { shared?.pads ?? [] }

    // MARK: Wishes

    /// Whether everything that any device with controls sends is told too, as `.raw`, for mapping one.
    ///
    /// Devices that are no pads are opened only while this is on; each is told as `.candidate`.
    public func setListening(raw: Bool) { shared?.change { $0.isRaw = raw } }

    /// Whether a pad that nobody knows is told as `.button` too, by a guess of what its controls mean.
    ///
    /// Off for every pad at first, so that it does nothing wrong until it was mapped.
    public func setGuessing(_ pad: Int, _ isOn: Bool) {
        shared?.change { wishes in
            if isOn { wishes.guessing.insert(pad) } else { wishes.guessing.remove(pad) }
        }
    }

    /// Takes in what is newly known about pads or their players; each pad that is another one by it is told as
    /// `.changed`.
    public func refresh() { shared?.change { $0.refreshes += 1 } }

    /// Makes a pad another player's; the pad of that player gets this one's. Both are told as `.changed`.
    public func assign(_ pad: Int, to player: Int) {
        shared?.change { $0.moves.append(MonitorWishes.Move(pad: pad, player: player)) }
    }
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

    init(wake: Wake) { self.wake = wake }

    var isStopping: Bool { stopping.load(ordering: .acquiring) }

    var pads: [PadInfo] {
        get { list.withLock { $0 } }
        set { list.withLock { $0 = newValue } }
    }

    func change(_ body: (inout MonitorWishes) -> Void) {
        wishes.withLock { body(&$0) }
        wake.ring()
    }

    /// What is wanted now; each move is handed over once.
    func takeWishes() -> MonitorWishes {
        wishes.withLock { wishes in
            defer { wishes.moves = [] }
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
