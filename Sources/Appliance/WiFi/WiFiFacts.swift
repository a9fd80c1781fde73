import SystemKit

/// How the machine's Wi-Fi is, and what there is to join. Reading it needs no root.
public struct WiFiFacts: Sendable, Equatable {
    /// What a connection is doing.
    public enum State: String, Sendable, Equatable {
        /// There is no device, or none that can be used now.
        case unavailable
        /// Ready, and in no network.
        case disconnected
        /// On its way into a network.
        case connecting
        /// In a network.
        case connected
    }

    /// The programs that look after Wi-Fi; normally NetworkManager alone.
    public let managers: [WiFiManager]
    /// What is wrong where several do: a sentence.
    public let conflict: String?
    /// The wireless interface, e.g. `wlan0` or `wlx001122334455`; `nil` where the machine has none.
    public let interface: String?
    /// What the interface is doing.
    public let state: State
    /// Whether the radio is on; `nil` where there is none.
    public let isRadioOn: Bool?
    /// Whether a program switched it off.
    public let isSoftBlocked: Bool
    /// Whether a key or jumper of the machine did.
    public let isHardBlocked: Bool
    /// Whose rules the radio follows, e.g. `DE`; `nil` while nobody has said it.
    public let country: String?
    /// The network that the machine is in or on its way into; its signal is `nil` where no access point tells it.
    public let active: WiFiNetwork?
    /// The interface's own addresses, what a person types most easily first.
    public let addresses: [String]
    /// Networks in reach, the active one first, then by signal.
    public let networks: [WiFiNetwork]
    /// Networks that are saved and not in reach.
    public let away: [WiFiNetwork]
    /// Why no network can be joined now: a sentence that says what to do. `nil` where one can.
    public let problem: String?

    /// The active network's profile.
    let activeProfile: String?
    let saved: [SavedNetwork]

    /// Reads everything now.
    ///
    /// - Parameter rescan: whether to look around first, which takes some seconds. Who is not root may be refused that,
    ///   and gets what was known; `WiFiChange.scan` through the door is never refused.
    public static func read(_ machine: Machine, rescan: Bool = false) -> WiFiFacts {
        let manager = NetworkManager(machine: machine)
        let running = WiFiManager.running(machine)
        let isManaged = manager.isInstalled && running.contains(.networkManager)
        let devices = isManaged ? ((try? manager.devices()) ?? []) : []
        let interface = WiFiFacts.interface(machine, devices)
        let device = devices.first { $0.name == interface }
        let radios = RadioSwitch.all(machine)
        let isHardBlocked = radios.contains(where: \.isHardBlocked)
        let isSoftBlocked = radios.contains(where: \.isSoftBlocked)
        var isRadioOn: Bool? = interface == nil && radios.isEmpty ? nil : !isHardBlocked && !isSoftBlocked
        if isRadioOn == true, isManaged, (try? manager.isRadioOn()) == false { isRadioOn = false }
        let saved = isManaged ? ((try? SavedNetwork.all(manager)) ?? []) : []
        var networks: [WiFiNetwork] = []
        if isManaged, let interface, isRadioOn == true {
            if rescan { _ = try? manager.networks(interface, saved: saved, rescan: true) }
            networks = (try? manager.networks(interface, saved: saved, rescan: false)) ?? []
        }
        let profile = device.map(\.profile).flatMap { $0.isEmpty ? nil : $0 }
        let known = saved.first { $0.uuid == profile }
        let active =
            networks.first(where: \.isActive)
            ?? known.map {
                WiFiNetwork(
                    ssid: $0.ssid, security: $0.presumedSecurity, signal: nil, isSaved: true, isActive: true)
            }
        var away: [WiFiNetwork] = []
        for network in saved where !networks.contains(where: { $0.ssid == network.ssid && $0.isSaved }) {
            let entry = WiFiNetwork(
                ssid: network.ssid, security: network.presumedSecurity, signal: nil, isSaved: true,
                isActive: network.uuid == profile)
            if !away.contains(where: { $0.ssid == entry.ssid }) { away.append(entry) }
        }
        return WiFiFacts(
            managers: running, conflict: WiFiManager.conflict(running), interface: interface,
            state: state(device), isRadioOn: isRadioOn, isSoftBlocked: isSoftBlocked, isHardBlocked: isHardBlocked,
            country: RegulatoryDomain.current(machine), active: active,
            addresses: interface.map(addresses) ?? [], networks: networks,
            away: away.sorted(by: WiFiNetwork.comesFirst),
            problem: problem(
                manager, running, interface: interface, device: device, isHardBlocked: isHardBlocked,
                isRadioOn: isRadioOn),
            activeProfile: profile, saved: saved)
    }

