import Catalog
import Controllers
import Interface
import Launching
import SystemKit
import Systems

/// A game from the press of the button until the menu is back.
final class PlaySession {
    let game: Game
    /// The running emulator; `nil` until it is started.
    var session: GameSession?
    /// The catalog's number of this round of play.
    var playID: Int64?
    var chord = ExitChord()
    /// Whether the display was given up for it.
    var hasScreen = false
    /// Whether the menu ends with it.
    var quitsAfterwards = false
    var startedAt: MonotonicInstant?
    /// When the time played so far is stored next, so that a power cut costs a minute at most.
    var nextNote: MonotonicInstant?
    private(set) var heldKeys: Set<Controllers.Key> = []
    private(set) var heldButtons: [Int: Set<PadButton>] = [:]

    /// Seconds between two notes of the time played.
    static let noteInterval = 60.0

    init(game: Game) { self.game = game }

    var nextDeadline: MonotonicInstant? { [chord.deadline, nextNote].compactMap { $0 }.min() }

    func hold(_ button: PadButton, pad: Int, isPressed: Bool, time: MonotonicInstant) {
        if isPressed { heldButtons[pad, default: []].insert(button) } else { heldButtons[pad]?.remove(button) }
        chord.handle(button, pad: pad, isPressed: isPressed, time: time)
    }

    func hold(_ key: Controllers.Key, isPressed: Bool, time: MonotonicInstant) {
        if isPressed { heldKeys.insert(key) } else { heldKeys.remove(key) }
        if let button = chordButton(for: key) {
            chord.handle(button, pad: keyboardPad, isPressed: isPressed, time: time)
        }
    }
}

extension Application {
    func launch(_ game: Game, emulator: String?) {
        guard play == nil else { return }
        let play = PlaySession(game: game)
        self.play = play
        trace?.write("launchRequested", [("game", .number(Double(game.id)))])
        push(SplashScreen(context: context, game: game))
        let profiles = controllerProfiles()
        let planner = LaunchPlanner(
            root: world.root, registry: world.registry, locator: world.locator, display: world.display,
            pads: Array(pads.values), profiles: profiles)
        context.courier.perform({ store -> Prepared in
            let choice = try await store.emulator(system: game.system)
            let current = try await store.game(id: game.id) ?? game
            let plan = try planner.plan(for: current, emulator: emulator, systemChoice: choice)
            return Prepared(plan: plan, playID: try await store.beginPlay(game: game.id))
        }) { [weak self] prepared in
            self?.start(prepared, play)
        } failed: { [weak self] sentence in
            self?.fail(play, LaunchOutcome(kind: .couldNotStart, sentence: sentence))
        }
    }

    struct Prepared: Sendable {
        let plan: LaunchPlan
        let playID: Int64
    }

    private func start(_ prepared: Prepared, _ play: PlaySession) {
        play.playID = prepared.playID
        play.hasScreen = true
        forgetTexts()
        display?.giveUp()
        startHearingKeys()
        let now = MonotonicInstant.now
        play.startedAt = now
        play.nextNote = now.advanced(bySeconds: PlaySession.noteInterval)
        let mailbox = world.mailbox
        do {
            play.session = try GameSession.start(prepared.plan) { outcome in mailbox.post(.gameEnded(outcome)) }
            trace?.write(
                "launch",
                [
                    ("game", .number(Double(play.game.id))), ("process", .number(Double(play.session?.processID ?? 0))),
                    ("emulator", .text(prepared.plan.emulator.definition.name)),
                ])
        } catch {
            gameEnded(LaunchOutcome(error))
        }
    }

    func update(play: PlaySession, now: MonotonicInstant) {
        if play.chord.fired(at: now) { play.session?.stop() }
        guard let note = play.nextNote, note <= now, let playID = play.playID, let started = play.startedAt else {
            return
        }
        play.nextNote = now.advanced(bySeconds: PlaySession.noteInterval)
        let seconds = now.seconds(since: started)
        context.courier.perform({ store in try await store.updatePlay(playID, seconds: seconds) }) {}
    }

    /// Shows the menu again, on the row it was left on, and says what went wrong if something did.
    func gameEnded(_ outcome: LaunchOutcome) {
        guard let play else { return }
        trace?.write(
            "return", [("outcome", .text(outcome.kind.rawValue)), ("seconds", .number(outcome.seconds))])
        // What was played is stored before the menu ends with the game.
        let ends = play.quitsAfterwards
        if let playID = play.playID {
            context.courier.perform({ store in
                if outcome.wasPlayed {
                    try await store.endPlay(playID, seconds: outcome.seconds, outcome: outcome.kind.rawValue)
                } else {
                    try await store.cancelPlay(playID)
                }
            }) { [weak self] in
                if ends { self?.isRunning = false }
            } failed: { [weak self] sentence in
                if ends { self?.isRunning = false } else { self?.toast(sentence) }
            }
        } else if ends {
            isRunning = false
        }
        if ends { return }
        play.hasScreen = false
        if let sentence = display?.takeBack() {
            // Without a screen there is no menu; the service starts it again.
            world.log.write(.error, sentence)
            isRunning = false
            return
        }
        resize(display?.size ?? window.frame.size)
        keepStale(play)
        fail(play, outcome)
    }

    private func fail(_ play: PlaySession, _ outcome: LaunchOutcome) {
        self.play = nil
        stopHearingKeysWhenReleased()
        if top is SplashScreen { pop() }
        window.setNeedsDisplay()
        switch outcome.kind {
        case .finished, .stopped: break
        case .endedAtOnce, .failed, .crashed, .couldNotStart:
            world.log.write(.warning, "\(play.game.title): \(outcome.sentence)")
            push(
                FailureScreen(
                    context: context, game: play.game, sentence: outcome.sentence, logTail: outcome.logTail))
        }
    }

    /// What is still held from the game must not be taken for a press in the menu.
    private func keepStale(_ play: PlaySession) {
        for (pad, buttons) in play.heldButtons {
            for button in buttons { gate.hold(button, pad: pad) }
        }
        for key in play.heldKeys {
            if let known = Interface.Key(rawValue: key.rawValue) { gate.hold(known) }
        }
        repeater.release()
    }
}
