import Launching
import SystemKit

extension Application {
    /// Seconds that the catalog gets at the end to store what the person did last.
    static let endPatience = 5.0

    func quit() {
        guard endsAt == nil else { return }
        if let play {
            // A game gets its time to save; the end of the game then ends the menu.
            if let session = play.session {
                play.quitsAfterwards = true
                session.stop()
                return
            }
            abandon(play)
        }
        end()
    }

    /// Ends the menu because its own task cannot go on: a game that runs is ended first.
    public func end(because sentence: String) {
        failure = failure ?? sentence
        quit()
    }

    /// Ends as soon as everything is stored: the time just played, a mark made a moment ago.
    func end() {
        if endsAt == nil { endsAt = MonotonicInstant.now.advanced(bySeconds: Application.endPatience) }
        endWhenStored(.now)
    }

    func endWhenStored(_ now: MonotonicInstant) {
        guard let endsAt else { return }
        if !context.courier.isStoring || endsAt <= now { isRunning = false }
    }
}
