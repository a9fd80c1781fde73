internal import Glibc

/// A cgroup (version 2) of a game: whatever the game starts is born in it and cannot leave it.
public final class ControlGroup: Sendable {
    /// Its directory.
    public let path: BytePath

    /// Its `cgroup.procs`, open for writing: what a child is started into.
    public let rawDescriptor: Int32

    /// Makes a group below a parent.
    ///
    /// - Parameter parent: a directory of cgroup v2; `nil` takes this process's own, where it was given to us.
    /// - Returns: `nil` where there is no such place; the caller must do without.
    public init?(parent: BytePath? = nil) {
        guard let parent = parent ?? ControlGroup.delegated() else { return nil }
        let path = parent.appending("game-\(getpid())-\(nextSerial())")
        guard path.withCString({ mkdir($0, 0o755) }) == 0 else { return nil }
        let members = path.appending("cgroup.procs").withCString { open($0, O_WRONLY | O_CLOEXEC) }
        guard members >= 0 else {
            _ = path.withCString { rmdir($0) }
            return nil
        }
        self.path = path
        rawDescriptor = members
    }

    deinit {
        close(rawDescriptor)
        _ = path.withCString { rmdir($0) }
    }

    /// The numbers of the processes in it.
    public func members() -> [Int32] {
        let bytes = (try? readFile(path.appending("cgroup.procs"))) ?? []
        return bytes.split(separator: 0x0A).compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
    }

    /// Kills everything in it in one step, also what is being forked at this moment (Linux 5.14).
    public func kill() {
        guard let file = try? Descriptor.open(path.appending("cgroup.kill"), flags: O_WRONLY) else { return }
        try? file.writeAll([UInt8(ascii: "1")], subject: path)
    }

    /// This process's own group when it may make groups in it. The root of the hierarchy is nobody's to use.
    private static func delegated() -> BytePath? {
        guard let bytes = try? readFile("/proc/self/cgroup", limit: 1 << 16),
            let line = bytes.split(separator: 0x0A).first(where: { $0.starts(with: Array("0::/".utf8)) }),
            line.count > 4
        else { return nil }
        let isUnified = fileExists("/sys/fs/cgroup/cgroup.controllers")
        let mount: BytePath = isUnified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/unified"
        let own = BytePath(bytes: mount.bytes + line.dropFirst(3))
        let isOurs = [own, own.appending("cgroup.procs")].allSatisfy { path in
            path.withCString { access($0, W_OK) } == 0
        }
        return isOurs ? own : nil
    }
}
