import Appliance
import Catalog
import Interface
import SystemKit

/// USB sticks: what is new on those that are plugged in, and copies that were begun.
final class StickPanel: ChoiceScreen {
    private let inquiry: Inquiry
    private var known: StickNews.Look?
    /// How sticks that can be taken out are, by their identities.
    private var removals: [String: MachineChange] = [:]
    private var nextLook: MonotonicInstant?

    init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(
            context: context, title: "USB sticks", subtitle: "Games are copied; what is here is never replaced",
            rows: [])
    }

    override func appear() { look() }

    override func catalogChanged(_ change: CatalogChange) {
        if case .sources = change { look() }
    }

    override var deadline: MonotonicInstant? { nextLook }

    override func update(now: MonotonicInstant) {
        if let nextLook, nextLook <= now {
            self.nextLook = nil
            look()
        }
    }

    private func look() {
        let machine = context.machine.machine
        let rules = StickNews.rules(context.registry)
        inquiry.ask({
            { store in
                let sources = try await store.sources().map(\.path)
                let look = StickNews.look(machine, rules, sources: sources)
                let sticks = look.offers.map(\.stick)
                let pairs = sticks.compactMap { stick in stick.removal(on: machine).map { (stick.identity, $0) } }
                return (look, Dictionary(pairs) { first, _ in first })
            }
        }) { [weak self] (look: StickNews.Look, removals: [String: MachineChange]) in
            guard let self else { return }
            self.known = look
            self.removals = removals
            // Only what runs changes by itself.
            self.nextLook = look.isCopying ? MonotonicInstant.now.advanced(bySeconds: 2) : nil
            self.replace(self.rows(of: look))
        }
    }

    private func rows(of look: StickNews.Look) -> [Row] {
        var rows = look.offers.flatMap { offer in
            [row(of: offer, look)] + (removals[offer.stick.identity].map { [row(of: offer.stick, removal: $0)] } ?? [])
        }
        let plugged = Set(look.offers.map(\.stick.identity))
        rows += look.journals.filter { $0.isUnfinished && !plugged.contains($0.identity) }.map { journal in
            Row(label: journal.label, value: "not there", warns: true) { [weak self] in self?.askToForget(journal) }
        }
        if rows.isEmpty {
            rows.append(
                Row(label: "No stick with games") { [weak self] in
                    self?.explain(
                        "USB sticks",
                        "Put games into a folder “roms” on a stick, with a folder for each system, such as roms/nes, and "
                            + "plug it in.")
                })
        }
        return rows
    }

    private func row(of offer: StickNews.Offer, _ look: StickNews.Look) -> Row {
        let label = offer.stick.label
        let journal = look.journals.first { $0.identity == offer.stick.identity }
        if let journal, journal.isUnfinished {
            let isRunning = look.isCopying && journal.state == .copying
            let value = "\(Phrase.grouped(journal.doneGames)) of \(Phrase.games(journal.games))"
            return Row(label: label, value: isRunning ? value : "unfinished", warns: !isRunning) { [weak self] in
                if isRunning { self?.askToForget(journal) } else { self?.choose(offer, journal) }
            }
        }
        if offer.games == 0 { return Row(label: label, value: "all here", isChecked: true) {} }
        return Row(label: label, value: "\(Phrase.grouped(offer.games)) new") { [weak self] in self?.ask(offer) }
    }

    private func row(of stick: Stick, removal: MachineChange) -> Row {
        Row(label: "Remove \(stick.label) safely") { [weak self] in
            self?.context.change(
                removal, title: "Taking \(stick.label) out", done: "\(stick.label) can be pulled out now",
                then: { self?.look() },
                failed: { sentence in
                    self?.explain(
                        "Leave it in",
                        "\(Phrase.sentence(sentence)) Games are being copied from \(stick.label), or one that is on it is "
                            + "played: try again after that.")
                })
        }
    }

    private func ask(_ offer: StickNews.Offer) {
        if let shortage = offer.shortage { return explain("No room", Phrase.sentence(shortage)) }
        context.host?.push(
            QuestionScreen(
                context: context, title: "Copy \(Phrase.games(offer.games))?",
                sentence:
                    "\(Phrase.bytes(offer.bytes)) are copied from \(offer.stick.label) while you play on. If the stick is "
                    + "taken out, copying goes on when it is back.",
                yes: "Copy", accent: Theme.brand
            ) { [weak self] in self?.begin(offer, goesOn: false) })
    }

    private func choose(_ offer: StickNews.Offer, _ journal: StickJournal) {
        let reason = journal.reason.map { Phrase.sentence($0) + " " } ?? ""
        context.host?.push(
            QuestionScreen(
                context: context, title: "Go on copying?",
                sentence:
                    "\(reason)\(Phrase.grouped(journal.doneGames)) of \(Phrase.games(journal.games)) are here.",
                yes: "Go on", accent: Theme.brand
            ) { [weak self] in self?.begin(offer, goesOn: true) })
    }

    private func begin(_ offer: StickNews.Offer, goesOn: Bool) {
        context.host?.copyStick(offer, goesOn: goesOn)
        nextLook = MonotonicInstant.now.advanced(bySeconds: 1)
    }

    private func askToForget(_ journal: StickJournal) {
        context.host?.push(
            QuestionScreen(
                context: context, title: "Stop copying from \(journal.label)?",
                sentence:
                    "The \(Phrase.games(journal.doneGames)) that are copied stay. The rest is not copied when the stick is "
                    + "plugged in again, unless you ask for it.",
                yes: "Stop", accent: Theme.brand
            ) { [weak self] in self?.forget(journal) })
    }

    private func forget(_ journal: StickJournal) {
        let data = context.machine.machine.data
        context.courier.work { _ in
            try StickJournals(data).forget(journal, roms: data.roms)
        } then: { [weak self] (_: Void) in
            self?.look()
        } failed: { [weak self] sentence in
            self?.explain("Not stopped", Phrase.sentence(sentence))
        }
    }

    private func explain(_ title: String, _ sentence: String) {
        context.host?.push(QuestionScreen(context: context, title: title, sentence: sentence, accent: Theme.brand))
    }
}
