internal import CLinux
internal import Glibc

/// Whether the kernel's clock follows a time server now.
public func isClockSynchronized() -> Bool { clinux_is_clock_synchronized() == 1 }

/// Sets the wall clock of the machine.
///
/// - Throws: `SystemError` of `clock_settime`: `EPERM` for who is not root.
public func setWallClock(secondsSince1970 seconds: Int64) throws(SystemError) {
    var time = timespec()
    time.tv_sec = Int(seconds)
    guard clock_settime(CLOCK_REALTIME, &time) == 0 else {
        throw SystemError(call: "clock_settime", subject: "", code: errno)
    }
}

/// What a symbolic link says.
///
/// - Throws: `SystemError` of `readlink`: `EINVAL` where it is no link.
public func linkTarget(_ path: BytePath) throws(SystemError) -> BytePath {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = path.withCString { path in
        buffer.withUnsafeMutableBufferPointer { bytes -> Int in
            guard let base = bytes.baseAddress else { return -1 }
            return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { readlink(path, $0, bytes.count) }
        }
    }
    guard count >= 0 else { throw SystemError(call: "readlink", path: path, code: errno) }
    return BytePath(bytes: buffer[0..<count])
}

/// Puts a symbolic link in the place of whatever file or link has the name: after a power cut it is the old or the new.
///
/// - Throws: `SystemError` of `symlink` or `rename`.
public func replaceLink(at path: BytePath, to target: BytePath) throws(SystemError) {
    let temporary = path.parent.appending(BytePath(bytes: Array(".".utf8) + path.name.bytes + Array(".new".utf8)))
    try removeFile(temporary)
    let made = target.withCString { target in temporary.withCString { symlink(target, $0) } }
    guard made == 0 else { throw SystemError(call: "symlink", path: path, code: errno) }
    do { try renameFile(temporary, to: path) } catch {
        try? removeFile(temporary)
        throw error
    }
    try synchronizeDirectory(path.parent)
}
