import Controllers
import Glibc
import SystemKit
import Testing

@Suite("The keyboard while another program has the focus", .serialized, .timeLimit(.minutes(1)))
struct KeyboardMonitorTests {
    @Test("keys are heard without any window of ours, and a dead X server releases what is held")
    func displayKeys() async throws {
        guard let server = VirtualDisplay() else { return print("needs Xvfb and xdotool (Debian: xvfb, xdotool)") }
        let (events, continuation) = AsyncStream.makeStream(of: ControllerEvent.self)
        let monitor = try #require(
            KeyboardMonitor.start(display: server.name, log: Log(minimum: .error)) { continuation.yield($0) })
        #expect(monitor.usesDisplay)
        var keys = KeyStream(events)
        server.type(["key", "Return"])
        #expect(await keys.next(2) == ["+return", "-return"])
        // By its keycode: to type the symbol of a shift key xdotool would hold the other one, too.
        server.type(["keydown", "62"])
        server.type(["key", "Up"])
        let chord = await keys.next(3)
        #expect(chord == ["+rightShift", "+up", "-up"])
        // What Xlib does by default now is to end this process.
        server.kill()
        #expect(await keys.next(1) == ["-rightShift"])
        monitor.stop()
    }

    @Test("a monitor that was stopped says nothing more and ends its thread")
    func stopping() async throws {
        guard let server = VirtualDisplay() else { return print("needs Xvfb and xdotool (Debian: xvfb, xdotool)") }
        defer { server.kill() }
        let (events, continuation) = AsyncStream.makeStream(of: ControllerEvent.self)
        let first = try #require(
            KeyboardMonitor.start(display: server.name, log: Log(minimum: .error)) { continuation.yield($0) })
        first.stop()
        first.stop()
        let second = try #require(
            KeyboardMonitor.start(display: server.name, log: Log(minimum: .error)) { continuation.yield($0) })
        defer { second.stop() }
        server.type(["key", "a"])
        var keys = KeyStream(events)
        #expect(await keys.next(2) == ["+a", "-a"])
    }

    @Test("a display that cannot be reached leaves the keyboards' nodes")
    func noDisplay() throws {
        let monitor = try #require(
            KeyboardMonitor.start(display: ":4711", log: Log(minimum: .error)) { _ in })
        #expect(!monitor.usesDisplay)
        monitor.stop()
    }
}

/// Waits for key events, written as `+return` and `-return`.
private struct KeyStream {
    private var iterator: AsyncStream<ControllerEvent>.Iterator

    init(_ stream: AsyncStream<ControllerEvent>) { iterator = stream.makeAsyncIterator() }

    mutating func next(_ count: Int) async -> [String] {
        var result: [String] = []
        while result.count < count, let event = await iterator.next() {
            if case .key(let key, let isPressed, _, _) = event {
                result.append((isPressed ? "+" : "-") + key.rawValue)
            }
        }
        return result
    }
}

/// An X server without a screen, on a display number of its own choice.
private struct VirtualDisplay {
    let name: String
    private let process: pid_t

    init?() {
        guard isExecutable("/usr/bin/Xvfb"), isExecutable("/usr/bin/xdotool") else { return nil }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        // Without -noreset the server starts anew, and drops who just came, when its last client leaves.
        let process = run(
            "/usr/bin/Xvfb", ["-displayfd", "3", "-screen", "0", "64x64x24", "-nolisten", "tcp", "-noreset"],
            passing: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard let process else { return nil }
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while read(ends[0], &byte, 1) == 1, byte != UInt8(ascii: "\n") { text.append(byte) }
        guard !text.isEmpty else { return nil }
        self.process = process
        name = ":" + String(decoding: text, as: UTF8.self)
    }

    func type(_ arguments: [String]) {
        guard let child = run("/usr/bin/xdotool", arguments, environment: ["DISPLAY=\(name)"]) else { return }
        waitpid(child, nil, 0)
    }

    func kill() {
        Glibc.kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }
}

/// Starts a program; the passed descriptor becomes its number 3.
private func run(
    _ path: String, _ arguments: [String], environment: [String] = [], passing descriptor: Int32? = nil
) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let descriptor { posix_spawn_file_actions_adddup2(&actions, descriptor, 3) }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var argv = ([path] + arguments).map { strdup($0) } + [nil]
    var envp = (["PATH=/usr/bin:/bin"] + environment).map { strdup($0) } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var process = pid_t()
    return posix_spawn(&process, path, &actions, nil, &argv, &envp) == 0 ? process : nil
}
