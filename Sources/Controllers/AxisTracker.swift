internal import EvdevKit

/// Finds out where one axis rests and whether it is pushed, from nothing but its values: drivers lie about first values
/// and ranges, and axes wear.
///
/// Times are the wizard's nanoseconds.
struct AxisTracker: Sendable {
    /// Pushed beyond this part of its way.
    static let pressAt = 0.55
    /// Let go below this part.
    static let releaseAt = 0.4
    /// At rest below this part.
    static let restAt = 0.25
    /// The first event of an axis that begins to move is no farther away than this part of its range.
    static let firstStep = 0.15
    /// Less than this part of the range is no way to a side.
    static let leastSide = 0.25
    /// Values that stay within this part of the range stand still.
    static let stillness = 0.12
    /// How long an axis must stand still to be followed when it drifts.
    static let followTime: Int64 = 500_000_000
    /// How long an axis must be back to be believed.
    static let confirmTime: Int64 = 60_000_000
    /// How long an axis may be away from a rest that was never seen to be one.
    static let strayTime: Int64 = 2_000_000_000
    /// How long it may be away from one that was.
    static let heldTime: Int64 = 5_000_000_000
    /// A value that it has had for so long is no spike.
    static let stayTime: Int64 = 20_000_000
    /// So many pushes that were too short to be meant are noise.
    static let shortPushLimit = 5
    /// No contact bounces so often for one push.
    static let bounceLimit = 10

    private let minimum: Double
    private let span: Double
    /// Three values: whatever it says, the middle one is its rest.
    let isTernary: Bool

    /// Where it rests, as far as is known.
    private(set) var rest: Double
    /// It was pushed from there and came back there.
    private(set) var isConfirmed: Bool
    /// Its first event went from the middle to an end in one step, as no analogue stick does: either a D-pad, or the
    /// driver's middle was no rest.
    private(set) var isSuspect = false
    private(set) var value: Double
    private var valueSince: Int64
    /// To which side it is pushed.
    private(set) var pushed: AxisDirection?
    /// Too noisy to be listened to.
    private(set) var isMuted = false
    private var isKnown = false
    /// Its first event came from a little beside its first value, which it cannot have lied about.
    private(set) var beganAtRest = false
    private var wasAway = false
    private var low: Double
    private var high: Double
    private(set) var stillSince: Int64
    private var pushedSince: Int64 = 0
    private var shortPushes = 0
    private var pushedUntil = -MappingWizard.bounceTime
    /// So many times in a row it was pushed again at once, as worn contacts are.
    private var bounces = 0
    /// The farthest it went during this push.
    private var farthest = 0.0
    /// Which part of the declared way it really goes, where that is known.
    private var reach: [AxisDirection: Double] = [:]
    private var lowest: Double
    private var highest: Double

    /// An axis; `nil` where its range has no size.
    init?(_ info: AxisInfo, now: Int64) {
        guard info.maximum > info.minimum else { return nil }
        minimum = Double(info.minimum)
        span = Double(info.maximum) - minimum
        isTernary = span == 2
        rest = isTernary ? minimum + 1 : Double(info.value)
        isConfirmed = isTernary
        value = Double(info.value)
        low = value
        high = value
        lowest = rest
        highest = rest
        stillSince = now
        valueSince = now
    }

    // MARK: Where it is

    private func place(_ value: Double) -> Double { (value - minimum) / span }
    private func isMiddle(_ value: Double) -> Bool { (0.4...0.6).contains(place(value)) }
    private func isEnd(_ value: Double, within part: Double = 0.1) -> Bool {
        place(value) <= part || place(value) >= 1 - part
    }

    private func side(_ direction: AxisDirection) -> Double {
        direction == .negative ? rest - minimum : minimum + span - rest
    }

    /// Whether it can be pushed to a side at all: a trigger has one side only.
    func hasSide(_ direction: AxisDirection) -> Bool { side(direction) >= span * AxisTracker.leastSide }

