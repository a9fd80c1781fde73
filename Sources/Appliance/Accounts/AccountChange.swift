/// A change of passwords, SSH and the machine's name.
public enum AccountChange: Sendable, Equatable, Codable {
    /// Sets the password of the account that people log in with.
    case password(String)
    /// Sets it from its hash as `crypt` makes them, e.g. `$y$...`: the password itself is not known.
    case passwordHash(String)
    /// Allows login over the network, or not.
    case ssh(isOn: Bool)
    /// Adds a key that may log in: a line of a `.pub` file.
    case addKey(String)
    /// Takes a key away: its base64 part (`AuthorisedKey.blob`).
    case removeKey(String)
    /// Names the machine.
    case hostName(String)

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        switch self {
        case .password(let password): try LoginPassword(machine).plan(password: password)
        case .passwordHash(let hash): try LoginPassword(machine).plan(hash: hash)
        case .ssh(isOn: true): try SecureShell(machine).planOn()
        case .ssh(isOn: false): try SecureShell(machine).planOff()
        case .addKey(let line): try AuthorisedKeys(machine).plan(adding: try AuthorisedKey(line))
        case .removeKey(let blob): try AuthorisedKeys(machine).plan(removing: blob)
        case .hostName(let name): try HostName(machine).plan(name)
        }
    }
}

/// The account that people log in with.
///
/// - Throws: `ApplianceError.notFound` where there is none.
func loginAccount(_ machine: Machine) throws(ApplianceError) -> Account {
    guard let account = Accounts.read(machine).login else {
        throw .notFound("there is no account that people log in with; make one with 'adduser NAME'")
    }
    return account
}
