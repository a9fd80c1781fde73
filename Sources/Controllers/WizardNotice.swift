extension MappingWizard {
    /// A word about what was just pressed.
    public enum Notice: Sendable, Equatable {
        /// The control has a function already.
        case alreadyUsed(Control, by: PadFunction)
        /// The menu cannot be used without it.
        case cannotSkip(PadFunction)
        /// Too short to be meant.
        case tooShort

        /// A sentence without a full stop, with the names of an Xbox pad.
        public var sentence: String { sentence(for: .xbox) }

        /// A sentence without a full stop.
        ///
        /// - Parameter family: whose names the buttons have.
        public func sentence(for family: PadFamily) -> String {
            switch self {
            case .alreadyUsed(_, let function): "That is already \(function.title(on: family))"
            case .cannotSkip(let function): "The menu cannot do without \(function.title(on: family))"
            case .tooShort: "Hold it a little longer"
            }
        }
    }
}
