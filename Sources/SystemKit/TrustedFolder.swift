internal import CLinux
internal import Glibc

/// Opens a folder for root to change: a link on the way counts only where nobody but root can have put it, because it is
/// root's and so is the folder that it lies in.
///
/// A path is looked up anew each time, and whoever may write in one of its folders may put a link to `/etc` there.
/// - Throws: `SystemError` of `open`; `ELOOP` for a link that somebody else may have put there.
public func openFolder(_ path: BytePath) throws(SystemError) -> Descriptor {
    var folder = try Descriptor.open("/", flags: O_RDONLY | O_DIRECTORY)
    var left = Array(path.absolute.bytes.split(separator: UInt8(ascii: "/")).reversed())
    var links = 0
    while let name = left.popLast() {
        let component = BytePath(bytes: name)
        let container = folder.rawValue
        let value = component.withCString { openat(container, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        if value >= 0 {
            folder = Descriptor(owning: value)
            continue
        }
        let code = errno
        var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let length = component.withCString { readlinkat(container, $0, &target, Int(PATH_MAX)) }
        guard length > 0 else { throw SystemError(call: "open", path: path, code: code) }
        links += 1
        guard links < 32, isRoots(component, in: container) else {
            throw SystemError(call: "open", path: path, code: ELOOP)
        }
        let words = target.prefix(length).map { UInt8(bitPattern: $0) }
        if words.first == UInt8(ascii: "/") { folder = try Descriptor.open("/", flags: O_RDONLY | O_DIRECTORY) }
        left += words.split(separator: UInt8(ascii: "/")).map { ArraySlice($0) }.reversed()
    }
    return folder
}

/// Whether a link is root's, in a folder that only root may write.
private func isRoots(_ name: BytePath, in folder: Int32) -> Bool {
    var container = stat()
    var link = stat()
    guard fstat(folder, &container) == 0,
        name.withCString({ fstatat(folder, $0, &link, AT_SYMLINK_NOFOLLOW) }) == 0
    else { return false }
    return link.st_uid == 0 && container.st_uid == 0 && container.st_mode & 0o022 == 0
}

/// Makes a folder where it is missing, gives it to an account, and lets `body` work in it.
///
/// - Parameter body: is given a path that leads to this very folder, whatever becomes of its name meanwhile.
/// - Throws: `SystemError` of the first call that failed, also where something else has that name.
public func withFolder(
    _ path: BytePath, user: UInt32, group: UInt32, permissions: UInt32,
    _ body: (BytePath) throws(SystemError) -> Void
) throws(SystemError) {
    let parent = try openFolder(path.parent)
    let container = parent.rawValue
    guard path.name.withCString({ mkdirat(container, $0, 0o700) }) == 0 || errno == EEXIST else {
        throw SystemError(call: "mkdir", path: path, code: errno)
    }
    let value = path.name.withCString { openat(container, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    guard value >= 0 else { throw SystemError(call: "open", path: path, code: errno) }
    let folder = Descriptor(owning: value)
    let number = folder.rawValue
    _ = try retrying("chown", path.displayString) { fchown(number, user, group) }
    _ = try retrying("chmod", path.displayString) { fchmod(number, permissions) }
    try body(BytePath("/proc/self/fd/\(number)"))
}

/// Flushes a file that somebody else wrote to the device.
///
/// - Throws: `SystemError` of `open` or `fsync`.
public func synchronizeFile(_ path: BytePath) throws(SystemError) {
    try Descriptor.open(path, flags: O_RDONLY).synchronize(subject: path)
}

/// Adds permissions to a file or folder. For root nobody can make it another one meanwhile: links on the way are as for
/// `openFolder`, and neither a link nor a file with a second name, which may be elsewhere, is changed.
///
/// - Throws: `SystemError` of `open` or `chmod`.
public func addPermissions(_ path: BytePath, _ permissions: UInt32) throws(SystemError) {
    guard geteuid() == 0 else {
        return try setPermissions(path, try fileStatus(path).permissions | permissions)
    }
    let parent = try openFolder(path.parent)
    let container = parent.rawValue
    let handle = path.name.withCString { openat(container, $0, clinux_path_flag() | O_NOFOLLOW | O_CLOEXEC) }
    guard handle >= 0 else { throw SystemError(call: "open", path: path, code: errno) }
    let file = Descriptor(owning: handle)
    var raw = stat()
    guard fstat(file.rawValue, &raw) == 0 else { throw SystemError(call: "stat", path: path, code: errno) }
    let isFolder = raw.st_mode & S_IFMT == S_IFDIR
    guard isFolder || raw.st_mode & S_IFMT == S_IFREG && raw.st_nlink == 1 else {
        throw SystemError(call: "chmod", path: path, code: ELOOP)
    }
    let mode = raw.st_mode & 0o7777 | permissions
    guard chmod("/proc/self/fd/\(file.rawValue)", mode) == 0 else {
        throw SystemError(call: "chmod", path: path, code: errno)
    }
}

/// Renames a file within its folder; for root, links on the way to it are as for `openFolder`.
///
/// - Throws: `SystemError` of `open` or `rename`.
public func renameInPlace(_ path: BytePath, to name: BytePath) throws(SystemError) {
    guard geteuid() == 0 else { return try renameFile(path, to: path.parent.appending(name)) }
    let parent = try openFolder(path.parent)
    let container = parent.rawValue
    let result = path.name.withCString { from in name.withCString { renameat(container, from, container, $0) } }
    guard result == 0 else { throw SystemError(call: "rename", path: path, code: errno) }
}
