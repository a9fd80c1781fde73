internal import EvdevKit

/// Which controls of a device are pressed, and which of these presses can be answers. Times are the wizard's.
struct ControlDetector: Sendable {
    /// A control that is pressed.
    struct Engagement: Sendable, Equatable {
        var since: Int64
        /// It went down while a question was listening, and belongs to nothing else.
        var isFresh: Bool
    }

    /// What the wizard wants to know at the moment.
    struct Situation: Sendable {
        /// A question listens; else everything is waited for to come to rest.
        let isListening: Bool
        /// Since when.
        let since: Int64
        /// What was asked, or is asked now, is a direction: an axis may be pushed to its other side next.
        let isDirection: Bool
        /// The answer that was taken last.
        let answer: Control?
    }

    /// A key and an axis within so much of each other are one pull.
    static let onePull: Int64 = 50_000_000
    /// An axis that stands for so long where it is likely to rest rests there.
    static let likelyTime: Int64 = 300_000_000
    /// A push that does not count as one yet, but may be all that the axis can do.
    static let weakPush = 0.35
    /// Such a push must stand still for so long to be meant.
    static let weakTime: Int64 = 600_000_000
    /// A button that is down for so long is stuck.
    static let stuckTime: Int64 = 10_000_000_000

    private(set) var keys: Set<KeyCode>
    private(set) var axes: [AxisCode: AxisTracker] = [:]
    private(set) var engaged: [Control: Engagement] = [:]
    /// Held, and not listened to until they are released.
    private var mutedKeys: Set<KeyCode> = []
    /// When each control was last let go.
    private(set) var released: [Control: Int64] = [:]
    /// Axes that moved together with a key which was the answer.
    private(set) var swallowed: Set<Control> = []
    private var lastKey: Int64 = 0
    /// When anything went down or up.
    private var lastDeed: Int64 = 0
    private var isCatchingUp = false

    init(pad: PadInfo, held: Set<KeyCode>) {
        keys = ControlDetector.usableKeys(of: pad)
        for (code, info) in pad.capabilities.axes where code < .misc {
            axes[code] = AxisTracker(info, now: 0)
        }
        if pad.family == .keyboard { axes = [:] }
        for key in held where keys.contains(key) { engaged[.key(key)] = Engagement(since: 0, isFresh: false) }
    }

    /// Believes what was learned about axes before.
    mutating func trust(_ travels: [AxisCode: AxisTravel]) {
        for (code, travel) in travels { axes[code]?.trust(travel) }
    }

    private static func usableKeys(of pad: PadInfo) -> Set<KeyCode> {
        var keys = pad.capabilities.keys
        // It leaves every screen, so it must go on doing that.
        if pad.family == .keyboard { keys.remove(.escape) }
        return keys
    }

    // MARK: Events

    /// Takes an event in.
    ///
    /// - Parameter isAnswer: a press now may be an answer.
    /// - Returns: whether somebody did something.
    mutating func handle(_ event: InputEvent.Kind, now: Int64, isAnswer: Bool, isStarting: Bool) -> Bool {
        switch event {
        case .key(let code, let value):
            guard keys.contains(code), value != 2 else { return false }
            let control = Control.key(code)
            lastKey = now
            lastDeed = now
            if value == 0 {
                if mutedKeys.remove(code) != nil { return true }
                guard engaged.removeValue(forKey: control) != nil else { return false }
                released[control] = now
                return true
            }
            guard !mutedKeys.contains(code), engaged[control] == nil else { return false }
            engage(control, now: now, isFresh: isAnswer && !isCatchingUp)
            return true
        case .axis(let code, let value):
            guard axes[code] != nil else { return false }
            axes[code]?.move(to: value, now: now, isStarting: isStarting)
            return follow(code, now: now, isFresh: isAnswer && !isCatchingUp)
        case .dropped:
            isCatchingUp = true
            makeStale()
            return false
        case .report:
            isCatchingUp = false
            return false
        case .other: return false
        }
    }

