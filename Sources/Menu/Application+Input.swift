import Controllers
public import Interface
import Launching
public import SystemKit

extension Application {
    /// Takes in what the stage reports.
    public func handle(_ event: StageEvent, now: MonotonicInstant) {
        switch event {
        case .key(let key, let isPressed, let isRepeat): handle(key, isPressed: isPressed, isRepeat: isRepeat, now: now)
        case .text(let text):
            if top.wantsText { dispatch(.text(text), now: now) }
        case .pointer(let event):
            if !wakeUp(now) { dispatch(event, now: now) }
        case .resized(let size): resize(size)
        case .exposed, .imageReady: window.setNeedsDisplay()
        case .quit: quit()
        case .woken: break
        }
    }

    private func handle(_ key: Interface.Key, isPressed: Bool, isRepeat: Bool, now: MonotonicInstant) {
        // A window tells few keys, but where nobody else tells any these are better than none.
        if keyboard == nil, !isRepeat, let known = Controllers.Key(rawValue: key.rawValue) {
            hearKey(known, isPressed: isPressed, time: now)
        }
        guard isPressed else {
            gate.release(key)
            if let command = context.mapper.command(for: key) { letGo(command, source: keyboardPad, now: now) }
            return
        }
        if wakeUp(now) { return gate.hold(key) }
        if top.isDeaf(to: keyboardPad) { return gate.hold(key) }
        // The keyboard's own repetition has another rhythm than the pads'; ours serves both.
        guard !isRepeat || top.wantsText && key == .backspace, gate.admits(key) else { return }
        use(nil)
        if top.wantsText {
            switch key {
            case .backspace: return dispatch(.deleteBackward, now: now)
            case .space: return
            default: break
            }
        }
        guard let command = context.mapper.command(for: key) else { return }
        press(command, source: keyboardPad, now: now)
    }

    func handle(_ button: PadButton, pad: Int, isPressed: Bool, time: MonotonicInstant) {
        if let play, play.hasScreen {
            // Something may still be held from the game before.
            if !isPressed { gate.release(button, pad: pad) }
            play.hold(button, pad: pad, isPressed: isPressed, time: time)
            return
        }
        let family = controllers.pads[pad]?.family ?? .xbox
        let command = context.mapper.command(for: button, family: family)
        guard isPressed else {
            gate.release(button, pad: pad)
            if let command { letGo(command, source: pad, now: time) }
            return
        }
        // What woke the screen, and what the wizard hears, must not mean anything until it was let go.
        if wakeUp(time) { return gate.hold(button, pad: pad) }
        if top.isDeaf(to: pad) { return gate.hold(button, pad: pad) }
        guard let command, gate.admits(button, pad: pad) else { return }
        use(controllers.pads[pad] ?? .unlisted(pad))
        press(command, source: pad, now: time)
    }

    /// A key heard outside the window: in a game it may be half of the chord that leaves it.
    func handle(_ key: Controllers.Key, isPressed: Bool, time: MonotonicInstant) {
        if let play, play.hasScreen {
            play.hold(key, isPressed: isPressed, time: time)
            return
        }
        hearKey(key, isPressed: isPressed, time: time)
        // Left over from a game: the key counts again once it was let go, seen from whichever side is first.
        if !isPressed, let known = Interface.Key(rawValue: key.rawValue) { gate.release(known) }
        stopHearingKeysWhenReleased()
    }

    private func press(_ command: Command, source: Int, now: MonotonicInstant) {
        let event = Event.command(command, isRepeat: false)
        guard isHeard(event) else { return }
        if top.actsOnRelease, !Repeater.repeats(command) {
            pendingPresses.append(PendingPress(source: source, command: command, since: now))
            return
        }
        repeater.press(command, source: source, at: now)
        dispatch(event, now: now)
    }

    private func letGo(_ command: Command, source: Int, now: MonotonicInstant) {
        repeater.release(command, source: source)
        let index = pendingPresses.firstIndex { $0.source == source && $0.command == command }
        guard let index else { return }
        let pending = pendingPresses.remove(at: index)
        // What was held was meant for the screen as it is.
        guard now.seconds(since: pending.since) < PendingPress.patience else { return }
        dispatch(.command(command, isRepeat: false), now: now)
    }

    func dispatch(_ event: Event, now: MonotonicInstant) {
        guard isHeard(event) else { return }
        trace(event, now)
        if !top.wantsRaw, toastView.takes(event) { return }
        window.dispatch(event)
    }

    /// While a game is being made ready only the wish not to play it counts, and at the end nothing.
    private func isHeard(_ event: Event) -> Bool {
        endsAt == nil && (play == nil || !isPlaying && event == .command(.back, isRepeat: false))
    }

    private func trace(_ event: Event, _ time: MonotonicInstant) {
        guard let trace else { return }
        let at = ("at", Trace.Value.number(Double(time.nanoseconds)))
        switch event {
        case .command(let command, let isRepeat):
            trace.write("input", [("command", .text(command.rawValue)), ("repeat", .number(isRepeat ? 1 : 0)), at])
        // What is typed may be a password one day.
        case .text, .deleteBackward: trace.write("input", [("kind", .text("text")), at])
        case .pointerPressed, .pointerReleased, .wheel: trace.write("input", [("kind", .text("pointer")), at])
        case .pointerMoved: break
        }
    }

    /// The hints show the letters of the device that was used last.
    ///
    /// - Parameter pad: `nil` for a keyboard.
    func use(_ pad: PadInfo?) {
        controllers.latest = pad?.id
        let family = pad?.family ?? .keyboard
        context.pad = pad
        guard family != context.family else { return }
        context.family = family
        refreshBars()
        window.setNeedsDisplay()
    }
}

/// A press that counts when it is let go.
struct PendingPress {
    /// Seconds after which it was a hold.
    static let patience = 0.6
    let source: Int
    let command: Command
    let since: MonotonicInstant
}

extension PadInfo {
    /// A pad that is pressed but was never plugged in: a script's.
    static func unlisted(_ id: Int) -> PadInfo {
        let chord = [PadFunction.select: "button 314", .start: "button 315"]
        return PadInfo(
            id: id, node: "",
            facts: DeviceFacts(name: "", identity: PadIdentity(bus: 0, vendor: 0, product: 0, version: 0)),
            family: .xbox, mapping: PadMapping(controls: chord.mapValues { [Control($0)].compactMap { $0 } }),
            source: .kernel)
    }
}
