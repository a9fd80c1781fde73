internal import CLinux
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

/// Replaces a file as a whole, as `replaceFile` does, and gives it to an account in the same moment.
///
/// A link with that name is replaced, not followed.
/// - Parameter permissions: the file's mode from now on.
/// - Throws: `SystemError` of the first step that failed; the old file is then unchanged.
public func replaceFile(
    at path: BytePath, with contents: [UInt8], permissions: UInt32, user: UInt32, group: UInt32
) throws(SystemError) {
    let name = Array(".".utf8) + path.name.bytes + Array(".\(getpid())-\(nextSerial()).tmp".utf8)
    let temporary = path.parent.appending(BytePath(bytes: name))
    do {
        let file = try Descriptor.open(temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        let value = file.rawValue
        try file.writeAll(contents, subject: temporary)
        _ = try retrying("fchown", temporary.displayString) { fchown(value, user, group) }
        _ = try retrying("fchmod", temporary.displayString) { fchmod(value, permissions) }
        try file.synchronize(subject: temporary)
        try renameFile(temporary, to: path)
    } catch {
        _ = temporary.withCString { unlink($0) }
        throw error
    }
    try synchronizeDirectory(path.parent)
}

/// Whether a password is the one of a hash as `/etc/shadow` has it; `false` for a hash that is none.
public func passwordMatches(_ password: String, hash: String) -> Bool {
    clinux_password_matches(password, hash) != 0
}
