import Catalog
import Controllers
import Interface

/// What a button does on the screen that is shown, for the bottom bar.
struct Hint: Equatable {
    let command: Command
    let label: String

    init(_ command: Command, _ label: String) {
        self.command = command
        self.label = label
    }
}

/// One screen of the menu. The application stacks them; the top one hears the person.
class Screen: View {
    let context: MenuContext
    var theme: Theme { context.theme }

    init(context: MenuContext) { self.context = context }

    /// What the bottom bar says.
    var hints: [Hint] { [] }
    /// The colour that lights the background.
    var accent: Color { Theme.brand }
    /// Whether the bars of the application are shown around it.
    var showsBars: Bool { true }
    /// Whether the screen below stays visible behind it.
    var isOverlay: Bool { false }

    /// Whether typed letters are text here.
    var wantsText: Bool { false }

    /// Whether it tells how other computers reach the games.
    var showsShare: Bool { false }

    /// It is on top now, for the first time or again.
    func appear() {}
    /// The catalog changed.
    func catalogChanged(_ change: CatalogChange) {}

    /// The area between the bars, inside what every television shows.
    var content: Rect {
        let safe = theme.safeArea
        guard showsBars else { return safe }
        return Rect(safe.x, safe.y + theme(54), safe.width, safe.height - theme(54) - theme(60))
    }

    /// Tells the bars that hints or accent changed.
    func refreshBars() { context.host?.refreshBars() }
}

/// What the screens ask of the application.
protocol MenuHost: AnyObject {
    func push(_ screen: Screen)
    func pop()
    /// The screen that hears the person.
    var top: Screen { get }
    func refreshBars()
    /// Tells again whether the share's address is shown.
    func lookAtShareIfShown()
    func launch(_ game: Game, emulator: String?)
    /// Gives up a launch that has not come to its game yet.
    func cancelLaunch()
    func toast(_ text: String)
    func quit()
    var motionEnabled: Bool { get }
    func rescan()
    func settingChanged(_ key: String, _ value: String)
}