    /// Compares what an axis pushes with what was known of it.
    private mutating func follow(_ code: AxisCode, now: Int64, isFresh: Bool) -> Bool {
        guard let axis = axes[code] else { return false }
        var isChanged = false
        for direction in [AxisDirection.negative, .positive] where direction != axis.pushed {
            guard engaged.removeValue(forKey: .axis(code, direction)) != nil else { continue }
            released[.axis(code, direction)] = now
            isChanged = true
        }
        guard let side = axis.pushed else {
            if isChanged { lastDeed = now }
            return isChanged
        }
        let control = Control.axis(code, side)
        if engaged[control] == nil {
            engage(control, now: now, isFresh: isFresh)
            isChanged = true
        } else if axes[code]?.hasSlipped() == true {
            engaged[control]?.since = now
        }
        if isChanged { lastDeed = now }
        return isChanged
    }

    /// Goes on with a press that ended a moment ago, if the control is down again and nothing else is.
    mutating func resume(_ control: Control, since: Int64) -> Bool {
        guard engaged.count == 1, engaged[control] != nil else { return false }
        engaged[control] = Engagement(since: since, isFresh: true)
        return true
    }

    private mutating func engage(_ control: Control, now: Int64, isFresh: Bool) {
        engaged[control] = Engagement(since: now, isFresh: isFresh)
        guard isFresh else { return }
        // What ranks lower belongs to the same pull, or is noise beside it.
        let fresh = engaged.filter(\.value.isFresh)
        guard let best = fresh.keys.map({ rank($0) }).max(),
            let start = fresh.filter({ rank($0.key) == best }).map(\.value.since).min()
        else { return }
        for (other, engagement) in fresh where rank(other) < best {
            let isOnePull = abs(engagement.since - start) <= ControlDetector.onePull
            // A slow pull ends with its key. What was held for long before is another hand, and so are two axes, unless
            // they move at once.
            let isSlowPull = best == 3 && engagement.since >= start - MappingWizard.pressTime
            guard isOnePull || isSlowPull || rank(other) == 0 else { continue }
            engaged[other]?.isFresh = false
            if isOnePull { swallowed.insert(other) }
        }
    }

    /// What is rather meant where several move at once: a button, then what has nothing but ends, then a stick.
    private func rank(_ control: Control) -> Int {
        switch control {
        case .key: return 3
        case .axis(let code, _):
            guard let axis = axes[code], !axis.isSuspect else { return 0 }
            return axis.isTernary ? 2 : 1
        }
    }

    // MARK: What is pressed

    /// What may be an answer now; of axes only those that go about as far as the farthest.
    var candidates: [Control] {
        let fresh = engaged.filter(\.value.isFresh).keys
        let farthest = fresh.map(travel).max() ?? 0
        return fresh.filter { travel($0) >= 0.8 * farthest }.sorted()
    }

    private func travel(_ control: Control) -> Double {
        guard case .axis(let code, _) = control else { return 1 }
        return min(1, axes[code]?.travel.part ?? 0)
    }

    /// All that is pressed.
    var engagedControls: Set<Control> { Set(engaged.keys) }

    func since(_ control: Control) -> Int64? { engaged[control]?.since }

    /// Whether everything is at its own rest.
    var isAtRest: Bool { engaged.isEmpty && !axes.values.contains(where: \.isAway) }

    /// Whether no axis needs another look before anything happens.
    var isCalm: Bool { !axes.values.contains { $0.isAway || $0.isMuted } }

    /// How far each axis is from its rest, -1 to 1.
    var levels: [AxisCode: Double] {
        axes.mapValues { axis in
            let (direction, part) = axis.travel
            return (direction == .negative ? -1 : 1) * min(1, part)
        }
    }

