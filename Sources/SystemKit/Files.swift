internal import CLinux
internal import Glibc

/// What kind of thing a directory entry is.
public enum FileKind: Sendable, Equatable {
    /// A regular file.
    case regular
    /// A directory.
    case directory
    /// A symbolic link (only where links are not followed).
    case symbolicLink
    /// A device, socket or pipe.
    case other
}

/// The part of `struct stat` that this project uses.
public struct FileStatus: Sendable, Equatable {
    /// What it is.
    public let kind: FileKind
    /// Size in bytes.
    public let size: Int64
    /// Modification time in nanoseconds since 1970, between 1824 and 2116.
    public let modifiedNanoseconds: Int64
    /// Status change time in nanoseconds since 1970, between 1824 and 2116.
    public let changedNanoseconds: Int64
    /// The device it lives on.
    public let device: UInt64
    /// Its number there.
    public let inode: UInt64
    /// Permission bits (07777).
    public let permissions: UInt32
    /// Owner's user id.
    public let owner: UInt32
    /// The number of the group that it belongs to.
    public let group: UInt32

    init(_ raw: stat) {
        kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            default: .other
            }
        size = Int64(raw.st_size)
        modifiedNanoseconds = boundedNanoseconds(raw.st_mtim)
        changedNanoseconds = boundedNanoseconds(raw.st_ctim)
        device = UInt64(raw.st_dev)
        inode = UInt64(raw.st_ino)
        permissions = UInt32(raw.st_mode) & 0o7777
        owner = raw.st_uid
        group = raw.st_gid
    }
}

/// Reads a path's status.
///
/// - Parameter followLinks: whether a link stands for its target.
/// - Throws: `SystemError` of `stat`.
public func fileStatus(_ path: BytePath, followLinks: Bool = true) throws(SystemError) -> FileStatus {
    var raw = stat()
    let result = path.withCString { followLinks ? stat($0, &raw) : lstat($0, &raw) }
    guard result == 0 else { throw SystemError(call: "stat", path: path, code: errno) }
    return FileStatus(raw)
}

/// Whether something is there; `false` also when it cannot be looked at.
public func fileExists(_ path: BytePath) -> Bool {
    path.withCString { access($0, F_OK) } == 0
}

/// Whether this process may run it as a program (a regular file with the execute bit).
public func isExecutable(_ path: BytePath) -> Bool {
    guard let status = try? fileStatus(path), status.kind == .regular else { return false }
    return path.withCString { access($0, X_OK) } == 0
}

/// Reads a whole file.
///
/// - Parameter limit: the largest size in bytes that is accepted; a larger file fails with `EFBIG`.
/// - Throws: `SystemError` of `open` or `read`.
public func readFile(_ path: BytePath, limit: Int = 64 << 20) throws(SystemError) -> [UInt8] {
    try readAll(Descriptor.open(path, flags: O_RDONLY), path, limit)
}

/// The same for a place where anybody may have put anything: a pipe without a writer would be waited for without end,
/// so what is no regular file fails with `ENODEV`.
///
/// - Throws: `SystemError` of `open` or `read`.
public func readRegularFile(_ path: BytePath, limit: Int = 64 << 20) throws(SystemError) -> [UInt8] {
    let file = try Descriptor.open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
    var raw = stat()
    guard fstat(file.rawValue, &raw) == 0 else { throw SystemError(call: "stat", path: path, code: errno) }
    guard raw.st_mode & S_IFMT == S_IFREG else {
        throw SystemError(call: "read", path: path, code: raw.st_mode & S_IFMT == S_IFDIR ? EISDIR : ENODEV)
    }
    return try readAll(file, path, limit)
}

private func readAll(_ file: borrowing Descriptor, _ path: BytePath, _ limit: Int) throws(SystemError) -> [UInt8] {
    var contents: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
        let value = file.rawValue
        let count = try retrying("read", path.displayString) {
            chunk.withUnsafeMutableBytes { Glibc.read(value, $0.baseAddress, $0.count) }
        }
        if count == 0 { return contents }
        contents.append(contentsOf: chunk[0..<count])
        if contents.count > limit { throw SystemError(call: "read", path: path, code: EFBIG) }
    }
}

