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

/// The menu of one game.
enum GameOptions {
    static func screen(context: MenuContext, game: Game, accent: Color) -> ChoiceScreen {
        let screen = ChoiceScreen(context: context, title: "Options", subtitle: game.title, accent: accent, rows: [])
        var rows: [ChoiceScreen.Row] = [
            .init(label: "Play") { [weak context] in
                context?.host?.pop()
                context?.host?.launch(game, emulator: nil)
            }
        ]
        if let system = context.registry.system(named: game.system), system.emulators.count > 1 {
            let choices = [ofGame(game, system), ofSystem(system)]
            rows += choices.map { choice in
                .init(label: choice.label, value: choice.value) { [weak context, weak screen] in
                    guard let context, let screen else { return }
                    choose(choice, system.emulators, context: context, from: screen)
                }
            }
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
        screen.replace(rows)
        return screen
    }

    /// Makes a change and closes the panels.
    private static func change(
        _ context: MenuContext?, saying message: String? = nil, panels: Int = 1,
        _ work: @escaping @Sendable (CatalogStore) async throws -> Void
    ) {
        guard let context else { return }
        context.courier.change(work) { [weak context] in
            if let message { context?.host?.toast(message) }
        } failed: { [weak context] sentence in
            context?.host?.toast(sentence)
        }
        for _ in 0..<panels { context.host?.pop() }
    }

    /// A choice among emulators: for whom, and where it is stored.
    private struct EmulatorChoice: Sendable {
        let label: String
        let value: String
        let subtitle: String
        /// What choosing none means.
        let none: String
        let read: @Sendable (CatalogStore) async throws -> String?
        let write: @Sendable (CatalogStore, String?) async throws -> Void
    }

    private static func ofGame(_ game: Game, _ system: SystemDefinition) -> EmulatorChoice {
        EmulatorChoice(
            label: "Emulator for this game",
            value: game.emulator.map { name in
                system.emulators.first { $0.name == name }?.title ?? name
            } ?? "as the system",
            subtitle: game.title, none: "As the system",
            read: { store in try await store.game(id: game.id)?.emulator },
            write: { store, name in try await store.setEmulator(name, game: game.id) })
    }

    private static func ofSystem(_ system: SystemDefinition) -> EmulatorChoice {
        let name = system.name
        return EmulatorChoice(
            label: "Emulator for \(name)", value: "", subtitle: system.fullName, none: "The first one installed",
            read: { store in try await store.emulator(system: name) },
            write: { store, choice in try await store.setEmulator(choice, system: name) })
    }

    /// Opens the list of emulators, once it is known which are installed; a person who left meanwhile is not followed.
    private static func choose(
        _ choice: EmulatorChoice, _ emulators: [EmulatorDefinition], context: MenuContext, from panel: ChoiceScreen
    ) {
        let locator = context.locator
        context.courier.perform({ store in
            let chosen = try await choice.read(store)
            return Found(chosen: chosen, installed: Set(emulators.filter { locator.locate($0) != nil }.map(\.name)))
        }) { [weak context, weak panel] found in
            guard let context, let panel, context.host?.top === panel else { return }
            var rows = [row(choice.none, nil, choice, found, context)]
            rows += emulators.map { row($0.title, $0.name, choice, found, context) }
            context.host?.push(
                ChoiceScreen(
                    context: context, title: "Emulator", subtitle: choice.subtitle, accent: panel.accent, rows: rows))
        } failed: { [weak context] sentence in
            context?.host?.toast(sentence)
        }
    }

    private struct Found: Sendable {
        let chosen: String?
        let installed: Set<String>
    }

    private static func row(
        _ label: String, _ name: String?, _ choice: EmulatorChoice, _ found: Found, _ context: MenuContext
    ) -> ChoiceScreen.Row {
        let isInstalled = name.map { found.installed.contains($0) } ?? true
        return .init(label: label, value: isInstalled ? "" : "not installed", isChecked: found.chosen == name) {
            [weak context] in
            change(context, panels: 2) { store in try await choice.write(store, name) }
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
