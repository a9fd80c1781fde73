/// A change of Wi-Fi.
public enum WiFiChange: Sendable, Equatable, Codable {
    /// Joins a network, and remembers it once that worked.
    ///
    /// - Parameters:
    ///   - ssid: its name, any bytes (at most 32).
    ///   - passphrase: `nil` for an open network.
    ///   - isHidden: whether it does not tell its name.
    case connect(ssid: [UInt8], passphrase: String?, isHidden: Bool)
    /// Forgets the network of that name.
    case forget(ssid: [UInt8])
    /// Switches the radio.
    case radio(isOn: Bool)
    /// Says which country's rules the radio follows: two letters of ISO 3166-1.
    case country(String)

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        throw .unavailable("not there yet")
    }
}