/// Replaces a file as a whole: after a power cut there is either the old or the new content, never a mix.
///
/// Writes a temporary file in the same folder, flushes it, renames it over the old one and flushes the folder.
/// - Parameter permissions: mode of a new file; an existing file's mode is kept.
/// - Throws: `SystemError` of the first step that failed; the old file is then unchanged.
public func replaceFile(
    at path: BytePath, with contents: [UInt8], permissions: UInt32 = 0o644
) throws(SystemError) {
    let folder = path.parent
    let mode = (try? fileStatus(path))?.permissions ?? permissions
    let temporary = folder.appending(
        BytePath(bytes: Array(".".utf8) + path.name.bytes + Array(".\(getpid())-\(nextSerial()).tmp".utf8)))
    do {
        let file = try Descriptor.open(temporary, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode)
        let value = file.rawValue
        _ = try retrying("fchmod", temporary.displayString) { fchmod(value, mode) }
        try file.writeAll(contents, subject: temporary)
        try file.synchronize(subject: temporary)
    } catch {
        _ = temporary.withCString { unlink($0) }
        throw error
    }
    let renamed = temporary.withCString { from in path.withCString { to in rename(from, to) } }
    if renamed != 0 {
        let code = errno
        _ = temporary.withCString { unlink($0) }
        throw SystemError(call: "rename", path: path, code: code)
    }
    try synchronizeDirectory(folder)
}

/// Flushes a directory's entries to the device.
///
/// - Throws: `SystemError`; filesystems that cannot flush a directory (`EINVAL`) count as done.
public func synchronizeDirectory(_ path: BytePath) throws(SystemError) {
    let folder = try Descriptor.open(path, flags: O_RDONLY | O_DIRECTORY)
    do {
        try folder.synchronize(subject: path)
    } catch  where error.code == EINVAL {
        // FUSE and some network filesystems refuse this; their rename is as durable as they make it.
    }
}

/// Makes a directory and its missing parents; one that exists is fine.
///
/// - Throws: `SystemError` of `mkdir`, or `ENOTDIR` where a file is in the way.
public func createDirectories(_ path: BytePath, permissions: UInt32 = 0o755) throws(SystemError) {
    if path.withCString({ mkdir($0, permissions) }) == 0 { return }
    let code = errno
    switch code {
    case EEXIST:
        guard let status = try? fileStatus(path), status.kind == .directory else {
            throw SystemError(call: "mkdir", path: path, code: ENOTDIR)
        }
    case ENOENT:
        let parent = path.parent
        guard parent != path, parent != "." else { throw SystemError(call: "mkdir", path: path, code: code) }
        try createDirectories(parent, permissions: permissions)
        guard path.withCString({ mkdir($0, permissions) }) == 0 || errno == EEXIST else {
            throw SystemError(call: "mkdir", path: path, code: errno)
        }
    default:
        throw SystemError(call: "mkdir", path: path, code: code)
    }
}

/// Removes a file; one that is not there is fine.
///
/// - Throws: `SystemError` of `unlink`.
public func removeFile(_ path: BytePath) throws(SystemError) {
    guard path.withCString({ unlink($0) }) == 0 || errno == ENOENT else {
        throw SystemError(call: "unlink", path: path, code: errno)
    }
}

/// The names in a directory, without `.` and `..`, in no order.
///
/// - Throws: `SystemError` of `opendir` or `readdir`.
public func directoryNames(_ path: BytePath) throws(SystemError) -> [BytePath] {
    guard let stream = path.withCString({ opendir($0) }) else {
        throw SystemError(call: "opendir", path: path, code: errno)
    }
    defer { closedir(stream) }
    var names: [BytePath] = []
    while true {
        errno = 0
        guard let entry = readdir(stream) else {
            guard errno == 0 else { throw SystemError(call: "readdir", path: path, code: errno) }
            return names
        }
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { BytePath(cString: $0) }
        }
        if name != "." && name != ".." { names.append(name) }
    }
}

/// The path with all links resolved.
///
/// - Throws: `SystemError` of `realpath`.
public func resolvedPath(_ path: BytePath) throws(SystemError) -> BytePath {
    guard let pointer = path.withCString({ realpath($0, nil) }) else {
        throw SystemError(call: "realpath", path: path, code: errno)
    }
    defer { free(pointer) }
    return BytePath(cString: pointer)
}

/// Removes an empty directory.
///
/// - Throws: `SystemError` of `rmdir`.
public func removeDirectory(_ path: BytePath) throws(SystemError) {
    guard path.withCString({ rmdir($0) }) == 0 else { throw SystemError(call: "rmdir", path: path, code: errno) }
}

/// Sets who may do what with a file.
///
/// - Throws: `SystemError` of `chmod`.
public func setPermissions(_ path: BytePath, _ permissions: UInt32) throws(SystemError) {
    guard path.withCString({ chmod($0, permissions) }) == 0 else {
        throw SystemError(call: "chmod", path: path, code: errno)
    }
}
