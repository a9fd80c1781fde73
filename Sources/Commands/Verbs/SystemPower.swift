import Appliance

/// `system reboot` and `poweroff`.
enum SystemPower {
    static let definitions = [
        CommandDefinition(
            "reboot", "Restart the machine; a game gets time to save", options: [.dryRun, .yes], as: .machine
        ) { call throws(CommandError) in try run(call, .restart, "Restart the machine") },
        CommandDefinition(
            "poweroff", "Switch the machine off; a game gets time to save", options: [.dryRun, .yes], as: .machine
        ) { call throws(CommandError) in try run(call, .powerOff, "Switch the machine off") },
    ]

    private static func run(_ call: Call, _ change: PowerChange, _ question: String) throws(CommandError) {
        if !call.isDryRun, call.surroundings.isRoot, try !call.confirm(question) { return }
        try call.change(
            .power(change), facts: { ["state": .string(change == .restart ? "restarting" : "switching-off")] },
            told: { change == .restart ? "The machine restarts." : "The machine switches off." })
    }
}
