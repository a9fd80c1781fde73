import Appliance
import Interface
import SystemKit

/// How long nobody has touched anything, and what follows from it.
struct IdleWatch {
    /// What a person chose.
    var policy = IdlePolicy(screenOff: nil, powerOff: nil)
    /// When something was touched last.
    private(set) var touched = MonotonicInstant.now
    /// Whether the machine was asked to switch off already.
    var hasAsked = false

    mutating func touch(_ now: MonotonicInstant) {
        touched = now
        hasAsked = false
    }

    func seconds(_ now: MonotonicInstant) -> Double { max(0, now.seconds(since: touched)) }

    /// When to look again; `nil` where nothing will come.
    func deadline(_ now: MonotonicInstant) -> MonotonicInstant? {
        policy.secondsUntilNext(idleSeconds: seconds(now)).map { now.advanced(bySeconds: $0) }
    }
}

extension Application {
    /// Somebody touched something: the screen is light again.
    ///
    /// - Returns: whether that is all it was for, because the screen was dark.
    func wakeUp(_ now: MonotonicInstant) -> Bool {
        idle.touch(now)
        guard let dark = screens.last as? DarkScreen else { return false }
        remove(dark)
        return true
    }

    /// Darkens the screen or switches the machine off, when nobody has touched anything for as long as was chosen.
    func updateIdle(_ now: MonotonicInstant) {
        // Who watches a game or a change of the machine does not press anything.
        if play != nil || context.courier.isStoring { idle.touch(now) }
        switch idle.policy.state(idleSeconds: idle.seconds(now), isPlaying: isPlaying) {
        case .awake: break
        case .screenOff:
            if !(top is DarkScreen) { push(DarkScreen(context: context)) }
        case .powerOff:
            guard !idle.hasAsked else { return }
            idle.hasAsked = true
            context.change(.power(.powerOff), title: "Switching off", done: "The machine switches off")
        }
    }
}

/// Nothing to see: the television may do what it does with a dark picture.
final class DarkScreen: Screen {
    override var showsBars: Bool { false }
    override func draw(_ canvas: inout Canvas) { canvas.fill(bounds, Color(hex: 0x000000)) }
}
