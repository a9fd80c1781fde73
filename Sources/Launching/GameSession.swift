public import SystemKit
internal import Systems

/// A game that runs, from its start until the last of its processes has ended.
public final class GameSession: Sendable {
    /// The number of the game's first process.
    public let processID: Int32

    private init(processID: Int32) { self.processID = processID }

    /// Starts.
    public static func start(
        _ plan: LaunchPlan, onEnd: @escaping @Sendable (LaunchOutcome) -> Void
    ) throws(LaunchError) -> GameSession {
        throw .cannotStart(emulator: plan.emulator.definition.title, reason: "it is not written yet")
    }

    /// Stops.
    public func stop() {}
}
