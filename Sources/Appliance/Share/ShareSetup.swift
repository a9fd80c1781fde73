import SystemKit

/// Turns the share on and off, and changes who gets in.
struct ShareSetup {
    private let machine: Machine
    private let services: Services
    private let file: SambaFile

    init(_ machine: Machine) {
        self.machine = machine
        services = Services(machine)
        file = SambaFile(machine: machine)
    }

    func planOn(_ given: String?) throws(ApplianceError) -> StepPlan {
        try demandSamba()
        let player = try player()
        let password = try given.map { (text) throws(ApplianceError) in try checked(text, player) }
        let kept = SharePassword.read(machine.files)
        let wanted = password ?? kept ?? SharePassword.make()
        let settings = try settings(player, isGuestAllowed: ShareFacts.isGuestAllowed(machine.files))
        var steps: [Step] = []
        // A link may lead anywhere, to a disk of the person's or not: whose that is stays as it is.
        let links = settings.folders.map(\.path).filter {
            (try? fileStatus($0, followLinks: false))?.kind == .symbolicLink
        }
        let folders = settings.folders.map(\.path).filter { !links.contains($0) && !isPlayers($0, player) }
        if !folders.isEmpty { steps.append(foldersStep(folders, player)) }
        if let login = Accounts.read(machine).login, let step = groupStep(login, settings.group, player) {
            steps.append(step)
        }
        if wanted != kept { steps.append(SharePassword.step(wanted, player, machine)) }
        let isChanged = try isChanged(settings)
        if isChanged { steps.append(try settingsStep(settings)) }
        let isNew = !file.isIncluded(try file.contents())
        if isNew { steps.append(includeStep(settings)) }
        let users = SambaUsers(machine: machine)
        if users.accepts(player.name, wanted) != true { steps.append(users.step(player.name, wanted)) }
        var notes = try conflicts(settings)
        notes += links.map { "\($0.displayString) is a link; who owns what is behind it was left alone." }
        if machine.programs.find("systemctl") == nil {
            notes.append("This machine has no systemd: start smbd the way it starts its services.")
        } else {
            let units = ShareAnnouncement.units(services)
            if isChanged || !steps.isEmpty || !isRunning(units) { steps.append(startStep(units, isNew: isNew)) }
        }
        // Behind the start: what a Samba without our settings announces by itself would shut ours out.
        if let step = ShareAnnouncement(machine: machine).onStep() { steps.append(step) }
        if !settings.hasModules {
            notes.append("Names and labels of Macs are kept better when samba-vfs-modules is installed.")
        }
        notes += ShareAnnouncement(machine: machine).notes()
        return StepPlan(steps, notes: notes)
    }

    func planOff() throws(ApplianceError) -> StepPlan {
        let contents = try file.contents()
        var steps: [Step] = []
        if file.isIncluded(contents) { steps.append(excludeStep()) }
        if let step = ShareAnnouncement(machine: machine).offStep() { steps.append(step) }
        let own = try ownShares()
        let hasServices = machine.programs.find("systemctl") != nil
        guard own.isEmpty else {
            if !steps.isEmpty, hasServices { steps.append(reloadStep()) }
            return StepPlan(
                steps, notes: ["Samba goes on: smb.conf has other shares, \(own.joined(separator: ", "))."])
        }
        if hasServices {
            let units = ShareAnnouncement.units(services)
            if isProgramRunning("smbd", machine.files) || units.contains(where: isEnabled) {
                steps.append(stopStep(units))
            }
        }
        return StepPlan(steps)
    }

    func planGuest(_ isAllowed: Bool) throws(ApplianceError) -> StepPlan {
        try demandSamba()
        let player = try player()
        let settings = try settings(player, isGuestAllowed: isAllowed)
        guard try isChanged(settings) else { return StepPlan([]) }
        var steps = [try settingsStep(settings)]
        if isProgramRunning("smbd", machine.files), machine.programs.find("systemctl") != nil {
            steps.append(reloadStep())
        }
        return StepPlan(steps, notes: isAllowed ? [ShareFacts.guestExplanation] : [])
    }

    func planPassword(_ text: String) throws(ApplianceError) -> StepPlan {
        try demandSamba()
        let player = try player()
        let password = try checked(text, player)
        let users = SambaUsers(machine: machine)
        var steps: [Step] = []
        if SharePassword.read(machine.files) != password {
            steps.append(SharePassword.step(password, player, machine))
        }
        if users.accepts(player.name, password) != true { steps.append(users.step(player.name, password)) }
        return StepPlan(steps, notes: ["Who is connected stays so; new connections need the new password."])
    }

