public import EvdevKit
public import SystemKit

/// Asks for one control of a device after the other, and makes a mapping of the answers.
///
/// It has no device, no screen and no clock: raw events and the time go in, what to show comes out. Hand in the events
/// that have arrived before you let the time pass, or a release could come after the second that it ended.
public struct MappingWizard: Sendable {
    /// One question.
    public struct Row: Sendable, Equatable {
        /// What came of a question.
        public enum State: Sendable, Equatable {
            /// Not answered yet.
            case open
            /// Answered with a control.
            case bound(Control)
            /// The person has no such control, or does not want it.
            case skipped
            /// The device has no control left that could answer.
            case absent
        }

        /// What is asked for.
        public let function: PadFunction
        /// The answer.
        public internal(set) var state: State
    }

    /// What the wizard does at this moment.
    public enum Phase: Sendable, Equatable {
        /// Wants a control for the current row.
        case listening
        /// A control is held, and it is not yet clear what that means.
        case pressing(Control)
        /// What is held will skip the row; a ring fills from 0 to 1.
        case skipping(progress: Double)
        /// Everything must come back to rest before the row listens.
        case releasing
        /// The device was unplugged; it has so long to come back.
        case lost(secondsLeft: Double)
        /// All is answered and can be tried: `held` and `levels` are live, `hold` is the ring.
        case testing
        /// Over.
        case ended(Ending)
    }

    /// How it ended.
    public enum Ending: Sendable, Equatable {
        /// With a mapping for the caller to store.
        case saved(PadMapping)
        /// With nothing to store.
        case abandoned(reason: Abandonment)
    }

    /// Why nothing is stored.
    public enum Abandonment: Sendable, Equatable {
        /// The person left before directions and A were known.
        case left
        /// Nobody touched the device for half a minute.
        case timedOut
        /// The device did not come back.
        case unplugged
        /// All rows were skipped.
        case nothingBound
    }

    /// A control held in the test that will do something after a second.
    public struct Hold: Sendable, Equatable {
        /// What is held: the finishing function, or B.
        public let function: PadFunction
        /// From 0 to 1.
        public let progress: Double

        /// A hold with its parts.
        public init(function: PadFunction, progress: Double) {
            self.function = function
            self.progress = progress
        }
    }

    /// How long a control must be held to be an answer.
    static let pressTime: Int64 = 100_000_000
    /// A contact that is open for no longer is worn; one that repeats by itself is open for longer.
    static let bounceTime: Int64 = 10_000_000
    /// How long a hold must last to skip, to finish or to go back.
    static let holdTime: Int64 = 1_000_000_000
    /// How long everything must rest before a row listens.
    static let settleTime: Int64 = 80_000_000
    /// The same at the start, where a device may still have to say where its axes are.
    static let startTime: Int64 = 250_000_000
    /// How long nobody may touch anything.
    static let timeoutTime: Int64 = 30_000_000_000
    /// How long an unplugged device may stay away.
    static let lostTime: Int64 = 10_000_000_000
    /// How long a notice stands.
    static let noticeTime: Int64 = 4_000_000_000

    enum Stage: Sendable, Equatable {
        case asking
        case releasing
        case lost(isTesting: Bool, until: Int64)
        case testing
        case ended(Ending)
    }

    /// The one control that is pressed, and since when it has been the only one.
    struct Press: Sendable, Equatable {
        let control: Control
        var since: Int64
        /// The person was told that it cannot be the answer.
        var isRefused = false
    }

    /// A press that was just found to be no answer. If the control is down again at once, its contact opened for a moment
    /// only, and the press was never over.
    struct Bounce: Sendable, Equatable {
        let press: Press
        /// When it was let go, and the release began.
        let time: Int64
        /// Since when the row has listened.
        let stageSince: Int64
        let shown: Shown?
    }

    /// A key that was the answer and axes that moved with it: what is let go together is one control.
    struct Companion: Sendable, Equatable {
        let function: PadFunction
        let key: Control
        let axes: [Control]
    }

    struct Shown: Sendable, Equatable {
        let notice: Notice
        let since: Int64
    }

    /// The device.
    public internal(set) var pad: PadInfo
    /// All questions in their order.
    public internal(set) var rows: [Row]
    /// The row that is asked; `nil` when all are answered.
    public internal(set) var current: Int?

    /// Whether nothing is asked, only tried.
    public private(set) var isTestOnly = false

