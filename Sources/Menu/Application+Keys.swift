import Controllers
import Launching
import SystemKit

extension Application {
    /// Hears the keyboard while another program has it, for the chord that leaves a game. At all other times the
    /// stage does.
    func startHearingKeys() {
        guard keyboard == nil else { return }
        let mailbox = world.mailbox
        keyboard = KeyboardMonitor.start(display: world.environment["DISPLAY"], log: world.log) { event in
            mailbox.post(.controller(event))
        }
    }

    /// Stops hearing it as soon as nothing is held from the game any more.
    func stopHearingKeysWhenReleased() {
        guard !gate.holdsKeys, !isListening else { return }
        keyboard?.stop()
        keyboard = nil
    }

    /// The pads in the order of the players: whoever started the game is the first.
    var padsInOrder: [PadInfo] { PlayerSlots.order(controllers.pads.values, starter: controllers.latest) }
}
