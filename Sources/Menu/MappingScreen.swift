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
    /// What is held of other pads that nobody knows: of two that were plugged in together the person may hold the other.
    private var others = HoldDetector()

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
        return [wizard.deadline, beat, ring, others.deadline].compactMap { $0 }.min()
    }

    // With the sentence about storing the pad is set up, and may be all that the person has.
    override func isDeaf(to device: Int) -> Bool { device == wizard.pad.id && failure == nil }

    // MARK: What happens

    override func hear(_ event: RawEvent, from device: Int) {
        // A stick says a thousand things a second; what they come to is shown when time passes.
        guard !isOver else { return }
        if device == wizard.pad.id {
            wizard.handle(event)
        } else if purpose != .test, context.controllers.pads[device]?.source == MappingSource.none {
            others.handle(event, from: device)
        }
    }

    override func update(now: MonotonicInstant) {
        guard !isOver else { return }
        wizard.advance(to: now)
        if let hold = others.hold(at: now), hold.progress >= 1 { exchange(for: hold.device, now: now) }
        guard !isOver else { return }
        refresh(now: now)
        if nextBeat <= now { beat() }
        // However slowly it is painted, there is a rest between two of them.
        if picture.pulse.isMoving { nextBeat = now.advanced(bySeconds: MappingScreen.rest) }
    }

    override func deviceLeft(_ id: Int, now: MonotonicInstant) {
        others.forget(id)
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

    private func refresh(now: MonotonicInstant = .now) {
        if case .ended(let ending) = wizard.phase { return end(ending) }
        var face = MappingFace(wizard, asks: purpose != .test)
        if let hold = others.hold(at: now) {
            face.detail = "That is another controller"
            face.isUrgent = true
            if mayExchange {
                face.detail += ". Keep holding to set it up instead."
                face.ring = hold.progress
            }
        }
        show(face)
    }

    /// Whether nothing is lost by it.
    private var mayExchange: Bool { wizard.current == 0 }

    /// Sets another pad up in place of this one.
    private func exchange(for device: Int, now: MonotonicInstant) {
        defer { others.forget(device) }
        guard mayExchange, let pad = context.controllers.device(device) else { return }
        isOver = true
        // The new screen first, so that the devices stay open.
        context.host?.push(
            MappingScreen(
                context: context, pad: pad, purpose: .setUp(onlyThisUnit: false), holding: others, now: now))
        close()
    }

    // MARK: The end

    private func end(_ ending: MappingWizard.Ending) {
        guard !isOver else { return }
        isOver = true
        guard case .setUp(let onlyThisUnit) = purpose else { return close() }
        switch ending {
        case .saved(let mapping): store(mapping, onlyThisUnit: onlyThisUnit)
        case .abandoned(let reason):
            let isGuessed = decline()
            if let sentence = Phrase.sentence(reason, isGuessed: isGuessed) { context.host?.toast(sentence) }
            close()
        }
    }

    /// The person does not want to set it up now: it works as well as it can be guessed.
    ///
    /// - Returns: whether it does; other pads are known, or are none.
    @discardableResult
    private func decline() -> Bool {
        let pad = wizard.pad
        context.controllers.asked.insert(padUnit(pad.facts))
        guard pad.source == .none, context.controllers.pads[pad.id] != nil else { return false }
        context.controllers.desk.setGuessing(pad.id, true)
        return true
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
        face.held = []
        face.keys = [
            MappingFace.Key(function: .south, label: "Go on"), MappingFace.Key(function: nil, label: "Back"),
        ]
        show(face)
    }

    private func close() { context.host?.remove(self) }
}

extension Phrase {
    /// Why a pad was not set up; `nil` where the person knows.
    ///
    /// - Parameter isGuessed: whether the pad works all the same, as well as it can be guessed.
    static func sentence(_ reason: MappingWizard.Abandonment, isGuessed: Bool) -> String? {
        let rest = isGuessed ? "the controller is used by a guess" : "nothing was set up"
        return switch reason {
        case .left: isGuessed ? "Not set up: \(rest)" : nil
        case .timedOut: "Nothing was pressed: \(rest)"
        case .unplugged: "The controller did not come back"
        case .nothingBound: "Everything was skipped: \(rest)"
        }
    }
}
