/// A change of sound.
public enum SoundChange: Sendable, Equatable, Codable {
    /// Takes the card of that name for sound.
    case output(card: String)
    /// Percent, 0 to 100.
    case volume(Int)

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        throw .unavailable("not there yet")
    }
}
