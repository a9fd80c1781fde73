import Glibc
import SystemKit

/// Makes a folder that no other test has.
///
/// - Parameter inMemory: whether flushing may cost nothing there.
func makeTemporaryFolder(_ name: String, inMemory: Bool = false) throws -> BytePath {
    let parent = inMemory && isWritable("/dev/shm") ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/retro-\(name)-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SystemError(call: "mkdtemp", subject: name, code: errno) }
    return BytePath(cString: made)
}

private func isWritable(_ path: BytePath) -> Bool { path.withCString { access($0, W_OK) } == 0 }

func writeFile(_ path: BytePath, _ contents: [UInt8]) throws {
    let file = try Descriptor.open(path, flags: O_WRONLY | O_CREAT | O_TRUNC)
    try file.writeAll(contents, subject: path)
}

/// Sets a file's time an hour back.
func age(_ path: BytePath, seconds: Int = 3600) {
    var times = [timespec](repeating: timespec(), count: 2)
    clock_gettime(CLOCK_REALTIME, &times[0])
    times[0].tv_sec -= seconds
    times[1] = times[0]
    _ = path.withCString { utimensat(AT_FDCWD, $0, times, 0) }
}

/// Sets when a file or folder was changed last.
func setTime(_ path: BytePath, seconds: Int) {
    let times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: 0), count: 2)
    _ = path.withCString { utimensat(AT_FDCWD, $0, times, 0) }
}

/// Makes a pipe with a name: who opens it waits for somebody at the other end.
func makePipe(_ path: BytePath) throws {
    guard path.withCString({ mkfifo($0, 0o644) }) == 0 else {
        throw SystemError(call: "mkfifo", path: path, code: errno)
    }
}

func makeLink(_ path: BytePath, to target: BytePath) throws {
    let result = target.withCString { target in path.withCString { symlink(target, $0) } }
    guard result == 0 else { throw SystemError(call: "symlink", path: path, code: errno) }
}

func changePermissions(_ path: BytePath, _ mode: UInt32) { _ = path.withCString { chmod($0, mode) } }

/// Removes a file or a whole folder.
func removeTree(_ path: BytePath) {
    if let status = try? fileStatus(path, followLinks: false), status.kind == .directory {
        changePermissions(path, 0o755)
        for name in (try? directoryNames(path)) ?? [] { removeTree(path.appending(name)) }
        _ = path.withCString { rmdir($0) }
    } else {
        _ = path.withCString { unlink($0) }
    }
}

/// Whether permissions do not stop this process.
var isSuperuser: Bool { geteuid() == 0 }
