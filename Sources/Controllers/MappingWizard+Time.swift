public import SystemKit

extension MappingWizard {
    /// When `advance` is due: at most a second ahead; `nil` when the wizard has ended.
    public var deadline: MonotonicInstant? {
        guard !isEnded else { return nil }
        return clock.instant(of: min(nextDue ?? .max, clock.now + MappingWizard.holdTime))
    }

    /// How long until nobody is taken to be there; `nil` while that is ten seconds or more.
    public var secondsToTimeout: Double? {
        guard !isEnded, !isLost else { return nil }
        let left = lastInput + MappingWizard.timeoutTime - clock.now
        return left < MappingWizard.lostTime ? max(0, seconds(left)) : nil
    }

    /// The function whose control, held for a second, ends the test.
    public var finishFunction: PadFunction? {
        [PadFunction.start, .south].first { mapping.controls[$0] != nil } ?? mapping.controls.keys.min()
    }

    /// What is held in the test and will do something.
    public var hold: Hold? {
        guard stage == .testing else { return nil }
        for function in [finishFunction, .east].compactMap({ $0 }) {
            guard let since = heldSince(function) else { continue }
            let time = clock.now - since
            return Hold(function: function, progress: min(1, seconds(time) / seconds(MappingWizard.holdTime)))
        }
        return nil
    }

    var isEnded: Bool { if case .ended = stage { true } else { false } }
    var isLost: Bool { if case .lost = stage { true } else { false } }

    /// Since when one of a function's controls is down that went down in the test.
    private func heldSince(_ function: PadFunction) -> Int64? {
        mapping.controls[function, default: []].compactMap { control in
            detector.engaged[control].flatMap { $0.isFresh ? $0.since : nil }
        }.min()
    }

    // MARK: Passing

    /// Lets the time pass, a step at a time, so that it does not matter how often the caller comes by.
    mutating func pass(to time: MonotonicInstant) {
        guard !isEnded else { return }
        switch clock.read(time) {
        case .jump:
            // Whether anything was held meanwhile, nobody knows.
            detector.restartHolds(clock.now)
            press?.since = clock.now
            quietSince = nil
        case .on(let target):
            while let due = nextDue, due < target, !isEnded {
                clock.now = due
                work()
            }
            clock.now = target
        }
        work()
    }

    /// What is due after now.
    private var nextDue: Int64? {
        let now = clock.now
        var dues: [Int64] = [lastInput + MappingWizard.timeoutTime]
        if let press { dues += [press.since + MappingWizard.pressTime, press.since + MappingWizard.holdTime] }
        if let quietSince {
            dues.append(quietSince + (isStarting ? MappingWizard.startTime : MappingWizard.settleTime))
        }
        if let shown { dues.append(shown.since + MappingWizard.noticeTime) }
        if case .lost(_, let until) = stage { dues.append(until) }
        if stage == .testing {
            for function in [finishFunction, .east].compactMap({ $0 }) {
                if let since = heldSince(function) { dues.append(since + MappingWizard.holdTime) }
            }
        }
        // Where an axis is not at rest is looked at again and again.
        if !detector.isCalm { dues.append(now + MappingWizard.pressTime / 2) }
        return dues.filter { $0 > now }.min()
    }

    /// What the detector should know; `nil` where any movement is welcome.
    private var situation: ControlDetector.Situation? {
        guard stage == .asking || stage == .releasing else { return nil }
        let asked = current.map { rows[$0].function }
        let isDirection = [asked, answered].contains { $0.map(WizardRows.isDirection) ?? false }
        return ControlDetector.Situation(
            isListening: stage == .asking, since: stageSince, isDirection: isDirection,
            answer: answered.flatMap { mapping.controls[$0]?.first })
    }

    /// Does what is due.
    mutating func work() {
        detector.settle(clock.now, situation)
        if let shown, clock.now - shown.since >= MappingWizard.noticeTime { self.shown = nil }
        switch stage {
        case .asking: judge()
        case .releasing: judgeRest()
        case .lost(_, let until): if clock.now >= until { end(orElse: .unplugged) }
        case .testing: judgeTest()
        case .ended: break
        }
        wasCrowded = stage == .asking && detector.candidates.count > 1
        if !isLost, clock.now - lastInput >= MappingWizard.timeoutTime { end(orElse: .timedOut) }
    }

    private mutating func judgeTest() {
        if let function = finishFunction, let since = heldSince(function),
            clock.now - since >= MappingWizard.holdTime
        {
            stage = .ended(.saved(result))
        } else if let since = heldSince(.east), clock.now - since >= MappingWizard.holdTime {
            goBack()
        }
    }

    // MARK: Ending

    /// Ends, keeping what is usable, and all that was asked to the end.
    mutating func end(orElse reason: Abandonment) {
        guard !isEnded else { return }
        let isWhole = current == nil && !mapping.isEmpty
        let result = result
        forgetPress()
        stage = .ended(isWhole || result.isUsable ? .saved(result) : .abandoned(reason: reason))
    }

    /// What is held is no answer any more.
    mutating func forgetPress() {
        press = nil
        companion = nil
        if stage == .asking { release() }
        detector.makeStale()
    }
}
