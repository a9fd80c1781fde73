import Appliance
public import Catalog
import Controllers
public import Interface
public import Launching
public import SystemKit
public import Systems

/// What the application asks of the screen it is shown on.
public protocol Display: AnyObject {
    /// Tells text sizes.
    var measurer: any TextMeasuring { get }
    /// Pixels of the drawing area.
    var size: Size { get }
    /// Whether a picture that belongs on the screen is still on its way.
    var isDecoding: Bool { get }
    /// Lets go of the screen completely, so that another program can have it.
    func giveUp()
    /// Takes the screen back.
    ///
    /// - Returns: a sentence when that failed.
    func takeBack() -> String?
}

/// The menu: holds the screens, hears the person, starts games and comes back from them.
///
/// Lives on the main thread. It knows no SDL and sleeps nowhere: the loop around it feeds events and messages in,
/// lets time pass, and paints when `needsDisplay` says so.
public final class Application {
    /// What the application needs to know of the world.
    public struct World {
        /// Where everything lives.
        public var root: DataRoot
        /// Which systems exist.
        public var registry: SystemRegistry
        /// The catalog.
        public var store: CatalogStore
        /// Finds emulators.
        public var locator: EmulatorLocator
        /// What the machine has for picture and sound.
        public var display: DisplayFacts
        /// Tells how other computers reach the games; called away from the menu's thread, whenever it is shown.
        public var readShare: @Sendable () -> ShareAddress
        /// The process's environment.
        public var environment: [String: String]
        /// Where other threads put what the menu should hear.
        public var mailbox: Mailbox<MenuMessage>
        /// Where questions to the catalog and looks at the disk are made; more than the kinds of looks that may hang.
        public var threads: TaskThreads
        /// Tells the minutes since local midnight.
        public var minutesOfDay: () -> Int
        /// Tells whether that is the time: a machine without a clock chip does not know it until a time server answers.
        public var isClockSet: () -> Bool
        /// What can be done about controllers.
        public var desk: ControllerDesk
        /// What can be done about the machine.
        public var machine: MachineDesk
        /// How copies from USB sticks are begun.
        public var sticks: StickDesk
        /// The log.
        public var log: Log

        /// A world with all its parts.
        public init(
            root: DataRoot, registry: SystemRegistry, store: CatalogStore, locator: EmulatorLocator,
            display: DisplayFacts, readShare: @escaping @Sendable () -> ShareAddress, environment: [String: String],
            mailbox: Mailbox<MenuMessage>, threads: TaskThreads, minutesOfDay: @escaping () -> Int,
            isClockSet: @escaping () -> Bool,
            desk: ControllerDesk = ControllerDesk(), machine: MachineDesk,
            sticks: StickDesk = StickDesk(), log: Log
        ) {
            self.root = root
            self.registry = registry
            self.store = store
            self.locator = locator
            self.display = display
            self.readShare = readShare
            self.environment = environment
            self.mailbox = mailbox
            self.threads = threads
            self.minutesOfDay = minutesOfDay
            self.isClockSet = isClockSet
            self.desk = desk
            self.machine = machine
            self.sticks = sticks
            self.log = log
        }
    }

    let world: World
    let context: MenuContext
    let window: Window
    let trace: Trace?
    let shareInquiry: Inquiry
    weak var display: (any Display)?
    private let backdrop = Backdrop()
    private let clock: ClockView
    private let bar: HintBar
    let toastView: ToastView
    let scanSign: ScanSign
    var arrivals = ArrivalNews()
    let libraryNews: SourceNews
    let stickSign: StickSign
    let stickNews: StickNews
    private let systems: SystemsScreen
    private(set) var screens: [Screen] = []
    /// Unknown pads of which a button is held.
    var unknownHolds = HoldDetector()
    /// Whether all devices are listened to.
    var isListening = false
    /// Whether keyboards are heard as devices, so that what a window tells of them is known already.
    var hearsKeyboardNodes = false
    /// Presses that count when they are let go.
    var pendingPresses: [PendingPress] = []
    var repeater = Repeater()
    var gate = ReleaseGate()
    var play: PlaySession?
    var keyboard: KeyboardMonitor?
    /// When time was let pass last.
    private var updated = MonotonicInstant.now
    private var lastFrame: MonotonicInstant?
    var nextMinute: MonotonicInstant?
    /// A clock that was right goes on, also where the time server is not heard any more.
    private var isClockSet = false
    /// When the share's address is read again, while it is shown.
    var nextShareLook: MonotonicInstant?
    /// What was chosen about a machine that nobody touches.
    var idleChoices: [String: String] = [:]
    /// Whether anybody is there.
    var idle = IdleWatch()
    /// When the menu ends even if the catalog has not stored everything; `nil` while nobody wants it to end.
    var endsAt: MonotonicInstant?
    /// Whether the loop goes on.
    public internal(set) var isRunning = true
    /// Why the menu ended, when nobody asked it to.
    public internal(set) var failure: String?
    /// The texts of the last picture, empty while a game has the screen.
    public private(set) var visibleTexts: [String] = []

