import Controllers
import Interface
import Launching
import SystemKit

extension Application {
    var controllers: ControllerTable { context.controllers }

    /// Takes in what a pad or a keyboard outside the stage reports.
    func handle(_ event: ControllerEvent) {
        switch event {
        case .connected(let pad): connect(pad)
        case .disconnected(let id): disconnect(id)
        case .changed(let pad):
            guard let before = controllers.pads[pad.id] else { return }
            controllers.pads[pad.id] = pad
            play?.chord.connect(pad)
            if pad.source != .none { unknownHolds.forget(pad.id) } else if before.source != .none { guess(pad) }
            tellScreens { $0.controllersChanged() }
            if context.pad?.id == pad.id { use(pad) }
        case .button(let pad, let button, let isPressed, let time):
            handle(button, pad: pad, isPressed: isPressed, time: time)
        case .key(let key, let isPressed, let time, _): handle(key, isPressed: isPressed, time: time)
        case .raw(let pad, let event): hear(event, from: pad)
        case .candidate(let device):
            controllers.candidates[device.id] = device
            tellScreens { $0.deviceCame(device, now: .now) }
            tellScreens { $0.controllersChanged() }
        case .candidateGone(let id):
            controllers.candidates[id] = nil
            tellScreens { $0.deviceLeft(id, now: .now) }
            tellScreens { $0.controllersChanged() }
        case .battery(let pad, let battery):
            controllers.batteries[pad] = battery
            tellScreens { $0.controllersChanged() }
        case .problem(let node, let reason): tell(problem: reason, of: node)
        case .solved(let node):
            controllers.problems.removeAll { $0.node == node.displayString }
            tellScreens { $0.controllersChanged() }
        }
    }

    private func tellScreens(_ body: (Screen) -> Void) {
        // A screen that hears it may go away by it.
        for screen in screens { body(screen) }
    }

    private func connect(_ pad: PadInfo) {
        controllers.pads[pad.id] = pad
        play?.chord.connect(pad)
        // Without the person's wish the hints do not change to a pad that may be in nobody's hand.
        if controllers.pads.count == 1 { use(pad) }
        tellScreens { $0.deviceCame(pad, now: .now) }
        tellScreens { $0.controllersChanged() }
        if pad.source == .none { return greetUnknown(pad) }
        if isReady && !isPlaying { toast("\(pad.name.trimmedBlanks) connected") }
    }

    private func disconnect(_ id: Int) {
        let name = controllers.pads.removeValue(forKey: id)?.name ?? "Controller"
        controllers.batteries[id] = nil
        unknownHolds.forget(id)
        gate.releaseAll(pad: id)
        repeater.release()
        pendingPresses.removeAll { $0.source == id }
        play?.disconnect(pad: id)
        if context.pad?.id == id { context.pad = nil }
        tellScreens { $0.deviceLeft(id, now: .now) }
        tellScreens { $0.controllersChanged() }
        if !isPlaying, !top.wantsRaw { toast("\(name.trimmedBlanks) disconnected") }
    }

    private func tell(problem reason: String, of node: BytePath) {
        world.log.write(.warning, "controller \(node): \(reason)")
        controllers.problems.removeAll { $0.node == node.displayString }
        controllers.problems.append(ControllerTable.Problem(node: node.displayString, sentence: reason))
        tellScreens { $0.controllersChanged() }
        if !isPlaying { toast(reason) }
    }

    // MARK: Pads that nobody knows

    /// A pad that nobody knows came: alone it is set up at once, beside others when the person wants it.
    private func greetUnknown(_ pad: PadInfo) {
        if controllers.asked.contains(padUnit(pad.facts)) { guess(pad) } else { controllers.owesHint = true }
    }

    /// The pad goes on without a set-up, as after one that was left: whoever forgets a set-up was asked.
    private func guess(_ pad: PadInfo) {
        controllers.asked.insert(padUnit(pad.facts))
        controllers.desk.setGuessing(pad.id, true)
    }

    /// The only pad, when nobody knows it and the person was not asked yet.
    private var lonelyUnknown: PadInfo? {
        guard controllers.pads.count == 1, let pad = controllers.pads.values.first, isUnknown(pad) else { return nil }
        return pad
    }

    /// Whether nobody knows it, and the person was not asked yet.
    private func isUnknown(_ pad: PadInfo) -> Bool {
        pad.source == .none && !controllers.asked.contains(padUnit(pad.facts))
    }

    /// Whether the wizard may come by itself: the person is in the menu, and in no other wizard.
    private var isFree: Bool { isReady && play == nil && endsAt == nil && !top.wantsRaw }

    /// When a button of an unknown pad will have been held long enough; `nil` while no wizard may come, since nobody
    /// would deal with it.
    var unknownHoldDue: MonotonicInstant? { isFree ? unknownHolds.deadline : nil }

    /// Starts the wizard for a pad that has waited for it.
    func greetWaiting(now: MonotonicInstant) {
        guard isFree else { return }
        if let pad = lonelyUnknown {
            setUp(pad, now: now)
        } else if let hold = unknownHolds.hold(at: now), hold.progress >= 1 {
            if let pad = controllers.pads[hold.device] { setUp(pad, now: now) }
            unknownHolds.forget(hold.device)
        } else if controllers.owesHint {
            controllers.owesHint = false
            if controllers.pads.values.contains(where: { isUnknown($0) }) {
                toast("Unknown controller: hold a button on it to set it up")
            }
        }
    }

    private func setUp(_ pad: PadInfo, now: MonotonicInstant) {
        push(
            MappingScreen(
                context: context, pad: pad, purpose: .setUp(onlyThisUnit: false), holding: unknownHolds, now: now))
    }

    // MARK: Raw events

    private func hear(_ event: RawEvent, from device: Int) {
        if isPlaying { return }
        let source = controllers.source(of: device)
        if source == keyboardPad { hearsKeyboardNodes = true }
        if top.wantsRaw {
            top.hear(event, from: source)
        } else if let pad = controllers.pads[device], isUnknown(pad) {
            unknownHolds.handle(event, from: device)
        }
    }

    /// A key that a window or a script told: for a wizard it is a control of the keyboard.
    func hearKey(_ key: Controllers.Key, isPressed: Bool, time: MonotonicInstant) {
        guard top.wantsRaw, !hearsKeyboardNodes, let event = RawEvent(key, isPressed: isPressed, time: time) else {
            return
        }
        top.hear(event, from: keyboardPad)
    }

    /// Listens to everything while a screen wants it.
    func listenIfWanted() {
        let wanted = top.wantsRaw && !isPlaying
        guard wanted != isListening else { return }
        isListening = wanted
        unknownHolds = HoldDetector()
        hearsKeyboardNodes = false
        controllers.desk.listen(wanted)
        if wanted {
            // On a console the keyboards are devices like all others; in a window the display has them.
            if world.environment["DISPLAY"] != nil { startHearingKeys() }
        } else {
            controllers.candidates = [:]
            stopHearingKeysWhenReleased()
        }
    }
}
