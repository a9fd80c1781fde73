import Appliance
import Catalog
import Interface

/// Restarting and switching off.
final class PowerPanel: ChoiceScreen {
    private var chosen: [String: String] = [:]

    init(context: MenuContext) {
        super.init(context: context, title: "Power", rows: [])
        fill()
        context.courier.perform({ store in try await store.settings() }) { [weak self] settings in
            self?.chosen = settings
            self?.fill()
        }
    }

    private func fill() {
        replace([
            Row(label: "Switch off") { [weak self] in
                self?.ask(
                    "Switch off?", "The machine shuts down. It is safe to pull the plug when its light is off.",
                    "Switch off", .powerOff)
            },
            Row(label: "Restart") { [weak self] in
                self?.ask("Restart?", "The menu is back in about half a minute.", "Restart", .restart)
            },
            choice("Dark screen", Settings.screenOff), choice("Switches off by itself", Settings.powerOff),
        ])
    }

    /// A setting of so many minutes without a button.
    private func choice(_ label: String, _ setting: SettingDefinition) -> Row {
        let now = setting.effective(chosen[setting.key])
        return Row(label: label, value: PowerPanel.words(now)) { [weak self] in
            guard let self else { return }
            let rows = setting.allowed.map { value in
                Row(label: PowerPanel.words(value), isChecked: value == now) { [weak self] in
                    self?.context.host?.pop()
                    self?.chosen[setting.key] = value
                    self?.context.host?.settingChanged(setting.key, value)
                    self?.fill()
                }
            }
            self.context.host?.push(
                ChoiceScreen(
                    context: self.context, title: label, subtitle: "When no button is pressed for so long", rows: rows))
        }
    }

    private static func words(_ value: String) -> String {
        switch value {
        case "off": "never"
        case "60": "1 hour"
        case "120", "240": "\((Int(value) ?? 0) / 60) hours"
        default: "\(value) minutes"
        }
    }

    private func ask(_ title: String, _ sentence: String, _ yes: String, _ change: PowerChange) {
        let context = context
        context.host?.push(
            QuestionScreen(context: context, title: title, sentence: sentence, yes: yes, accent: Theme.brand) {
                [weak context] in
                context?.change(
                    .power(change), title: yes == "Restart" ? "Restarting" : "Switching off",
                    done: yes == "Restart" ? "The machine restarts" : "The machine switches off")
            })
    }
}
