/// How playing ended.
public struct LaunchOutcome: Sendable, Equatable {
    /// What happened, as far as it matters to a person.
    public enum Kind: String, Sendable, CaseIterable {
        /// The emulator ended by itself, and well.
        case finished
        /// The person left the game.
        case stopped
        /// It ended well, but so soon that nothing was played.
        case endedAtOnce
        /// It ended with an exit status other than 0.
        case failed
        /// A signal ended it.
        case crashed
        /// It never ran.
        case couldNotStart
    }

    /// What happened.
    public let kind: Kind
    /// The status that the program exited with, where it did.
    public let exitStatus: Int32?
    /// The signal that ended the program, where one did.
    public let signal: Int32?
    /// How long the game ran, by the monotonic clock.
    public let seconds: Double
    /// What to tell the person; empty when there is nothing to tell.
    public let sentence: String
    /// The last lines of the emulator's output, safe to show.
    public let logTail: [String]

    /// Whether this counts as having played: an emulator that did not come up, or went down at once, does not.
    public var wasPlayed: Bool {
        switch kind {
        case .finished, .stopped: true
        case .failed, .crashed: seconds >= LaunchOutcome.shortestPlay
        case .endedAtOnce, .couldNotStart: false
        }
    }

    /// An outcome with all its parts.
    public init(
        kind: Kind, exitStatus: Int32? = nil, signal: Int32? = nil, seconds: Double = 0, sentence: String = "",
        logTail: [String] = []
    ) {
        self.kind = kind
        self.exitStatus = exitStatus
        self.signal = signal
        self.seconds = seconds
        self.sentence = sentence
        self.logTail = logTail
    }

    /// The outcome of a launch that failed before the program ran.
    public init(_ error: LaunchError) {
        self.init(kind: .couldNotStart, sentence: error.description)
    }
}
