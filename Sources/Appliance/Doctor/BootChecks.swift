import SystemKit

extension Doctor {
    /// What the firmware and the kernel read at the start.
    static let boot = [
        DoctorCheck("boot-files") { context in
            guard let folder = bootFolder(context) else { return .ok("this machine does not start from files of a Pi") }
            let cure = "put the copy beside it back, or write the file anew: without it the machine may not start again"
            for name in ["config.txt", "cmdline.txt"] {
                let path = "\(folder)/\(name)"
                guard let bytes = try? readRegularFile(context.machine.path(path), limit: 1 << 20) else {
                    if name == "config.txt" { continue }
                    return .failed("/\(path) is not there", cure: cure)
                }
                if bytes.isEmpty || bytes.contains(0) {
                    return .failed("/\(path) is \(bytes.isEmpty ? "empty" : "damaged")", cure: cure)
                }
                guard name == "cmdline.txt" else { continue }
                let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
                    .filter { !trimmingSpaces($0).isEmpty }
                if lines.count != 1 {
                    return .failed(
                        "/\(path) has \(lines.count) lines, and only the first counts", cure: "join them to one")
                }
                if !lines[0].split(separator: " ").contains(where: { $0.hasPrefix("root=") }) {
                    return .failed("/\(path) does not say where the system is (root=)", cure: cure)
                }
            }
            return .ok("the boot files make sense")
        },
        DoctorCheck("boot-root") { context in
            guard let folder = bootFolder(context), let line = context.text("\(folder)/cmdline.txt"),
                let word = line.split(separator: " ").last(where: { $0.hasPrefix("root=") })
            else { return .ok("the machine's start names no partition") }
            let source = String(word.dropFirst("root=".count))
            if isThere(source, context) { return .ok("the start finds the system at \(shortened(source))") }
            return .failed(
                "cmdline.txt starts the system from \(shortened(source)), which no disk here has",
                cure: "write the partition's own PARTUUID there ('lsblk -o NAME,PARTUUID'): the next start fails")
        },
        DoctorCheck("mount-table") { context in
            for line in context.lines("etc/fstab") {
                let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
                guard words.count >= 3, !words[0].hasPrefix("#") else { continue }
                let isOptional = words.count > 3 && words[3].split(separator: ",").contains("nofail")
                guard !isOptional, ["PARTUUID=", "UUID=", "LABEL=", "/dev/"].contains(where: words[0].hasPrefix),
                    !isThere(words[0], context)
                else { continue }
                return .failed(
                    "/etc/fstab wants \(shortened(words[0])) at \(shortened(words[1])), which no disk here has",
                    cure: "correct the line or add 'nofail' to it: the next start may stop there")
            }
            return .ok("/etc/fstab names disks that are there")
        },
        DoctorCheck("kernel-modules") { context in
            guard let release = context.text("proc/sys/kernel/osrelease"), context.exists("lib/modules") else {
                return .ok("this kernel needs no modules")
            }
            let folders = context.names("lib/modules")
            if folders.isEmpty || folders.contains(release) { return .ok("the kernel has its modules") }
            return .failed(
                "the running kernel \(shortened(release)) has no modules any more: Wi-Fi and pads may not work",
                cure: "restart; if it stays so, install the kernel's package again")
        },
        DoctorCheck("failed-units") { context in
            guard context.exists("run/systemd/system"),
                let result = try? context.machine.programs.run(
                    "systemctl", ["list-units", "--state=failed", "--plain", "--no-legend", "--no-pager"],
                    package: "systemd", seconds: 20), result.succeeded
            else { return .ok("no systemd starts services here") }
            let units = result.text.split(separator: "\n").compactMap { $0.split(separator: " ").first }
                .map { shortened(String($0)) }
            guard let first = units.first else { return .ok("all services started") }
            return .warning(
                "\(units.count == 1 ? "a service" : "\(units.count) services") failed: \(units.joined(separator: ", "))",
                cure: "'systemctl status \(first)' says why")
        },
    ]

    /// What the machine itself brings.
    static let software = [
        DoctorCheck("locale") { context in
            let lines = context.lines("etc/default/locale") + context.lines("etc/locale.conf")
            guard let line = lines.last(where: { $0.hasPrefix("LANG=") }) else {
                return .ok("no language is set: English is used")
            }
            let name = line.dropFirst("LANG=".count).filter { $0 != "\"" && $0 != "'" }
            if ["", "C", "POSIX", "C.UTF-8", "C.utf8"].contains(name) { return .ok("the language is the usual one") }
            let plain = name.lowercased().filter { $0 != "-" }
            let isMade =
                context.names("usr/lib/locale").contains { $0.lowercased().filter { $0 != "-" } == plain }
                || context.exists("usr/lib/locale/locale-archive")
            if isMade { return .ok("the language \(shortened(name)) is there") }
            return .warning(
                "the language \(shortened(name)) is set, but was not made",
                cure: "set it again in the settings or by 'sudo retro-admin system locale', which makes it")
        },
        DoctorCheck("door") { context in
            guard context.exists("etc/retro"), context.exists("run/systemd/system") else {
                return .ok("the menu changes this machine's settings only as root")
            }
            if context.exists("run/retro/door") { return .ok("the menu can change the machine's settings") }
            return .warning(
                "the helper that changes the machine's settings for the menu is not there",
                cure: "'sudo systemctl enable --now retro-door.socket'")
        },
    ]

    private static func bootFolder(_ context: DoctorContext) -> String? {
        ["boot/firmware", "boot"].first { context.exists("\($0)/config.txt") || context.exists("\($0)/cmdline.txt") }
    }

    /// Whether a disk has what a line names; what cannot be looked up counts as there.
    private static func isThere(_ source: String, _ context: DoctorContext) -> Bool {
        if source.hasPrefix("/dev/") { return !context.exists("dev") || context.exists(String(source.dropFirst())) }
        guard let equals = source.firstIndex(of: "=") else { return true }
        let folder = "dev/disk/by-\(source[..<equals].lowercased())"
        let value = source[source.index(after: equals)...].filter { $0 != "\"" }
        // Labels with blanks are written in other ways at either place.
        guard context.exists(folder), !value.contains("\\") else { return true }
        return context.names(folder).contains { $0.lowercased() == value.lowercased() }
    }
}
