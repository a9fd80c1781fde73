import SystemKit

/// Who may log in, and what the machine is called.
public struct AccountFacts: Sendable, Equatable {
    /// What is known of the password that people log in with.
    public enum Password: String, Sendable, Equatable {
        /// Only root may look.
        case unknown
        /// There is none, so nobody gets in with one.
        case locked
        /// Logging in needs no password at all, which nobody should leave so.
        case empty
        /// It is one that images come with, which everybody knows.
        case published
        /// The person chose one.
        case set
    }

    /// The account that people log in with; `nil` where there is none.
    public let loginUser: String?
    /// What is known of its password.
    public let password: Password
    /// The keys that may log in; `nil` where they may not be read.
    public let keys: [AuthorisedKey]?
    /// Whether there is an SSH server on this machine.
    public let hasSSH: Bool
    /// Whether it runs.
    public let isSSHRunning: Bool
    /// Whether it starts with the machine.
    public let isSSHEnabled: Bool
    /// What the machine is called.
    public let hostName: String
    /// What it would be called if nobody chose a name: unique, from its serial number.
    public let defaultHostName: String

    /// Reads them now.
    public static func read(_ machine: Machine) -> AccountFacts {
        let login = Accounts.read(machine).login
        let hostName = machine.files.text("proc/sys/kernel/hostname") ?? machine.files.text("etc/hostname") ?? ""
        let wants = [
            "multi-user.target.wants/ssh.service", "multi-user.target.wants/sshd.service",
            "sockets.target.wants/ssh.socket",
        ]
        return AccountFacts(
            loginUser: login?.name,
            password: login.map { password(of: $0, hostName, machine) } ?? .unknown,
            keys: login.flatMap { keys(of: $0, machine) },
            hasSSH: isExecutable(machine.path("usr/sbin/sshd")),
            isSSHRunning: isProgramRunning("sshd", machine.files),
            isSSHEnabled: wants.contains { isLinkOrFile(machine.path("etc/systemd/system/\($0)")) },
            hostName: hostName, defaultHostName: DefaultHostName.read(machine))
    }

    private static func isLinkOrFile(_ path: BytePath) -> Bool { (try? fileStatus(path, followLinks: false)) != nil }

    /// The hash of an account's password; `nil` where it may not be read.
    static func hash(of user: String, _ machine: Machine) -> String? {
        for line in machine.files.lines("etc/shadow") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count >= 2, fields[0] == user { return String(fields[1]) }
        }
        return nil
    }

    private static func password(of account: Account, _ hostName: String, _ machine: Machine) -> Password {
        guard let hash = hash(of: account.name, machine) else { return .unknown }
        if hash.isEmpty { return .empty }
        guard hash.hasPrefix("$") else { return .locked }
        return PasswordRules.isPublished(hash: hash, user: account.name, hostName: hostName) ? .published : .set
    }

    /// Where an account's keys are on this machine.
    static func keysFile(of account: Account, _ machine: Machine) -> BytePath {
        home(of: account, machine).appending(".ssh/authorized_keys")
    }

    /// An account's home on this machine, wherever it is.
    static func home(of account: Account, _ machine: Machine) -> BytePath {
        machine.path(String(account.home.displayString.drop { $0 == "/" }))
    }

    private static func keys(of account: Account, _ machine: Machine) -> [AuthorisedKey]? {
        do throws(SystemError) {
            return AuthorisedKey.all(in: try readRegularFile(keysFile(of: account, machine), limit: 1 << 20))
        } catch { return error.isNotFound ? [] : nil }
    }
}

/// Whether a program of that name runs, from the kernel's own list.
func isProgramRunning(_ name: String, _ files: MachineFacts.Sources) -> Bool {
    guard let entries = try? directoryNames(files.path("proc")) else { return false }
    return entries.contains { entry in
        guard entry.bytes.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return false }
        guard files.text("proc/\(entry.displayString)/comm") == name else { return false }
        // One that has ended keeps its name until its parent looks.
        let words = files.text("proc/\(entry.displayString)/stat")?.split(separator: ")").last?.split(separator: " ")
        return !["Z", "X"].contains(words?.first)
    }
}

/// The name of a machine that nobody named.
enum DefaultHostName {
    /// `retro-` and four characters that come from what the maker burnt into the machine, so that two machines in one
    /// house are told apart, and the same one keeps its name on a new card.
    static func read(_ machine: Machine) -> String {
        let serial =
            machine.files.text("proc/device-tree/serial-number")
            ?? machine.files.lines("proc/cpuinfo").last { $0.hasPrefix("Serial") }
            .flatMap { $0.split(separator: ":").last.map { trimmingSpaces($0) } }
        let digits = (serial ?? "").lowercased().filter { $0.isASCII && $0.isHexDigit }
        if digits.count >= 4, digits.contains(where: { $0 != "0" }) { return "retro-\(digits.suffix(4))" }
        // A machine without a serial number: the number that its installation was given.
        guard let number = machine.files.text("etc/machine-id"), number.count >= 8 else { return "retro" }
        // FNV-1a: an installation's own number is not told to the network.
        let mixed = number.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let text = String(mixed & 0xFFFF, radix: 16)
        return "retro-" + String(repeating: "0", count: 4 - text.count) + text
    }
}
