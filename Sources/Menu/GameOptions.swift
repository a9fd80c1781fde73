import Catalog
import Interface
import Launching
import Systems

/// The menu of one game.
enum GameOptions {
    static func screen(
        context: MenuContext, game: Game, versions: Int = 1, list: GamesScreen? = nil, accent: Color
    ) -> ChoiceScreen {
        let screen = ChoiceScreen(context: context, title: "Options", subtitle: game.title, accent: accent, rows: [])
        var rows: [ChoiceScreen.Row] = [
            .init(label: "Play") { [weak context] in
                context?.host?.pop()
                context?.host?.launch(game, emulator: nil)
            },
            opening("About this game", context) { DetailsScreen(context: $0, game: game) },
        ]
        if versions > 1 {
            rows.append(
                opening("Versions", value: "\(versions)", context) {
                    VersionsScreen(context: $0, game: game, accent: accent)
                })
        }
        rows.append(
            .init(label: game.isFavourite ? "Unmark as favourite" : "Mark as favourite") { [weak context] in
                change(context) { store in try await store.setFavourite(!game.isFavourite, game: game.id) }
            })
        rows.append(opening("Collections", context) { MembershipScreen(context: $0, game: game, accent: accent) })
        rows.append(opening("Edit", context) { EditPanel(context: $0, game: game, accent: accent) })
        rows += EmulatorChoice.rows(context: context, game: game, screen: screen)
        rows.append(hiding(game, context))
        if game.isMissing { rows.append(forgetting(game, context)) }
        if let list {
            rows.append(
                .init(label: "This list", value: list.heading.folders.last ?? list.heading.title) {
                    [weak context, weak list] in
                    guard let context, let list else { return }
                    context.host?.pop()
                    context.host?.push(ListOptions.screen(context: context, list: list))
                })
        }
        screen.replace(rows)
        return screen
    }

    /// A row that opens a screen in place of the panel.
    private static func opening(
        _ label: String, value: String = "", _ context: MenuContext, _ make: @escaping (MenuContext) -> Screen
    ) -> ChoiceScreen.Row {
        .init(label: label, value: value) { [weak context] in
            guard let context else { return }
            context.host?.pop()
            context.host?.push(make(context))
        }
    }

    private static func hiding(_ game: Game, _ context: MenuContext) -> ChoiceScreen.Row {
        .init(label: game.isHidden ? "Show this game again" : "Hide this game") { [weak context] in
            guard let context else { return }
            context.host?.pop()
            setHidden(!game.isHidden, game, context)
        }
    }

    private static func setHidden(_ on: Bool, _ game: Game, _ context: MenuContext) {
        context.courier.change({ store in try await store.setHidden(on, game: game.id) }) { [weak context] in
            let undo = ToastAction(label: "Undo") { [weak context] in
                guard let context else { return }
                context.courier.change({ store in try await store.setHidden(!on, game: game.id) }) {
                } failed: { [weak context] sentence in
                    context?.host?.toast(sentence)
                }
            }
            context?.host?.toast(on ? "\(game.title) is hidden" : "\(game.title) is shown again", action: undo)
        } failed: { [weak context] sentence in
            context?.host?.toast(sentence)
        }
    }

    private static func forgetting(_ game: Game, _ context: MenuContext) -> ChoiceScreen.Row {
        .init(label: "Forget this game", warns: true) { [weak context] in
            guard let context else { return }
            context.host?.pop()
            context.host?.push(
                QuestionScreen(
                    context: context, title: "Forget \(game.title)?",
                    sentence: "Its file is not there now. When it is forgotten, its marks, its times and your changes "
                        + "are gone too. If the file comes back, the game begins anew.",
                    yes: "Forget", no: "Keep"
                ) { [weak context] in
                    change(context, saying: "Forgotten", panels: 0) { store in try await store.forget(game: game.id) }
                })
        }
    }

    /// Makes a change and closes the panels.
    static func change(
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
}
