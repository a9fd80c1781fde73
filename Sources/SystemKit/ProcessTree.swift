internal import CLinux
internal import Glibc

/// One process as `/proc` tells of it.
public struct ProcessEntry: Sendable, Equatable {
    /// Its number.
    public let id: Int32
    /// The number of the process that is its parent now.
    public let parent: Int32
    /// Its process group.
    public let group: Int32
    /// Its session.
    public let session: Int32
    /// When it started, in clock ticks since boot: with the number, its identity.
    public let started: UInt64
    /// Whether it has ended and only waits to be reaped.
    public let isZombie: Bool
    /// The first 15 bytes of its program's name.
    public let name: BytePath

    /// An entry with all its parts.
    public init(
        id: Int32, parent: Int32, group: Int32, session: Int32, started: UInt64, isZombie: Bool, name: BytePath
    ) {
        self.id = id
        self.parent = parent
        self.group = group
        self.session = session
        self.started = started
        self.isZombie = isZombie
        self.name = name
    }

    /// Reads a line of `/proc/PID/stat`. The name stands in parentheses and may hold anything, also parentheses.
    public init?(statistics: [UInt8]) {
        guard let open = statistics.firstIndex(of: UInt8(ascii: "(")),
            let close = statistics.lastIndex(of: UInt8(ascii: ")")), open < close,
            let id = Int32(String(decoding: statistics[..<open], as: UTF8.self).filter { $0 != " " })
        else { return nil }
        let fields = statistics[(close + 1)...].split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        guard fields.count > 19, let parent = Int32(fields[1]), let group = Int32(fields[2]),
            let session = Int32(fields[3]), let started = UInt64(fields[19])
        else { return nil }
        self.init(
            id: id, parent: parent, group: group, session: session, started: started,
            isZombie: fields[0] == "Z" || fields[0] == "X", name: BytePath(bytes: statistics[(open + 1)..<close]))
    }

    /// Looks at one process; `nil` when there is none of this number.
    public init?(id: Int32) {
        guard let bytes = try? readFile(BytePath("/proc/\(id)/stat"), limit: 4096) else { return nil }
        self.init(statistics: bytes)
    }
}

/// All processes that can be seen. One that comes or goes meanwhile may be in it or not.
public func processTable() -> [ProcessEntry] {
    ((try? directoryNames("/proc")) ?? []).compactMap { name in
        name.validUTF8.flatMap { Int32($0) }.flatMap { ProcessEntry(id: $0) }
    }
}

/// The value of a variable in the environment that a process was started with; `nil` where it has none or belongs to
/// somebody else.
public func processEnvironmentValue(_ id: Int32, name: String) -> BytePath? {
    guard let block = try? readFile(BytePath("/proc/\(id)/environ"), limit: 4 << 20) else { return nil }
    let prefix = Array("\(name)=".utf8)
    return block.split(separator: 0).first { $0.starts(with: prefix) }.map {
        BytePath(bytes: $0.dropFirst(prefix.count))
    }
}

/// Whether a process was started with this `NAME=value` in its environment; `false` where that cannot be read.
public func processHasEnvironment(_ id: Int32, entry: BytePath) -> Bool {
    guard let bytes = try? readFile(BytePath("/proc/\(id)/environ"), limit: 4 << 20) else { return false }
    return bytes.split(separator: 0).contains { $0.elementsEqual(entry.bytes) }
}

/// Makes this process the parent of descendants whose own parent has ended, or no longer.
public func setChildSubreaper(_ on: Bool) {
    clinux_set_subreaper(on ? 1 : 0)
}

/// Takes the end of an adopted process from the kernel.
///
/// - Returns: whether it had ended.
@discardableResult
public func reapOrphan(_ id: Int32) -> Bool { waitpid(id, nil, WNOHANG) == id }

/// Holds on to a process that is no child of ours: signals reach exactly it, and its end can be waited for.
public final class ProcessHandle: Sendable {
    /// Its number.
    public let id: Int32

    /// Readable as soon as the process has ended.
    public let pidDescriptor: Int32

    /// - Returns: `nil` when there is no process of this number any more.
    public init?(_ id: Int32) {
        let value = clinux_pidfd_open(id)
        guard value >= 0 else { return nil }
        self.id = id
        pidDescriptor = value
    }

    deinit { close(pidDescriptor) }

    /// Sends a signal to exactly this process.
    @discardableResult
    public func signal(_ number: Int32) -> Bool {
        clinux_pidfd_send_signal(pidDescriptor, number) == 0
    }
}
