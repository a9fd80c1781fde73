import Appliance
import Catalog
import SystemKit
import Systems

/// Tells of USB sticks with games that are not here yet, begins their copies, and tells how far they are.
final class StickNews {
    /// A stick and what is new on it.
    struct Offer: Sendable, Equatable {
        let stick: Stick
        let games: Int
        let bytes: Int64
        /// Why it cannot be copied: a sentence.
        let shortage: String?
        /// How many games of it are here already.
        let known: Int
    }

    /// What is plugged in and what was begun.
    struct Look: Sendable {
        var offers: [Offer] = []
        var journals: [StickJournal] = []
        var isCopying = false
    }

    private let machine: Machine
    private let desk: StickDesk
    private let rules: StickRules
    private let courier: Courier
    private let looks: Inquiry
    private let readings: Inquiry
    private var seen: Set<String>?
    /// Begun by us or found at work: the stick's identity, and its name for people.
    private var followed: (identity: String, label: String)?
    private var silentReadings = 0
    private var quietUntil: MonotonicInstant?
    private(set) var last = Look()
    /// When the journal is read again, while a copy runs.
    private(set) var deadline: MonotonicInstant?
    /// Called with a sentence and what can be done.
    var tell: ((String, ToastAction?) -> Void)?
    /// Called with how far the copy is; `nil` when none runs.
    var show: ((StickJournal?) -> Void)?
    /// Called with a title and a text that wants to be read.
    var explain: ((String, String) -> Void)?

    /// Seconds between two looks at a journal.
    private static let pace = 1.0
    /// Seconds that a process may take to begin.
    private static let patience = 20

    init(machine: Machine, desk: StickDesk, registry: SystemRegistry, courier: Courier) {
        self.machine = machine
        self.desk = desk
        self.courier = courier
        rules = StickNews.rules(registry)
        looks = Inquiry(courier: courier)
        readings = Inquiry(courier: courier)
    }

    /// Whether a copy runs, as far as is known.
    var isCopying: Bool { followed != nil }

    /// Whether new games are those of a stick, which are told at the end of its copy: the catalog hears of the last
    /// ones a moment after that.
    func bringsGames(now: MonotonicInstant) -> Bool { followed != nil || quietUntil.map { now < $0 } ?? false }

    static func rules(_ registry: SystemRegistry) -> StickRules {
        StickRules(
            system: { registry.system(forFolder: $0)?.name },
            isGame: { system, name in
                guard let definition = registry.system(named: system), let suffix = name.fileExtension else {
                    return false
                }
                return definition.extensions.contains(String(decoding: suffix, as: UTF8.self))
            })
    }

    /// Looks at what is plugged in: at the start, and when a disk comes or goes.
    func look() {
        let (machine, rules) = (machine, rules)
        looks.ask({
            { store in
                // A disk whose games are played where they are is not copied.
                let sources = try await store.sources().map(\.path)
                return StickNews.look(machine, rules, sources: sources)
            }
        }) { [weak self] look in self?.take(look) }
    }

    static func look(_ machine: Machine, _ rules: StickRules, sources: [BytePath]) -> Look {
        let journals = StickJournals(machine.data)
        var look = Look(journals: journals.all(), isCopying: journals.isCopying)
        for stick in Stick.plugged(on: machine) where !sources.contains(where: { lies($0, on: stick) }) {
            // A stick that does not answer is left to itself.
            let offer = answer(within: 60) { () -> Offer? in
                guard let facts = try? StickFacts.read(stick.point, rules: rules), facts.games > 0,
                    let plan = try? StickPlan(facts, data: machine.data, rules: rules)
                else { return nil }
                return Offer(
                    stick: stick, games: plan.games, bytes: plan.bytes,
                    shortage: plan.shortage(of: machine.data.roms), known: facts.games - plan.games)
            }
            if case .some(.some(let offer)) = offer { look.offers.append(offer) }
        }
        return look
    }

    private static func lies(_ path: BytePath, on stick: Stick) -> Bool {
        path == stick.point || path.relative(to: stick.point) != nil
    }

    private func take(_ look: Look) {
        let isFirst = seen == nil
        let before = seen ?? []
        last = look
        seen = Set(look.offers.map(\.stick.identity))
        if look.isCopying, let running = look.journals.first(where: { $0.state == .copying }) {
            follow(running.identity, running.label)
        }
        for offer in look.offers where !before.contains(offer.stick.identity) {
            let journal = look.journals.first { $0.identity == offer.stick.identity }
            if journal?.isUnfinished == true {
                if followed == nil { begin(offer, goesOn: true) }
            } else if offer.games > 0 {
                announce(offer)
            } else if !isFirst {
                tell?("Everything on \(offer.stick.label) is here already", nil)
            }
        }
    }

