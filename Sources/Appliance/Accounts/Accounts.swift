import SystemKit

/// An account of the machine, from `/etc/passwd`.
struct Account: Sendable, Equatable {
    let name: String
    let user: UInt32
    let group: UInt32
    let home: BytePath
    let shell: String

    /// Whether a person can log in with it.
    var isForPeople: Bool {
        (1000..<60_000).contains(user) && shell.hasPrefix("/") && !shell.hasSuffix("/nologin")
            && !shell.hasSuffix("/false")
    }
}

/// The accounts and groups of the machine, from its own files.
struct Accounts: Sendable {
    let all: [Account]
    /// Group name -> number and members.
    let groups: [String: (number: UInt32, members: [String])]

    /// Reads them now; lines that are no accounts are passed over.
    static func read(_ machine: Machine) -> Accounts {
        let accounts = machine.files.lines("etc/passwd").compactMap { line -> Account? in
            let fields = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 7, !fields[0].isEmpty, let user = UInt32(fields[2]), let group = UInt32(fields[3])
            else { return nil }
            return Account(name: fields[0], user: user, group: group, home: BytePath(fields[5]), shell: fields[6])
        }
        var groups: [String: (number: UInt32, members: [String])] = [:]
        for line in machine.files.lines("etc/group") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 4, let number = UInt32(fields[2]) else { continue }
            groups[fields[0]] = (number, fields[3].split(separator: ",").map(String.init))
        }
        return Accounts(all: accounts, groups: groups)
    }

    func named(_ name: String) -> Account? { all.first { $0.name == name } }

    /// The account that people log in with. The imager lets its owner choose the name, so none is taken for granted:
    /// it is the first one of a person, and before others one that may become root.
    var login: Account? {
        let people = all.filter { $0.isForPeople && $0.name != DoorServer.player }.sorted { $0.user < $1.user }
        let administrators = ["sudo", "wheel", "admin"].flatMap { groups[$0]?.members ?? [] }
        return people.first { administrators.contains($0.name) } ?? people.first
    }

    /// The account that the games belong to: the player's on the appliance, else that of the person whose folder it is.
    func player(of machine: Machine) -> Account? {
        if let player = named(DoorServer.player) { return player }
        guard let owner = (try? fileStatus(machine.data.root))?.owner, owner != 0 else { return nil }
        return all.first { $0.user == owner }
    }

    /// The name of an account's own group.
    func groupName(of account: Account) -> String? { groups.first { $0.value.number == account.group }?.key }
}
