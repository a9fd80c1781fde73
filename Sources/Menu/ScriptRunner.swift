import Controllers
import Interface
public import SystemKit

/// Plays a script into the application, step by step, as its screen becomes ready for each.
public final class ScriptRunner {
    /// What the loop should do after a turn.
    public enum Turn: Equatable {
        /// Go on; ask again at this time, or when something happened.
        case waiting(until: MonotonicInstant)
        /// Store the picture there, then ask again.
        case screenshot(BytePath)
        /// The script is over.
        case finished
        /// A step failed: a sentence with its line.
        case failed(String)
    }

    /// How long a text may be waited for, in seconds.
    public static let patience = 20.0
    private static let scriptPad = -1

    private let script: Script
    private var index = 0
    private var stepStarted: MonotonicInstant?
    private var held: [PadButton] = []
    private var heldKey: Controllers.Key?

    /// A runner at the first step.
    public init(_ script: Script) { self.script = script }

    /// Does as much as can be done now.
    ///
    /// - Parameter failure: a sentence when storing the picture of the step before failed.
    public func turn(_ application: Application, now: MonotonicInstant, failure: String? = nil) -> Turn {
        if let failure, index > 0 { return .failed("line \(script.steps[index - 1].line): \(failure)") }
        while index < script.steps.count {
            let (line, step) = script.steps[index]
            let started = stepStarted ?? now
            stepStarted = started
            switch step {
            case .press(let buttons):
                send(buttons, true, application, now)
                send(buttons.reversed(), false, application, now)
            case .hold(let buttons, let seconds):
                if held.isEmpty {
                    held = buttons
                    send(buttons, true, application, now)
                }
                let end = started.advanced(bySeconds: seconds)
                if now < end { return .waiting(until: end) }
                send(buttons.reversed(), false, application, now)
                held = []
            case .key(let key, let seconds):
                if heldKey == nil {
                    heldKey = key
                    application.receive(.controller(.key(key, isPressed: true, time: now, character: nil)))
                }
                let end = started.advanced(bySeconds: seconds)
                if now < end { return .waiting(until: end) }
                application.receive(.controller(.key(key, isPressed: false, time: now, character: nil)))
                heldKey = nil
            case .type(let text): application.handle(.text(text), now: now)
            case .touch(let x, let y):
                application.handle(.pointer(.pointerPressed(Point(x, y))), now: now)
                application.handle(.pointer(.pointerReleased(Point(x, y))), now: now)
            case .waitIdle:
                if !application.isIdle || !application.isReady {
                    if let turn = overdue(started, now, line, "the menu to be idle") { return turn }
                    return .waiting(until: now.advanced(bySeconds: 0.02))
                }
            case .waitText(let text):
                if !Self.shows(text, application) {
                    if let turn = overdue(started, now, line, "“\(text)”") { return turn }
                    return .waiting(until: now.advanced(bySeconds: 0.05))
                }
            case .wait(let seconds):
                let end = started.advanced(bySeconds: seconds)
                if now < end { return .waiting(until: end) }
            case .screenshot(let path):
                // What was asked for before is painted first.
                if application.needsDisplay { return .waiting(until: now) }
                advance()
                return .screenshot(path)
            case .expect(let text):
                if application.needsDisplay { return .waiting(until: now) }
                guard Self.shows(text, application) else {
                    let seen = application.visibleTexts.joined(separator: " | ")
                    return .failed("line \(line): expected “\(text)”, but the screen says: \(seen)")
                }
            case .quit:
                application.handle(.quit, now: now)
                advance()
                return .finished
            }
            advance()
            // One step a turn, so that its effect is painted before the next one looks.
            return index < script.steps.count ? .waiting(until: now) : .finished
        }
        return .finished
    }

    private func advance() {
        index += 1
        stepStarted = nil
    }

    private func overdue(_ started: MonotonicInstant, _ now: MonotonicInstant, _ line: Int, _ what: String) -> Turn? {
        guard now.seconds(since: started) > Self.patience else { return nil }
        return .failed("line \(line): waited \(Int(Self.patience)) seconds for \(what)")
    }

    private func send(_ buttons: [PadButton], _ isPressed: Bool, _ application: Application, _ now: MonotonicInstant) {
        for button in buttons {
            application.receive(
                .controller(.button(pad: Self.scriptPad, button: button, isPressed: isPressed, time: now)))
        }
    }

    private static func shows(_ text: String, _ application: Application) -> Bool {
        // A wrapped sentence is several texts, one after another.
        application.visibleTexts.contains { $0.contains(text) }
            || application.visibleTexts.joined(separator: " ").contains(text)
    }
}
