/// Restarting and switching off.
public enum PowerChange: Sendable, Equatable, Codable {
    /// Starts the machine anew; a game gets time to save first.
    case restart
    /// Switches the machine off; a game gets time to save first.
    case powerOff

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        throw .unavailable("not there yet")
    }
}
