import Controllers
import Synchronization
import SystemKit

/// A wizard with a real device and a terminal, or without one.
struct WizardRun {
    /// What was typed that means something.
    enum Typed: Sendable, Equatable {
        case back
        case leave
    }

    /// How it came to its end.
    struct Outcome: Sendable {
        let ending: MappingWizard.Ending
        /// What was pressed at least once in the test.
        let tried: Set<PadFunction>
    }

    let call: Call
    private var wizard: MappingWizard
    private let session: DeviceSession
    private let interruption: SignalNote
    private var tried: Set<PadFunction> = []
    private var painting: Repainting?
    private var lines: WizardLines
    /// A keyboard that is mapped types into its own terminal: what arrives there is no command then.
    private let hearsKeys: Bool

    /// How often a ring is painted.
    private static let frameSeconds = 0.05

    init(_ pad: PadInfo, isTest: Bool, call: Call) throws(CommandError) {
        self.call = call
        do throws(SystemError) {
            session = try DeviceSession(pad: pad)
            interruption = try SignalNote()
        } catch { throw .system(error) }
        let opened = session.pad
        wizard = isTest ? MappingWizard(testing: opened, at: .now) : MappingWizard(pad: opened, at: .now)
        lines = WizardLines(wizard)
        hearsKeys = pad.family != .keyboard
        if let width = call.console.width, !call.wantsJSON { painting = Repainting(width: width) }
    }

    /// Goes on until the wizard ends or a signal asks to.
    mutating func run() throws(CommandError) -> Outcome {
        let interruption = interruption
        let watch = SignalWatch { interruption.take($0) }
        defer { withExtendedLifetime(watch) {} }
        var terminal = call.surroundings.answer == nil ? nil : RawTerminal(0)
        show(hasKeys: terminal != nil && hearsKeys)
        while true {
            let news = wait(terminal)
            if let signal = interruption.signal { throw .interrupted(signal: signal) }
            if let keyboard = terminal, news.ready.contains(keyboard.rawDescriptor) {
                let bytes = keyboard.read()
                // Readable without anything to read: the terminal is gone.
                if bytes.isEmpty { terminal = nil } else if hearsKeys { obey(WizardRun.typed(bytes)) }
            }
            for entry in news.news { take(entry) }
            wizard.advance(to: .now)
            if wizard.phase == .testing { tried.formUnion(wizard.held) }
            show(hasKeys: terminal != nil && hearsKeys)
            if case .ended(let ending) = wizard.phase { return Outcome(ending: ending, tried: tried) }
        }
    }

    private func wait(_ terminal: RawTerminal?) -> (news: [DeviceSession.News], ready: [Int32]) {
        let others = [interruption.rawDescriptor] + (terminal.map { [$0.rawDescriptor] } ?? [])
        var deadline = wizard.deadline
        if isMoving, painting != nil {
            let frame = MonotonicInstant.now.advanced(bySeconds: WizardRun.frameSeconds)
            deadline = deadline.map { min($0, frame) } ?? frame
        }
        return session.next(until: deadline, others: others)
    }

    private var isMoving: Bool {
        switch wizard.phase {
        case .skipping: true
        case .testing: wizard.hold != nil
        default: false
        }
    }

    private mutating func take(_ news: DeviceSession.News) {
        switch news {
        case .event(let event):
            wizard.handle(event)
            if wizard.phase == .testing { tried.formUnion(wizard.held) }
            // Without a picture nothing may be passed over.
            if painting == nil { show(hasKeys: false) }
        case .removed: wizard.deviceRemoved(at: .now)
        case .returned(let pad): wizard.deviceReturned(pad, at: .now)
        }
    }

    private mutating func obey(_ typed: Typed?) {
        switch typed {
        case .back: wizard.back(at: .now)
        case .leave: wizard.leave(at: .now)
        case nil: break
        }
    }

    /// What was typed; cursor keys begin with an Escape, too, and are nothing.
    static func typed(_ bytes: [UInt8]) -> Typed? {
        switch bytes {
        case [0x1B]: .back
        case [UInt8(ascii: "q")], [UInt8(ascii: "Q")], [0x04]: .leave
        default: nil
        }
    }

    private mutating func show(hasKeys: Bool) {
        if painting != nil {
            let picture = WizardText.picture(wizard, hasKeys: hasKeys)
            guard let text = painting?.text(for: picture), !text.isEmpty else { return }
            call.console.draw(text)
        } else {
            for line in lines.news(wizard) {
                if call.wantsJSON { call.console.note(line) } else { call.console.print(line + "\n") }
            }
        }
    }
}

/// A signal that asked to end, for a loop that waits for descriptors.
private final class SignalNote: Sendable {
    private let number = Atomic<Int32>(0)
    private let wake: Wake

    init() throws(SystemError) { wake = try Wake() }

    var rawDescriptor: Int32 { wake.rawDescriptor }

    var signal: Int32? {
        let value = number.load(ordering: .acquiring)
        return value == 0 ? nil : value
    }

    func take(_ signal: Int32) {
        number.store(signal, ordering: .releasing)
        wake.ring()
    }
}
