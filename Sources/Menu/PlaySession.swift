import Catalog
import Controllers
import Interface
import Launching
import SystemKit
import Systems

/// A game from the press of the button until the menu is back.
final class PlaySession {
    let game: Game
    /// What is shown until the game has the screen.
    let splash: SplashScreen
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

    init(game: Game, splash: SplashScreen) {
        self.game = game
        self.splash = splash
    }

    var nextDeadline: MonotonicInstant? { session == nil ? nil : [chord.deadline, nextNote].compactMap { $0 }.min() }

    func hold(_ button: PadButton, pad: Int, isPressed: Bool, time: MonotonicInstant) {
        if isPressed { heldButtons[pad, default: []].insert(button) } else { heldButtons[pad]?.remove(button) }
        chord.handle(button, pad: pad, isPressed: isPressed, time: time)
    }

    /// A pad that was unplugged holds nothing any more; it may come back as the same one.
    func disconnect(pad: Int) {
        heldButtons[pad] = nil
        chord.disconnect(pad: pad)
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
        guard play == nil, endsAt == nil else { return }
        let play = PlaySession(game: game, splash: SplashScreen(context: context, game: game))
        for pad in controllers.pads.values { play.chord.connect(pad) }
        self.play = play
        trace?.write("launchRequested", [("game", .number(Double(game.id)))])
        push(play.splash)
        let pads = padsInOrder
        let (root, registry, locator, display) = (world.root, world.registry, world.locator, world.display)
        context.courier.change({ store -> Prepared in
            let planner = LaunchPlanner(
                root: root, registry: registry, locator: locator, display: display, pads: pads, ports: .read(),
                profiles: LaunchPlanner.controllerProfiles(for: pads, in: root))
            let choice = try await store.emulator(system: game.system)
            let current = try await store.game(id: game.id) ?? game
            let plan = try planner.plan(
                for: current, emulator: emulator, systemChoice: choice, discs: try await store.discs(of: current.id))
            // A game whose play cannot be recorded, on a full card for one, is played all the same.
            return Prepared(plan: plan, playID: try? await store.beginPlay(game: game.id))
        }) { [weak self] prepared in
            self?.start(prepared, play)
        } failed: { [weak self] sentence in
            guard let self, self.play === play else { return }
            self.finish(play, LaunchOutcome(kind: .couldNotStart, sentence: sentence))
        }
    }

    func cancelLaunch() {
        if let play, !play.hasScreen { abandon(play) }
    }

    /// Gives up a game that has not started: the catalog may be busy for long, or wait for a drive.
    func abandon(_ play: PlaySession) {
        trace?.write("launchCancelled", [("game", .number(Double(play.game.id)))])
        self.play = nil
        remove(play.splash)
    }

    struct Prepared: Sendable {
        let plan: LaunchPlan
        let playID: Int64?
    }

    private func start(_ prepared: Prepared, _ play: PlaySession) {
        guard self.play === play else {
            if let playID = prepared.playID {
                context.courier.change({ store in try await store.cancelPlay(playID) })
            }
            return
        }
        play.playID = prepared.playID
        play.hasScreen = true
        // Its release will not be heard.
        unknownHolds = HoldDetector()
        forgetTexts()
        display?.giveUp()
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
            // The chord takes half a second: the game comes first.
            startHearingKeys()
        } catch {
            gameEnded(LaunchOutcome(error))
        }
    }

    func update(play: PlaySession, now: MonotonicInstant) {
        if play.chord.fired(at: now) { play.session?.stop() }
        guard play.session != nil, let note = play.nextNote, note <= now, let playID = play.playID,
            let started = play.startedAt
        else { return }
        play.nextNote = now.advanced(bySeconds: PlaySession.noteInterval)
        let seconds = now.seconds(since: started)
        context.courier.change({ store in try await store.updatePlay(playID, seconds: seconds) })
    }

    /// Shows the menu again, on the row it was left on, and says what went wrong if something did.
    func gameEnded(_ outcome: LaunchOutcome) {
        guard let play, play.hasScreen else { return }
        trace?.write(
            "return", [("outcome", .text(outcome.kind.rawValue)), ("seconds", .number(outcome.seconds))])
        if let playID = play.playID {
            context.courier.change({ store in
                if outcome.wasPlayed {
                    try await store.endPlay(playID, seconds: outcome.seconds, outcome: outcome.kind.rawValue)
                } else {
                    try await store.cancelPlay(playID)
                }
            }) {
            } failed: { [weak self] sentence in
                self?.toast(sentence)
            }
        }
        play.session = nil
        if play.quitsAfterwards { return end() }
        if let sentence = display?.takeBack() {
            // Without a screen there is no menu; the service starts it again.
            world.log.write(.error, sentence)
            failure = sentence
            return end()
        }
        play.hasScreen = false
        resize(display?.size ?? window.frame.size)
        keepStale(play)
        finish(play, outcome)
    }

    private func finish(_ play: PlaySession, _ outcome: LaunchOutcome) {
        self.play = nil
        stopHearingKeysWhenReleased()
        remove(play.splash)
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