    /// The same for one that may rest elsewhere, because it has not spoken yet.
    func mayHaveSide(_ direction: AxisDirection) -> Bool { !isKnown || hasSide(direction) }

    /// How far it is from its rest, as a part of the way to that side.
    var travel: (direction: AxisDirection, part: Double) {
        let direction: AxisDirection = value < rest ? .negative : .positive
        guard hasSide(direction) else { return (direction, 0) }
        return (direction, abs(value - rest) / (side(direction) * reach[direction, default: 1]))
    }

    /// Whether it goes so far that it counts.
    var isPushed: Bool { pushed != nil || travel.part >= AxisTracker.pressAt }

    var isAway: Bool { !isMuted && travel.part >= AxisTracker.restAt }

    // MARK: Moving

    /// Takes a value in.
    ///
    /// - Parameter isStarting: nobody is asked for anything yet, so what comes is where it rests.
    mutating func move(to raw: Int32, now: Int64, isStarting: Bool) {
        let next = Double(raw)
        if !isKnown {
            isKnown = true
            beganAtRest = abs(next - value) <= span * AxisTracker.firstStep
            let isFromMiddle = isMiddle(value) && isEnd(next)
            if !isTernary, isEnd(value), isMiddle(next) {
                // It had not spoken yet, and now says where it is.
                adopt(next)
            } else if !isTernary, isFromMiddle, isStarting || !isEnd(next, within: 0) {
                // A trigger begins its way from where it really rests; only a D-pad goes to the very end.
                adopt(next)
            } else {
                isSuspect = isFromMiddle && !isTernary
            }
        }
        // What it stayed at is where it can be pushed to; a spike is not.
        if pushed != nil, now - valueSince >= AxisTracker.stayTime { noteReached() }
        value = next
        valueSince = now
        low = min(low, next)
        high = max(high, next)
        if high - low > span * AxisTracker.stillness {
            low = next
            high = next
            stillSince = now
        }
        updatePush(now)
    }

    private mutating func updatePush(_ now: Int64) {
        let (direction, part) = travel
        if part >= AxisTracker.pressAt { wasAway = true }
        if let side = pushed, isMuted || side != direction || part < AxisTracker.releaseAt {
            pushed = nil
            pushedUntil = now
            if now - pushedSince >= MappingWizard.pressTime / 2 {
                shortPushes = 0
            } else if bounces == 0 {
                shortPushes += 1
            }
            if shortPushes >= AxisTracker.shortPushLimit { mute() }
        }
        if pushed == nil, !isMuted, part >= AxisTracker.pressAt {
            pushed = direction
            pushedSince = now
            let isBounce = now - pushedUntil <= MappingWizard.bounceTime && bounces < AxisTracker.bounceLimit
            bounces = isBounce ? bounces + 1 : 0
            farthest = part
        }
        guard pushed != nil else { return }
        farthest = max(farthest, part)
        if now - pushedSince >= MappingWizard.pressTime / 2 { noteReached() }
    }

    private mutating func noteReached() {
        lowest = min(lowest, value)
        highest = max(highest, value)
    }

    /// Whether it is on its way back although it is still pushed; then it may be a trigger that comes from beyond what
    /// was taken for its rest.
    mutating func hasSlipped() -> Bool {
        guard isSuspect, pushed != nil, travel.part < farthest - 0.15 else { return false }
        farthest = travel.part
        return true
    }

    // MARK: Resting

    /// Time passes: follows an axis that drifts, and believes one that came back.
    mutating func settle(_ now: Int64) {
        let still = now - stillSince
        if isMuted {
            if isTernary ? value == rest : still >= MappingWizard.holdTime {
                isMuted = false
                shortPushes = 0
                adopt(value)
            }
            return
        }
        guard travel.part < AxisTracker.restAt else { return }
        if wasAway, still >= AxisTracker.confirmTime {
            wasAway = false
            isConfirmed = true
            isSuspect = false
        }
        if still >= AxisTracker.followTime, !isTernary {
            rest = (low + high) / 2
            low = value
            high = value
            stillSince = now
        }
    }

