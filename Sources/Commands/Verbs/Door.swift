import Appliance
import SystemKit

/// `door`: what root does for the menu.
enum DoorVerb {
    static let definition = CommandDefinition(
        "door", "Serve one request of the menu",
        discussion: [
            "The menu is an ordinary user. What needs root it asks for through the socket /run/retro/door; systemd "
                + "starts this command for each connection, with the connection as standard input and output.",
            "One line of JSON is read, checked against the list of changes that there are, carried out and answered "
                + "with lines of JSON. Only root and the account retro are heard.",
        ],
        as: .machine, verb: run)

    private static func run(_ call: Call) async throws(CommandError) {
        guard call.surroundings.isRoot else { throw .appliance(.needsRoot("'retro-admin door'")) }
        let status = DoorServer(machine: call.machine).serve(input: 0, output: 1)
        if status != .done { throw .doorRefused(status) }
    }
}
