internal import EvdevKit

extension MappingWizard {
    // MARK: What can be done with the row

    /// Whether the current row may be skipped.
    public var canSkip: Bool { current.map { canSkip(rows[$0].function) } ?? false }

    /// The function whose control, held, skips the row; `nil` where none does, or any.
    public var skipControl: PadFunction? { canSkip && !isDownUnknown ? .down : nil }

    /// Whether holding anything skips the row: Down is not known.
    public var anyControlSkips: Bool { canSkip && isDownUnknown }

    /// The function whose control, tapped, skips this row and all that belong to the same stick; `nil` elsewhere.
    public var groupSkip: PadFunction? {
        guard let current, WizardRows.group(of: rows[current].function) != nil else { return nil }
        return [PadFunction.north, .west, .start].first { mapping.controls[$0] != nil }
    }

    /// The mapping so far.
    public var result: PadMapping {
        if isTestOnly { return mapping }
        var result = mapping
        // Nobody is asked for the maker's button, so what was known about it stays.
        if pad.source != .none, let guide = pad.mapping.controls[.guide] {
            result.controls[.guide] = guide.contains { owner(of: $0) != nil } ? nil : guide
        }
        var sides: [AxisCode: Set<AxisDirection>] = [:]
        for case .axis(let code, let direction) in mapping.controls.values.joined() {
            sides[code, default: []].insert(direction)
        }
        for (code, sides) in sides { result.travels[code] = detector.axes[code]?.travelLearned(for: sides) }
        return result
    }

    private func canSkip(_ function: PadFunction) -> Bool {
        guard WizardRows.required.contains(function) else { return true }
        let free = freeControls
        // With so few controls not all of these can be answered.
        if detector.allControls.count < WizardRows.required.count { return true }
        if function == .south { return !free.contains { $0.isKey } }
        // So few buttons without anything that points are a box of buttons, and none of them is a direction.
        return free.count < 8 && !free.contains(where: \.pointsSomewhere)
    }

    var isDownUnknown: Bool { mapping.controls[.down] == nil }

    /// What has no function yet.
    var freeControls: Set<Control> {
        detector.allControls.subtracting(mapping.controls.values.joined())
    }

    /// Whose control it is.
    func owner(of control: Control) -> PadFunction? {
        mapping.controls.filter { $0.value.contains(control) }.keys.min()
    }

    /// Whether a control that has a function may have another one, too.
    func isShared(_ owner: PadFunction, with function: PadFunction) -> Bool {
        // Directions move, A plays, and B goes back here.
        function == .hotkey && !WizardRows.required.contains(owner) && owner != .east
    }

    // MARK: Answers

    /// Goes to the first row from here on that the device can answer.
    mutating func goOn(from index: Int) {
        let free = freeControls
        for index in index..<rows.count {
            let function = rows[index].function
            if !free.isEmpty || mapping.controls.keys.contains(where: { isShared($0, with: function) }) {
                current = index
                return
            }
            rows[index].state = .absent
        }
        current = nil
    }

    mutating func bind(_ control: Control) {
        guard let current else { return }
        let function = rows[current].function
        mapping.controls[function] = [control]
        companion = companion(of: control, for: function)
        settle(current..<current + 1, as: .bound(control))
    }

    mutating func skip() {
        guard let current else { return }
        settle(current..<current + 1, as: .skipped)
    }

    mutating func skipGroup() {
        guard let current, let group = WizardRows.group(of: rows[current].function) else { return }
        let end = rows[current...].firstIndex { !group.contains($0.function) } ?? rows.count
        settle(current..<end, as: .skipped)
    }

    private mutating func settle(_ range: Range<Int>, as state: Row.State) {
        answered = rows[range.lowerBound].function
        for index in range { rows[index].state = state }
        steps.append(range)
        shown = nil
        goOn(from: range.upperBound)
        release()
    }

    /// Takes the last answer back; without one the person leaves.
    mutating func goBack() {
        lastInput = clock.now
        guard !isLost, let step = steps.popLast() else { return end(orElse: .left) }
        for index in step.lowerBound..<rows.count {
            rows[index].state = .open
            mapping.controls[rows[index].function] = nil
        }
        current = step.lowerBound
        companion = nil
        shown = nil
        release()
    }

    // MARK: One pull, two controls

    private func companion(of control: Control, for function: PadFunction) -> Companion? {
        // Where an axis beside the key is of use; elsewhere it was the other thumb.
        let places: Set<PadFunction> = [.up, .down, .left, .right, .l, .r, .l2, .r2]
        let axes = detector.swallowed.filter { owner(of: $0) == nil }
        guard places.contains(function), control.isKey, !axes.isEmpty else { return nil }
        return Companion(function: function, key: control, axes: axes.sorted())
    }

    /// All are let go: were they one?
    mutating func judgeCompanion() {
        guard let pair = companion else { return }
        companion = nil
        guard mapping.controls[pair.function] == [pair.key], let key = detector.released[pair.key] else { return }
        for axis in pair.axes {
            guard let time = detector.released[axis], abs(key - time) <= MappingWizard.pressTime else { continue }
            return mapping.add(axis, for: pair.function)
        }
    }
}

extension Control {
    var isKey: Bool {
        switch self {
        case .key: true
        case .axis: false
        }
    }

    /// Whether it is made to point to a side.
    var pointsSomewhere: Bool {
        switch self {
        case .axis: true
        case .key(let code):
            (KeyCode.dpadUp...KeyCode.dpadRight).contains(code) || [.up, .down, .left, .right].contains(code)
        }
    }
}