    /// The menu over a world, shown on a display.
    public init(world: World, display: any Display, trace: Trace? = nil) {
        self.world = world
        self.display = display
        self.trace = trace
        let courier = Courier(store: world.store, mailbox: world.mailbox, threads: world.threads)
        shareInquiry = Inquiry(courier: courier)
        context = MenuContext(
            theme: Theme(size: display.size), root: world.root, registry: world.registry, locator: world.locator,
            courier: courier, controllers: ControllerTable(desk: world.desk), machine: world.machine,
            share: ShareAddress(windows: nil, url: nil, folder: world.root.roms))
        window = Window(size: display.size, measurer: display.measurer)
        clock = ClockView(context: context)
        bar = HintBar(context: context)
        toastView = ToastView(context: context)
        scanSign = ScanSign(context: context)
        libraryNews = SourceNews(courier: courier, machine: world.machine.machine)
        stickSign = StickSign(context: context)
        stickNews = StickNews(
            machine: world.machine.machine, desk: world.sticks, registry: world.registry, courier: courier)
        systems = SystemsScreen(context: context)
        context.host = self
        window.add(backdrop)
        clock.fillsWindow = false
        bar.fillsWindow = false
        scanSign.fillsWindow = false
        stickSign.fillsWindow = false
        window.add(clock)
        window.add(scanSign)
        window.add(stickSign)
        window.add(bar)
        window.add(toastView)
        libraryNews.tell = { [weak self] in self?.toast($0) }
        bar.onCommand = { [weak self] command in self?.dispatch(.command(command, isRepeat: false), now: .now) }
        readSettings()
        push(systems)
        libraryNews.look()
        wireSticks()
        reportArrival()
        if let trouble = world.store.startTrouble { push(StartTroubleScreen(context: context, trouble: trouble)) }
    }

    // MARK: The loop's side

    /// Whether something changed since the last picture.
    public var needsDisplay: Bool { !isPlaying && (window.needsDisplay || window.isAnimating) }

    /// Whether the first screen shows what the catalog holds.
    public var isReady: Bool { systems.isReady }

    /// Whether nothing moves and nothing is on its way.
    public var isIdle: Bool {
        !window.needsDisplay && !window.isAnimating && !context.courier.isWaiting && play == nil
            && !(display?.isDecoding ?? false)
    }

    /// Whether a game has the screen.
    public var isPlaying: Bool { play?.hasScreen ?? false }

    /// When something is due even if nothing happens; `nil` for never.
    public var nextDeadline: MonotonicInstant? {
        if let play, play.hasScreen { return [play.nextDeadline, endsAt].compactMap { $0 }.min() }
        var deadlines = [repeater.due, toastView.deadline, nextMinute, nextShareLook, endsAt]
        deadlines += [scanSign.deadline, arrivals.deadline, stickNews.deadline]
        deadlines += screens.map(\.deadline) + [unknownHoldDue, idle.deadline(.now)]
        return deadlines.compactMap { $0 }.min()
    }

    /// Lets time pass: repeats, animations, the clock.
    public func update(now: MonotonicInstant) {
        updated = now
        endWhenStored(now)
        if let play, play.hasScreen {
            update(play: play, now: now)
            return
        }
        while let command = repeater.take(at: now) {
            for _ in 0..<repeater.steps { dispatch(.command(command, isRepeat: true), now: now) }
        }
        updateIdle(now)
        for screen in screens { screen.update(now: now) }
        greetWaiting(now: now)
        // How many a stick brings is told at its end.
        if let sentence = arrivals.take(now: now), !stickNews.bringsGames(now: now) { toast(sentence) }
        stickNews.update(now: now)
        toastView.update(now: now)
        scanSign.update(now: now)
        updateClock(now)
        if let nextShareLook, nextShareLook <= now { lookAtShare(now) }
        // After a sleep the time since the last frame says nothing about motion: the first frame starts it.
        let passed = lastFrame.map { now.seconds(since: $0) } ?? 0
        lastFrame = window.advance(min(passed, 0.05)) ? now : nil
    }

    /// Paints the picture that is due.
    public func render() -> DrawList {
        let list = window.render()
        visibleTexts = list.texts
        return list
    }

    private func updateClock(_ now: MonotonicInstant) {
        if let nextMinute, nextMinute > now { return }
        isClockSet = isClockSet || world.isClockSet()
        clock.show(minutes: isClockSet ? world.minutesOfDay() : nil)
        let second = wallClockSeconds().truncatingRemainder(dividingBy: 60)
        nextMinute = now.advanced(bySeconds: max(0.5, 60.05 - second))
    }

