import SystemKit

/// A switch of the kernel for a Wi-Fi radio.
struct RadioSwitch: Sendable, Equatable {
    /// Its folder in `/sys/class/rfkill`.
    let path: BytePath
    /// Whether a program switched it off.
    let isSoftBlocked: Bool
    /// Whether something that one can touch did: a key, a jumper.
    let isHardBlocked: Bool

    static func all(_ machine: Machine) -> [RadioSwitch] {
        let folder = machine.path("sys/class/rfkill")
        let names = ((try? directoryNames(folder)) ?? []).sorted()
        return names.compactMap { name in
            let path = folder.appending(name)
            guard text(path.appending("type")) == "wlan" else { return nil }
            return RadioSwitch(
                path: path, isSoftBlocked: text(path.appending("soft")) == "1",
                isHardBlocked: text(path.appending("hard")) == "1")
        }
    }

    private static func text(_ path: BytePath) -> String? {
        (try? readFile(path, limit: 4096)).map { trimmingSpaces(String(decoding: $0, as: UTF8.self)) }
    }

    /// What the next start would make of the radios: systemd's notes, those that say "blocked".
    static func blockedNotes(_ machine: Machine) -> [BytePath] {
        let folder = machine.path("var/lib/systemd/rfkill")
        return ((try? directoryNames(folder)) ?? []).sorted().map { folder.appending($0) }
            .filter { $0.bytes.suffix(5).elementsEqual(":wlan".utf8) && text($0) != "0" }
    }

    /// NetworkManager's own note; only read at its start.
    static func managerNote(_ machine: Machine) -> BytePath {
        machine.path("var/lib/NetworkManager/NetworkManager.state")
    }

    /// That note with Wi-Fi on; `nil` where it already says so, or is not there.
    static func correctedNote(_ machine: Machine) -> [UInt8]? {
        guard let note = try? readFile(managerNote(machine), limit: 1 << 16) else { return nil }
        let lines = String(decoding: note, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let changed = lines.map { trimmingSpaces($0) == "WirelessEnabled=false" ? "WirelessEnabled=true" : $0 }
        return changed == lines ? nil : Array(changed.joined(separator: "\n").utf8)
    }

    /// The steps after which the radio is on now and stays on after restarts. Whichever of them are not needed are left out.
    static func onSteps(_ machine: Machine) -> [Step] {
        var steps: [Step] = []
        if all(machine).contains(where: \.isSoftBlocked) {
            steps.append(
                Step("unblock-radio", "Switch the Wi-Fi radio on") { () throws(ApplianceError) in
                    for radio in all(machine) where radio.isSoftBlocked { try radio.set(isBlocked: false) }
                } check: { () throws(ApplianceError) in
                    all(machine).contains(where: \.isSoftBlocked) ? "the Wi-Fi radio is still blocked" : nil
                })
        }
        if !blockedNotes(machine).isEmpty {
            steps.append(
                Step("save-radio-state", "Keep the radio on after a restart") { () throws(ApplianceError) in
                    for note in blockedNotes(machine) {
                        try system { () throws(SystemError) in try replaceFile(at: note, with: Array("0\n".utf8)) }
                    }
                } check: { () throws(ApplianceError) in
                    blockedNotes(machine).isEmpty ? nil : "the radio would be blocked again at the next start"
                })
        }
        let manager = NetworkManager(machine: machine)
        if WiFiManager.running(machine).contains(.networkManager), manager.isInstalled {
            if (try? manager.isRadioOn()) == false {
                steps.append(
                    Step(
                        "enable-radio", "Have NetworkManager use the radio", command: ["nmcli", "radio", "wifi", "on"]
                    ) { () throws(ApplianceError) in
                        try manager.demand(["radio", "wifi", "on"])
                    } check: { () throws(ApplianceError) in
                        try manager.isRadioOn() ? nil : "NetworkManager did not switch Wi-Fi on"
                    })
            }
        } else if correctedNote(machine) != nil {
            steps.append(
                Step("enable-radio", "Have NetworkManager use the radio when it starts") { () throws(ApplianceError) in
                    guard let corrected = correctedNote(machine) else { return }
                    try system { () throws(SystemError) in try replaceFile(at: managerNote(machine), with: corrected) }
                } check: { () throws(ApplianceError) in
                    correctedNote(machine) == nil ? nil : "NetworkManager would start with Wi-Fi off"
                })
        }
        return steps
    }

    func set(isBlocked: Bool) throws(ApplianceError) {
        let digit = Array((isBlocked ? "1" : "0").utf8)
        try system { () throws(SystemError) in try overwriteFile(path.appending("soft"), with: digit) }
    }
}
