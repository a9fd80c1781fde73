import Controllers
import Launching
import SystemKit
import Systems

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
