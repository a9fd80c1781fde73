import Controllers

extension MappingFace {
    /// What a wizard wants at this moment.
    ///
    /// - Parameter asks: whether it asks for controls; else the pad is only tried.
    init(_ wizard: MappingWizard, asks: Bool) {
        let family = wizard.pad.family
        rows = wizard.rows.map { MappingFace.row($0, wizard.pad) }
        absent = Set(rows.filter { $0.kind == .skipped || $0.kind == .absent }.map(\.function))
        current = wizard.current
        held = wizard.held
        levels = wizard.functionLevels
        switch wizard.phase {
        case .lost(let left): showLoss(left)
        case .testing: showTest(wizard, family, asks: asks)
        case .ended: break
        case .listening, .pressing, .releasing, .skipping: showQuestion(wizard, family)
        }
        if wizard.secondsToTimeout != nil, let left = wizard.secondsToTimeout {
            showCountdown(left)
            detail = "Nothing is pressed: leaving in \(seconds ?? 0) s"
        }
    }

    private static func row(_ row: MappingWizard.Row, _ pad: PadInfo) -> Row {
        switch row.state {
        case .open: Row(function: row.function)
        case .bound(let control): Row(function: row.function, kind: .known, value: pad.title(of: control))
        case .skipped: Row(function: row.function, kind: .skipped)
        case .absent: Row(function: row.function, kind: .absent)
        }
    }

    private mutating func showQuestion(_ wizard: MappingWizard, _ family: PadFamily) {
        guard let current, rows.indices.contains(current) else { return }
        let function = rows[current].function
        prompt = Phrase.request(function, family)
        var words = [function == .hotkey ? Phrase.hotkey(wizard.result, family) : Phrase.explanation(function)]
        if wizard.canSkip {
            let what = function == .hotkey ? "Not wanted" : "Not there"
            words.append("\(what)? Hold \(wizard.anyControlSkips ? "any button" : "Down").")
        }
        detail = words.filter { !$0.isEmpty }.joined(separator: " ")
        if let notice = wizard.notice {
            detail = notice.sentence(for: family)
            isUrgent = true
        }
        if case .skipping(let progress) = wizard.phase {
            ring = progress
            detail = "Keep holding to skip"
            isUrgent = false
        }
        if let control = wizard.skipControl { keys.append(Key(function: control, label: "Hold: skip")) }
        if family != .keyboard, rows.contains(where: { $0.function == .east && $0.kind == .known }) {
            keys.append(Key(function: .east, label: "Back"))
        }
        if let control = wizard.groupSkip {
            let isLeft = PadFunction.leftStick.contains(function)
            keys.append(Key(function: control, label: isLeft ? "No left stick" : "No right stick"))
        }
        if current == 0 || family == .keyboard || !keys.contains(where: { $0.function == .east }) {
            keys.append(Key(function: nil, label: current == 0 ? "Leave, or wait half a minute" : "Back"))
        }
    }

    private mutating func showTest(_ wizard: MappingWizard, _ family: PadFamily, asks: Bool) {
        isTesting = true
        current = nil
        // What a pad does not have is nothing to try.
        rows.removeAll { $0.kind != .known }
        prompt = "Try every control"
        let finish = wizard.finishFunction
        let end = finish.map { "Hold \($0.title(on: family)) when you are done." } ?? ""
        detail = asks ? "\(end) \(wizard.result.exitSentence(on: family))" : end
        if let hold = wizard.hold {
            ring = hold.progress
            detail = hold.function == finish ? "Keep holding to finish" : "Keep holding to go back"
        }
        if let finish { keys.append(Key(function: finish, label: asks ? "Hold: store" : "Hold: done")) }
        if finish != .east, rows.contains(where: { $0.function == .east && $0.kind == .known }) {
            keys.append(Key(function: .east, label: "Hold: back"))
        }
        keys.append(Key(function: nil, label: "Back"))
    }

    private mutating func showLoss(_ left: Double) {
        isLost = true
        prompt = "Plug the controller in again"
        showCountdown(left)
        detail = "Nothing is lost for \(seconds ?? 0) s"
        keys = [Key(function: nil, label: "Leave")]
    }

    private mutating func showCountdown(_ left: Double) {
        seconds = Int((left - 0.01).rounded(.up))
        ring = min(1, left / 10)
        isUrgent = true
    }
}

extension Phrase {
    /// What to do with a control to show which one it is.
    static func request(_ function: PadFunction, _ family: PadFamily) -> String {
        switch function {
        case .leftUp, .leftDown, .leftLeft, .leftRight, .rightUp, .rightDown, .rightLeft, .rightRight:
            let words = function.title(on: family)
            return "Move the \(words.prefix(1).lowercased())\(words.dropFirst())"
        case .l3: return "Press the left stick"
        case .r3: return "Press the right stick"
        case .hotkey: return "Choose a hotkey"
        default: return "Press \(function.title(on: family))"
        }
    }

    /// Where a control is, for pads on which something else is printed.
    static func explanation(_ function: PadFunction) -> String {
        switch function {
        case .up, .down, .left, .right: "On the cross, or with the stick."
        case .south: "The lowest of the four, or the main button."
        case .east: "The right one of the four."
        case .west: "The left one of the four."
        case .north: "The upper one of the four."
        case .l: "At the upper edge, on the left."
        case .r: "At the upper edge, on the right."
        case .l2: "The trigger on the left."
        case .r2: "The trigger on the right."
        default: ""
        }
    }

    /// What a hotkey is for on a pad with these answers so far.
    static func hotkey(_ mapping: PadMapping, _ family: PadFamily) -> String {
        let start = PadFunction.start.title(on: family)
        guard mapping.controls[.start] != nil else { return "Without \(start) it does nothing." }
        let usual = mapping.controls[.select] == nil ? "" : " Else \(PadFunction.select.title(on: family)) is it."
        return "Held with \(start) it leaves a game, with others it saves and loads.\(usual)"
    }
}
