import SystemKit

/// Joining a network: what is decided before anything is written.
struct WiFiJoin: Sendable {
    /// How long a network is looked for: the first list after a start is often empty. One look takes a radio some seconds.
    struct Patience: Sendable {
        var leastLooks = 2
        var seconds = 15.0
        var pause = 1.0
    }

    let machine: Machine
    let ssid: [UInt8]
    let passphrase: String?
    let isHidden: Bool
    var patience = Patience()

    private var name: String { WiFiNetwork.name(of: ssid) }
    private var manager: NetworkManager { NetworkManager(machine: machine) }

    static func check(_ ssid: [UInt8]) throws(ApplianceError) {
        guard (1...32).contains(ssid.count), ssid.contains(where: { $0 != 0 }) else {
            throw .badValue(of: "the name of a Wi-Fi network", expected: "1 to 32 bytes, not all of them zero")
        }
    }

    /// - Throws: `ApplianceError.badValue` for a name or password that cannot be one, `.unavailable` where there is no
    ///   Wi-Fi to join with, `.notFound` where no such network is in reach, `.refused` where it cannot be joined that way.
    func plan() throws(ApplianceError) -> StepPlan {
        try WiFiJoin.check(ssid)
        var key: WiFiKey?
        if let passphrase { key = try WiFiKey(passphrase) }
        let facts = WiFiFacts.read(machine)
        if let problem = facts.problem { throw .unavailable(problem) }
        guard let interface = facts.interface else { throw .unavailable("this machine has no Wi-Fi") }
        let notes = facts.conflict.map { [$0 + "."] } ?? []
        if key == nil, facts.state == .connected, facts.active?.ssid == ssid { return StepPlan([], notes: notes) }
        let candidates = try find(facts, interface)
        if key == nil, let saved = usable(facts, candidates) {
            let attempt = attempt(facts, interface, candidates, nil)
            return StepPlan([attempt.activation(of: saved.uuid)], notes: notes)
        }
        let protection = try protection(key, candidates, interface)
        let profile = WiFiProfile(
            uuid: WiFiProfile.newUUID(), ssid: ssid, isHidden: isHidden, protection: protection, joinsByItself: false)
        let old = facts.saved.filter { $0.ssid == ssid }.map(\.uuid)
        return StepPlan(attempt(facts, interface, candidates, key).steps(profile, old: old), notes: notes)
    }

    private func attempt(
        _ facts: WiFiFacts, _ interface: String, _ candidates: [WiFiNetwork], _ key: WiFiKey?
    ) -> WiFiAttempt {
        WiFiAttempt(
            machine: machine, interface: interface, ssid: ssid, key: key,
            isHeard: !candidates.isEmpty,
            speaksWPA3: candidates.contains { $0.security == .wpa3 || $0.security == .wpa2wpa3 },
            before: facts.activeProfile)
    }

    /// Writes a profile without joining. NetworkManager need not run for it.
    func noting() throws(ApplianceError) -> StepPlan {
        try WiFiJoin.check(ssid)
        let protection: WiFiProfile.Protection =
            try passphrase.map { text throws(ApplianceError) in
                .wpa(try WiFiKey(text))
            } ?? .none
        guard fileExists(machine.path("etc/NetworkManager")) else {
            throw .unavailable("NetworkManager is not installed; the package \(NetworkManager.package) brings it")
        }
        let profile = WiFiProfile(
            uuid: WiFiProfile.fixedUUID(ssid), ssid: ssid, isHidden: isHidden, protection: protection,
            joinsByItself: true)
        let file = manager.profiles.appending("retro-\(hexadecimal(ssid)).nmconnection")
        if (try? readFile(file, limit: 1 << 16)) == profile.content { return StepPlan([]) }
        let manager = manager
        var steps = [WiFiAttempt.writing(profile, to: file, manager, summary: "Write ‘\(name)’ down")]
        if manager.isInstalled, WiFiManager.running(machine).contains(.networkManager) {
            steps.append(WiFiAttempt.loading(profile, from: file, manager))
        }
        return StepPlan(steps)
    }

    /// The networks of that name, looked for until there are some.
    private func find(_ facts: WiFiFacts, _ interface: String) throws(ApplianceError) -> [WiFiNetwork] {
        var found = facts.networks.filter { $0.ssid == ssid }
        let began = MonotonicInstant.now
        var looks = 0
        while found.isEmpty {
            // One that does not tell its name is asked for by name when it is joined.
            if isHidden, looks > 0 { break }
            if looks >= patience.leastLooks, MonotonicInstant.now.seconds(since: began) > patience.seconds { break }
            if looks > 0 { sleepThread(seconds: patience.pause) }
            looks += 1
            found = try manager.networks(interface, saved: facts.saved, rescan: true).filter { $0.ssid == ssid }
        }
        if found.isEmpty, !isHidden {
            throw .notFound(
                "no network ‘\(name)’ is in reach; if it hides its name, say so, and that its name is spelled exactly right"
            )
        }
        return found
    }

    /// A saved profile that does for one of the networks.
    private func usable(_ facts: WiFiFacts, _ candidates: [WiFiNetwork]) -> SavedNetwork? {
        facts.saved.first { saved in
            saved.ssid == ssid && (candidates.isEmpty || candidates.contains { saved.fits($0.security) })
        }
    }

    private func protection(
        _ key: WiFiKey?, _ candidates: [WiFiNetwork], _ interface: String
    ) throws(ApplianceError) -> WiFiProfile.Protection {
        guard let key else {
            if candidates.isEmpty { return .none }
            if candidates.contains(where: { $0.security == .open }) { return .none }
            if candidates.contains(where: { $0.security == .owe }) { return .owe }
            throw unsuitable(candidates) ?? .refused("‘\(name)’ wants a password")
        }
        if candidates.isEmpty { return .wpa(key) }
        let fitting = candidates.filter(\.security.takesPassword)
        if fitting.isEmpty {
            throw unsuitable(candidates)
                ?? .refused("‘\(name)’ is open to everybody and takes no password; join it without one if it is yours")
        }
        guard fitting.allSatisfy({ $0.security == .wpa3 }) else { return .wpa(key) }
        if key.isRaw {
            throw .refused(
                "‘\(name)’ speaks WPA3 only, and that needs the password itself: a key of 64 digits is for WPA2")
        }
        if canSpeakWPA3(interface) == false {
            throw .refused(
                "‘\(name)’ speaks WPA3 only, and this machine's Wi-Fi cannot: let its router offer WPA2 and WPA3 together"
            )
        }
        return .sae(key)
    }

    /// Why none of the networks can be joined at all.
    private func unsuitable(_ candidates: [WiFiNetwork]) -> ApplianceError? {
        if candidates.contains(where: { $0.security.takesPassword || $0.security.isOpen }) { return nil }
        if candidates.contains(where: { $0.security == .wep }) {
            return .refused("‘\(name)’ uses WEP, which keeps nobody out and is not supported: let its router use WPA2")
        }
        return .refused(
            "‘\(name)’ wants a user name or a certificate: that has to be set up with 'sudo nmtui', not from here")
    }

    /// Whether the driver knows how; `nil` where nobody says.
    private func canSpeakWPA3(_ interface: String) -> Bool? {
        let name = machine.path("sys/class/net").appending(interface).appending("phy80211/name")
        guard let phy = try? readFile(name, limit: 256),
            let result = try? machine.programs.run(
                "iw", ["phy", BytePath(bytes: phy.prefix { $0 != 0x0A }), "info"], package: "iw"),
            result.succeeded
        else { return nil }
        return result.text.contains("SAE")
    }
}
