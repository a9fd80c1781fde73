internal import FoundationEssentials
internal import Synchronization
public import SystemKit

/// The players of the pads, and the file in which they outlive the session; for all threads.
public final class PlayerStore: Sendable {
    private let slots: Mutex<PlayerSlots>
    private let file: BytePath?
    private let log: Log

    /// Reads the file.
    ///
    /// - Parameter file: `<state>/controllers/players.json`; `nil` keeps nothing. One that is not there or damaged is
    ///   no error: the pads are then new.
    public init(file: BytePath? = nil, log: Log = Log(minimum: .warning)) {
        self.file = file
        self.log = log
        slots = Mutex(PlayerSlots())
    }

    /// Looks at or changes the players.
    func withSlots<Result: Sendable>(_ body: (inout PlayerSlots) -> Result) -> Result {
        slots.withLock { slots in body(&slots) }
    }
}
