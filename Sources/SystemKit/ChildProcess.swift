internal import CLinux
internal import Glibc
internal import Synchronization

/// How a program is to be started: a value, no command line for a shell.
public struct Spawn: Sendable, Equatable {
    /// The program's absolute path.
    public var program: BytePath
    /// The whole argv; by custom its first element names the program.
    public var arguments: [BytePath]
    /// The whole environment as `NAME=value` in bytes.
    public var environment: [BytePath]
    /// The working directory; `nil` keeps this process's.
    public var directory: BytePath?
    /// How far it is set apart from this process.
    public var separation: Separation
    /// Whether writing to a pipe that nobody reads any more fails, instead of ending the program.
    public var outlivesReaders: Bool

    /// How far a child is set apart from its parent.
    public enum Separation: Int32, Sendable {
        /// Not at all.
        case none = 0
        /// A process group of its own on the same terminal.
        case group = 1
        /// A session of its own, which has no terminal.
        case session = 2
    }

    /// A program with its arguments.
    public init(
        program: BytePath, arguments: [BytePath], environment: [BytePath], directory: BytePath? = nil,
        separation: Separation = .none, outlivesReaders: Bool = false
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
        self.separation = separation
        self.outlivesReaders = outlivesReaders
    }

    /// This process's environment as it is, byte for byte.
    public static var currentEnvironment: [BytePath] {
        var result: [BytePath] = []
        var cursor = environ
        while let entry = cursor.pointee {
            result.append(BytePath(cString: entry))
            cursor += 1
        }
        return result
    }
}

/// Which of the child's standard streams go where; -1 keeps this process's.
public struct SpawnStreams: Sendable {
    /// Descriptor for standard input.
    public var input: Int32
    /// Descriptor for standard output.
    public var output: Int32
    /// Descriptor for standard error.
    public var error: Int32

    /// Streams by descriptors that stay the caller's.
    public init(input: Int32 = -1, output: Int32 = -1, error: Int32 = -1) {
        self.input = input
        self.output = output
        self.error = error
    }
}

/// How a process ended.
public enum ProcessEnd: Sendable, Equatable {
    /// It called `exit` with this status.
    case exited(Int32)
    /// This signal ended it.
    case signalled(Int32)
}

/// A child of this process, held by a pidfd: signals can never hit a process that took over its number.
public final class ChildProcess: Sendable {
    /// The kernel's number of it.
    public let id: Int32
    /// Readable as soon as the process has ended.
    public let pidDescriptor: Int32

    private init(id: Int32, pidDescriptor: Int32) {
        self.id = id
        self.pidDescriptor = pidDescriptor
    }

    deinit {
        close(pidDescriptor)
        _ = ChildProcess.children.withLock { $0.remove(id) }
    }

    private static let children = Mutex<Set<Int32>>([])

    /// Whether a child of this process was started here, in contrast to one that was adopted.
    public static func isKnown(_ id: Int32) -> Bool { children.withLock { $0.contains(id) } }

