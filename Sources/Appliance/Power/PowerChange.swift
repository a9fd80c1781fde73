import SystemKit

/// Restarting and switching off.
public enum PowerChange: Sendable, Equatable, Codable {
    /// Starts the machine anew; a game gets time to save first.
    case restart
    /// Switches the machine off; a game gets time to save first.
    case powerOff

    /// The longest that a menu with its game may take to end, in seconds. A game gets four of them to save.
    private static let patience = 15.0

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        let isRestart = self == .restart
        let hasManager = machine.programs.find("systemctl") != nil
        let program = hasManager ? "systemctl" : isRestart ? "reboot" : "poweroff"
        guard machine.programs.find(program) != nil else { throw .missingProgram(program, package: "systemd-sysv") }
        let arguments: [BytePath] = hasManager ? [isRestart ? "reboot" : "poweroff"] : []
        var steps: [Step] = []
        // A service's menu is ended by the service manager, which waits for it; others would only be killed.
        let menus = PowerChange.menus(machine)
        if !menus.isEmpty {
            steps.append(
                Step(
                    "end-menu", "Ask the menu to end, and wait for a game to save",
                    act: { () throws(ApplianceError) in PowerChange.end(menus, machine) },
                    check: { () throws(ApplianceError) in nil }))
        }
        steps.append(
            Step(
                "save-clock", "Save the time",
                act: { () throws(ApplianceError) in try ClockKeeper.save(machine) },
                check: { () throws(ApplianceError) in
                    ClockKeeper.saved(machine) == nil ? "the time was not saved" : nil
                }))
        steps.append(
            Step(
                isRestart ? "restart" : "power-off", isRestart ? "Restart the machine" : "Switch the machine off",
                command: [program] + arguments.map(\.displayString),
                act: { () throws(ApplianceError) in
                    try machine.programs.demand(program, arguments, package: "systemd-sysv", seconds: 60)
                },
                // Whether it was done is not for this process to see.
                check: { () throws(ApplianceError) in nil }))
        return StepPlan(steps)
    }

    /// Menus that no service runs: started by hand, or by somebody's login.
    private static func menus(_ machine: Machine) -> [Int32] {
        ((try? directoryNames(machine.path("proc"))) ?? []).compactMap { entry in
            guard let number = Int32(entry.displayString), isMenu(machine, number) else { return nil }
            let group = machine.files.lines("proc/\(number)/cgroup").joined()
            return group.contains(".service") && !group.contains("user@") ? nil : number
        }
    }

    private static func isMenu(_ machine: Machine, _ number: Int32) -> Bool {
        let name = machine.files.text("proc/\(number)/comm")
        return name == "retro-menu"
    }

    private static func end(_ menus: [Int32], _ machine: Machine) {
        for menu in menus where isMenu(machine, menu) { signalProcess(menu, ProcessSignal.terminate) }
        let started = MonotonicInstant.now
        while MonotonicInstant.now.seconds(since: started) < patience, menus.contains(where: { isMenu(machine, $0) }) {
            sleepThread(seconds: 0.1)
        }
    }
}
