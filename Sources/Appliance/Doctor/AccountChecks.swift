import SystemKit

extension Doctor {
    /// Who may come in.
    static let accounts = [
        DoctorCheck("default-password") { context in
            let hashes = context.lines("etc/shadow").compactMap { line -> (name: String, hash: String)? in
                let parts = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
                guard parts.count > 1, parts[1].isEmpty || parts[1].hasPrefix("$") else { return nil }
                return (parts[0], parts[1])
            }
            if let open = hashes.first(where: { $0.hash.isEmpty }) {
                return .failed(
                    "\(open.name) needs no password", cure: "set one: 'sudo passwd \(open.name)'")
            }
            if hashes.isEmpty {
                return .ok(context.isRoot ? "no account has a password" : "only root may look at the passwords")
            }
            // Each line is a name and a hash; a hash may not be seen by others, and so comes by standard input.
            let script =
                "while (<STDIN>) { chomp; my ($n, $h) = split / /; foreach my $w ($n, qw(raspberry retropie retro pi "
                + "password recalbox root linux batocera changeme admin 1234)) { my $c = crypt($w, $h); "
                + "if (defined $c && $c eq $h) { print \"$n\\n\"; last } } }"
            let input = hashes.map { "\($0.name) \($0.hash)\n" }.joined()
            guard
                let result = try? context.machine.programs.run(
                    "perl", ["-e", BytePath(script)], package: "perl-base", input: Array(input.utf8), seconds: 60),
                result.succeeded
            else { return .ok("the passwords could not be looked at") }
            guard let name = result.text.split(separator: "\n").first.map({ BytePath(String($0)).displayString }) else {
                return .ok("no account has a well-known password")
            }
            let isReachable = isSSHOn(context)
            let reason = "\(name) has a password that everybody knows" + (isReachable ? ", and SSH is on" : "")
            let cure = "change it: 'sudo passwd \(name)'"
            return isReachable ? .failed(reason, cure: cure) : .warning(reason, cure: cure)
        },
        DoctorCheck("ssh-host-keys") { context in
            let keys = context.names("etc/ssh").filter { $0.hasPrefix("ssh_host_") && $0.hasSuffix("_key") }
            let isInstalled = ["usr/sbin/sshd", "usr/local/sbin/sshd"].contains(where: context.exists)
            guard isInstalled else { return .ok("there is no SSH server") }
            let bad = keys.filter { name in
                let path = context.machine.path("etc/ssh/\(name)")
                if (try? fileStatus(path))?.size == 0 { return true }
                guard let bytes = try? readRegularFile(path, limit: 1 << 20) else { return false }
                let text = trimmingSpaces(String(decoding: bytes, as: UTF8.self))
                return !(text.hasPrefix("-----BEGIN ") && text.hasSuffix("PRIVATE KEY-----"))
            }
            if bad.isEmpty, !keys.isEmpty { return .ok("the machine has its keys for SSH") }
            let reason =
                keys.isEmpty
                ? "the machine has no keys for SSH" : "\(bad.joined(separator: ", ")) cannot be read as a key"
            let verdict = isSSHOn(context) || !bad.isEmpty ? DoctorState.failed : .ok
            if verdict == .ok { return .ok("SSH is off, and its keys are made when it is switched on") }
            return .failed(
                reason, cure: "'sudo ssh-keygen -A' makes new ones once the damaged ones are away",
                fix: newHostKeys(bad, context.machine))
        },
        DoctorCheck("login-shell") { context in
            let player = context.player
            guard player.user != nil else {
                return context.exists("etc/retro")
                    ? .failed(
                        "there is no account \(player.name)",
                        cure: "'sudo adduser --system --group --shell /bin/bash \(player.name)', or install the "
                            + "appliance again")
                    : .ok("no account of its own plays here")
            }
            guard player.home != "/", !fileExists(context.machine.path("").appending(relative(player.home))) else {
                return .ok("\(player.name) has a home folder")
            }
            return .warning(
                "the home folder of \(player.name), \(player.home), is not there",
                cure: "'sudo mkhomedir_helper \(player.name)' makes it")
        },
    ]

    /// An absolute path of the machine as one below its root.
    static func relative(_ path: BytePath) -> BytePath { path.relative(to: "/") ?? "" }

    static func isSSHOn(_ context: DoctorContext) -> Bool {
        context.running.contains("sshd")
            || ["ssh.service", "sshd.service", "ssh.socket"].contains(where: context.isEnabled)
    }

    private static func newHostKeys(_ bad: [String], _ machine: Machine) -> StepPlan {
        let folder = machine.path("etc/ssh")
        return StepPlan([
            Step(
                "new-host-keys", "Put damaged keys of SSH aside and make new ones", command: ["ssh-keygen", "-A"],
                act: { () throws(ApplianceError) in
                    for name in bad {
                        try system { () throws(SystemError) in
                            try renameFile(folder.appending(name), to: folder.appending(name + ".damaged"))
                        }
                    }
                    let root = machine.path("")
                    try machine.programs.demand(
                        "ssh-keygen", root == "/" ? ["-A"] : ["-A", "-f", root], package: "openssh-client")
                },
                check: { () throws(ApplianceError) in
                    let names = try system { () throws(SystemError) in try directoryNames(folder) }
                    let keys = names.map(\.displayString).filter { $0.hasPrefix("ssh_host_") && $0.hasSuffix("_key") }
                    let isEmpty = keys.contains { ((try? fileStatus(folder.appending($0)))?.size ?? 0) == 0 }
                    return keys.isEmpty || isEmpty ? "there are still no sound keys" : nil
                })
        ])
    }
}
