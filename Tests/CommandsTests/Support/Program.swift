import Glibc
import SystemKit
import Testing

/// Runs real programs.
enum Program {
    struct Result {
        let output: String
        let messages: String
        let end: ProcessEnd?
    }

    /// The `retro-admin` that was built with these tests.
    static func retroAdmin() throws -> BytePath {
        let tests = try resolvedPath("/proc/self/exe")
        // The tests run inside their own bundle or inside a helper of the toolchain, which names the bundle.
        let words = [tests] + processArguments()
        for word in words {
            let program = word.absolute.parent.appending("retro-admin")
            if isExecutable(program) { return program }
        }
        throw SystemError(call: "open", subject: "retro-admin beside \(tests)", code: ENOENT)
    }

    /// A program of the system; says so and gives `nil` where it is not installed.
    static func find(_ name: String, for purpose: String) -> BytePath? {
        for folder: BytePath in ["/usr/bin", "/bin", "/usr/local/bin"] where isExecutable(folder.appending(name)) {
            return folder.appending(name)
        }
        print("NOT CHECKED: \(purpose) needs \(name), which is not installed")
        return nil
    }

    static func start(
        _ program: BytePath, _ arguments: [BytePath], output: BytePath, messages: BytePath,
        input: BytePath = "/dev/null"
    ) throws(SystemError) -> ChildProcess {
        let spawn = Spawn(
            program: program, arguments: [program] + arguments,
            environment: Spawn.currentEnvironment.filter { !$0.displayString.hasPrefix("RETRO_") })
        let standardInput = try Descriptor.open(input, flags: O_RDONLY)
        let standardOutput = try Descriptor.open(output, flags: O_WRONLY | O_CREAT | O_APPEND)
        let standardError = try Descriptor.open(messages, flags: O_WRONLY | O_CREAT | O_APPEND)
        return try ChildProcess.start(
            spawn,
            streams: SpawnStreams(
                input: standardInput.rawValue, output: standardOutput.rawValue, error: standardError.rawValue))
    }

    /// Runs a program to its end.
    static func run(
        _ program: BytePath, _ arguments: [BytePath], input: String = "", in folder: BytePath
    ) throws(SystemError) -> Result {
        let serial = nextSerial()
        let files = ["in", "out", "err"].map { folder.appending("run-\(serial).\($0)") }
        try replaceFile(at: files[0], with: Array(input.utf8))
        let child = try start(program, arguments, output: files[1], messages: files[2], input: files[0])
        // A hang must not hang the tests; nothing here takes seconds.
        let end = child.wait(seconds: 60)
        if end == nil { child.signal(SIGKILL) }
        return Result(
            output: String(decoding: try readFile(files[1]), as: UTF8.self),
            messages: String(decoding: try readFile(files[2]), as: UTF8.self), end: end)
    }
}

/// Looks until something is so in another process; the time only bounds a failure.
func comesTrue(_ condition: () -> Bool) async -> Bool {
    let end = MonotonicInstant.now.advanced(bySeconds: 30)
    while MonotonicInstant.now < end {
        if condition() { return true }
        // The other process tells nobody; looking again is all one can do.
        try? await Task.sleep(nanoseconds: 5_000_000)
    }
    return false
}
