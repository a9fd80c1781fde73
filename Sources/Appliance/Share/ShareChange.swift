/// A change of the share.
public enum ShareChange: Sendable, Equatable, Codable {
    /// Sets the share up and starts it. What is right already is left alone, so this also mends a share whose user or
    /// settings were lost.
    ///
    /// - Parameter password: of the share's user; `nil` keeps the one that is set, or makes one where there is none.
    case on(password: String?)
    /// Stops it.
    case off
    /// Lets everybody in without a password, or nobody.
    case guest(isAllowed: Bool)
    /// Sets the password of the share's user.
    case password(String)
    /// Makes a new password for the share's user.
    case newPassword
    /// Gives everything in the shared folders to the player's account.
    case repair

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        switch self {
        case .on(let password): try ShareSetup(machine).planOn(password)
        case .off: try ShareSetup(machine).planOff()
        case .guest(let isAllowed): try ShareSetup(machine).planGuest(isAllowed)
        case .password(let password): try ShareSetup(machine).planPassword(password)
        case .newPassword: try ShareSetup(machine).planPassword(SharePassword.make())
        case .repair: try ShareRepair(machine).plan()
        }
    }
}
