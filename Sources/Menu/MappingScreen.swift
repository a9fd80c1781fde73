import Controllers
import Interface
import SystemKit

/// Sets a pad up: asks for one control after the other and stores the answers. Or only lets it be tried.
final class MappingScreen: PadScreen {
    /// What it is for.
    enum Purpose: Equatable {
        /// A set-up for all pads of the kind, or for this one alone.
        case setUp(onlyThisUnit: Bool)
        case test
    }

    /// Seconds between two shines of the wanted control.
    private static let rest = 0.5

    let purpose: Purpose
    private var wizard: MappingWizard
    private var isOver = false
    /// Why the answers could not be stored; shown until the person has read it.
    private var failure: String?
    private var nextBeat: MonotonicInstant

    /// - Parameter holding: what is held of the devices at this moment.
    init(
        context: MenuContext, pad: PadInfo, purpose: Purpose, holding: HoldDetector = HoldDetector(),
        now: MonotonicInstant
    ) {
        self.purpose = purpose
        wizard =
            purpose == .test
            ? MappingWizard(testing: pad, at: now) : MappingWizard(pad: pad, held: holding.keys(of: pad.id), at: now)
        nextBeat = now
        super.init(context: context, pad: pad)
        refresh()
    }

    override var heading: String { purpose == .test ? "Test" : "Set up" }
    override var wantsRaw: Bool { true }
    override var deadline: MonotonicInstant? {
        guard !isOver else { return nil }
        let beat = face.wanted != nil && context.host?.motionEnabled == true ? nextBeat : nil
        // A ring that fills is painted anew all the time, one that counts seconds now and then.
        let pace = face.seconds == nil ? 1.0 / 60 : 0.2
        let ring = face.ring == nil ? nil : MonotonicInstant.now.advanced(bySeconds: pace)
        return [wizard.deadline, beat, ring].compactMap { $0 }.min()
    }

    override func isDeaf(to device: Int) -> Bool { device == wizard.pad.id }

    // MARK: What happens

    override func hear(_ event: RawEvent, from device: Int) {
        // A stick says a thousand things a second; what they come to is shown when time passes.
        if device == wizard.pad.id, !isOver { wizard.handle(event) }
    }

    override func update(now: MonotonicInstant) {
        guard !isOver else { return }
        wizard.advance(to: now)
        refresh()
        if nextBeat <= now { beat() }
        // However slowly it is painted, there is a rest between two of them.
        if picture.pulse.isMoving { nextBeat = now.advanced(bySeconds: MappingScreen.rest) }
    }

    override func deviceLeft(_ id: Int, now: MonotonicInstant) {
        guard id == wizard.pad.id, !isOver else { return }
        wizard.deviceRemoved(at: now)
        refresh()
    }

    override func deviceCame(_ pad: PadInfo, now: MonotonicInstant) {
        guard !isOver, wizard.deviceReturned(pad, at: now) else { return }
        refresh()
    }

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.back, false): goBack()
        case .command(.menu, false): leave()
        case .command(.accept, false): if failure != nil { close() }
        case .pointerReleased(let point):
            if let key = key(at: point), key.function == nil { goBack() }
        default: break
        }
        // Whatever another device says: nothing behind this screen may hear it.
        return true
    }

    private func goBack() {
        if failure != nil { return close() }
        wizard.back(at: .now)
        refresh()
    }

    private func leave() {
        if failure != nil { return close() }
        wizard.leave(at: .now)
        refresh()
    }

    private func refresh() {
        if case .ended(let ending) = wizard.phase { return end(ending) }
        show(MappingFace(wizard, asks: purpose != .test))
    }

    // MARK: The end

    private func end(_ ending: MappingWizard.Ending) {
        guard !isOver else { return }
        isOver = true
        guard case .setUp(let onlyThisUnit) = purpose else { return close() }
        switch ending {
        case .saved(let mapping): store(mapping, onlyThisUnit: onlyThisUnit)
        case .abandoned(let reason):
            if let sentence = Phrase.sentence(reason) { context.host?.toast(sentence) }
            decline()
            close()
        }
    }

    /// The person does not want to set it up now: it works as well as it can be guessed.
    private func decline() {
        let pad = wizard.pad
        context.controllers.asked.insert(padUnit(pad.facts))
        guard pad.source == .none, pad.family != .keyboard else { return }
        context.controllers.desk.setGuessing(pad.id, true)
    }

    private func store(_ mapping: PadMapping, onlyThisUnit: Bool) {
        var face = self.face
        face.prompt = "Storing"
        face.detail = ""
        face.keys = []
        (face.ring, face.seconds, face.isUrgent) = (nil, nil, false)
        show(face)
        // Until it is known by its new name, it is not asked for again.
        context.controllers.asked.insert(padUnit(wizard.pad.facts))
        let desk = context.controllers.desk
        let save = desk.save
        let keep = desk.keep
        let pad = wizard.pad
        context.courier.change({ _ in
            do {
                try save(mapping, pad.facts, pad.family, onlyThisUnit)
                return nil as String?
            } catch {
                keep(mapping, pad.facts, pad.family)
                return "\(error)"
            }
        }) { [weak self] sentence in
            desk.refresh()
            self?.stored(sentence)
        }
    }

    private func stored(_ sentence: String?) {
        guard let sentence else {
            context.host?.toast("\(pad.name.trimmedBlanks) is set up")
            return close()
        }
        failure = sentence
        decline()
        var face = self.face
        face.prompt = "Not stored"
        face.detail = "\(sentence) It works until the menu ends."
        face.isUrgent = true
        face.keys = [MappingFace.Key(function: nil, label: "Back")]
        show(face)
    }

    private func close() { context.host?.remove(self) }
}

extension Phrase {
    /// Why a pad was not set up; `nil` where the person knows.
    static func sentence(_ reason: MappingWizard.Abandonment) -> String? {
        switch reason {
        case .left: nil
        case .timedOut: "Nothing was pressed, so nothing was set up"
        case .unplugged: "The controller did not come back"
        case .nothingBound: "Everything was skipped, so nothing was set up"
        }
    }
}
