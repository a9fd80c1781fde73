/// One step of a change: what is done, and how the machine itself says that it was.
public struct Step: Sendable {
    /// A word that scripts can rely on, e.g. `grow-partition`.
    public let name: String
    /// A sentence for people without a full stop, e.g. `Grow partition 2 to 29.1 GiB`.
    public let summary: String
    /// The program with its arguments; empty where this process does it. Holds no secret.
    public let command: [String]
    /// Does it.
    let act: @Sendable () throws(ApplianceError) -> Void
    /// Reads the machine again; what is wrong, or `nil` where all is as it should be.
    let check: @Sendable () throws(ApplianceError) -> String?

    /// A step. An exit status is no proof: `check` must look at the machine.
    public init(
        _ name: String, _ summary: String, command: [String] = [],
        act: @escaping @Sendable () throws(ApplianceError) -> Void,
        check: @escaping @Sendable () throws(ApplianceError) -> String?
    ) {
        self.name = name
        self.summary = summary
        self.command = command
        self.act = act
        self.check = check
    }
}

/// What will be done to the machine, in order. A value: nothing happens before `apply`.
public struct StepPlan: Sendable {
    /// The steps; none where there is nothing to do.
    public let steps: [Step]
    /// What a person should know beside the steps, e.g. that a restart is needed. Sentences.
    public let notes: [String]

    /// A plan.
    public init(_ steps: [Step], notes: [String] = []) {
        self.steps = steps
        self.notes = notes
    }

    /// What happens while a plan is carried out.
    public enum Progress: Sendable, Equatable {
        /// This step begins.
        case began(name: String, summary: String)
        /// This step was done, and the machine says so too.
        case done(name: String)
    }

    /// Carries the plan out, each step checked by reading the machine again.
    ///
    /// - Throws: what the first failing step threw, or `ApplianceError.unverified`. Steps behind it were not begun.
    public func apply(_ tell: (Progress) -> Void = { _ in }) throws(ApplianceError) {
        for step in steps {
            tell(.began(name: step.name, summary: step.summary))
            try step.act()
            if let fault = try step.check() { throw .unverified(fault) }
            tell(.done(name: step.name))
        }
    }
}