    var clock: WizardClock
    var detector: ControlDetector
    var mapping = PadMapping()
    var stage: Stage = .releasing
    /// The rows that each answer settled.
    var steps: [Range<Int>] = []
    /// Since when everything rests, in the stage of releasing.
    var quietSince: Int64?
    var isStarting = true
    /// When the stage began.
    var stageSince: Int64 = 0
    /// What was asked for last.
    var answered: PadFunction?
    var press: Press?
    /// Several controls were down at once, which is no answer.
    var wasCrowded = false
    var bounce: Bounce?
    var companion: Companion?
    var lastInput: Int64 = 0
    var shown: Shown?

    /// Starts with the first row.
    ///
    /// - Parameter pad: its capabilities tell what there is to press and where the axes rest; of its mapping only the
    ///   maker's button is kept. Keyboards are pads of the family `keyboard` with their keys alone.
    /// - Parameter held: keys that are down at this moment, such as the one whose hold started the wizard.
    public init(pad: PadInfo, held: Set<KeyCode> = [], at time: MonotonicInstant) {
        self.pad = pad
        rows = WizardRows.order.map { Row(function: $0, state: .open) }
        clock = WizardClock(at: time)
        detector = ControlDetector(pad: pad, held: held)
        goOn(from: 0)
        release(isStarting: true)
    }

    /// Starts with the test, of what is known about a pad; nothing about it changes.
    public init(testing pad: PadInfo, at time: MonotonicInstant) {
        self.pad = pad
        rows = WizardRows.order.map { function in
            Row(function: function, state: pad.mapping.bindings[function].map { .bound($0) } ?? .absent)
        }
        clock = WizardClock(at: time)
        detector = ControlDetector(pad: pad, held: [])
        detector.trust(pad.mapping.travels)
        mapping = pad.mapping
        isTestOnly = true
        isStarting = false
        stage = .testing
    }

    /// Takes in a raw event of the device.
    public mutating func handle(_ event: InputEvent.Kind, at time: MonotonicInstant) {
        pass(to: time)
        guard !isEnded, !isLost else { return }
        if case .key(.escape, let value) = event, pad.family == .keyboard {
            if value == 1 { goBack() }
            return
        }
        if case .dropped = event { forgetPress() }
        let isAnswer = stage == .asking || stage == .testing
        if detector.handle(event, now: clock.now, isAnswer: isAnswer, isStarting: isStarting) { lastInput = clock.now }
        resumePress()
        work()
    }

    /// Lets the time pass; call it at `deadline` at the latest, or for every picture that is painted.
    public mutating func advance(to time: MonotonicInstant) { pass(to: time) }

    /// Back from another device: a row back, on the first row the end.
    public mutating func back(at time: MonotonicInstant) {
        pass(to: time)
        guard !isEnded else { return }
        goBack()
    }

    /// Gives up, keeping what is usable.
    public mutating func leave(at time: MonotonicInstant) {
        pass(to: time)
        end(orElse: .left)
    }

    /// The device is gone.
    public mutating func deviceRemoved(at time: MonotonicInstant) {
        pass(to: time)
        guard !isEnded, !isLost else { return }
        forgetPress()
        detector.releaseAll()
        stage = .lost(isTesting: stage == .testing, until: clock.now + MappingWizard.lostTime)
    }

    /// A device was plugged in: if it is the same, the wizard goes on where it was.
    ///
    /// - Returns: whether it is.
    @discardableResult
    public mutating func deviceReturned(_ pad: PadInfo, at time: MonotonicInstant) -> Bool {
        pass(to: time)
        guard case .lost(let isTesting, _) = stage, pad.facts.isSameDevice(as: self.pad.facts) else { return false }
        self.pad = pad
        detector.reopen(pad, now: clock.now)
        lastInput = clock.now
        if isTesting { stage = .testing } else { release(isStarting: true) }
        return true
    }

    /// What the wizard does at this moment.
    public var phase: Phase {
        switch stage {
        case .asking: return askingPhase
        case .releasing: return .releasing
        case .lost(_, let until): return .lost(secondsLeft: max(0, seconds(until - clock.now)))
        case .testing: return .testing
        case .ended(let ending): return .ended(ending)
        }
    }

    /// A word about what was just pressed.
    public var notice: Notice? { shown?.notice }

    /// The functions that are held now, as far as they are mapped.
    public var held: Set<PadFunction> {
        let engaged = detector.engagedControls
        return Set(mapping.controls.filter { !engaged.isDisjoint(with: $0.value) }.keys)
    }

    /// How far each axis is from its rest, -1 to 1, by the kernel's number of the axis.
    public var numberedLevels: [(number: UInt16, level: Double)] {
        levels.sorted { $0.key < $1.key }.map { ($0.key.rawValue, $0.value) }
    }

    /// How far each axis is from its rest, -1 to 1.
    public var levels: [AxisCode: Double] { detector.levels }
}