    /// Rests where it is now.
    mutating func adopt(_ place: Double) {
        rest = isTernary ? rest : place
        isConfirmed = isTernary
        isSuspect = false
        wasAway = false
        pushed = nil
        reach = [:]
        lowest = rest
        highest = rest
    }

    /// It will not come back: it rests here, or, where it cannot, is not listened to until it does.
    mutating func giveUp() {
        if isTernary { mute() } else { adopt(value) }
    }

    mutating func mute() {
        isMuted = true
        pushed = nil
    }

    /// It was taken to rest at an end and now stands in the middle, as sticks do that had not spoken yet.
    var isBackInTheMiddle: Bool { !isConfirmed && isEnd(rest) && isMiddle(value) }

    /// It was taken to rest in the middle and now stands at an end, as triggers do that had not spoken yet.
    var isAtEndFromMiddle: Bool { !isConfirmed && isMiddle(rest) && isEnd(value, within: 0.03) }

    /// How long it must stand still away from its rest, while nobody does anything, to rest there.
    ///
    /// One that was seen to come back to its rest is probably held.
    var patience: Int64 { isConfirmed ? AxisTracker.heldTime : AxisTracker.strayTime }

    /// Takes a small push that does not go on for the whole way to that side.
    mutating func learnReach(_ now: Int64) {
        let (direction, part) = travel
        reach[direction] = part
        updatePush(now)
    }

    mutating func forgetPush() { pushed = nil }

    /// Opened anew: what was learned stays.
    mutating func reopen(_ info: AxisInfo, now: Int64) {
        if !isConfirmed {
            rest = isTernary ? rest : Double(info.value)
            isKnown = false
            beganAtRest = false
        }
        value = isConfirmed ? rest : Double(info.value)
        low = value
        high = value
        stillSince = now
        pushed = nil
        isMuted = false
        shortPushes = 0
    }

    // MARK: What was learned

    /// Believes what was learned before.
    mutating func trust(_ travel: AxisTravel) {
        switch travel.rest {
        case .minimum: rest = minimum
        case .maximum: rest = minimum + span
        case .value(let place): rest = Double(place)
        // A worn stick says so when it is opened; one that says more than a little has not spoken yet.
        case .middle: if abs(place(value) - 0.5) > 0.1 { rest = minimum + span / 2 }
        case .initial: return
        }
        isConfirmed = true
        isKnown = true
        value = rest
        low = rest
        high = rest
        for (end, side) in [(travel.minimum, AxisDirection.negative), (travel.maximum, .positive)] {
            guard let end, hasSide(side) else { continue }
            reach[side] = max(0.1, abs(Double(end) - rest) / self.side(side))
        }
    }

    /// What to tell about an axis of which those sides are used.
    func travelLearned(for sides: Set<AxisDirection>) -> AxisTravel {
        let maximum = minimum + span
        func rounded(_ value: Double) -> Int32 { Int32(clamping: Int64(value.rounded())) }
        // Small differences are those of the hand.
        let isShortBelow = sides.contains(.negative) && lowest < rest && (rest - lowest) < 0.8 * (rest - minimum)
        let isShortAbove = sides.contains(.positive) && highest > rest && (highest - rest) < 0.8 * (maximum - rest)
        let low = isShortBelow || lowest < minimum ? rounded(lowest) : nil
        let high = isShortAbove || highest > maximum ? rounded(highest) : nil
        if sides == [.positive], place(rest) <= 0.03 { return AxisTravel(rest: .minimum, maximum: high) }
        if sides == [.negative], place(rest) >= 0.97 { return AxisTravel(rest: .maximum, minimum: low) }
        let isPlain = low == nil && high == nil && abs(place(rest) - 0.5) < 0.1
        return AxisTravel(rest: isPlain ? .middle : .value(rounded(rest)), minimum: low, maximum: high)
    }
}
