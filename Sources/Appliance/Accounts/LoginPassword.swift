import SystemKit

/// Sets the password of the account that people log in with.
struct LoginPassword {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    func plan(password: String) throws(ApplianceError) -> StepPlan {
        let account = try loginAccount(machine)
        let hostName = machine.files.text("etc/hostname") ?? ""
        if let problem = PasswordRules.loginProblem(password, user: account.name, hostName: hostName) { throw problem }
        return plan(account, arguments: [], secret: password) { hash in passwordMatches(password, hash: hash) }
    }

    func plan(hash: String) throws(ApplianceError) -> StepPlan {
        let account = try loginAccount(machine)
        guard LoginPassword.isHash(hash) else {
            throw .badValue(of: "the password's hash", expected: "one that 'openssl passwd -6' or 'mkpasswd' prints")
        }
        let hostName = machine.files.text("etc/hostname") ?? ""
        if PasswordRules.isPublished(hash: hash, user: account.name, hostName: hostName) {
            throw .refused("this password is one that everybody tries first; choose another one")
        }
        if AccountFacts.hash(of: account.name, machine) == hash { return StepPlan([]) }
        return plan(account, arguments: ["-e"], secret: hash) { $0 == hash }
    }

    private func plan(
        _ account: Account, arguments: [BytePath], secret: String, isRight: @escaping @Sendable (String) -> Bool
    ) -> StepPlan {
        let machine = machine
        let words = ["chpasswd"] + arguments.map(\.displayString)
        let step = Step(
            "set-password", "Set the password of \(account.name)", command: words,
            act: { () throws(ApplianceError) in
                let line = Array("\(account.name):\(secret)\n".utf8)
                let result = try machine.programs.run("chpasswd", arguments, package: "passwd", input: line)
                // What it says may quote its input.
                guard result.succeeded else {
                    throw .failed("chpasswd", detail: "the password was not changed")
                }
            },
            check: { () throws(ApplianceError) in
                guard let hash = AccountFacts.hash(of: account.name, machine) else {
                    return "the password of \(account.name) cannot be read back"
                }
                return isRight(hash) ? nil : "the password of \(account.name) is not the new one"
            })
        return StepPlan([step])
    }

    /// Whether it is a hash of one of the methods that are strong enough, and nothing else: no lock, no other field.
    static func isHash(_ text: String) -> Bool {
        let fields = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard text.utf8.count <= 384, fields.count >= 4, fields[0].isEmpty,
            ["y", "gy", "7", "2b", "2y", "6", "5"].contains(fields[1]), (fields.last?.count ?? 0) >= 22
        else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "$"),
                UInt8(ascii: "="), UInt8(ascii: ","):
                true
            default: false
            }
        }
    }
}
