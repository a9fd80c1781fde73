extension MappingWizard {
    /// What letting go of a control soon does.
    private enum Tap {
        case bind
        case back
        case skipGroup
        case refuse(PadFunction)
    }

    private func tap(_ control: Control, on function: PadFunction) -> Tap {
        guard let owner = owner(of: control), !isShared(owner, with: function) else { return .bind }
        if owner == groupSkip { return .skipGroup }
        return owner == .east ? .back : .refuse(owner)
    }

    private var isFewButtons: Bool { detector.keys.count < 4 }

    /// Whether holding it would skip a row that may be skipped.
    private func isSkipControl(_ control: Control, on function: PadFunction) -> Bool {
        if isDownUnknown { return true }
        guard let owner = owner(of: control), !isShared(owner, with: function) else { return false }
        // A stick has little else than its few buttons: any of them is as good as Down.
        return owner == .down || isFewButtons && !freeControls.contains(where: \.isKey)
    }

    /// What the phase is while a row listens.
    var askingPhase: Phase {
        guard let press, let current else { return .listening }
        guard canSkip, isSkipControl(press.control, on: rows[current].function) else {
            return .pressing(press.control)
        }
        return .skipping(progress: min(1, seconds(clock.now - press.since) / seconds(MappingWizard.holdTime)))
    }

    /// Looks at what is pressed while a row listens.
    mutating func judge() {
        guard let current else { return }
        let candidates = detector.candidates
        let isOnlyOne = press == nil && !wasCrowded
        if let old = press, candidates != [old.control] {
            press = nil
            // With others still down nobody knows what was meant.
            if candidates.isEmpty { return letGo(old, on: rows[current].function) }
        }
        guard candidates.count == 1, let control = candidates.first, let since = detector.since(control) else { return }
        if press == nil {
            press = Press(control: control, since: isOnlyOne ? since : clock.now)
            shown = nil
        }
        guard var press else { return }
        press.since = max(press.since, since)
        self.press = press
        judge(press, on: rows[current].function)
    }

    private mutating func judge(_ press: Press, on function: PadFunction) {
        let time = clock.now - press.since
        guard time >= MappingWizard.pressTime else { return }
        let isSkip = isSkipControl(press.control, on: function)
        let tap = tap(press.control, on: function)
        if time >= MappingWizard.holdTime {
            if isSkip, canSkip { return skip() }
            if isSkip { show(.cannotSkip(function)) }
            return release()
        }
        if isSkip, canSkip { return }
        switch tap {
        case .bind: bind(press.control)
        case .back, .skipGroup: break
        case .refuse(let owner):
            if !press.isRefused { show(.alreadyUsed(press.control, by: owner)) }
            self.press?.isRefused = true
            if !isSkip { release() }
        }
    }

    /// A control went up before it was held for long.
    private mutating func letGo(_ press: Press, on function: PadFunction) {
        let time = clock.now - press.since
        let bounce = Bounce(press: press, time: clock.now, stageSince: stageSince, shown: shown)
        // An axis that flickers says nothing.
        guard press.control.isKey || time >= MappingWizard.pressTime / 3 else { return }
        switch tap(press.control, on: function) {
        case .bind where time >= MappingWizard.pressTime: bind(press.control)
        case .bind:
            guard press.control.isKey else { return }
            show(.tooShort)
            release()
            self.bounce = bounce
        case .back: goBack()
        case .skipGroup: skipGroup()
        case .refuse(let owner):
            if !press.isRefused { show(.alreadyUsed(press.control, by: owner)) }
            release()
            self.bounce = bounce
        }
    }

    /// Takes a release back that was none.
    mutating func resumePress() {
        guard let bounce, stage == .releasing, stageSince == bounce.time else { return self.bounce = nil }
        guard clock.now - bounce.time <= MappingWizard.bounceTime else { return self.bounce = nil }
        guard detector.resume(bounce.press.control, since: bounce.press.since) else { return }
        stage = .asking
        stageSince = bounce.stageSince
        press = bounce.press
        shown = bounce.shown
        quietSince = nil
        self.bounce = nil
    }

    private mutating func show(_ notice: Notice) { shown = Shown(notice: notice, since: clock.now) }

    /// Waits until everything is at rest.
    mutating func release(isStarting: Bool = false) {
        stage = .releasing
        stageSince = clock.now
        quietSince = detector.isAtRest ? clock.now : nil
        press = nil
        self.isStarting = isStarting
        detector.makeStale()
    }

    /// Looks whether everything is at rest.
    mutating func judgeRest() {
        guard detector.isAtRest else {
            quietSince = nil
            return
        }
        let since = quietSince ?? clock.now
        quietSince = since
        guard clock.now - since >= (isStarting ? MappingWizard.startTime : MappingWizard.settleTime) else { return }
        judgeCompanion()
        detector.forgetSwallowed()
        isStarting = false
        stage = current == nil ? .testing : .asking
        stageSince = clock.now
        if current == nil, mapping.isEmpty { stage = .ended(.abandoned(reason: .nothingBound)) }
    }
}
