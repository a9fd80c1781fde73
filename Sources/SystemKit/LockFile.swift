internal import CLinux
internal import Glibc

/// A lock between processes (`flock`): held until this value goes, and given up by the kernel when the process dies.
public struct LockFile: ~Copyable, Sendable {
    private let file: Descriptor

    /// Takes the lock of a file, which is made where it is missing.
    ///
    /// - Parameters:
    ///   - waits: whether to sleep until another holder lets go; else a held lock fails with `EWOULDBLOCK`.
    ///   - permissions: mode of a new file. Whoever may read it may hold the lock.
    /// - Throws: `SystemError` of `open` or `flock`.
    public init(_ path: BytePath, waits: Bool = true, permissions: UInt32 = 0o644) throws(SystemError) {
        let opened = try Descriptor.open(path, flags: O_RDWR | O_CREAT, mode: permissions)
        let value = opened.rawValue
        _ = try retrying("flock", path.displayString) { flock(value, LOCK_EX | (waits ? 0 : LOCK_NB)) }
        file = opened
    }

    // A process that another thread is about to start has the file open, too, until it runs its program: closing it
    // here would not give the lock up yet.
    deinit { _ = flock(file.rawValue, LOCK_UN) }

    /// Gives the lock up; the same happens where the value goes out of use.
    public consuming func release() {}
}

/// Why a file cannot be opened for reading and writing, or made where it is missing; `nil` when it can.
///
/// A file that is there is asked about and not opened: closing it again would give up every lock that this process
/// holds on it through another descriptor, as SQLite does.
public func openingProblem(_ path: BytePath) -> SystemError? {
    if fileExists(path) {
        let result = path.withCString { faccessat(AT_FDCWD, $0, R_OK | W_OK, AT_EACCESS) }
        return result == 0 ? nil : SystemError(call: "open", path: path, code: errno)
    }
    do throws(SystemError) {
        _ = try Descriptor.open(path, flags: O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY)
        return nil
    } catch { return error }
}

/// Renames a file within one filesystem, replacing what has the new name.
///
/// - Throws: `SystemError` of `rename`.
public func renameFile(_ from: BytePath, to: BytePath) throws(SystemError) {
    let result = from.withCString { from in to.withCString { to in rename(from, to) } }
    guard result == 0 else { throw SystemError(call: "rename", path: from, code: errno) }
}

/// Sleeps the calling thread.
public func sleepThread(seconds: Double) { _ = waitReadable([], seconds: seconds) }
