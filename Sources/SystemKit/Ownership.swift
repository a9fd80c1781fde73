internal import Glibc

/// What a process became when it gave up being root.
public struct AdoptedUser: Sendable, Equatable {
    /// The account's name; its number where it has none.
    public let name: String
    /// The environment variables that say who one is.
    public let environment: [String: String]
}

/// Makes a process that runs as root act as the owner of a folder from now on, for good.
///
/// Files that root leaves between a person's own cannot be changed by the menu, which is not root. The owner's groups
/// come along, so that controllers and the screen stay usable, and so do `HOME`, `USER` and `LOGNAME`.
/// - Returns: `nil` where nothing had to be done: the process is not root, or the folder is root's or absent.
/// - Throws: `SystemError` of the call that failed; the process must not go on then.
public func becomeOwner(of folder: BytePath) throws(SystemError) -> AdoptedUser? {
    guard geteuid() == 0, let status = try? fileStatus(folder), status.owner != 0 else { return nil }
    let entry = getpwuid(status.owner)
    let name = entry.map { String(cString: $0.pointee.pw_name) } ?? String(status.owner)
    let home = entry.map { String(cString: $0.pointee.pw_dir) } ?? "/"
    let group = entry?.pointee.pw_gid ?? gid_t(status.owner)
    let groups = entry == nil ? setgroups(0, nil) : initgroups(name, group)
    guard groups == 0 else { throw SystemError(call: "initgroups", subject: name, code: errno) }
    guard setgid(group) == 0 else { throw SystemError(call: "setgid", subject: name, code: errno) }
    guard setuid(status.owner) == 0 else { throw SystemError(call: "setuid", subject: name, code: errno) }
    let environment = ["HOME": home, "USER": name, "LOGNAME": name]
    for (name, value) in environment { setenv(name, value, 1) }
    return AdoptedUser(name: name, environment: environment)
}
