import SystemKit

/// Whose rules the radio follows. Without any, the radio of a Raspberry Pi stays off.
enum RegulatoryDomain {
    /// What the kernel follows now; `nil` while nobody has said it.
    static func current(_ machine: Machine) -> String? {
        guard let result = try? machine.programs.run("iw", ["reg", "get"], package: "iw", seconds: 10),
            result.succeeded
        else { return nil }
        for line in result.text.split(separator: "\n") where line.hasPrefix("country ") {
            // The first is the world's; a card's own follow it. 00 is nobody's, 98 and 99 are mixtures.
            let code = line.dropFirst("country ".count).prefix(2)
            return code.allSatisfy { $0.isASCII && $0.isUppercase } && code.count == 2 ? String(code) : nil
        }
        return nil
    }

    /// One action: the rules now, the rules after a restart, and the radio on now and after a restart.
    static func plan(_ code: String, _ machine: Machine) throws(ApplianceError) -> StepPlan {
        let code = String(code.map { $0.isASCII ? Character($0.uppercased()) : $0 })
        let countries = WiFiCountry.all(machine).map(\.code)
        guard countries.contains(code) else {
            throw .badValue(
                of: "the country",
                expected: "two letters of ISO 3166-1 such as DE, GB or US, for which this machine has rules")
        }
        let hasRadio = !WiFiFacts.interfaces(machine).isEmpty || !RadioSwitch.all(machine).isEmpty
        if hasRadio, machine.programs.find("iw") == nil { throw .missingProgram("iw", package: "iw") }
        var notes: [String] = []
        var steps = savingSteps(code, machine)
        if let step = try bootStep(code, machine) { steps.append(step) }
        if hasRadio {
            if current(machine) != code { steps.append(setting(code, machine)) }
            steps += RadioSwitch.onSteps(machine)
            if RadioSwitch.all(machine).contains(where: \.isHardBlocked) {
                notes.append("Wi-Fi is switched off by a key or switch of the machine itself.")
            }
        } else {
            notes.append("There is no wireless device now; one that is plugged in later will follow these rules.")
        }
        return StepPlan(steps, notes: notes)
    }

    private static func setting(_ code: String, _ machine: Machine) -> Step {
        Step("set-country", "Follow the rules of \(code)", command: ["iw", "reg", "set", code]) {
            () throws(ApplianceError) in
            try machine.programs.demand("iw", ["reg", "set", BytePath(code)], package: "iw")
        } check: { () throws(ApplianceError) in
            // The kernel takes its time over it.
            for _ in 0..<30 {
                guard let result = try? machine.programs.run("iw", ["reg", "get"], package: "iw", seconds: 10) else {
                    break
                }
                // 98 is what it makes of these rules together with those of the access point.
                if result.text.contains("country \(code):") || result.text.contains("country 98:") { return nil }
                sleepThread(seconds: 0.1)
            }
            return "the kernel did not take the rules of \(code); the package wireless-regdb brings them"
        }
    }

    /// What the files say after which the rules are the same at every start; what says so already is left out.
    private static func savingSteps(_ code: String, _ machine: Machine) -> [Step] {
        var steps: [Step] = []
        func replacing(
            _ name: String, _ summary: String, _ path: BytePath, boot: BootFiles? = nil,
            _ change: @escaping @Sendable ([UInt8]?) -> [UInt8]?
        ) {
            let wanted: @Sendable () -> [UInt8]? = {
                let content = try? readFile(path, limit: 1 << 20)
                let changed = change(content)
                return changed == content ? nil : changed
            }
            if wanted() == nil { return }
            steps.append(
                Step(name, summary) { () throws(ApplianceError) in
                    guard let content = wanted() else { return }
                    if let boot { return try boot.replace(.commandLine, with: content) }
                    try system { () throws(SystemError) in
                        try createDirectories(path.parent)
                        try replaceFile(at: path, with: content)
                    }
                } check: { () throws(ApplianceError) in
                    wanted() == nil ? nil : "\(path.displayString) does not say \(code)"
                })
        }
        replacing(
            "save-country", "Follow them at every start", machine.path("etc/modprobe.d/retro-wifi-country.conf")
        ) { _ in
            Array("# Whose rules Wi-Fi follows; 'retro-admin wifi country' writes this.\n".utf8)
                + Array("options cfg80211 ieee80211_regdom=\(code)\n".utf8)
        }
        replacing(
            "save-supplicant-country", "Have wpa_supplicant follow them",
            machine.path("etc/wpa_supplicant/wpa_supplicant.conf")
        ) { $0.map { assignment($0, "country", code) } }
        replacing("save-crda-country", "Have crda follow them", machine.path("etc/default/crda")) {
            $0.map { assignment($0, "REGDOMAIN", code) }
        }
        return steps
    }

    /// The kernel's command line wins over the files, and Raspberry Pi OS keeps the country there.
    private static func bootStep(_ code: String, _ machine: Machine) throws(ApplianceError) -> Step? {
        guard let partition = BootPartition.find(machine) else { return nil }
        let boot = BootFiles(partition, machine)
        // What is no command line of a machine that starts is left alone: that is for the doctor.
        guard let line = try boot.read(.commandLine), BootFile.commandLine.damage(in: line) == nil,
            commandLine(line, code) != line
        else { return nil }
        return Step("save-boot-country", "Follow them from the kernel's start") { () throws(ApplianceError) in
            guard let line = try boot.read(.commandLine) else { return }
            try boot.replace(.commandLine, with: commandLine(line, code))
        } check: { () throws(ApplianceError) in
            guard let line = try boot.read(.commandLine) else { return "cmdline.txt has gone" }
            return commandLine(line, code) == line ? nil : "cmdline.txt does not say \(code)"
        }
    }

    /// The kernel's command line, which is the first line, with this country and no other.
    static func commandLine(_ content: [UInt8], _ code: String) -> [UInt8] {
        let parts = content.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        var words = (parts.first ?? []).split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }.map { Array($0) }
        // An empty one is no command line: the firmware has its own then.
        if words.isEmpty { return content }
        let option = Array("cfg80211.ieee80211_regdom=".utf8)
        let wanted = option + Array(code.utf8)
        if words.filter({ $0.starts(with: option) }) == [wanted] { return content }
        words.removeAll { $0.starts(with: option) }
        words.append(wanted)
        let rest = parts.count > 1 ? parts[1] : []
        return Array(words.joined(separator: [0x20])) + [0x0A] + rest
    }

    /// Text with one `NAME=VALUE` line, in place of the first of that name or at the start.
    static func assignment(_ content: [UInt8], _ name: String, _ value: String) -> [UInt8] {
        let wanted = Array("\(name)=\(value)".utf8)
        var lines = content.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        let isOurs: ([UInt8]) -> Bool = { $0.drop { $0 == 0x20 || $0 == 0x09 }.starts(with: "\(name)=".utf8) }
        let old = lines.indices.filter { isOurs(lines[$0]) }
        if let first = old.first {
            if old.count == 1, lines[first] == wanted { return content }
            for index in old.dropFirst().reversed() { lines.remove(at: index) }
            lines[first] = wanted
        } else {
            lines.insert(wanted, at: 0)
        }
        return Array(lines.joined(separator: [0x0A]))
    }
}
