internal import EvdevKit
internal import Synchronization
public import SystemKit
internal import XInputKit

/// Hears the keyboard while another program has the focus, so that the keys that leave a game work in every emulator.
///
/// With an X display it hears the server's raw key events; without one it reads the keyboards' event nodes. Keys
/// come as `ControllerEvent.key`; `chordButton(for:)` says which of them stand for Select and Start.
public final class KeyboardMonitor: Sendable {
    private enum Source: Sendable {
        case display(DisplayKeys)
        case nodes(PadMonitor)
    }

    private let source: Source

    private init(_ source: Source) { self.source = source }

    /// Starts listening; from its return on no key is missed.
    ///
    /// - Parameter display: the X display's name (`$DISPLAY`); `nil` or one that cannot be reached means the nodes.
    /// - Parameter deliver: called on the monitor's own thread; must not call `stop`.
    /// - Returns: `nil` when neither can be listened to.
    public static func start(
        display: String?, log: Log = Log(minimum: .warning), deliver: @escaping @Sendable (ControllerEvent) -> Void
    ) -> KeyboardMonitor? {
        if let display, !display.isEmpty {
            if let keys = DisplayKeys.start(display: display, log: log, deliver: deliver) {
                return KeyboardMonitor(.display(keys))
            }
        }
        let monitor = PadMonitor(
            MonitorSettings(scope: .keyboards, knowledge: nil, players: PlayerStore(), log: log, deliver: deliver))
        monitor.start()
        return KeyboardMonitor(.nodes(monitor))
    }

    /// Whether keys are heard through an X display.
    public var usesDisplay: Bool {
        switch source {
        case .display: true
        case .nodes: false
        }
    }

    /// Ends listening and waits for its end: nothing is delivered afterwards.
    public func stop() {
        switch source {
        case .display(let keys): keys.stop()
        case .nodes(let monitor): monitor.stop()
        }
    }
}

/// The thread that listens to an X display.
private final class DisplayKeys: Sendable {
    private let state: MonitorState

    private init(_ state: MonitorState) { self.state = state }

    deinit { state.requestStop() }

    static func start(
        display: String, log: Log, deliver: @escaping @Sendable (ControllerEvent) -> Void
    ) -> DisplayKeys? {
        guard let wake = try? Wake() else { return nil }
        let state = MonitorState(wake: wake)
        guard state.begin() else { return nil }
        let answered = Semaphore()
        let outcome = Outcome()
        let code = startThread(name: "keys") {
            defer { state.finish() }
            let listener: RawKeyListener
            do throws(XInputError) {
                listener = try RawKeyListener(display: display)
            } catch {
                log.write(.warning, "\(error)")
                answered.signal()
                return
            }
            outcome.isListening.store(true, ordering: .releasing)
            answered.signal()
            listen(listener, state: state, deliver: deliver)
            if listener.isLost { log.write(.warning, "the X display \(display) is gone") }
        }
        guard code == 0 else { return nil }
        answered.wait()
        return outcome.isListening.load(ordering: .acquiring) ? DisplayKeys(state) : nil
    }

    func stop() { state.stop() }

    private static func listen(
        _ listener: RawKeyListener, state: MonitorState, deliver: @Sendable (ControllerEvent) -> Void
    ) {
        var held: [UInt8: Key] = [:]
        var set = PollSet()
        while !state.isStopping, !listener.isLost {
            while let raw = listener.next() {
                // A layout may change while a key is held: it is released as what it was pressed as.
                if raw.isPressed {
                    guard held[raw.keycode] == nil, let key = raw.symbol.flatMap({ KeyMap.symbols[$0] }) else {
                        continue
                    }
                    held[raw.keycode] = key
                    deliver(.key(key, isPressed: true, time: .now, character: nil))
                } else if let key = held.removeValue(forKey: raw.keycode) {
                    deliver(.key(key, isPressed: false, time: .now, character: nil))
                }
            }
            guard !listener.isLost else { break }
            set.removeAll()
            set.add(state.wake.rawDescriptor)
            set.add(listener.rawDescriptor)
            set.wait(seconds: nil)
            if set.readiness(of: state.wake.rawDescriptor) != nil { state.wake.silence() }
        }
        guard listener.isLost else { return }
        for key in held.values { deliver(.key(key, isPressed: false, time: .now, character: nil)) }
    }
}

private final class Outcome: Sendable {
    let isListening = Atomic<Bool>(false)
}
