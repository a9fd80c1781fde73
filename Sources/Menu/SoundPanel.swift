import Appliance
import Interface

/// Where sound comes out, and how loud.
final class SoundPanel: ChoiceScreen {
    private let inquiry: Inquiry
    private var facts: SoundFacts?
    private var volumeRow: Int?
    /// What was asked for and is not done yet: presses come faster than the card answers.
    private var wanted: Int?
    private var isSetting = false

    /// Percent a press.
    private static let step = 5

    init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context, title: "Sound", rows: [])
    }

    override var hints: [Hint] {
        if selection == volumeRow, volumeRow != nil {
            return [Hint(.left, "Quieter"), Hint(.right, "Louder"), Hint(.accept, "Mute"), Hint(.back, "Back")]
        }
        return [Hint(.accept, "Choose"), Hint(.back, "Back")]
    }

    override func appear() { look() }

    private func look() {
        let machine = context.machine.machine
        inquiry.ask({ { _ in SoundFacts.read(machine) } }) { [weak self] facts in
            self?.facts = facts
            self?.fill()
        }
    }

    private func fill() {
        guard let facts else { return }
        subtitle = facts.server.map { "\($0) decides where it comes out" } ?? ""
        var rows: [Row] = []
        volumeRow = nil
        if let volume = facts.volume {
            volumeRow = 0
            let value = volume.isMuted == true ? "muted" : "\(wanted ?? volume.percent) %"
            rows.append(Row(label: "Volume", value: value) { [weak self] in self?.toggleMute() })
        }
        if !facts.cards.isEmpty {
            rows.append(
                Row(label: "Automatic", isChecked: facts.chosen == nil) { [weak self] in
                    self?.choose("auto", "Automatic")
                }
            )
        }
        for card in facts.cards {
            let isUsed = facts.chosen == nil && card.name == facts.right
            let words = isUsed ? "in use" : card.isConnected == false ? "nothing plugged in" : ""
            rows.append(
                Row(label: card.title, value: words, isChecked: card.name == facts.chosen) { [weak self] in
                    self?.choose(card.name, card.title)
                })
        }
        if !facts.cards.isEmpty {
            rows.append(Row(label: "Play a test sound") { [weak self] in self?.test() })
        }
        if let advice = facts.advice {
            rows.append(
                Row(label: facts.cards.isEmpty ? "No sound card" : "Something to know", warns: true) { [weak self] in
                    guard let self else { return }
                    self.context.host?.push(QuestionScreen(context: self.context, title: "Sound", sentence: advice))
                })
        }
        replace(rows)
        refreshBars()
    }

    private func choose(_ name: String, _ title: String) {
        context.change(.sound(.output(card: name)), title: "Choosing the sound", done: "Sound: \(title)") {
            [weak self] in
            self?.look()
        }
    }

    private func toggleMute() {
        guard let volume = facts?.volume, let isMuted = volume.isMuted else { return }
        context.change(
            .sound(.mute(!isMuted)), title: isMuted ? "Unmuting" : "Muting", done: isMuted ? "Sound is on" : "Muted"
        ) { [weak self] in self?.look() }
    }

    private func turn(by step: Int) {
        guard let volume = facts?.volume else { return }
        wanted = min(100, max(0, (wanted ?? volume.percent) + step))
        fill()
        setVolume()
    }

    /// One change at a time; the last press counts.
    private func setVolume() {
        guard !isSetting, let target = wanted else { return }
        isSetting = true
        let desk = context.machine
        context.courier.work { tell in
            _ = try desk.perform(.sound(.volume(target)), tell)
        } then: { [weak self] (_: Void) in
            self?.volumeIsSet(target)
        } failed: { [weak self] sentence in
            self?.context.host?.toast(Phrase.sentence(sentence))
            self?.volumeIsSet(target)
        }
    }

    private func volumeIsSet(_ target: Int) {
        isSetting = false
        if wanted == target {
            wanted = nil
            look()
        } else {
            setVolume()
        }
    }

    private func test() {
        let machine = context.machine.machine
        context.host?.toast("Two notes, first left, then right")
        context.courier.work { _ in
            _ = try SoundTest.play(machine)
        } then: { (_: Void) in
        } failed: { [weak self] sentence in
            guard let self else { return }
            self.context.host?.push(
                QuestionScreen(context: self.context, title: "Sound", sentence: Phrase.sentence(sentence)))
        }
    }

    override func handle(_ event: Event) -> Bool {
        let before = selection
        switch event {
        case .command(.left, _) where volumeRow != nil && selection == volumeRow: turn(by: -SoundPanel.step)
        case .command(.right, _) where volumeRow != nil && selection == volumeRow: turn(by: SoundPanel.step)
        default:
            let taken = super.handle(event)
            if selection != before { refreshBars() }
            return taken
        }
        return true
    }
}