    // What is there

    private func demandSamba() throws(ApplianceError) {
        guard isExecutable(machine.path("usr/sbin/smbd")) || machine.programs.find("smbd") != nil else {
            throw .missingProgram("smbd", package: "samba")
        }
    }

    private func player() throws(ApplianceError) -> Account { try ShareSetup.player(machine) }

    static func player(_ machine: Machine) throws(ApplianceError) -> Account {
        guard let player = Accounts.read(machine).player(of: machine), player.user != 0 else {
            throw .notFound(
                "there is no account that plays; 'useradd --system --home-dir /var/lib/retro retro' makes it")
        }
        return player
    }

    private func checked(_ password: String, _ player: Account) throws(ApplianceError) -> String {
        let hostName = machine.files.text("etc/hostname") ?? ""
        if let problem = PasswordRules.shareProblem(password, user: player.name, hostName: hostName) { throw problem }
        return password
    }

    private func settings(_ player: Account, isGuestAllowed: Bool) throws(ApplianceError) -> ShareSettings {
        let name = machine.files.text("proc/sys/kernel/hostname") ?? ""
        return ShareSettings(
            folders: ShareSettings.folders(of: machine.data), user: player.name,
            group: Accounts.read(machine).groupName(of: player) ?? player.name, isGuestAllowed: isGuestAllowed,
            hidesHomes: try file.ownSections().sections["homes"] != nil,
            hasModules: ShareSettings.hasModules(machine.files),
            alias: name.lowercased() == "retropie" ? nil : "RETROPIE")
    }

    private func isChanged(_ settings: ShareSettings) throws(ApplianceError) -> Bool {
        let text = Array(try settings.text().utf8)
        return (try? readRegularFile(file.ownPath, limit: 1 << 20)) != text
    }

    /// Whether a folder is the player's, with rights that its group shares.
    private func isPlayers(_ path: BytePath, _ player: Account) -> Bool {
        guard let status = try? fileStatus(path), status.kind == .directory else { return false }
        return status.owner == player.user && status.permissions & 0o2775 == 0o2775
    }

    /// The person's own shares: what smb.conf has beside ours and what Debian puts there.
    private func ownShares() throws(ApplianceError) -> [String] {
        try file.ownSections().names.filter {
            !["global", "homes", "printers", "print$"].contains($0.lowercased())
        }.map { BytePath($0).displayString }
    }

    private func conflicts(_ settings: ShareSettings) throws(ApplianceError) -> [String] {
        let own = try file.ownSections()
        var notes: [String] = []
        for name in try ownShares() {
            if settings.folders.contains(where: { $0.name == name.lowercased() }) {
                notes.append(
                    "smb.conf has a share called \(name) too; while ours is on, that name leads to \(machine.data.root.displayString)."
                )
                continue
            }
            let path = own.value(["path", "directory"], in: name).map { BytePath($0) }
            if let path, settings.folders.contains(where: { $0.path == path || $0.path.relative(to: path) != nil }) {
                notes.append("smb.conf also shares \(path.displayString) as \(name), by rules of its own.")
            }
            let isOpen = ShareFacts.isYes(own.value(["guestok", "public"], in: name) ?? "no")
            if isOpen, !settings.isGuestAllowed {
                notes.append(
                    "The share \(name) of smb.conf was open for everybody; while ours is on, it needs a password.")
            }
        }
        return notes
    }

    private func isEnabled(_ unit: String) -> Bool {
        (try? fileStatus(machine.path("etc/systemd/system/multi-user.target.wants/\(unit)"), followLinks: false)) != nil
    }

    private func isRunning(_ units: [String]) -> Bool {
        isProgramRunning("smbd", machine.files) && units.allSatisfy(isEnabled)
    }

    // Steps

    private func foldersStep(_ folders: [BytePath], _ player: Account) -> Step {
        let setup = self
        let names = folders.map { $0.name.displayString }.joined(separator: ", ")
        return Step(
            "make-folders", "Make the folders \(names) and give them to \(player.name)",
            act: { () throws(ApplianceError) in
                try system { () throws(SystemError) in
                    for folder in folders {
                        try createDirectories(folder)
                        var repair = OwnershipRepair(user: player.user, group: player.group)
                        try repair.mendOnly(folder)
                    }
                }
            },
            check: { () throws(ApplianceError) in
                folders.first { !setup.isPlayers($0, player) }
                    .map { "\($0.displayString) does not belong to \(player.name), or its disk keeps no owners" }
            })
    }

