import SystemKit

/// Lets one change of the machine be made at a time, whoever asks: two that rewrite the same file would lose one.
public struct ChangeLock: ~Copyable {
    /// How many seconds a change waits for the one before it.
    public static let patience = 10.0

    private let lock: LockFile

    /// Takes the lock; the kernel gives it up when the process dies.
    ///
    /// - Parameter patience: how many seconds to wait for another change to end.
    /// - Throws: `ApplianceError.busy` where another change still runs then.
    public init(_ machine: Machine, patience: Double = ChangeLock.patience) throws(ApplianceError) {
        try system { () throws(SystemError) in try createDirectories(machine.state) }
        let deadline = MonotonicInstant.now.advanced(bySeconds: patience)
        while true {
            do throws(SystemError) {
                // Nobody but root may open it: who can open a lock can hold it for ever.
                lock = try LockFile(machine.state.appending("change.lock"), waits: false, permissions: 0o600)
                return
            } catch {
                guard error.isBusy else { throw .system(error) }
                guard deadline.seconds(since: .now) > 0 else {
                    throw .busy("another change of this machine is being made; try again when it is done")
                }
            }
            sleepThread(seconds: 0.1)
        }
    }

    /// Gives the lock up.
    public consuming func release() { lock.release() }
}

extension MachineChange {
    /// Makes the change on this machine, as root: no other change is made meanwhile.
    ///
    /// - Returns: what a person should know: sentences.
    func carryOut(
        on machine: Machine, _ tell: (StepPlan.Progress) -> Void = { _ in }
    ) throws(ApplianceError) -> [String] {
        // What cannot be is refused before anything is touched, the lock's own file too.
        _ = try plan(on: machine)
        let lock = try ChangeLock(machine)
        let notes: [String]
        do throws(ApplianceError) {
            // Facts that were read before the lock was taken may be those of the change before.
            let plan = try plan(on: machine)
            try plan.apply(tell)
            notes = plan.notes
        } catch {
            lock.release()
            throw error
        }
        lock.release()
        return notes
    }
}
