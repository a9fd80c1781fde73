import SystemKit

/// A change of Wi-Fi.
public enum WiFiChange: Sendable, Equatable, Codable {
    /// Joins a network, and remembers it once that worked. What was saved for it before is kept until then.
    ///
    /// - Parameters:
    ///   - ssid: its name, any bytes (at most 32).
    ///   - passphrase: `nil` for an open network, and for one whose password is saved.
    ///   - isHidden: whether it does not tell its name.
    case connect(ssid: [UInt8], passphrase: String?, isHidden: Bool)
    /// Writes a network down without joining it: the machine joins by itself when it is in reach.
    case remember(ssid: [UInt8], passphrase: String?, isHidden: Bool)
    /// Forgets the network of that name.
    case forget(ssid: [UInt8])
    /// Switches the radio.
    case radio(isOn: Bool)
    /// Says which country's rules the radio follows: two letters of ISO 3166-1.
    case country(String)
    /// Looks around for networks, which takes some seconds.
    case scan

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        switch self {
        case .connect(let ssid, let passphrase, let isHidden):
            try WiFiJoin(machine: machine, ssid: ssid, passphrase: passphrase, isHidden: isHidden).plan()
        case .remember(let ssid, let passphrase, let isHidden):
            try WiFiJoin(machine: machine, ssid: ssid, passphrase: passphrase, isHidden: isHidden).noting()
        case .forget(let ssid): try WiFiChange.forgetting(ssid, machine)
        case .radio(let isOn): try WiFiChange.switching(isOn, machine)
        case .country(let code): try RegulatoryDomain.plan(code, machine)
        case .scan: try WiFiChange.scanning(machine)
        }
    }

    private static func forgetting(_ ssid: [UInt8], _ machine: Machine) throws(ApplianceError) -> StepPlan {
        try WiFiJoin.check(ssid)
        let manager = NetworkManager(machine: machine)
        let name = WiFiNetwork.name(of: ssid)
        let saved = try SavedNetwork.all(manager).filter { $0.ssid == ssid }
        if saved.isEmpty { return StepPlan([], notes: ["‘\(name)’ was not saved."]) }
        let step = Step(
            "forget-network", "Forget ‘\(name)’",
            command: ["nmcli", "connection", "delete", "uuid"] + saved.map(\.uuid)
        ) { () throws(ApplianceError) in
            for network in saved { try manager.delete(network.uuid) }
        } check: { () throws(ApplianceError) in
            try SavedNetwork.all(manager).contains { $0.ssid == ssid } ? "‘\(name)’ is still saved" : nil
        }
        return StepPlan([step])
    }

    private static func switching(_ isOn: Bool, _ machine: Machine) throws(ApplianceError) -> StepPlan {
        let facts = WiFiFacts.read(machine)
        guard facts.isRadioOn != nil else {
            throw .unavailable("this machine has no Wi-Fi: the kernel knows no wireless device")
        }
        if isOn {
            if facts.isHardBlocked {
                throw .unavailable("Wi-Fi is switched off by a key or switch of the machine itself")
            }
            return StepPlan(RadioSwitch.onSteps(machine))
        }
        guard facts.isRadioOn == true else { return StepPlan([]) }
        let manager = NetworkManager(machine: machine)
        guard manager.isInstalled, facts.managers.contains(.networkManager) else {
            throw .unavailable(facts.problem ?? "NetworkManager does not run")
        }
        let step = Step("disable-radio", "Switch Wi-Fi off", command: ["nmcli", "radio", "wifi", "off"]) {
            () throws(ApplianceError) in
            try manager.demand(["radio", "wifi", "off"])
        } check: { () throws(ApplianceError) in
            try manager.isRadioOn() ? "Wi-Fi is still on" : nil
        }
        let isOnlyWay = facts.state == .connected && !NetworkFacts.read().hasOther(than: facts.interface)
        return StepPlan([step], notes: isOnlyWay ? ["This machine has no other network now: it needs a cable."] : [])
    }

    private static func scanning(_ machine: Machine) throws(ApplianceError) -> StepPlan {
        let facts = WiFiFacts.read(machine)
        guard facts.problem == nil, let interface = facts.interface else {
            throw .unavailable(facts.problem ?? "this machine has no Wi-Fi")
        }
        let manager = NetworkManager(machine: machine)
        let step = Step("scan", "Look for networks") { () throws(ApplianceError) in
            _ = try manager.networks(interface, saved: [], rescan: true)
        } check: { () throws(ApplianceError) in
            nil
        }
        return StepPlan([step])
    }
}

extension NetworkFacts {
    /// Whether there is an address of another interface that others can reach.
    fileprivate func hasOther(than interface: String?) -> Bool {
        addresses.contains { $0.interface != interface && !$0.isLinkLocal }
    }
}

extension NetworkManager {
    /// Deletes a profile; one that has gone already is fine.
    func delete(_ uuid: String) throws(ApplianceError) {
        guard try profileNames().contains(uuid) else { return }
        try demand(["connection", "delete", "uuid", BytePath(uuid)])
    }
}
