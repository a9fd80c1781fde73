import Catalog
import Controllers
import Launching
import SystemKit

/// One game from its start to its end, with the ways to leave it and its place in the play history.
struct GameRun: Sendable {
    private enum Event: Sendable {
        case controller(ControllerEvent)
        case chordDue
        case minutePassed
        case signal
        case ended(LaunchOutcome)
    }

    let plan: LaunchPlan
    let store: CatalogStore
    let environment: [String: String]
    /// What is known about pads, so that each leaves the game with its own buttons.
    let knowledge: PadKnowledge

    /// Starts the game and waits for its end.
    ///
    /// How long it was played is stored every half minute: a power cut costs no more than that.
    func play() async throws(CommandError) -> LaunchOutcome {
        let (events, source) = AsyncStream<Event>.makeStream()
        let watch = SignalWatch { _ in source.yield(.signal) }
        let log = Log(minimum: .error)
        let pads = PadMonitor(knowledge: knowledge, deliver: { source.yield(.controller($0)) }, log: log)
        let keyboard = KeyboardMonitor.start(display: environment["DISPLAY"], log: log) {
            source.yield(.controller($0))
        }
        pads.start()
        let ticker = Task {
            while !Task.isCancelled {
                try await Task.sleep(nanoseconds: 30_000_000_000)
                source.yield(.minutePassed)
            }
        }
        let started = MonotonicInstant.now
        let session: GameSession
        do throws(LaunchError) {
            session = try GameSession.start(plan) { source.yield(.ended($0)) }
        } catch {
            ticker.cancel()
            leave(pads, keyboard)
            throw .launch(error)
        }
        // A game whose play cannot be recorded is played all the same.
        let play = try? await store.beginPlay(game: plan.game.id)
        let outcome = await follow(events, source, session, play: play, since: started)
        withExtendedLifetime(watch) {}
        ticker.cancel()
        leave(pads, keyboard)
        if let play {
            try await catalog { () async throws(CatalogError) in
                guard outcome.wasPlayed else { return try await store.cancelPlay(play) }
                try await store.endPlay(play, seconds: outcome.seconds, outcome: outcome.kind.rawValue)
            }
        }
        return outcome
    }

    private func follow(
        _ events: AsyncStream<Event>, _ source: AsyncStream<Event>.Continuation, _ session: GameSession, play: Int64?,
        since started: MonotonicInstant
    ) async -> LaunchOutcome {
        var chord = ExitChord()
        var announced: MonotonicInstant?
        for await event in events {
            switch event {
            case .controller(.button(let pad, let button, let isPressed, let time)):
                chord.handle(button, pad: pad, isPressed: isPressed, time: time)
            case .controller(.key(let key, let isPressed, let time, _)):
                if let button = chordButton(for: key) {
                    chord.handle(button, pad: keyboardPad, isPressed: isPressed, time: time)
                }
            case .controller(.disconnected(let pad)): chord.disconnect(pad: pad)
            case .controller(.connected(let pad)), .controller(.changed(let pad)): chord.connect(pad)
            case .controller, .chordDue: break
            case .minutePassed:
                if let play { try? await store.updatePlay(play, seconds: MonotonicInstant.now.seconds(since: started)) }
            case .signal: session.stop()
            case .ended(let outcome): return outcome
            }
            if chord.fired(at: .now) { session.stop() }
            if let deadline = chord.deadline, deadline != announced {
                announced = deadline
                Task {
                    let seconds = max(0, deadline.seconds(since: .now))
                    try await Task.sleep(nanoseconds: UInt64(seconds * 1e9) + 1_000_000)
                    source.yield(.chordDue)
                }
            }
        }
        return LaunchOutcome(kind: .stopped, seconds: MonotonicInstant.now.seconds(since: started))
    }

    private func leave(_ pads: PadMonitor, _ keyboard: KeyboardMonitor?) {
        pads.stop()
        keyboard?.stop()
    }
}