    private func announce(_ offer: Offer) {
        let label = offer.stick.label
        if let shortage = offer.shortage {
            tell?(
                "\(Phrase.games(offer.games)) on \(label), and no room for them",
                ToastAction(label: "Why") { [weak self] in self?.explain?("No room", Phrase.sentence(shortage)) })
            return
        }
        tell?(
            "Copy \(Phrase.games(offer.games)) from \(label)?",
            ToastAction(label: "Copy") { [weak self] in self?.begin(offer, goesOn: false) })
    }

    /// Begins a copy, or goes on with one.
    func begin(_ offer: Offer, goesOn: Bool) {
        guard followed == nil else {
            tell?("Another stick is being copied", nil)
            return
        }
        let stick = offer.stick
        let (journals, desk) = (StickJournals(machine.data), desk)
        follow(stick.identity, stick.label)
        let what =
            goesOn ? "Copying from \(stick.label) goes on" : "Copying \(Phrase.games(offer.games)) from \(stick.label)"
        tell?(what, nil)
        courier.work { _ in
            try journals.want(stick)
            try desk.start(stick)
        } then: { (_: Void) in
        } failed: { [weak self] sentence in
            self?.follow(nil)
            self?.explain?("Not copied", Phrase.sentence(sentence))
        }
    }

    private func follow(_ identity: String, _ label: String) {
        followed = (identity, label)
        silentReadings = 0
        deadline = MonotonicInstant.now.advanced(bySeconds: 0.3)
    }

    private func follow(_ nobody: Void?) {
        followed = nil
        deadline = nil
        show?(nil)
    }

    /// Reads the journal when that is due.
    func update(now: MonotonicInstant) {
        guard let due = deadline, due <= now else { return }
        deadline = nil
        let data = machine.data
        readings.ask({
            { _ in
                let journals = StickJournals(data)
                return Look(journals: journals.all(), isCopying: journals.isCopying)
            }
        }) { [weak self] look in self?.hear(look) }
    }

    private func hear(_ look: Look) {
        guard let followed else { return }
        last.journals = look.journals
        last.isCopying = look.isCopying
        let journal = look.journals.first { $0.identity == followed.identity }
        let isWaitedFor = journal?.state == .wanted || journal?.state == .copying && !look.isCopying
        if look.isCopying || isWaitedFor && silentReadings < StickNews.patience {
            // One that was killed says that it runs, and holds no lock.
            silentReadings = look.isCopying ? 0 : silentReadings + 1
            if journal?.state == .copying { show?(journal) }
            deadline = MonotonicInstant.now.advanced(bySeconds: StickNews.pace)
            return
        }
        follow(nil)
        quietUntil = MonotonicInstant.now.advanced(bySeconds: 8)
        report(journal, followed.label)
    }

    /// Tells how a copy ended.
    private func report(_ journal: StickJournal?, _ label: String) {
        guard let journal else { return }
        let copied = "\(Phrase.games(journal.doneGames)) copied from \(label)"
        switch journal.state {
        case .done:
            let left = journal.failures + journal.clashes
            guard left > 0 else {
                tell?(copied, nil)
                return
            }
            let text = StickNews.problemText(journal)
            tell?(
                "\(copied), \(Phrase.grouped(left)) \(left == 1 ? "file" : "files") not",
                ToastAction(label: "Why") { [weak self] in self?.explain?("Not copied", text) })
        case .waiting: tell?("\(label) is gone. Copying goes on when it is back", nil)
        case .full:
            let reason = Phrase.sentence(journal.reason ?? "the disk is full")
            tell?(
                "No room for the games of \(label)",
                ToastAction(label: "Why") { [weak self] in self?.explain?("No room", reason) })
        case .stopped: tell?("Copying from \(label) goes on at the next start", nil)
        case .wanted, .copying: tell?("Copying from \(label) was interrupted", nil)
        case .failed: explain?("Not copied", Phrase.sentence(journal.reason ?? "copying from \(label) failed"))
        }
    }

    static func problemText(_ journal: StickJournal) -> String {
        let shown = journal.problems.prefix(5).map { "\($0.path): \($0.reason)" }
        let more = journal.failures + journal.clashes - shown.count
        return (shown + (more > 0 ? ["and \(Phrase.grouped(more)) more"] : [])).joined(separator: "\n")
    }
}
