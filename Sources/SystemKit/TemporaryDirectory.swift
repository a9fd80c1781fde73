internal import CLinux
internal import Glibc

/// A folder of this process's own that goes, with all that is in it, when the value does.
///
/// What a killed process left is removed when the next one makes a folder of the same prefix in the same place.
public final class TemporaryDirectory: Sendable {
    /// Where it is.
    public let path: BytePath

    /// Makes a folder that only this user may enter.
    ///
    /// - Parameter prefix: what its name begins with.
    /// - Throws: `SystemError` of `mkdir`.
    public init(below place: BytePath, prefix: String) throws(SystemError) {
        let prefix = "\(prefix)-\(getuid())-"
        for name in (try? directoryNames(place)) ?? [] {
            guard let text = name.validUTF8, text.hasPrefix(prefix),
                let owner = text.dropFirst(prefix.count).split(separator: "-").first.flatMap({ pid_t($0) }),
                owner != getpid(), kill(owner, 0) != 0, errno == ESRCH
            else { continue }
            removeRecursively(place.appending(name))
        }
        var number = 0
        while true {
            let path = place.appending("\(prefix)\(getpid())-\(number)")
            if path.withCString({ mkdir($0, 0o700) }) == 0 {
                self.path = path
                return
            }
            guard errno == EEXIST, number < 1000 else { throw SystemError(call: "mkdir", path: path, code: errno) }
            number += 1
        }
    }

    /// Makes one in memory, or where the system keeps what is temporary.
    ///
    /// - Throws: `SystemError` of the first place where there is none.
    public static func anywhere(prefix: String) throws(SystemError) -> TemporaryDirectory {
        var failure = SystemError(call: "mkdir", subject: "/dev/shm", code: ENOENT)
        for (number, place) in ["/dev/shm", "/run/user/\(getuid())", "/tmp", "/var/tmp"].enumerated() {
            do throws(SystemError) {
                return try TemporaryDirectory(below: BytePath(place), prefix: prefix)
            } catch {
                if number == 0 { failure = error }
            }
        }
        throw failure
    }

    deinit { removeRecursively(path) }
}

/// Removes a file, or a folder with all that is in it as far as that is possible; links are not followed.
public func removeRecursively(_ path: BytePath) {
    if let status = try? fileStatus(path, followLinks: false), status.kind == .directory {
        for name in (try? directoryNames(path)) ?? [] { removeRecursively(path.appending(name)) }
        try? removeDirectory(path)
    } else {
        try? removeFile(path)
    }
}

/// Copies a file's bytes into a new file, piece by piece.
///
/// - Throws: `SystemError`; what is no regular file fails with `ENODEV`, and a half-made copy may be left.
public func copyFile(_ from: BytePath, to: BytePath) throws(SystemError) {
    let source = try Descriptor.open(from, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
    var raw = stat()
    guard fstat(source.rawValue, &raw) == 0, raw.st_mode & S_IFMT == S_IFREG else {
        throw SystemError(call: "read", path: from, code: ENODEV)
    }
    let target = try Descriptor.open(to, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    while true {
        let value = source.rawValue
        let count = try retrying("read", from.displayString) {
            chunk.withUnsafeMutableBytes { Glibc.read(value, $0.baseAddress, $0.count) }
        }
        if count == 0 { return }
        try target.writeAll(count == chunk.count ? chunk : Array(chunk[0..<count]), subject: to)
    }
}
