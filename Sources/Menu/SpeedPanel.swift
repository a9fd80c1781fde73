import Appliance
import Interface

/// How fast the processor runs: the presets of this model, with its heat and power beside them.
final class SpeedPanel: ChoiceScreen {
    private let inquiry: Inquiry
    private var facts: OverclockFacts?

    init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context, title: "Speed", rows: [])
    }

    override func appear() { look() }

    private func look() {
        let machine = context.machine.machine
        inquiry.ask({ { _ in OverclockFacts.read(machine) } }) { [weak self] facts in
            self?.facts = facts
            self?.fill()
        }
    }

    private func fill() {
        guard let facts else { return }
        var words: [String] = []
        if let megahertz = facts.megahertz { words.append("\(Phrase.grouped(megahertz)) MHz") }
        if let temperature = facts.temperature { words.append("\(Int(temperature.rounded())) °C") }
        subtitle = words.joined(separator: ", ")
        var rows: [Row] = []
        if let throttling = facts.throttling, let advice = throttling.advice {
            rows.append(
                Row(label: throttling.isUndervolted ? "Too little power" : "Slowed down", warns: true) { [weak self] in
                    self?.explain(advice)
                })
        }
        if facts.presets.isEmpty || facts.setting == nil {
            rows.append(
                Row(label: "Nothing to choose") { [weak self] in
                    self?.explain("For this model there are no speeds that its maker documents.")
                })
        } else {
            let usual = facts.usualMegahertz.map { "\(Phrase.grouped($0)) MHz" } ?? ""
            rows.append(
                Row(label: "Normal", value: usual, isChecked: facts.setting == OverclockFacts.Setting.none) {
                    [weak self] in self?.choose("none", "Normal")
                })
            for preset in facts.presets {
                rows.append(
                    Row(
                        label: Phrase.capitalised(preset.name), value: "\(Phrase.grouped(preset.megahertz)) MHz",
                        isChecked: facts.setting == .preset(preset.name)
                    ) { [weak self] in self?.warn(preset) })
            }
            if facts.setting == .custom {
                rows.append(Row(label: "Own values", value: "config.txt", isChecked: true) {})
            }
        }
        replace(rows)
    }

    private func explain(_ sentence: String) {
        context.host?.push(QuestionScreen(context: context, title: "Speed", sentence: Phrase.sentence(sentence)))
    }

    private func warn(_ preset: OverclockPreset) {
        context.host?.push(
            QuestionScreen(
                context: context, title: "\(Phrase.capitalised(preset.name)), \(preset.megahertz) MHz?",
                sentence: "The processor gets hotter and wants a good power supply and a cooler. If the machine does "
                    + "not reach this menu with it, the old speed comes back by itself.",
                yes: "Take it"
            ) { [weak self] in self?.choose(preset.name, Phrase.capitalised(preset.name)) })
    }

    private func choose(_ name: String, _ title: String) {
        context.change(
            .boot(.overclock(preset: name)), title: "Setting the speed", done: "\(title) from the next start"
        ) { [weak self] in self?.look() }
    }
}

extension Phrase {
    /// A word with a capital.
    static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
