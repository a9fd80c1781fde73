/// The two buttons of a pad that, held together, leave a game.
public struct PadChord: Sendable, Hashable {
    /// The button that makes commands of others.
    public let modifier: PadButton
    /// The other one; never the modifier.
    public let start: PadButton

    /// Select and Start, which is what most pads have.
    public static let usual = PadChord(modifier: .select, start: .start)

    init(modifier: PadButton, start: PadButton) {
        self.modifier = modifier
        self.start = start
    }
}

extension PadMapping {
    /// The button that makes commands of others, as a pad with this mapping tells it: a modifier that is mapped to a
    /// button with a function of its own is that button.
    ///
    /// `nil` where there is neither a modifier nor Select.
    public var modifierButton: PadButton? {
        // Start alone never leaves a game, whatever was mapped.
        if let control = controls[.hotkey]?.first(where: { controls[.start]?.contains($0) != true }) {
            let owner = controls.filter { $0.key != .hotkey && $0.value.contains(control) && $0.key.button != nil }
                .keys.min()
            return owner?.button ?? .hotkey
        }
        return controls[.select] == nil ? nil : .select
    }

    /// The two buttons that leave a game: the modifier, else Select, together with Start.
    ///
    /// `nil` for a pad that has not both: no other pair is invented, since a game may want it for itself.
    public var chord: PadChord? {
        guard controls[.start] != nil, let modifier = modifierButton else { return nil }
        return PadChord(modifier: modifier, start: .start)
    }
}

extension PadInfo {
    /// The two buttons that leave a game; `nil` for a pad that cannot.
    public var chord: PadChord? { mapping.chord }
}

extension PadMapping {
    /// How a game is left with a pad, as a sentence: who cannot do it knows that best before playing.
    public func exitSentence(on family: PadFamily) -> String {
        // A keyboard's two keys are the same ones, whatever was mapped.
        if family == .keyboard { return "R-Shift and Enter, held together, leave a game." }
        guard let chord else { return "It cannot leave a game: hold R-Shift and Enter on a keyboard for that." }
        let names = [chord.modifier, chord.start].map { button in
            PadFunction.allCases.first { $0.button == button }?.title(on: family) ?? button.rawValue
        }
        return "\(names.joined(separator: " and ")), held together, leave a game."
    }
}
