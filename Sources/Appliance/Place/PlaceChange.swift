/// A change of language, time zone and keyboard.
public enum PlaceChange: Sendable, Equatable, Codable {
    /// E.g. `de_DE.UTF-8`.
    case locale(String)
    /// E.g. `Europe/Berlin`.
    case timeZone(String)
    /// E.g. `de` or `us`, with a variant or none.
    case keyboard(layout: String, variant: String?)

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        throw .unavailable("not there yet")
    }
}
