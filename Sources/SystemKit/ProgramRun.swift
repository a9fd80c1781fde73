internal import CLinux
internal import Glibc

/// What a program that was run to its end left behind.
public struct ProgramResult: Sendable, Equatable {
    /// How it ended; `nil` where it had to be killed because its time was over.
    public let end: ProcessEnd?
    /// What it wrote to standard output, at most as much as was asked for.
    public let output: [UInt8]
    /// What it wrote to standard error, at most 64 KiB.
    public let errors: [UInt8]

    /// A result with all its parts.
    public init(end: ProcessEnd?, output: [UInt8], errors: [UInt8]) {
        self.end = end
        self.output = output
        self.errors = errors
    }

    /// Whether it said that all went well.
    public var succeeded: Bool { end == .exited(0) }
    /// Standard output as text, with replacement characters where it is no UTF-8.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// The last lines of standard error, or of standard output where that is empty, safe for showing.
    public var complaint: String {
        let bytes = errors.contains { $0 > 0x20 } ? errors : output
        let lines = bytes.split(separator: 0x0A).suffix(3).map { BytePath.displayString(of: Array($0)) }
        return lines.joined(separator: " ")
    }
}

/// Runs a program to its end.
///
/// - Parameters:
///   - input: its whole standard input, kept in memory and never in a file on a disk.
///   - seconds: the longest it may take; then it is killed.
///   - limit: the most of its standard output that is kept, in bytes; the rest is thrown away.
///   - tell: hears standard output as it comes.
/// - Returns: also where its exit status is bad: that is a result, no error.
/// - Throws: `SystemError` where it could not be started.
public func runProgram(
    _ spawn: Spawn, input: [UInt8] = [], seconds: Double = 60, limit: Int = 16 << 20,
    tell: ((ArraySlice<UInt8>) -> Void)? = nil
) throws(SystemError) -> ProgramResult {
    let memory = Descriptor(owning: clinux_memory_file("input"))
    guard memory.rawValue >= 0 else { throw SystemError(call: "memfd_create", subject: "", code: errno) }
    try memory.writeAll(input, subject: "input")
    lseek(memory.rawValue, 0, SEEK_SET)
    let output = try Pipe()
    let errors = try Pipe()
    let child = try ChildProcess.start(
        spawn, streams: SpawnStreams(input: memory.rawValue, output: output.writing, error: errors.writing))
    output.closeWriting()
    errors.closeWriting()
    var taken: [UInt8] = []
    var complaints: [UInt8] = []
    func drain() {
        output.drain { chunk in
            taken.append(contentsOf: chunk.prefix(max(0, limit - taken.count)))
            tell?(chunk)
        }
        errors.drain { complaints.append(contentsOf: $0.prefix(max(0, (64 << 10) - complaints.count))) }
    }
    let started = MonotonicInstant.now
    while true {
        let left = seconds - MonotonicInstant.now.seconds(since: started)
        let open = [output, errors].filter(\.isOpen).map(\.reading)
        _ = waitReadable(open + [child.pidDescriptor], seconds: max(0, left))
        drain()
        if let end = child.reap() {
            drain()
            return ProgramResult(end: end, output: taken, errors: complaints)
        }
        if left <= 0 {
            child.signal(SIGKILL)
            _ = child.wait(seconds: 5)
            drain()
            return ProgramResult(end: nil, output: taken, errors: complaints)
        }
    }
}

/// The user at the other end of a local socket; `nil` where the descriptor is none.
public func peerUser(_ descriptor: Int32) -> UInt32? {
    let user = clinux_peer_user(descriptor)
    return user < 0 ? nil : UInt32(truncatingIfNeeded: user)
}