    /// Starts a program and returns as soon as it runs.
    ///
    /// The child has default signal handling, but for what `spawn` says of pipes, an empty signal mask, and no descriptors but 0, 1 and 2.
    /// - Parameters:
    ///   - terminal: a terminal whose foreground group it becomes before it runs; -1 for none.
    ///   - cgroup: `ControlGroup.rawDescriptor` of a group that it is in before it runs; -1 for none.
    /// - Throws: `SystemError` with the call that failed: `execve`, `chdir`, or `clone` when there cannot be one more process.
    public static func start(
        _ spawn: Spawn, streams: SpawnStreams = SpawnStreams(), terminal: Int32 = -1, cgroup: Int32 = -1
    ) throws(SystemError) -> ChildProcess {
        let arguments = CStringArray(spawn.arguments)
        let environment = CStringArray(spawn.environment)
        var pidDescriptor: Int32 = -1
        var step: Int32 = 0
        var code: Int32 = 0
        // Entered before anybody can see the child end, so that nobody takes it for an orphan.
        let id = children.withLock { children in
            let id = launch()
            if id > 0 { children.insert(id) }
            return id
        }
        func launch() -> Int32 {
            spawn.program.withCString { program in
                (spawn.directory ?? "").withCString { directory in
                    var request = clinux_spawn_request()
                    request.program = program
                    request.arguments = UnsafePointer(arguments.pointer)
                    request.environment = UnsafePointer(environment.pointer)
                    request.directory = spawn.directory == nil ? nil : directory
                    request.input = streams.input
                    request.output = streams.output
                    request.error = streams.error
                    request.terminal = terminal
                    request.cgroup = cgroup
                    request.separation = spawn.separation.rawValue
                    request.outlives_readers = spawn.outlivesReaders ? 1 : 0
                    let id = clinux_spawn(&request, &pidDescriptor, &step)
                    code = errno
                    return id
                }
            }
        }
        guard id > 0 else {
            switch UInt32(step) {
            case CLINUX_SPAWN_EXEC.rawValue: throw SystemError(call: "execve", path: spawn.program, code: code)
            case CLINUX_SPAWN_DIRECTORY.rawValue:
                throw SystemError(call: "chdir", path: spawn.directory ?? "", code: code)
            default: throw SystemError(call: "clone", path: spawn.program, code: code)
            }
        }
        return ChildProcess(id: id, pidDescriptor: pidDescriptor)
    }

    /// Takes the end of the process, when it has ended; the kernel forgets it with that.
    public func reap() -> ProcessEnd? {
        var code: Int32 = 0
        var status: Int32 = 0
        guard clinux_reap(pidDescriptor, &code, &status) == 1 else { return nil }
        return code == Int32(CLD_EXITED) ? .exited(status) : .signalled(status)
    }

    /// Sleeps until the process has ended.
    ///
    /// - Parameter seconds: the longest wait; `nil` waits for ever.
    public func wait(seconds: Double? = nil) -> ProcessEnd? {
        _ = waitReadable([pidDescriptor], seconds: seconds)
        return reap()
    }

    /// Sends a signal to exactly this process.
    @discardableResult
    public func signal(_ number: Int32) -> Bool { clinux_pidfd_send_signal(pidDescriptor, number) == 0 }
}

/// A zero-terminated array of C strings that lives as long as this object.
private final class CStringArray {
    let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [BytePath]) {
        count = strings.count
        pointer = .allocate(capacity: strings.count + 1)
        for (index, string) in strings.enumerated() { pointer[index] = string.withCString { strdup($0) } }
        pointer[strings.count] = nil
    }

    deinit {
        for index in 0..<count { free(pointer[index]) }
        pointer.deallocate()
    }
}

/// A pipe whose reading end is ours and does not block, and whose writing end is for a child.
public final class Pipe: Sendable {
    /// What a child writes comes out here.
    public let reading: Int32
    /// For the child; to be closed here once the child has it, or the end is never seen.
    public let writing: Int32
    private let isReadingOpen = Atomic<Bool>(true)
    private let isWritingOpen = Atomic<Bool>(true)

    /// - Throws: `SystemError` of `pipe2`.
    public init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw SystemError(call: "pipe2", subject: "", code: errno) }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        closeWriting()
        closeReading()
    }

    /// Whether more may come.
    public var isOpen: Bool { isReadingOpen.load(ordering: .relaxed) }

    /// Closes the child's end in this process.
    public func closeWriting() {
        if isWritingOpen.exchange(false, ordering: .relaxed) { close(writing) }
    }

    private func closeReading() {
        if isReadingOpen.exchange(false, ordering: .relaxed) { close(reading) }
    }

    /// Takes what is there, but at most about `limit` bytes: a child that floods must not keep its reader from the
    /// rest of its work.
    public func drain(limit: Int = 2 << 20, _ body: (ArraySlice<UInt8>) -> Void) {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        var taken = 0
        while isOpen, taken < limit {
            let count = chunk.withUnsafeMutableBytes { read(reading, $0.baseAddress, $0.count) }
            if count > 0 {
                taken += count
                body(chunk[0..<count])
            } else if count == 0 {
                closeReading()
            } else if errno != EINTR {
                return
            }
        }
    }
}
