import Appliance
import SystemKit

extension Application {
    /// Tells the machine that the menu was reached, so that what was changed for this start stays; and tells the person
    /// what was taken back because an earlier start did not come that far.
    func reportArrival() {
        let desk = world.machine
        let log = world.log
        context.courier.work { _ in
            let facts = BootFacts.read(desk.machine)
            if facts.isMenuAwaited { try Application.keepBootFiles(desk) }
            return facts.reverted
        } then: { [weak self] (sentence: String?) in
            if let sentence { self?.notify(Phrase.sentence(sentence)) }
        } failed: { sentence in
            log.write(.warning, "the machine could not be told that the menu is there: \(sentence)")
        }
    }

    /// Another change, a locale that is made perhaps, may keep this one waiting for longer than the door waits; what was
    /// not told would be taken back at the next start.
    private static func keepBootFiles(_ desk: MachineDesk) throws {
        for _ in 0..<60 {
            do {
                _ = try desk.perform(.boot(.menuReached), { _ in })
                return
            } catch ApplianceError.busy {
                continue
            }
        }
        throw ApplianceError.busy("another change of this machine takes too long")
    }
}
