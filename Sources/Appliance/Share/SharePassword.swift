import SystemKit

/// The password of the share's user: kept where the menu may read it, so that the television can show it.
enum SharePassword {
    /// Below `Machine.state`.
    static let file = "share-password"

    /// Letters and digits that nobody takes for another one on a television across the room.
    private static let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")

    /// A new one: three groups of four, about 59 bits.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        let groups = (0..<3).map { _ in
            String((0..<4).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] })
        }
        return groups.joined(separator: "-")
    }

    /// The one that is set; `nil` where there is none, or this process may not know it.
    static func read(_ files: MachineFacts.Sources) -> String? {
        guard let bytes = try? readRegularFile(files.path("var/lib/retro-machine/\(file)"), limit: 4096),
            let text = BytePath(bytes: bytes.prefix { $0 != 0x0A }).validUTF8, !text.isEmpty
        else { return nil }
        return text
    }

    /// The step that keeps it, for root to change and the player to read.
    static func step(_ password: String, _ player: Account, _ machine: Machine) -> Step {
        let path = machine.state.appending(file)
        return Step(
            "keep-password", "Keep the share's password where the menu can show it",
            act: { () throws(ApplianceError) in
                try system { () throws(SystemError) in
                    try createDirectories(machine.state)
                    try replaceFile(
                        at: path, with: Array("\(password)\n".utf8), permissions: 0o640, user: currentUserID,
                        group: player.group)
                }
            },
            check: { () throws(ApplianceError) in
                guard let status = try? fileStatus(path, followLinks: false), status.kind == .regular,
                    status.permissions == 0o640, status.group == player.group
                else { return "\(path.displayString) does not belong to root and the player" }
                return read(machine.files) == password ? nil : "\(path.displayString) does not hold the new password"
            })
    }
}

/// Samba's own list of users.
struct SambaUsers {
    let machine: Machine

    /// Whether Samba lets a user in with a password; `nil` where it cannot be asked.
    func accepts(_ user: String, _ password: String) -> Bool? {
        // Asking makes the list where there is none, and who only looks must change nothing.
        guard fileExists(machine.path("var/lib/samba/private/passdb.tdb")) else { return nil }
        guard
            let result = try? machine.programs.run(
                "pdbedit", ["-L", "-w", "-u", BytePath(user)], package: "samba", seconds: 30)
        else { return nil }
        guard result.succeeded else { return false }
        // name:uid:LM:NT:[flags]:time
        for line in result.text.split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count >= 5, fields[0] == user else { continue }
            return fields[3] == NTHash.text(of: password) && !fields[4].contains("D") && !fields[4].contains("N")
        }
        return false
    }

    /// The step that makes the user, or changes its password.
    func step(_ user: String, _ password: String) -> Step {
        let machine = machine
        return Step(
            "share-user", "Let \(user) into the share with the password", command: ["smbpasswd", "-s", "-a", user],
            act: { () throws(ApplianceError) in
                let lines = Array("\(password)\n\(password)\n".utf8)
                let result = try machine.programs.run(
                    "smbpasswd", ["-s", "-a", BytePath(user)], package: "samba-common-bin", input: lines)
                guard result.succeeded else {
                    throw .failed("smbpasswd", detail: "the share's password was not changed")
                }
                // One that was switched off by hand stays so otherwise.
                try machine.programs.demand("smbpasswd", ["-e", BytePath(user)], package: "samba-common-bin")
            },
            check: { () throws(ApplianceError) in
                accepts(user, password) == true ? nil : "Samba does not let \(user) in with the new password"
            })
    }
}
