import Appliance
import Interface

/// Restarting and switching off.
final class PowerPanel: ChoiceScreen {
    init(context: MenuContext) {
        super.init(context: context, title: "Power", rows: [])
        replace([
            Row(label: "Switch off") { [weak self] in
                self?.ask(
                    "Switch off?", "The machine shuts down. It is safe to pull the plug when its light is off.",
                    "Switch off", .powerOff)
            },
            Row(label: "Restart") { [weak self] in
                self?.ask("Restart?", "The menu is back in about half a minute.", "Restart", .restart)
            },
        ])
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
