import Appliance
import Catalog
import Interface
import Launching
import Systems

/// The menu behind Start on the first screen.
enum MainMenu {
    static func screen(context: MenuContext) -> ChoiceScreen {
        let screen = ChoiceScreen(context: context, title: "Menu", rows: [])
        screen.replace(rows(context: context, screen: screen))
        return screen
    }

    private static func rows(context: MenuContext, screen: ChoiceScreen) -> [ChoiceScreen.Row] {
        [
            .init(label: "How to add games") { [weak context] in
                guard let context else { return }
                context.host?.push(HelpScreen(context: context))
            },
            .init(label: "Look for new games") { [weak context] in
                context?.host?.pop()
                context?.host?.rescan()
            },
            .init(label: "Controllers") { [weak context] in
                guard let context else { return }
                context.host?.pop()
                context.host?.push(ControllersScreen(context: context))
            },
            .init(label: "Games folders") { [weak context] in
                guard let context else { return }
                context.host?.pop()
                context.host?.push(SourcesScreen(context: context))
            },
            .init(label: "Library") { [weak context] in
                guard let context else { return }
                context.host?.push(LibraryPanel(context: context))
            },
            .init(label: "Settings") { [weak context] in
                guard let context else { return }
                context.host?.pop()
                context.host?.push(SettingsScreen(context: context))
            },
            toggle("Motion", Settings.motion.key, context.host?.motionEnabled ?? true, context, screen),
            .init(label: "Clock", value: context.uses24Hours ? "24 h" : "12 h") { [weak context, weak screen] in
                guard let context, let screen else { return }
                context.host?.settingChanged(Settings.clock.key, context.uses24Hours ? "12" : "24")
                screen.replace(rows(context: context, screen: screen))
            },
            .init(label: "Leave the menu") { [weak context] in context?.host?.quit() },
        ]
    }

    private static func toggle(
        _ label: String, _ key: String, _ isOn: Bool, _ context: MenuContext, _ screen: ChoiceScreen
    ) -> ChoiceScreen.Row {
        .init(label: label, value: isOn ? "on" : "off") { [weak context, weak screen] in
            guard let context, let screen else { return }
            context.host?.settingChanged(key, isOn ? "off" : "on")
            screen.replace(rows(context: context, screen: screen))
        }
    }
}

/// How to bring games, from the menu.
final class HelpScreen: Screen {
    private let steps: EmptyLibraryView

    override init(context: MenuContext) {
        steps = EmptyLibraryView(context: context)
        super.init(context: context)
        add(steps)
        steps.heading = "Add games"
    }

    override var hints: [Hint] { [Hint(.back, "Back")] }
    override var showsShare: Bool { true }
    override func layout() { steps.frame = content }

    override func handle(_ event: Event) -> Bool {
        guard event == .command(.back, isRepeat: false) || event == .command(.accept, isRepeat: false) else {
            return true
        }
        context.host?.pop()
        return true
    }
}