    /// Shows a short message.
    public func notify(_ sentence: String) { toast(sentence) }

    /// Takes in a message from another thread.
    public func receive(_ message: MenuMessage) {
        switch message {
        case .reply, .failure, .progress: context.courier.deliver(message)
        case .catalog(let change):
            trace?.write("catalogChange", [("what", .text("\(change)".prefixed(120)))])
            if !isPlaying { show(change) }
        case .controller(let event): handle(event)
        case .gameEnded(let outcome): gameEnded(outcome)
        case .notice(let sentence): notify(sentence)
        case .quit: quit()
        }
    }

    private func show(_ change: CatalogChange) {
        switch change {
        case .scanned(let report):
            scanSign.hide()
            guard report.added > 0, report.removed == 0, systems.isReady else { break }
            arrivals.add(report.added, now: max(.now, updated))
        case .scanning(let entries):
            // The sign of a copy has the same place.
            if !stickNews.isCopying { scanSign.show(entries: entries, now: max(.now, updated)) }
        case .sources: lookAtDisks()
        case .notice(let sentence): toast(sentence)
        case .games, .game, .collections: break
        }
        for screen in screens { screen.catalogChanged(change) }
    }

    /// Which screen is on top, for the trace.
    public var screenName: String { "\(type(of: top))" }

    // MARK: Screens

    /// The screen on top.
    var top: Screen { screens.last ?? systems }

    /// The drawing area has another size.
    func resize(_ size: Size) {
        guard size != window.frame.size, size.width > 0, size.height > 0 else { return }
        context.theme = Theme(size: size)
        window.frame = Rect(0, 0, size.width, size.height)
        window.setNeedsLayout()
        window.layout()
        for screen in screens { screen.setNeedsLayout() }
        layoutChrome()
    }

    private func layoutChrome() {
        let safe = context.theme.safeArea
        let theme = context.theme
        clock.frame = Rect(safe.maxX - theme(220), safe.y, theme(220), theme(40))
        scanSign.frame = Rect(safe.maxX - theme(360), safe.y, theme(360 - 110), theme(40))
        stickSign.frame = scanSign.frame
        bar.frame = Rect(safe.x, safe.maxY - theme(40), safe.width, theme(40))
        bar.setNeedsLayout()
    }

    private func arrange() {
        for screen in screens { screen.removeFromSuperview() }
        // Only what can be seen is in the tree: the top screen, and what shows behind a panel.
        var first = screens.count - 1
        while first > 0 && screens[first].isOverlay { first -= 1 }
        for (index, screen) in screens[max(0, first)...].enumerated() {
            screen.frame = window.bounds
            window.add(screen)
            screen.setNeedsLayout()
            // A panel covers the clock of the screen behind it, but not what the buttons do now.
            if index == 0 {
                window.add(clock)
                window.add(scanSign)
                window.add(stickSign)
            }
        }
        window.add(bar)
        window.add(toastView)
        clock.isHidden = !screens[max(0, first)].showsBars
        scanSign.isHidden = clock.isHidden || context.theme.isNarrow
        stickSign.isHidden = scanSign.isHidden
        bar.isHidden = !top.showsBars
        window.firstResponder = top
        layoutChrome()
        refreshBars()
        repeater.release()
        pendingPresses = []
        lookAtShareIfShown()
        listenIfWanted()
    }

}

extension Application: MenuHost {
    func push(_ screen: Screen) {
        screens.append(screen)
        arrange()
        screen.appear()
    }

    func pop() {
        guard screens.count > 1 else { return }
        screens.removeLast().removeFromSuperview()
        arrange()
        top.appear()
    }

    /// Takes a screen away wherever it is; what came on top of it stays.
    func remove(_ screen: Screen) {
        guard let index = screens.firstIndex(where: { $0 === screen }), index > 0 else { return }
        screens.remove(at: index).removeFromSuperview()
        arrange()
        top.appear()
    }

    func refreshBars() {
        bar.show(top.hints)
        backdrop.light(top.accent)
    }

    func toast(_ text: String, action: ToastAction?) {
        toastView.show(text, action: action, now: max(.now, updated))
    }

    var motionEnabled: Bool { window.motionEnabled }

    func settingChanged(_ key: String, _ value: String) {
        apply(setting: key, value)
        context.courier.change({ store in try await store.setSetting(key, value) }) {
        } failed: { [weak self] sentence in
            self?.toast(sentence)
        }
    }
}

extension Application {
    /// Nothing of the last picture is on the screen any more.
    func forgetTexts() { visibleTexts = [] }
}
