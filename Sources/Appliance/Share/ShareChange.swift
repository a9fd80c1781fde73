/// A change of the share.
public enum ShareChange: Sendable, Equatable, Codable {
    /// Sets the share up and starts it.
    ///
    /// - Parameter password: of the share's user; `nil` keeps the one that is set, or makes one where there is none.
    case on(password: String?)
    /// Stops it.
    case off
    /// Lets everybody in without a password, or nobody.
    case guest(isAllowed: Bool)
    /// Sets the password of the share's user.
    case password(String)
    /// Gives everything in the shared folders to the player's account.
    case repair

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        throw .unavailable("not there yet")
    }
}
