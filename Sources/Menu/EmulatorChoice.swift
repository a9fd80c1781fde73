import Catalog
import Interface
import Launching
import Systems

/// A choice among emulators: for whom, and where it is stored.
struct EmulatorChoice: Sendable {
    let label: String
    let value: String
    let subtitle: String
    /// What choosing none means.
    let none: String
    let read: @Sendable (CatalogStore) async throws -> String?
    let write: @Sendable (CatalogStore, String?) async throws -> Void

    /// The rows of a game's panel that lead to the choices; none where there is one emulator only.
    static func rows(context: MenuContext, game: Game, screen: ChoiceScreen) -> [ChoiceScreen.Row] {
        guard let system = context.registry.system(named: game.system), system.emulators.count > 1 else { return [] }
        return [ofGame(game, system), ofSystem(system)].map { choice in
            .init(label: choice.label, value: choice.value) { [weak context, weak screen] in
                guard let context, let screen else { return }
                choice.choose(among: system.emulators, context: context, from: screen)
            }
        }
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
    private func choose(among emulators: [EmulatorDefinition], context: MenuContext, from panel: ChoiceScreen) {
        let locator = context.locator
        context.courier.perform({ store in
            let chosen = try await read(store)
            return Found(chosen: chosen, installed: Set(emulators.filter { locator.locate($0) != nil }.map(\.name)))
        }) { [weak context, weak panel] found in
            guard let context, let panel, context.host?.top === panel else { return }
            var rows = [row(none, nil, found, context)]
            rows += emulators.map { row($0.title, $0.name, found, context) }
            context.host?.push(
                ChoiceScreen(
                    context: context, title: "Emulator", subtitle: subtitle, accent: panel.accent, rows: rows))
        } failed: { [weak context] sentence in
            context?.host?.toast(sentence)
        }
    }

    private struct Found: Sendable {
        let chosen: String?
        let installed: Set<String>
    }

    private func row(_ label: String, _ name: String?, _ found: Found, _ context: MenuContext) -> ChoiceScreen.Row {
        let isInstalled = name.map { found.installed.contains($0) } ?? true
        return .init(label: label, value: isInstalled ? "" : "not installed", isChecked: found.chosen == name) {
            [weak context] in
            GameOptions.change(context, panels: 2) { store in try await write(store, name) }
        }
    }
}