    /// Games that a person copies over SSH must be the player's too: the group may write.
    private func groupStep(_ login: Account, _ group: String, _ player: Account) -> Step? {
        let machine = machine
        @Sendable func isMember() -> Bool {
            let accounts = Accounts.read(machine)
            return accounts.named(login.name)?.group == player.group
                || accounts.groups[group]?.members.contains(login.name) == true
        }
        guard login.name != player.name, Accounts.read(machine).groups[group] != nil, !isMember() else { return nil }
        return Step(
            "join-group", "Let \(login.name) change the games too", command: ["gpasswd", "-a", login.name, group],
            act: { () throws(ApplianceError) in
                try machine.programs.demand(
                    "gpasswd", ["-a", BytePath(login.name), BytePath(group)], package: "passwd")
            },
            check: { () throws(ApplianceError) in isMember() ? nil : "\(login.name) is not in the group \(group)" })
    }

    private func settingsStep(_ settings: ShareSettings) throws(ApplianceError) -> Step {
        let text = try settings.text()
        let file = file
        return Step(
            "write-settings", "Write the settings of the share to \(file.ownPath.displayString)",
            act: { () throws(ApplianceError) in
                try system { () throws(SystemError) in try createDirectories(file.ownPath.parent) }
                try file.test(text)
                try system { () throws(SystemError) in try replaceFile(at: file.ownPath, with: Array(text.utf8)) }
            },
            check: { () throws(ApplianceError) in
                (try? readFile(file.ownPath, limit: 1 << 20)) == Array(text.utf8)
                    ? nil : "\(file.ownPath.displayString) is not as it was written"
            })
    }

    private func includeStep(_ settings: ShareSettings) -> Step {
        let file = file
        return Step(
            "include-settings", "Let smb.conf include them; the rest of it stays as it is",
            act: { () throws(ApplianceError) in
                let before = try file.contents()
                let contents = file.including(before)
                try system { () throws(SystemError) in try replaceFile(at: file.path, with: contents) }
                do throws(ApplianceError) { _ = try file.understood() } catch {
                    // What Samba does not take it shall not have: the person's file is as it was.
                    try system { () throws(SystemError) in
                        if before.isEmpty {
                            try removeFile(file.path)
                        } else {
                            try replaceFile(at: file.path, with: before)
                        }
                    }
                    throw error
                }
            },
            check: { () throws(ApplianceError) in
                let understood = try file.understood()
                for folder in settings.folders {
                    guard understood.value(["path"], in: folder.name) == folder.path.validUTF8 else {
                        return "Samba does not share \(folder.name)"
                    }
                }
                return nil
            })
    }

    private func excludeStep() -> Step {
        let file = file
        return Step(
            "remove-settings", "Let smb.conf no longer include the share",
            act: { () throws(ApplianceError) in
                let contents = file.excluding(try file.contents())
                try system { () throws(SystemError) in try replaceFile(at: file.path, with: contents) }
            },
            check: { () throws(ApplianceError) in
                file.isIncluded(try file.contents()) ? "smb.conf still includes the share" : nil
            })
    }

    /// - Parameter isNew: Samba runs without our settings; some of them it reads only when it starts.
    private func startStep(_ units: [String], isNew: Bool) -> Step {
        let services = services
        return Step(
            "start", "Start the share, now and with the machine", command: ["systemctl", "enable", "--now"] + units,
            act: { () throws(ApplianceError) in for unit in units { try services.enable(unit, isAnew: isNew) } },
            check: { () throws(ApplianceError) in
                for unit in units where try !services.isActive(unit) {
                    return "\(unit) does not run; 'journalctl -u \(unit)' may say why"
                }
                return try services.isEnabled("smbd.service") ? nil : "the share does not start with the machine"
            })
    }

    private func stopStep(_ units: [String]) -> Step {
        let services = services
        return Step(
            "stop", "Stop the share", command: ["systemctl", "disable", "--now"] + units,
            act: { () throws(ApplianceError) in for unit in units { try services.disable(unit) } },
            check: { () throws(ApplianceError) in
                for unit in units where try services.isActive(unit, patience: 5) { return "\(unit) still runs" }
                return nil
            })
    }

    private func reloadStep() -> Step {
        let services = services
        return Step(
            "reload", "Let Samba read its settings again", command: ["systemctl", "reload", "smbd.service"],
            act: { () throws(ApplianceError) in try services.reload("smbd.service") },
            check: { () throws(ApplianceError) in
                try services.isActive("smbd.service") ? nil : "smbd does not run; 'journalctl -u smbd' may say why"
            })
    }
}
