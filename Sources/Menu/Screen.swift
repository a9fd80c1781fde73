import Catalog
import Controllers
import Interface
import SystemKit

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

    // MARK: Controllers

    /// Whether it hears everything that any device sends.
    var wantsRaw: Bool { false }
    /// Whether buttons other than directions count when they are let go, unless they were held.
    var actsOnRelease: Bool { false }
    /// When it wants `update` even if nothing happens.
    var deadline: MonotonicInstant? { nil }

    /// Lets time pass.
    func update(now: MonotonicInstant) {}
    /// Whether the commands of a device are not for it: what the device sends is heard raw.
    func isDeaf(to device: Int) -> Bool { false }
    /// A device sent something, while `wantsRaw`.
    func hear(_ event: RawEvent, from device: Int) {}
    /// A device was plugged in.
    func deviceCame(_ device: PadInfo, now: MonotonicInstant) {}
    /// A device was unplugged.
    func deviceLeft(_ id: Int, now: MonotonicInstant) {}
    /// Something about the controllers is different from before.
    func controllersChanged() {}

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
    /// Takes a screen away, wherever it is.
    func remove(_ screen: Screen)
    /// The screen that hears the person.
    var top: Screen { get }
    func refreshBars()
    /// Tells again whether the share's address is shown.
    func lookAtShareIfShown()
    func launch(_ game: Game, emulator: String?)
    /// Gives up a launch that has not come to its game yet.
    func cancelLaunch()
    /// Tells something shortly, and what can be done about it.
    func toast(_ text: String, action: ToastAction?)
    func quit()
    var motionEnabled: Bool { get }
    func rescan()
    func settingChanged(_ key: String, _ value: String)
    /// Begins the copy of a USB stick, or goes on with one.
    func copyStick(_ offer: StickNews.Offer, goesOn: Bool)
}

extension MenuHost {
    /// Tells something shortly.
    func toast(_ text: String) { toast(text, action: nil) }
}
