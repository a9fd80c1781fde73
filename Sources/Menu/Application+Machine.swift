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
            if facts.isMenuAwaited { _ = try desk.perform(.boot(.menuReached), { _ in }) }
            return facts.reverted
        } then: { [weak self] (sentence: String?) in
            if let sentence { self?.notify(Phrase.sentence(sentence)) }
        } failed: { sentence in
            log.write(.warning, "the machine could not be told that the menu is there: \(sentence)")
        }
    }
}
