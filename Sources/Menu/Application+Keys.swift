import Controllers
import Launching
import SystemKit
import Systems

extension Application {
    /// Whether the stage's own keyboard events reach us; on a bare console the keyboard comes as a controller.
    var hearsKeyboardThroughStage: Bool { world.display.server != .kms }

    /// Hears the keyboard while another program has it, for the chord that leaves a game.
    func startHearingKeys() {
        guard hearsKeyboardThroughStage, keyboard == nil else { return }
        let mailbox = world.mailbox
        keyboard = KeyboardMonitor.start(display: world.environment["DISPLAY"]) { event in
            mailbox.post(.controller(event))
        }
    }

    /// Stops hearing it as soon as nothing is held from the game any more.
    func stopHearingKeysWhenReleased() {
        guard !gate.holdsKeys else { return }
        keyboard?.stop()
        keyboard = nil
    }

    /// Descriptions of the pads for emulators.
    func controllerProfiles() -> [GeneratedFile] {
        let folder = LaunchPlanner.controllerProfiles(in: world.root)
        return pads.values.map { pad in
            let profile = retroArchAutoconfig(for: pad)
            return GeneratedFile(path: folder.appending(profile.name), contents: profile.contents)
        }
    }
}