    /// The sides of axes and the buttons that can be pressed at all.
    var allControls: Set<Control> {
        var controls = Set(keys.map(Control.key))
        for (code, axis) in axes {
            for side in [AxisDirection.negative, .positive] where axis.mayHaveSide(side) {
                controls.insert(.axis(code, side))
            }
        }
        return controls
    }

    // MARK: Time

    /// Nothing that is pressed now is an answer any more.
    mutating func makeStale() {
        for control in Array(engaged.keys) { engaged[control]?.isFresh = false }
    }

    /// A question begins.
    mutating func forgetSwallowed() { swallowed.removeAll() }

    /// Nobody knows how long what is held has been held.
    mutating func restartHolds(_ now: Int64) {
        for control in Array(engaged.keys) { engaged[control]?.since = now }
    }

    mutating func releaseAll() {
        engaged.removeAll()
        mutedKeys.removeAll()
        for code in Array(axes.keys) { axes[code]?.forgetPush() }
    }

    /// The same device under a new descriptor.
    mutating func reopen(_ pad: PadInfo, now: Int64) {
        releaseAll()
        isCatchingUp = false
        for (code, info) in pad.capabilities.axes { axes[code]?.reopen(info, now: now) }
    }

    /// Lets time pass.
    ///
    /// - Parameter situation: `nil` while any movement is welcome and nothing is taken for stuck.
    mutating func settle(_ now: Int64, _ situation: Situation?) {
        for code in Array(axes.keys) {
            axes[code]?.settle(now)
            guard let situation, let axis = axes[code], axis.isAway else { continue }
            stray(code, axis, now: now, situation)
            _ = follow(code, now: now, isFresh: situation.isListening)
        }
        for (control, engagement) in engaged where situation != nil {
            guard case .key(let code) = control, now - engagement.since >= ControlDetector.stuckTime else { continue }
            mutedKeys.insert(code)
            engaged[control] = nil
        }
    }

    /// An axis that is away from its rest: held, or resting elsewhere than was thought?
    private mutating func stray(_ code: AxisCode, _ axis: AxisTracker, now: Int64, _ situation: Situation) {
        let isFresh = axis.pushed.flatMap { engaged[.axis(code, $0)]?.isFresh } ?? false
        // Several at once are no answer; if they stay, they are no hands either.
        if isFresh, candidates.count < 2 { return }
        let still = now - axis.stillSince
        if !isFresh, still >= ControlDetector.likelyTime, isLikelyRest(code, axis, situation) {
            axes[code]?.adopt(axis.value)
        } else if situation.isListening, axis.travel.part >= ControlDetector.weakPush, !axis.isPushed,
            !engaged.values.contains(where: \.isFresh)
        {
            if still >= ControlDetector.weakTime { axes[code]?.learnReach(now) }
        } else if now - max(axis.stillSince, lastDeed) >= axis.patience {
            axes[code]?.giveUp()
        } else if !situation.isListening, still < ControlDetector.likelyTime,
            now - max(situation.since, lastKey) >= AxisTracker.strayTime
        {
            axes[code]?.mute()
        }
    }

    /// Whether an axis stands where it is more likely to rest than where it was thought to.
    private func isLikelyRest(_ code: AxisCode, _ axis: AxisTracker, _ situation: Situation) -> Bool {
        // A stick that had not spoken; but a trigger that began at its end may be pulled only so far.
        if axis.isBackInTheMiddle { return situation.isDirection || !axis.beganAtRest }
        guard axis.isAtEndFromMiddle else { return false }
        let side = axis.travel.direction
        if situation.answer == .axis(code, side) { return false }
        // A trigger that was the answer and went beyond its rest on the way back; a D-pad may be held to that side.
        if situation.answer == .axis(code, side.opposite) { return !situation.isDirection }
        // It spoke for the first time in company, and its company is gone.
        return axis.isSuspect && engaged.keys.allSatisfy { rank($0) == 0 }
    }
}
