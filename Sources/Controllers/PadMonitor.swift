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
    private let settings: MonitorSettings

    /// A monitor that is not running yet.
    ///
    /// - Parameter includeKeyboards: also tells the keys of keyboards and remote controls, for a console without X.
    ///   Characters are those of a US keyboard.
    /// - Parameter knowledge: what controls do; without it that is the kernel's convention.
    /// - Parameter players: whose pad is whose, from earlier sessions and for later ones.
    /// - Parameter deliver: called on the monitor's own thread, in order; must not call `stop`.
    public convenience init(
        includeKeyboards: Bool = false, knowledge: PadKnowledge? = nil, players: PlayerStore = PlayerStore(),
        deliver: @escaping @Sendable (ControllerEvent) -> Void, log: Log
    ) {
        self.init(
            MonitorSettings(
                scope: includeKeyboards ? .padsAndKeyboards : .pads, knowledge: knowledge, players: players, log: log,
                deliver: deliver))
    }

    init(_ settings: MonitorSettings) {
        self.settings = settings
        do throws(SystemError) {
            shared = MonitorState(wake: try Wake())
        } catch {
            // Without descriptors left no pad could be opened either.
            settings.log.write(.error, "controllers cannot be used: \(error)")
            shared = nil
        }
    }

    deinit { shared?.requestStop() }

    /// Starts the thread; a second call does nothing.
    public func start() {
        guard let shared, shared.begin() else { return }
        let settings = settings
        let code = startThread(name: "pads") {
            MonitorLoop(state: shared, settings: settings).run()
            shared.finish()
        }
        if code != 0 {
            shared.finish()
            settings.log.write(.error, "\(SystemError(call: "pthread_create", subject: "pads", code: code))")
        }
    }

    /// Ends the thread and waits for its end: nothing is delivered afterwards.
    public func stop() {
        shared?.stop()
        settings.players.flush()
    }

    /// The pads that are ready now, oldest first.
    public var pads: [PadInfo] { shared?.pads ?? [] }

    /// How often the thread was woken: a thread that spins shows here, on the slowest machine too.
    package var wakeups: Int { shared?.wakeups ?? 0 }

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

    /// Calls back on the monitor's thread once everything that was wished before is done.
    package func whenObeyed(_ body: @escaping @Sendable () -> Void) { shared?.change { $0.echoes.append(body) } }

    /// Makes a pad another player's; the pad of that player gets this one's. Both are told as `.changed`.
    public func assign(_ pad: Int, to player: Int) {
        shared?.change { $0.moves.append(MonitorWishes.Move(pad: pad, player: player)) }
    }
}
