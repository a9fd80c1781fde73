/// A change of passwords, SSH and the machine's name.
public enum AccountChange: Sendable, Equatable, Codable {
    /// Sets the password of the account that people log in with.
    case password(String)
    /// Sets it from its hash as `crypt` makes them, e.g. `$y$...`: the password itself is not known.
    case passwordHash(String)
    /// Allows login over the network, or not.
    case ssh(isOn: Bool)
    /// Adds a line of `authorized_keys`.
    case addKey(String)
    /// Names the machine.
    case hostName(String)

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        throw .unavailable("not there yet")
    }
}
