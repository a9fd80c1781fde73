import Catalog
import Interface

/// What a list shows.
enum ListOptions {
    static func screen(context: MenuContext, list: GamesScreen) -> ChoiceScreen {
        let panel = ChoiceScreen(
            context: context, title: "This list", subtitle: list.heading.title, accent: list.color, rows: [])
        panel.replace(rows(context, list, panel))
        return panel
    }

    private static func rows(
        _ context: MenuContext, _ list: GamesScreen, _ panel: ChoiceScreen
    ) -> [ChoiceScreen.Row] {
        var rows: [ChoiceScreen.Row] = []
        let canFilter = list.pager.base.selection == .all
        if canFilter {
            rows.append(
                .init(label: "Filter") { [weak context, weak list, weak panel] in
                    guard let context, let list, let panel else { return }
                    context.host?.remove(panel)
                    context.host?.push(
                        FilterScreen(
                            context: context, base: list.pager.base, title: list.heading.title, accent: list.color))
                })
        }
        rows.append(
            .init(label: "Show hidden games", isOn: list.pager.showsHidden) { [weak context, weak list, weak panel] in
                guard let context, let list, let panel else { return }
                list.pager.showsHidden.toggle()
                list.reload()
                panel.replace(self.rows(context, list, panel))
            })
        rows.append(
            .init(label: "Show absent games", isOn: list.pager.showsMissing) { [weak context, weak list, weak panel] in
                guard let context, let list, let panel else { return }
                list.pager.showsMissing.toggle()
                list.reload()
                panel.replace(self.rows(context, list, panel))
            })
        return rows
    }
}
