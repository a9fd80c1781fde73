import SystemKit

/// The machine's services, through systemd.
struct Services: Sendable {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    /// Whether systemd knows a unit of that name, e.g. `smbd.service`: by its file, without asking anybody.
    func has(_ unit: String) -> Bool {
        [
            "etc/systemd/system", "run/systemd/system", "usr/local/lib/systemd/system", "usr/lib/systemd/system",
            "lib/systemd/system",
        ]
        .contains { fileExists(machine.path("\($0)/\(unit)")) }
    }

    /// Starts a service now and with the machine; one that runs reads its configuration again.
    ///
    /// - Parameter isAnew: one that runs starts anew instead.
    func enable(_ unit: String, isAnew: Bool = false) throws(ApplianceError) {
        let wasActive = try isActive(unit)
        // Debian keeps old start scripts in step, for which systemd reads everything again, several times.
        let isEnabled = try isEnabled(unit)
        if !wasActive || !isEnabled { try control(["enable", "--now"], unit) }
        if wasActive { try control([isAnew ? "restart" : "reload-or-restart"], unit) }
    }

    /// Stops a service now and for good.
    func disable(_ unit: String) throws(ApplianceError) {
        if try !isEnabled(unit), try state(unit) == "inactive" { return }
        try control(["disable", "--now"], unit)
    }

    /// Lets a service that runs read its configuration again, by a new start where it cannot otherwise.
    func reload(_ unit: String) throws(ApplianceError) { try control(["try-reload-or-restart"], unit) }

    /// Starts a service that runs anew.
    func restart(_ unit: String) throws(ApplianceError) { try control(["try-restart"], unit) }

    /// Whether it runs, as systemd says. A service that is starting is given time.
    func isActive(_ unit: String, patience: Double = 10) throws(ApplianceError) -> Bool {
        let deadline = MonotonicInstant.now.advanced(bySeconds: patience)
        while true {
            let state = try state(unit)
            if ["active", "reloading"].contains(state) { return true }
            guard ["activating", "deactivating"].contains(state), deadline.seconds(since: .now) > 0 else {
                return false
            }
            sleepThread(seconds: 0.1)
        }
    }

    private func state(_ unit: String) throws(ApplianceError) -> String {
        trimmingSpaces(
            try machine.programs.run("systemctl", ["is-active", BytePath(unit)], package: "systemd", seconds: 20).text)
    }

    /// Whether it starts with the machine.
    func isEnabled(_ unit: String) throws(ApplianceError) -> Bool {
        let state = trimmingSpaces(
            try machine.programs.run("systemctl", ["is-enabled", BytePath(unit)], package: "systemd", seconds: 20).text)
        return ["enabled", "enabled-runtime", "alias", "static", "indirect", "generated"].contains(state)
    }

    /// The words that start it, for showing.
    static func enableCommand(_ unit: String) -> [String] { ["systemctl", "enable", "--now", unit] }

    private func control(_ words: [BytePath], _ unit: String) throws(ApplianceError) {
        try machine.programs.demand("systemctl", words + [BytePath(unit)], package: "systemd", seconds: 90)
    }
}
