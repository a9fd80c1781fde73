internal import EvdevKit
internal import SystemKit

/// A device that is being read; of the monitor's thread.
final class OpenDevice {
    let evdev: EvdevDevice
    let node: InputNode
    let facts: DeviceFacts
    private(set) var role: PadJudge.Role
    /// A pad or candidate as it was told; `nil` for a keyboard that is only a keyboard.
    private(set) var info: PadInfo?
    var seat: PlayerSlots.Seat?
    var battery: Battery?
    /// When its battery was asked for last.
    var batteryAsked: MonotonicInstant?
    var hasAskedTwice = false
    private var pad: PadInterpreter?
    private var contacts = ContactFilter()
    private var keyboard: KeyInterpreter?
    private var isListening = false
    private var isGuessing = false
    private var hasUnreported = false
    private var lastTold: [AxisCode: Int32] = [:]

    init(_ evdev: EvdevDevice, node: InputNode, judge: PadJudge) {
        self.evdev = evdev
        self.node = node
        facts = evdev.facts(physicalDevice: node.physicalDevice)
        role = judge.role(facts)
    }

    /// Makes it a pad, or gives the pad another mapping; nothing may be held.
    func play(_ info: PadInfo) {
        role = .pad
        self.info = info
        interpret()
    }

    /// Makes it something that a pad could be made of.
    func offer(_ info: PadInfo?) { self.info = info }

    /// Whether its keys are told as keys.
    func hearKeys() { keyboard = KeyInterpreter() }

    /// Takes in what is wanted; what is held and must not be told any more was released before.
    func listen(isRaw: Bool, isGuessing: Bool) {
        isListening = isRaw
        guard self.isGuessing != isGuessing else { return }
        self.isGuessing = isGuessing
        interpret()
    }

    /// Whether a change of these wishes releases what it holds.
    func stopsTelling(isGuessing: Bool) -> Bool { self.isGuessing && !isGuessing && info?.source == MappingSource.none }

    private func interpret() {
        guard role == .pad, let info, info.source != .none || isGuessing else {
            pad = nil
            return
        }
        pad = PadInterpreter(capabilities: evdev.currentCapabilities, mapping: info.mapping)
    }

    /// Takes one event in.
    func handle(_ event: InputEvent, deliver: (ControllerEvent) -> Void) {
        if let info {
            if isListening || role == .pad && info.source == .none { tellRaw(event, info.id, deliver) }
            if let changes = pad?.handle(event.kind), !changes.isEmpty {
                contacts.pass(changes, at: event.time) { deliver(told($0, info.id, $1)) }
            }
        }
        if let changes = keyboard?.handle(event.kind) { tell(changes, time: event.time, deliver) }
    }

    private func tellRaw(_ event: InputEvent, _ id: Int, _ deliver: (ControllerEvent) -> Void) {
        switch event.kind {
        case .key(_, let value) where value == 2: return
        case .key, .dropped: hasUnreported = true
        case .axis(let code, let value):
            guard isListening || moves(code, to: value) else { return }
            hasUnreported = true
        // A report ends what belongs together; a mouse's motion between is nobody's business.
        case .report:
            guard isListening, hasUnreported else { return }
            hasUnreported = false
        case .other: return
        }
        deliver(.raw(pad: id, event))
    }

    /// Whether an axis went a good way: the noise of a stick at rest would keep an idle menu awake.
    private func moves(_ code: AxisCode, to value: Int32) -> Bool {
        guard let info = facts.capabilities.axes[code] else { return false }
        let way = abs(Int64(value) - Int64(lastTold[code] ?? info.value))
        guard way * 8 > Int64(info.maximum) - Int64(info.minimum) else { return false }
        lastTold[code] = value
        return true
    }

    /// Tells everything that it holds as released.
    func releaseAll(deliver: (ControllerEvent) -> Void) {
        if let info, let changes = pad?.releaseAll() {
            contacts.pass(changes, at: .now) { deliver(told($0, info.id, $1)) }
            contacts.flush { deliver(told($0, info.id, $1)) }
        }
        if let changes = keyboard?.releaseAll() { tell(changes, time: .now, deliver) }
    }

    /// When `settle` has something to tell.
    var due: MonotonicInstant? { contacts.due }

    /// Tells the releases that have become sure.
    func settle(at time: MonotonicInstant, deliver: (ControllerEvent) -> Void) {
        guard let info else { return }
        contacts.expire(at: time) { deliver(told($0, info.id, $1)) }
    }

    private func told(_ change: PadChange, _ pad: Int, _ time: MonotonicInstant) -> ControllerEvent {
        .button(pad: pad, button: change.button, isPressed: change.isPressed, time: time)
    }

    private func tell(_ changes: [KeyInterpreter.Change], time: MonotonicInstant, _ deliver: (ControllerEvent) -> Void)
    {
        for change in changes {
            deliver(.key(change.key, isPressed: change.isPressed, time: time, character: change.character))
        }
    }
}
