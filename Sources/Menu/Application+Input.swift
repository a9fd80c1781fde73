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
        case .pointer(let event): dispatch(event, now: now)
        case .resized(let size): resize(size)
        case .exposed, .imageReady: window.setNeedsDisplay()
        case .quit: quit()
        case .woken: break
        }
    }

    private func handle(_ key: Interface.Key, isPressed: Bool, isRepeat: Bool, now: MonotonicInstant) {
        guard isPressed else {
            gate.release(key)
            if let command = context.mapper.command(for: key) { repeater.release(command, source: keyboardPad) }
            return
        }
        // The keyboard's own repetition has another rhythm than the pads'; ours serves both.
        guard !isRepeat || top.wantsText && key == .backspace, gate.admits(key) else { return }
        use(.keyboard)
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

    /// Takes in what a pad or a keyboard outside the stage reports.
    func handle(_ event: ControllerEvent) {
        switch event {
        case .connected(let pad):
            pads[pad.id] = pad
            play?.chord.connect(pad)
            use(pad.family)
            if isReady && !isPlaying { toast("\(pad.name.trimmedBlanks) connected") }
        case .disconnected(let id):
            let name = pads.removeValue(forKey: id)?.name ?? "Controller"
            gate.releaseAll(pad: id)
            repeater.release()
            play?.disconnect(pad: id)
            if !isPlaying { toast("\(name.trimmedBlanks) disconnected") }
        case .button(let pad, let button, let isPressed, let time):
            handle(button, pad: pad, isPressed: isPressed, time: time)
        case .key(let key, let isPressed, let time, _): handle(key, isPressed: isPressed, time: time)
        case .problem(let node, let reason):
            world.log.write(.warning, "controller \(node): \(reason)")
            if !isPlaying { toast(reason) }
        case .changed(let pad):
            pads[pad.id] = pad
            play?.chord.connect(pad)
        case .solved, .raw, .candidate, .candidateGone, .battery: break
        }
    }

    private func handle(_ button: PadButton, pad: Int, isPressed: Bool, time: MonotonicInstant) {
        if let play, play.hasScreen {
            // Something may still be held from the game before.
            if !isPressed { gate.release(button, pad: pad) }
            play.hold(button, pad: pad, isPressed: isPressed, time: time)
            return
        }
        let family = pads[pad]?.family ?? .xbox
        guard let command = context.mapper.command(for: button, family: family) else { return }
        guard isPressed else {
            gate.release(button, pad: pad)
            repeater.release(command, source: pad)
            return
        }
        guard gate.admits(button, pad: pad) else { return }
        use(family)
        press(command, source: pad, now: time)
    }

    /// A key heard outside the window: in a game it may be half of the chord that leaves it.
    private func handle(_ key: Controllers.Key, isPressed: Bool, time: MonotonicInstant) {
        if let play, play.hasScreen {
            play.hold(key, isPressed: isPressed, time: time)
            return
        }
        // Left over from a game: the key counts again once it was let go, seen from whichever side is first.
        if !isPressed, let known = Interface.Key(rawValue: key.rawValue) { gate.release(known) }
        stopHearingKeysWhenReleased()
    }

    private func press(_ command: Command, source: Int, now: MonotonicInstant) {
        let event = Event.command(command, isRepeat: false)
        guard isHeard(event) else { return }
        repeater.press(command, source: source, at: now)
        dispatch(event, now: now)
    }

    func dispatch(_ event: Event, now: MonotonicInstant) {
        guard isHeard(event) else { return }
        trace(event, now)
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
    private func use(_ family: PadFamily) {
        guard family != context.family else { return }
        context.family = family
        refreshBars()
        window.setNeedsDisplay()
    }
}
