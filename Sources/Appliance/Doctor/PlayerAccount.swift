public import SystemKit

/// The account that plays: the owner of the data, else the one that the appliance makes.
public struct PlayerAccount: Sendable, Equatable {
    /// Its name; its number where it has none.
    public let name: String
    /// Its number; `nil` where there is no such account.
    public let user: UInt32?
    /// Its own group, and those that it is a member of.
    public let groups: [UInt32: String]
    /// Its home folder.
    public let home: BytePath

    /// Finds it on a machine.
    static func find(_ machine: Machine) -> PlayerAccount {
        let accounts = machine.files.lines("etc/passwd").map { fields($0) }.filter { $0.count >= 6 }
        let owner = [machine.data.root, machine.data.state].lazy.compactMap { try? fileStatus($0).owner }.first
        let wanted = owner.flatMap { $0 == 0 ? nil : $0 }
        let account =
            wanted.map { number in accounts.first { UInt32($0[2]) == number } }
            ?? accounts.first { $0[0] == "retro" }
        guard let account, let user = UInt32(account[2]) else {
            return PlayerAccount(name: wanted.map(String.init) ?? "retro", user: wanted, groups: [:], home: "/")
        }
        var groups: [UInt32: String] = [:]
        for line in machine.files.lines("etc/group") {
            let parts = fields(line)
            guard parts.count >= 4, let number = UInt32(parts[2]) else { continue }
            let members = parts[3].split(separator: ",").map { trimmingSpaces($0) }
            if members.contains(account[0]) || UInt32(account[3]) == number { groups[number] = parts[0] }
        }
        if let own = UInt32(account[3]), groups[own] == nil { groups[own] = String(own) }
        return PlayerAccount(name: account[0], user: user, groups: groups, home: BytePath(account[5]))
    }

    private static func fields(_ line: String) -> [String] {
        line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    }

    /// Whether the permission bits let it do something with a file: 4 reads, 2 writes, 1 enters.
    func may(_ bits: UInt32, _ status: FileStatus) -> Bool {
        guard let user, user != 0 else { return true }
        if status.owner == user { return status.permissions >> 6 & bits == bits }
        if groups[status.group] != nil { return status.permissions >> 3 & bits == bits }
        return status.permissions & bits == bits
    }
}
