import SystemKit

/// One attempt to join a network, which leaves what was there before where it fails.
struct WiFiAttempt: Sendable {
    let machine: Machine
    let interface: String
    let ssid: [UInt8]
    let key: WiFiKey?
    /// Whether one of its access points tells its name now.
    let isHeard: Bool
    /// Whether one of them offers WPA3.
    let speaksWPA3: Bool
    /// The profile that was active before.
    let before: String?

    /// NetworkManager gives up by itself long before this.
    static let longest = 75

    private var name: String { WiFiNetwork.name(of: ssid) }
    private var manager: NetworkManager { NetworkManager(machine: machine) }

    /// Writes a new profile, tries it, and only then keeps it and drops the old ones. While it is tried it does not join
    /// by itself: where the machine is switched off in the middle, the old profile is what the next start uses.
    func steps(_ profile: WiFiProfile, old: [String]) -> [Step] {
        let file = manager.profiles.appending("retro-\(profile.uuid).nmconnection")
        let attempt = self
        var kept = profile
        kept.joinsByItself = true
        let final = kept
        let write = WiFiAttempt.writing(profile, to: file, manager, summary: "Write a profile for ‘\(name)’")
        let load = WiFiAttempt.loading(profile, from: file, manager)
        let join = activation(of: profile.uuid) { attempt.remove(profile.uuid, file) }
        let keep = Step("keep-profile", "Keep ‘\(name)’ for next time") { () throws(ApplianceError) in
            try attempt.store(final, file)
        } check: { () throws(ApplianceError) in
            let words: [BytePath] = ["connection", "show", "uuid", BytePath(profile.uuid)]
            let rows = TerseLine.rows(try attempt.manager.output("connection.autoconnect", words), fields: 2)
            let isKept = (try? readFile(file, limit: 1 << 16)) == final.content
            return isKept && rows.first?.last == Array("yes".utf8)
                ? nil : "the profile of ‘\(attempt.name)’ was not kept"
        }
        var steps = [write, load, join, keep]
        if !old.isEmpty {
            steps.append(
                Step("forget-old-profile", "Drop what was saved for ‘\(name)’ before") { () throws(ApplianceError) in
                    for uuid in old { try attempt.manager.delete(uuid) }
                } check: { () throws(ApplianceError) in
                    let left = try attempt.manager.profileNames()
                    return old.contains(where: left.contains)
                        ? "an old profile of ‘\(attempt.name)’ is still there" : nil
                })
        }
        return steps
    }

    /// Activates a profile; what was active before comes back where that fails.
    func activation(of uuid: String, undo: @escaping @Sendable () -> Void = {}) -> Step {
        let attempt = self
        return Step(
            "join", "Join ‘\(name)’",
            command: [
                "nmcli", "--wait", "\(WiFiAttempt.longest)", "connection", "up", "uuid", uuid, "ifname", interface,
            ]
        ) { () throws(ApplianceError) in
            do throws(ApplianceError) {
                try attempt.activate(uuid)
                if let fault = try attempt.fault(uuid) { throw .unverified(fault) }
            } catch {
                undo()
                attempt.restore(uuid)
                throw error
            }
        } check: { () throws(ApplianceError) in
            try attempt.fault(uuid)
        }
    }

    static func writing(
        _ profile: WiFiProfile, to file: BytePath, _ manager: NetworkManager, summary: String
    ) -> Step {
        Step("write-profile", summary) { () throws(ApplianceError) in
            try system { () throws(SystemError) in
                try createDirectories(file.parent, permissions: 0o700)
                try replaceFile(at: file, with: profile.content, permissions: 0o600)
            }
        } check: { () throws(ApplianceError) in
            let status = try system { () throws(SystemError) in try fileStatus(file, followLinks: false) }
            // NetworkManager reads no profile that others could have read or written.
            guard status.permissions & 0o077 == 0 else { return "the profile can be read by others" }
            return (try? readFile(file, limit: 1 << 16)) == profile.content
                ? nil : "the profile is not as it was written"
        }
    }

    static func loading(_ profile: WiFiProfile, from file: BytePath, _ manager: NetworkManager) -> Step {
        Step(
            "load-profile", "Have NetworkManager read it",
            command: ["nmcli", "connection", "load", file.displayString]
        ) { () throws(ApplianceError) in
            try manager.demand(["connection", "load", file])
        } check: { () throws(ApplianceError) in
            guard try !manager.profileNames().contains(profile.uuid) else { return nil }
            try? removeFile(file)
            return "NetworkManager did not take the profile"
        }
    }

    private func store(_ profile: WiFiProfile, _ file: BytePath) throws(ApplianceError) {
        try system { () throws(SystemError) in try replaceFile(at: file, with: profile.content, permissions: 0o600) }
        try manager.demand(["connection", "load", file])
    }

    private func activate(_ uuid: String) throws(ApplianceError) {
        let words: [BytePath] = [
            "--wait", BytePath("\(WiFiAttempt.longest)"), "connection", "up", "uuid", BytePath(uuid), "ifname",
            BytePath(interface),
        ]
        let result = try machine.programs.run(
            "nmcli", words, package: NetworkManager.package, seconds: Double(WiFiAttempt.longest) + 15)
        if !result.succeeded { throw failure(result) }
    }

    /// What an exit status other than 0 meant. The language of the answer is C's.
    private func failure(_ result: ProgramResult) -> ApplianceError {
        let said = String(decoding: result.errors + result.output, as: UTF8.self)
        // Where WPA3 refuses a password, NetworkManager only sees a network that it cannot get into.
        let isGone = said.contains("network could not be found")
        let isRefused = said.contains("Secrets were required") || (isGone && isHeard && speaksWPA3 && key != nil)
        if isRefused, key?.isRaw == true, speaksWPA3 {
            return .refused(
                "‘\(name)’ offers WPA3 beside WPA2, and this machine takes WPA3, for which a key of 64 digits does not "
                    + "do: use the password itself")
        }
        if isRefused {
            return .denied(
                key == nil
                    ? "‘\(name)’ did not accept the password that is saved; join it again with the right one"
                    : "the password is wrong: ‘\(name)’ did not accept it, and what was saved before is kept")
        }
        if isGone { return .notFound("‘\(name)’ is not in reach\(isHeard ? " any more" : ", or its name is another")") }
        if said.contains("IP configuration") || said.contains("ip-config") {
            return .unavailable("‘\(name)’ let this machine in, but gave it no address: is its router all right?")
        }
        return .failed("joining ‘\(name)’", detail: result.complaint)
    }

    /// Why the interface is not in that network; `nil` where it is.
    private func fault(_ uuid: String) throws(ApplianceError) -> String? {
        let device = try manager.devices().first { $0.name == interface }
        guard let device, device.isConnected, device.profile == uuid else {
            return "\(interface) is not in ‘\(name)’ although NetworkManager said so"
        }
        return nil
    }

    private func remove(_ uuid: String, _ file: BytePath) {
        try? manager.delete(uuid)
        try? removeFile(file)
    }

    /// Goes back to the network that was there before. It may be out of reach by now: then NetworkManager goes on trying.
    private func restore(_ failed: String) {
        guard let before, before != failed else { return }
        _ = try? machine.programs.run(
            "nmcli", ["--wait", "30", "connection", "up", "uuid", BytePath(before), "ifname", BytePath(interface)],
            package: NetworkManager.package, seconds: 45)
    }
}
