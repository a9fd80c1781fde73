import SystemKit

/// Login over the network, on and off.
struct SecureShell {
    private static let kinds = ["rsa", "ecdsa", "ed25519"]
    /// A drop-in that `sshd_config` of Debian 12 and 13 includes.
    private static let settingsPath = "etc/ssh/sshd_config.d/10-retro.conf"
    private static let settings = """
        # Written by 'retro-admin system ssh on'.
        PermitEmptyPasswords no
        PermitRootLogin prohibit-password
        # The account that plays logs in nowhere.
        DenyUsers \(DoorServer.player)

        """

    private let machine: Machine
    private let services: Services

    init(_ machine: Machine) {
        self.machine = machine
        services = Services(machine)
    }

    func planOn() throws(ApplianceError) -> StepPlan {
        guard isExecutable(machine.path("usr/sbin/sshd")) else {
            throw .missingProgram("sshd", package: "openssh-server")
        }
        let facts = AccountFacts.read(machine)
        guard let user = facts.loginUser else { throw try SecureShell.noAccount(machine) }
        let change = "set one with 'retro-admin system password' or in the settings"
        switch facts.password {
        case .empty: throw .refused("\(user) logs in without a password, so everybody could; \(change)")
        case .published:
            throw .refused("\(user) still has the password that images come with, so everybody could log in; \(change)")
        case .locked where facts.keys?.isEmpty ?? true:
            throw .refused("\(user) has neither a password nor a key, so nobody could log in; \(change), or add a key")
        case .unknown:
            // Only root sees more, and only root carries this out.
            break
        case .locked, .set: break
        }
        var steps: [Step] = []
        if machine.files.text(SecureShell.settingsPath) == nil || !hasSettings { steps.append(settingsStep()) }
        if !brokenKeys().isEmpty || !hasKeys { steps.append(keysStep()) }
        if !(facts.isSSHRunning && facts.isSSHEnabled) || !steps.isEmpty { steps.append(startStep()) }
        return StepPlan(steps)
    }

    func planOff() throws(ApplianceError) -> StepPlan {
        let facts = AccountFacts.read(machine)
        guard facts.hasSSH, facts.isSSHRunning || facts.isSSHEnabled else { return StepPlan([]) }
        let services = services
        // With a socket the server would be started again by whoever knocks.
        let units = ["ssh.socket", unit].filter { services.has($0) || $0 == unit }
        let step = Step(
            "stop-ssh", "Stop the SSH server", command: ["systemctl", "disable", "--now"] + units,
            act: { () throws(ApplianceError) in for unit in units { try services.disable(unit) } },
            check: { () throws(ApplianceError) in
                for unit in units where try services.isActive(unit, patience: 5) { return "\(unit) still runs" }
                return nil
            })
        return StepPlan([step], notes: ["Who is logged in stays so until they leave."])
    }

    private static func noAccount(_ machine: Machine) throws(ApplianceError) -> ApplianceError {
        _ = try loginAccount(machine)
        return .notFound("there is no account that people log in with")
    }

    private var unit: String {
        services.has("ssh.service") || !services.has("sshd.service") ? "ssh.service" : "sshd.service"
    }

    private var hasSettings: Bool {
        (try? readFile(machine.path(SecureShell.settingsPath), limit: 1 << 16)) == Array(SecureShell.settings.utf8)
    }

    private func settingsStep() -> Step {
        let path = machine.path(SecureShell.settingsPath)
        return Step(
            "ssh-settings", "Let nobody log in without a password or as root with one",
            act: { () throws(ApplianceError) in
                try system { () throws(SystemError) in
                    try createDirectories(path.parent)
                    try replaceFile(at: path, with: Array(SecureShell.settings.utf8))
                }
            },
            check: { () throws(ApplianceError) in
                (try? readFile(path, limit: 1 << 16)) == Array(SecureShell.settings.utf8)
                    ? nil : "\(path.displayString) is not as it was written"
            })
    }

    private func keyPath(_ kind: String) -> BytePath { machine.path("etc/ssh/ssh_host_\(kind)_key") }

    private var hasKeys: Bool { SecureShell.kinds.contains { fileExists(keyPath($0)) } }

    /// Host keys that do not parse: a power cut in the first boot leaves empty ones, and no server starts with them.
    private func brokenKeys() -> [BytePath] {
        SecureShell.kinds.map(keyPath).filter { path in
            guard let status = try? fileStatus(path) else { return false }
            guard status.size > 0 else { return true }
            // Looking at a key needs its file, which is root's; whoever may not look does not call it broken.
            guard (try? readFile(path, limit: 1 << 16)) != nil else { return false }
            let arguments: [BytePath] = ["-y", "-P", "", "-f", path]
            return (try? machine.programs.run("ssh-keygen", arguments, package: "openssh-client"))?.succeeded == false
        }
    }

    private func keysStep() -> Step {
        let machine = machine
        let shell = self
        return Step(
            "host-keys", "Make new keys for the SSH server", command: ["ssh-keygen", "-A"],
            act: { () throws(ApplianceError) in
                for path in shell.brokenKeys() {
                    try system { () throws(SystemError) in
                        try removeFile(path)
                        try removeFile(BytePath(bytes: path.bytes + Array(".pub".utf8)))
                    }
                }
                let root = machine.files.filesystem
                let arguments: [BytePath] = root == "/" ? ["-A"] : ["-A", "-f", root]
                try machine.programs.demand("ssh-keygen", arguments, package: "openssh-client", seconds: 300)
                // They must outlive a plug that is pulled right now: this is when the empty ones came to be.
                try system { () throws(SystemError) in
                    for kind in SecureShell.kinds where fileExists(shell.keyPath(kind)) {
                        try synchronizeFile(shell.keyPath(kind))
                    }
                    try synchronizeDirectory(machine.path("etc/ssh"))
                }
            },
            check: { () throws(ApplianceError) in
                shell.hasKeys && shell.brokenKeys().isEmpty ? nil : "the keys of the SSH server are still damaged"
            })
    }

    private func startStep() -> Step {
        let services = services
        let unit = unit
        return Step(
            "start-ssh", "Start the SSH server, now and with the machine", command: Services.enableCommand(unit),
            act: { () throws(ApplianceError) in try services.enable(unit) },
            check: { () throws(ApplianceError) in
                guard try services.isActive(unit) else {
                    return "the SSH server does not run; 'journalctl -u ssh' may say why"
                }
                return try services.isEnabled(unit) ? nil : "the SSH server does not start with the machine"
            })
    }
}