    /// The interfaces that are radios, as the kernel says: their names follow no rule.
    static func interfaces(_ machine: Machine) -> [String] {
        let folder = machine.path("sys/class/net")
        return ((try? directoryNames(folder)) ?? []).sorted().filter { name in
            ["phy80211", "wireless"].contains { fileExists(folder.appending(name).appending($0)) }
        }.map(\.displayString)
    }

    /// The one to use: one that is connected before one that is ready, and one that NetworkManager keeps off last.
    private static func interface(_ machine: Machine, _ devices: [NetworkManager.Device]) -> String? {
        func rank(_ name: String) -> Int {
            guard let device = devices.first(where: { $0.name == name && $0.type == "wifi" }) else { return 3 }
            switch device.state {
            case let state where state.hasPrefix("connect"): return 0
            case "disconnected", "deactivating": return 1
            case "unmanaged": return 4
            default: return 2
            }
        }
        return interfaces(machine).enumerated().min { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }?
            .element
    }

    private static func state(_ device: NetworkManager.Device?) -> State {
        guard let device else { return .unavailable }
        if device.isConnected { return .connected }
        if device.state.hasPrefix("connecting") { return .connecting }
        return device.state == "unavailable" || device.state == "unmanaged" ? .unavailable : .disconnected
    }

    private static func addresses(_ interface: String) -> [String] {
        let all = ((try? interfaceAddresses()) ?? []).filter { $0.interface == interface }
        return NetworkFacts(hostName: "", addresses: all).addresses.filter { !$0.isLinkLocal }.map(\.address)
    }

    private static func problem(
        _ manager: NetworkManager, _ running: [WiFiManager], interface: String?, device: NetworkManager.Device?,
        isHardBlocked: Bool, isRadioOn: Bool?
    ) -> String? {
        guard let interface else { return "this machine has no Wi-Fi: the kernel knows no wireless device" }
        if !manager.isInstalled {
            let other = running.first.map { ", and Wi-Fi is looked after by \($0.rawValue)" } ?? ""
            return "NetworkManager is not installed\(other); the package \(NetworkManager.package) brings it"
        }
        if !running.contains(.networkManager) {
            let other = running.isEmpty ? "" : "; \(running.map(\.rawValue).joined(separator: " and ")) does its work"
            return "NetworkManager does not run\(other): 'sudo systemctl enable --now NetworkManager' starts it"
        }
        if isHardBlocked { return "Wi-Fi is switched off by a key or switch of the machine itself" }
        if isRadioOn == false { return "Wi-Fi is switched off: 'retro-admin wifi on' switches it on" }
        if device?.state == "unmanaged" {
            return
                "NetworkManager was told to leave \(interface) alone; see /etc/NetworkManager and /etc/network/interfaces"
        }
        return nil
    }
}

extension NetworkManager {
    /// The networks that an interface hears.
    ///
    /// - Parameter rescan: whether to look around first.
    func networks(_ interface: String, saved: [SavedNetwork], rescan: Bool) throws(ApplianceError) -> [WiFiNetwork] {
        let words: [BytePath] = [
            "device", "wifi", "list", "ifname", BytePath(interface), "--rescan", rescan ? "yes" : "no",
        ]
        return WiFiNetwork.networks(try output(WiFiNetwork.fields, words, seconds: 40), saved: saved)
    }
}
