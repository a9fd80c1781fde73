import SystemKit

/// Adds and removes keys that may log in over the network.
struct AuthorisedKeys {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    func plan(adding key: AuthorisedKey) throws(ApplianceError) -> StepPlan {
        let account = try loginAccount(machine)
        let path = AccountFacts.keysFile(of: account, machine)
        let old = try contents(path)
        let isThere = AuthorisedKey.all(in: old).contains { $0.type == key.type && $0.blob == key.blob }
        if isThere, isSafe(path, account) { return StepPlan([]) }
        var new = old
        if !isThere {
            if let last = new.last, last != 0x0A { new.append(0x0A) }
            new += Array(key.line.utf8) + [0x0A]
        }
        return try plan("add-key", "Let the key \(name(key)) log in as \(account.name)", account, new)
    }

    func plan(removing blob: String) throws(ApplianceError) -> StepPlan {
        let account = try loginAccount(machine)
        let path = AccountFacts.keysFile(of: account, machine)
        guard !blob.isEmpty, let key = AuthorisedKey.all(in: try contents(path)).first(where: { $0.blob == blob })
        else {
            throw .notFound("there is no such key; 'retro-admin system ssh keys' lists them")
        }
        // Lines that are nobody's key stay as they are: comments, and keys with options of the person's own.
        let lines = try contents(path).split(separator: 0x0A, omittingEmptySubsequences: false).filter { line in
            (try? AuthorisedKey(String(decoding: line, as: UTF8.self)))?.blob != blob
        }
        let new = Array(lines.joined(separator: [0x0A]))
        return try plan("remove-key", "Let the key \(name(key)) no longer log in as \(account.name)", account, new)
    }

    private func name(_ key: AuthorisedKey) -> String { key.comment.isEmpty ? "...\(key.ending)" : key.comment }

    private func contents(_ path: BytePath) throws(ApplianceError) -> [UInt8] {
        do throws(SystemError) { return try readRegularFile(path, limit: 1 << 20) } catch {
            if error.isNotFound { return [] }
            throw .system(error)
        }
    }

    private func plan(
        _ step: String, _ summary: String, _ account: Account, _ new: [UInt8]
    ) throws(ApplianceError) -> StepPlan {
        let home = AccountFacts.home(of: account, machine)
        guard (try? fileStatus(home))?.kind == .directory else {
            throw .notFound("\(account.name) has no home folder: \(account.home.displayString)")
        }
        let folder = home.appending(".ssh")
        let path = folder.appending("authorized_keys")
        return StepPlan([
            Step(
                step, summary,
                act: { () throws(ApplianceError) in
                    try system { () throws(SystemError) in
                        // Root follows no link here: it would write where somebody else wants it to.
                        try withFolder(
                            folder, user: account.user, group: account.group, permissions: 0o700
                        ) { (folder) throws(SystemError) in
                            try replaceFile(
                                at: folder.appending("authorized_keys"), with: new, permissions: 0o600,
                                user: account.user, group: account.group)
                        }
                    }
                },
                check: { () throws(ApplianceError) in
                    let isRight = (try? readRegularFile(path, limit: 1 << 20)) == new
                    return isRight && self.isSafe(path, account)
                        ? nil : "\(path.displayString) is not as it was written"
                })
        ])
    }

    /// Whether the SSH server would accept the file: the account's own, for nobody else to write.
    private func isSafe(_ path: BytePath, _ account: Account) -> Bool {
        guard let file = try? fileStatus(path, followLinks: false), file.kind == .regular,
            let folder = try? fileStatus(path.parent, followLinks: false), folder.kind == .directory
        else { return false }
        return [file, folder].allSatisfy { $0.owner == account.user && $0.permissions & 0o077 == 0 }
    }
}
