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
            toggle("Motion", Settings.motion.key, context.host?.motionEnabled ?? true, context, screen),
            toggle("Swap A and B", Settings.swapAcceptBack.key, context.mapper.swapsAcceptAndBack, context, screen),
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

/// The menu of one game.
enum GameOptions {
    static func screen(context: MenuContext, game: Game, accent: Color) -> ChoiceScreen {
        let system = context.registry.system(named: game.system)
        var rows: [ChoiceScreen.Row] = [
            .init(label: "Play") { [weak context] in
                context?.host?.pop()
                context?.host?.launch(game, emulator: nil)
            }
        ]
        if let system, system.emulators.count > 1 {
            rows.append(
                .init(label: "Emulator for this game", value: game.emulator ?? "as the system") { [weak context] in
                    guard let context else { return }
                    context.host?.push(emulators(context: context, game: game, system: system, accent: accent))
                })
            rows.append(
                .init(label: "Emulator for \(system.name)") { [weak context] in
                    guard let context else { return }
                    systemEmulators(context: context, system: system, accent: accent)
                })
        }
        rows.append(
            .init(label: game.isFavourite ? "Unmark as favourite" : "Mark as favourite") { [weak context] in
                change(context) { store in try await store.setFavourite(!game.isFavourite, game: game.id) }
            })
        rows.append(
            .init(label: game.isHidden ? "Show this game again" : "Hide this game") { [weak context] in
                change(context, saying: game.isHidden ? nil : "Hidden. Bring it back with retro-admin.") { store in
                    try await store.setHidden(!game.isHidden, game: game.id)
                }
            })
        return ChoiceScreen(context: context, title: "Options", subtitle: game.title, accent: accent, rows: rows)
    }

    /// Makes a change and closes the panel.
    private static func change(
        _ context: MenuContext?, saying message: String? = nil, panels: Int = 1,
        _ work: @escaping @Sendable (CatalogStore) async throws -> Void
    ) {
        guard let context else { return }
        context.courier.perform(work) { [weak context] in
            if let message { context?.host?.toast(message) }
        } failed: { [weak context] sentence in
            context?.host?.toast(sentence)
        }
        for _ in 0..<panels { context.host?.pop() }
    }

    private static func emulators(
        context: MenuContext, game: Game, system: SystemDefinition, accent: Color
    ) -> ChoiceScreen {
        let id = game.id
        var rows: [ChoiceScreen.Row] = [
            .init(label: "As the system", isChecked: game.emulator == nil) { [weak context] in
                change(context, panels: 2) { store in try await store.setEmulator(nil, game: id) }
            }
        ]
        for emulator in system.emulators {
            let name = emulator.name
            rows.append(
                row(emulator, isChecked: game.emulator == name, context: context) { [weak context] in
                    change(context, panels: 2) { store in try await store.setEmulator(name, game: id) }
                })
        }
        return ChoiceScreen(context: context, title: "Emulator", subtitle: game.title, accent: accent, rows: rows)
    }

    private static func systemEmulators(context: MenuContext, system: SystemDefinition, accent: Color) {
        let name = system.name
        context.courier.perform({ store in try await store.emulator(system: name) }) { [weak context] chosen in
            guard let context else { return }
            var rows: [ChoiceScreen.Row] = [
                .init(label: "The first one installed", isChecked: chosen == nil) { [weak context] in
                    change(context, panels: 2) { store in try await store.setEmulator(nil, system: name) }
                }
            ]
            for emulator in system.emulators {
                let choice = emulator.name
                rows.append(
                    row(emulator, isChecked: chosen == choice, context: context) { [weak context] in
                        change(context, panels: 2) { store in try await store.setEmulator(choice, system: name) }
                    })
            }
            context.host?.push(
                ChoiceScreen(
                    context: context, title: "Emulator", subtitle: system.fullName, accent: accent, rows: rows))
        }
    }

    private static func row(
        _ emulator: EmulatorDefinition, isChecked: Bool, context: MenuContext, action: @escaping () -> Void
    ) -> ChoiceScreen.Row {
        let isInstalled = context.locator.locate(emulator) != nil
        return .init(
            label: emulator.title, value: isInstalled ? "" : "not installed", isChecked: isChecked, action: action)
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
    override func layout() { steps.frame = content }

    override func handle(_ event: Event) -> Bool {
        guard event == .command(.back, isRepeat: false) || event == .command(.accept, isRepeat: false) else {
            return true
        }
        context.host?.pop()
        return true
    }
}
