import SystemKit

/// What is looked after when the machine starts and when the menu has come up.
public struct BootCheck: Sendable, Equatable {
    /// What was done, and what could not be: sentences.
    public let notes: [String]
    /// Whether the machine must start anew, because what it started with was taken back.
    public let mustRestart: Bool

    /// Mends the boot files and takes back a change that did not prove itself. Runs once a start, as root, before
    /// anything uses the boot partition.
    public static func early(_ machine: Machine) throws(ApplianceError) -> BootCheck {
        guard let partition = BootPartition.find(machine) else { return BootCheck(notes: [], mustRestart: false) }
        // What cannot be mended must not keep a machine that hangs from its old settings.
        var mended: [String] = []
        var failure: ApplianceError?
        do throws(ApplianceError) { mended = try BootFiles(partition, machine).mend() } catch { failure = error }
        let reverted = try BootTrial.atStart(machine)
        if reverted == nil, let failure { throw failure }
        return BootCheck(notes: mended + [reverted].compactMap { $0 }, mustRestart: reverted != nil)
    }
}

/// What the menu may want to tell about the boot files. Needs no root.
public struct BootFacts: Sendable, Equatable {
    /// What was changed and waits for the next start, e.g. `overclocking`.
    public let awaitsRestart: String?
    /// What was changed and is being tried by this start.
    public let isTried: String?
    /// What was taken back because the machine did not reach the menu: a sentence, until the next change.
    public let reverted: String?
    /// Whether `BootChange.menuReached` has something to do: the menu asks for it once it is on the screen.
    public let isMenuAwaited: Bool

    /// Reads everything now.
    public static func read(_ machine: Machine) -> BootFacts {
        let trial = BootTrial.read(machine)
        let isNow = trial?.madeIn == BootTrial.currentBoot(machine)
        return BootFacts(
            awaitsRestart: isNow ? trial?.subject : nil, isTried: isNow ? nil : trial?.subject,
            reverted: BootTrial.reverted(machine), isMenuAwaited: BootTrial.isMenuAwaited(machine))
    }
}
