/// A change of what the firmware reads when the machine starts.
public enum BootChange: Sendable, Equatable, Codable {
    /// Takes a preset for this model of Pi by its name; `none` goes back to the maker's speeds.
    case overclock(preset: String)
    /// Pixels that the television cuts off at its edges; all zero for none.
    case overscan(left: Int, right: Int, top: Int, bottom: Int)

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        throw .unavailable("not there yet")
    }
}
