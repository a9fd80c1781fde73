import Controllers
import Interface
import SystemKit

/// Turns keys and pad buttons into commands, and repeats the ones that are held.
struct InputMapper {
    /// Whether the right face button accepts, as on Nintendo's machines; else the lower one.
    var swapsAcceptAndBack = false

    /// The command of a keyboard key; `nil` for keys without one.
    func command(for key: Interface.Key) -> Command? {
        switch key {
        case .up: .up
        case .down: .down
        case .left: .left
        case .right: .right
        case .enter, .space: .accept
        case .escape, .backspace: .back
        case .tab, .f2: .menu
        case .f3: .extra
        case .f4: .search
        case .rightShift: .select
        case .pageUp: .pageUp
        case .pageDown: .pageDown
        case .home: .previousGroup
        case .end: .nextGroup
        case .leftShift, .delete, .f1: nil
        }
    }

    /// The pad's button that gives a command.
    func button(for command: Command, family: PadFamily) -> PadButton {
        let acceptsEast = (family == .nintendo) != swapsAcceptAndBack
        switch command {
        case .up: return .up
        case .down: return .down
        case .left: return .left
        case .right: return .right
        case .accept: return acceptsEast ? .east : .south
        case .back: return acceptsEast ? .south : .east
        case .extra: return .west
        case .search: return .north
        case .menu: return .start
        case .select: return .select
        case .pageUp: return .l
        case .pageDown: return .r
        case .previousGroup: return .l2
        case .nextGroup: return .r2
        }
    }

    /// The command of a pad's button.
    func command(for button: PadButton, family: PadFamily) -> Command? {
        // Nintendo prints A on the right button, and its owners accept with A.
        let acceptsEast = (family == .nintendo) != swapsAcceptAndBack
        switch button {
        case .up: return .up
        case .down: return .down
        case .left: return .left
        case .right: return .right
        case .south: return acceptsEast ? .back : .accept
        case .east: return acceptsEast ? .accept : .back
        case .west: return .extra
        case .north: return .search
        case .start: return .menu
        case .select: return .select
        case .l: return .pageUp
        case .r: return .pageDown
        case .l2: return .previousGroup
        case .r2: return .nextGroup
        case .l3, .r3, .guide, .hotkey: return nil
        }
    }
}

/// Repeats a held direction: a pause, then a steady rate that grows while it is held.
struct Repeater {
    private var held: (source: Int, command: Command, since: MonotonicInstant)?
    /// When the next repetition is due.
    private(set) var due: MonotonicInstant?
    /// How many steps the repetition that was taken last is worth: a list of ten thousand rows is crossed in seconds.
    private(set) var steps = 1

    /// Seconds before the first repetition.
    static let delay = 0.38
    /// Seconds between the first repetitions.
    static let slow = 0.10
    /// Seconds between repetitions after `ramp` seconds.
    static let fast = 0.032
    /// Seconds until the fastest rate.
    static let ramp = 2.2
    /// Seconds after which up and down begin to take several rows at once.
    static let leap = 3.0
    /// Seconds in which the number of rows doubles.
    static let doubling = 0.5
    /// The most rows at once.
    static let mostSteps = 48

    /// A control went down. Only directions and pages repeat.
    mutating func press(_ command: Command, source: Int, at time: MonotonicInstant) {
        guard Repeater.repeats(command) else {
            release()
            return
        }
        held = (source, command, time)
        due = time.advanced(bySeconds: Repeater.delay)
    }

    /// A control went up.
    mutating func release(_ command: Command, source: Int) {
        if let held, held.command == command, held.source == source { release() }
    }

    /// Nothing is held any more.
    mutating func release() {
        held = nil
        due = nil
    }

    /// The repetition that is due, if any; the next one is planned.
    mutating func take(at time: MonotonicInstant) -> Command? {
        guard let held, let due, due <= time else { return nil }
        let progress = min(1, max(0, (time.seconds(since: held.since) - Repeater.delay) / Repeater.ramp))
        let pause = Repeater.slow + (Repeater.fast - Repeater.slow) * progress
        // A late frame must not be followed by a burst of what was missed.
        self.due = max(due.advanced(bySeconds: pause), time.advanced(bySeconds: pause / 2))
        steps = Repeater.steps(of: held.command, after: time.seconds(since: held.since))
        return held.command
    }

    private static func steps(of command: Command, after seconds: Double) -> Int {
        // Only what walks through a list: a group or a page is long already.
        guard command == .up || command == .down, seconds >= leap else { return 1 }
        let doublings = min(10, Int((seconds - leap) / doubling) + 1)
        return min(mostSteps, 1 << doublings)
    }

    static func repeats(_ command: Command) -> Bool {
        switch command {
        case .up, .down, .left, .right, .pageUp, .pageDown, .previousGroup, .nextGroup: true
        case .accept, .back, .extra, .search, .menu, .select: false
        }
    }
}

/// Which controls were down when a game ended: they count again only after they were let go.
struct ReleaseGate {
    private var staleKeys: Set<Interface.Key> = []
    private var staleButtons: Set<Held> = []

    private struct Held: Hashable {
        let pad: Int
        let button: PadButton
    }

    /// Whether a key is still awaited.
    var holdsKeys: Bool { !staleKeys.isEmpty }

    mutating func hold(_ key: Interface.Key) { staleKeys.insert(key) }
    mutating func hold(_ button: PadButton, pad: Int) { staleButtons.insert(Held(pad: pad, button: button)) }

    /// Whether a press of this key may count.
    func admits(_ key: Interface.Key) -> Bool { !staleKeys.contains(key) }
    /// Whether a press of this button may count.
    func admits(_ button: PadButton, pad: Int) -> Bool { !staleButtons.contains(Held(pad: pad, button: button)) }

    mutating func release(_ key: Interface.Key) { staleKeys.remove(key) }
    mutating func release(_ button: PadButton, pad: Int) { staleButtons.remove(Held(pad: pad, button: button)) }
    mutating func releaseAll(pad: Int) { staleButtons = staleButtons.filter { $0.pad != pad } }
}
