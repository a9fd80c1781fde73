import SystemKit

/// Names the machine.
struct HostName {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    /// Whether a name may be a machine's: one label of RFC 1123.
    static func isValid(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard (1...63).contains(bytes.count), let first = bytes.first, let last = bytes.last, isLetter(first),
            isLetter(last), bytes.allSatisfy({ isLetter($0) || $0 == UInt8(ascii: "-") })
        else { return false }
        // Only digits would be read as an address.
        return bytes.contains { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && name != "localhost"
    }

    func plan(_ given: String) throws(ApplianceError) -> StepPlan {
        // Beside ASCII there are letters whose small form is an ASCII one.
        let name = String(decoding: given.utf8.map(asciiLowercased), as: UTF8.self)
        guard HostName.isValid(name) else {
            throw .badValue(
                of: "the machine's name",
                expected: "letters a to z, digits and hyphens, at most 63, with a letter or digit at both ends")
        }
        var steps: [Step] = []
        let old = machine.files.text("etc/hostname") ?? ""
        if old != name { steps.append(fileStep(name)) }
        let hosts = (try? readFile(machine.path("etc/hosts"), limit: 1 << 20)) ?? []
        if let new = HostName.hosts(hosts, old: old, new: name) { steps.append(hostsStep(new)) }
        if machine.files.text("proc/sys/kernel/hostname") != name { steps.append(kernelStep(name)) }
        if !steps.isEmpty, let step = announceStep() { steps.append(step) }
        let notes = name.utf8.count > 15 ? ["Windows shows only the first 15 characters of the name."] : []
        return StepPlan(steps, notes: steps.isEmpty ? [] : notes)
    }

    private func fileStep(_ name: String) -> Step {
        let machine = machine
        return Step(
            "write-name", "Name the machine \(name)",
            act: { () throws(ApplianceError) in
                try system { () throws(SystemError) in
                    try replaceFile(at: machine.path("etc/hostname"), with: Array("\(name)\n".utf8))
                }
            },
            check: { () throws(ApplianceError) in
                machine.files.text("etc/hostname") == name ? nil : "/etc/hostname does not have the new name"
            })
    }

    /// `/etc/hosts` with the new name for this machine; `nil` where it is right already. All other lines stay.
    static func hosts(_ bytes: [UInt8], old: String, new: String) -> [UInt8]? {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        if lines.last?.isEmpty == true { lines.removeLast() }
        var found = false
        for index in lines.indices {
            let text = String(decoding: lines[index], as: UTF8.self)
            let words = text.prefix { $0 != "#" }.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }).map(
                String.init)
            guard words.first == "127.0.1.1" else { continue }
            if found {
                lines[index] = []
                continue
            }
            found = true
            // Names that a person gave beside the old one are kept.
            let others = words.dropFirst().filter {
                $0 != old && $0 != new && !$0.hasPrefix(old + ".") || old.isEmpty && $0 != new
            }
            if words.dropFirst().first == new, !words.contains(where: { $0 == old && old != new }) { continue }
            lines[index] = Array((["127.0.1.1\t" + new] + others).joined(separator: " ").utf8)
        }
        if !found { lines.append(Array("127.0.1.1\t\(new)".utf8)) }
        let result = Array(lines.joined(separator: [0x0A])) + [0x0A]
        return result == bytes ? nil : result
    }

    private func hostsStep(_ contents: [UInt8]) -> Step {
        let path = machine.path("etc/hosts")
        return Step(
            "write-hosts", "Let the machine know its own name",
            act: { () throws(ApplianceError) in
                try system { () throws(SystemError) in try replaceFile(at: path, with: contents) }
            },
            check: { () throws(ApplianceError) in
                (try? readFile(path, limit: 1 << 20)) == contents ? nil : "/etc/hosts is not as it was written"
            })
    }

    private func kernelStep(_ name: String) -> Step {
        let machine = machine
        // systemd's own daemon keeps the name too, where it runs.
        let usesDaemon = fileExists(machine.path("run/systemd/system")) && machine.programs.find("hostnamectl") != nil
        let words = usesDaemon ? ["hostnamectl", "set-hostname", name] : ["hostname", name]
        return Step(
            "set-name", "Use the new name at once", command: words,
            act: { () throws(ApplianceError) in
                try machine.programs.demand(
                    words[0], words.dropFirst().map { BytePath($0) }, package: usesDaemon ? "systemd" : "hostname")
            },
            check: { () throws(ApplianceError) in
                machine.files.text("proc/sys/kernel/hostname") == name ? nil : "the machine still uses its old name"
            })
    }

    /// Who tells the network: they keep the name that they were started with.
    private func announceStep() -> Step? {
        let services = Services(machine)
        let units = [
            "avahi-daemon.service", "nmbd.service", "smbd.service", "wsdd.service", "wsdd-server.service",
            "wsdd2.service",
        ]
        .filter(services.has)
        guard !units.isEmpty, machine.programs.find("systemctl") != nil else { return nil }
        return Step(
            "announce", "Tell the network the new name", command: ["systemctl", "try-restart"] + units,
            act: { () throws(ApplianceError) in for unit in units { try services.restart(unit) } },
            // Services that do not run are no fault of the name's.
            check: { () throws(ApplianceError) in nil })
    }
}
