import Catalog
import Glibc
import Launching
import Synchronization
import SystemKit
import Systems
import Testing

@Suite struct Endings {
    private let stage: Stage

    init() throws { stage = try Stage() }

    @Test("an emulator that ends well at once has closed too soon, and what it said is told")
    func atOnce() async throws {
        let outcome = try await stage.run("echo hello; echo 'Error: no such ROM' >&2; echo bye; exit 0")
        #expect(outcome.kind == .endedAtOnce)
        #expect(outcome.exitStatus == 0)
        #expect(outcome.sentence == "Stub closed after less than a second. It said: Error: no such ROM")
        #expect(outcome.logTail == ["hello", "Error: no such ROM", "bye"])
    }

    @Test("an error status is told with the line that says most")
    func failure() async throws {
        let outcome = try await stage.run("echo 'could not load the BIOS' >&2; echo Goodbye; exit 1")
        #expect(outcome.kind == .failed)
        #expect(outcome.exitStatus == 1)
        #expect(outcome.sentence == "Stub stopped with error 1. It said: could not load the BIOS")
    }

    @Test("an emulator that says nothing is told so")
    func silent() async throws {
        #expect(try await stage.run("exit 3").sentence == "Stub stopped with error 3. It did not say why.")
    }

    @Test("a signal is told in words")
    func crash() async throws {
        let outcome = try await stage.run("kill -SEGV $$")
        #expect(outcome.kind == .crashed)
        #expect(outcome.signal == SIGSEGV)
        #expect(outcome.exitStatus == nil)
        #expect(outcome.sentence.contains("crashed after less than a second: it used memory wrongly (SIGSEGV)"))
    }

    @Test("a program that cannot be run does not start, with a reason")
    func cannotStart() async throws {
        let game = try stage.game()
        let stub = try stage.emulator("exit 0")
        let plan = try stage.planner([stub]).plan(for: game)
        let program = stage.folder.path.appending("bin/stub")
        let faults: [(String, () throws -> Void)] = [
            ("may not be run", { _ = program.withCString { chmod($0, 0o644) } }),
            (
                "needs an interpreter that is not installed",
                {
                    try replaceFile(at: program, with: Array("#!/no/such/interpreter\n".utf8))
                    _ = program.withCString { chmod($0, 0o755) }
                }
            ),
            ("is no program for this machine", { try replaceFile(at: program, with: [0x7F, 0x45, 0x4C, 0x46, 0]) }),
            ("is not there", { try removeFile(program) }),
        ]
        for (words, damage) in faults {
            try damage()
            let error = launchError { try GameSession.start(plan) { _ in } }
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
            #expect(error.map { LaunchOutcome($0).kind } == .couldNotStart)
        }
    }

    @Test("a log folder that cannot be made is told before anything starts")
    func cannotPrepare() async throws {
        let plan = try stage.planner([try stage.emulator("exit 0")]).plan(for: try stage.game())
        try replaceFile(at: stage.root.state, with: [])
        let error = launchError { try GameSession.start(plan) { _ in } }
        #expect(error?.description.hasPrefix("The game cannot be prepared: ") == true)
    }
}

@Suite struct Leaving {
    private let stage: Stage
    private var ready: BytePath { stage.folder.path.appending("ready") }
    private var saved: BytePath { stage.folder.path.appending("saved") }

    init() throws { stage = try Stage() }

    @Test("leaving a game is no failure, whatever the emulator answers")
    func stopped() async throws {
        let ready = ready
        let outcome = try await stage.run("trap 'exit 7' TERM; touch '\(ready)'; while :; do sleep 0.05; done") {
            try await waitForFile(ready)
            $0.stop()
            $0.stop()
        }
        #expect(outcome.kind == .stopped)
        #expect(outcome.exitStatus == 7)
        #expect(outcome.sentence == "")
    }

    @Test("an emulator that ignores the polite request is killed")
    func stubborn() async throws {
        let ready = ready
        let outcome = try await stage.run("trap '' TERM; touch '\(ready)'; while :; do sleep 0.2; done") {
            try await waitForFile(ready)
            $0.stop()
        }
        #expect(outcome.kind == .stopped)
        #expect(outcome.signal == SIGKILL)
    }

    @Test("an emulator that writes its save for a second and a half finishes it")
    func saving() async throws {
        let (ready, saved) = (ready, saved)
        let script = """
            trap 'sleep 1.5; echo complete > "\(saved)"; exit 0' TERM
            touch '\(ready)'; while :; do sleep 0.05; done
            """
        let outcome = try await stage.run(script) {
            try await waitForFile(ready)
            $0.stop()
        }
        #expect(outcome.kind == .stopped)
        #expect(outcome.exitStatus == 0)
        #expect(try readFile(saved) == Array("complete\n".utf8))
    }

    @Test("each process is asked exactly once")
    func once() async throws {
        let (ready, count) = (ready, stage.folder.path.appending("count"))
        let script = """
            trap 'echo asked >> "\(count)"' TERM
            (trap 'echo asked >> "\(count)"; exit 0' TERM; touch '\(ready)'; while :; do sleep 0.05; done) &
            wait; wait; exit 0
            """
        _ = try await stage.run(script) {
            try await waitForFile(ready)
            $0.stop()
        }
        #expect(try readFile(count) == Array("asked\nasked\n".utf8))
    }

    @Test("a game that forked and left is playing until its last process has ended")
    func forksAndLeaves() async throws {
        let saved = saved
        let outcome = try await stage.run("(sleep 0.6; echo done > '\(saved)') >/dev/null 2>&1 & exit 0")
        #expect(fileExists(saved))
        #expect(outcome.exitStatus == 0)
    }

    @Test("so is one whose descendants made sessions of their own and lost their parents")
    func daemons() async throws {
        let (ready, saved) = (ready, saved)
        let inner = "(setsid sh -c \"sleep 0.4; setsid sh -c 'sleep 0.4; echo done > \\\"\(saved)\\\"' &\" &) &"
        let outcome = try await stage.run("\(inner)\ntouch '\(ready)'; exit 0")
        #expect(fileExists(ready))
        #expect(fileExists(saved))
        #expect(outcome.kind == .endedAtOnce)
    }

    @Test("a game that is stopped hears the polite request and writes its save")
    func stoppedGame() async throws {
        let (ready, saved) = (ready, saved)
        let script = "trap 'echo done > \"\(saved)\"; exit 0' TERM; touch '\(ready)'; kill -STOP $$"
        let outcome = try await stage.run(script) { session in
            try await waitForFile(ready)
            let statistics = BytePath("/proc/\(session.processID)/stat")
            while try !String(decoding: readFile(statistics), as: UTF8.self).contains(") T ") { await Task.yield() }
            session.stop()
        }
        #expect(outcome.kind == .stopped)
        #expect(fileExists(saved))
    }

    @Test("leaving ends descendants that left the group and ignore the polite request")
    func stubbornDaemon() async throws {
        let (ready, number) = (ready, stage.folder.path.appending("number"))
        let script = """
            setsid sh -c 'trap "" TERM; echo $$ > "\(number)"; touch "\(ready)"; while :; do sleep 0.2; done' &
            exit 0
            """
        let outcome = try await stage.run(script) {
            try await waitForFile(ready)
            $0.stop()
        }
        let text = String(decoding: try readFile(number), as: UTF8.self)
        let process = try #require(Int32(text.filter(\.isNumber)))
        #expect(outcome.kind == .stopped)
        #expect(kill(process, 0) == -1)
        #expect(ProcessEntry(id: process) == nil)
    }

    @Test(
        "in a cgroup, even what threw its environment and its parents away is the game's, and the group is gone after")
    func controlGroup() async throws {
        let mounts: [BytePath] = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"]
        guard let mount = mounts.first(where: { fileExists($0.appending("cgroup.procs")) }),
            let parent = ControlGroup(parent: mount)
        else {
            print("not tested: cgroups need version 2 and a group that this user may write")
            return
        }
        let (ready, saved) = (ready, saved)
        let daemon = "env -i setsid sh -c 'sleep 0.5; echo done > \"\(saved)\"; exec sleep 600'"
        let script = "(\(daemon) & ) & touch '\(ready)'; exit 0"
        let plan = try stage.planner([try stage.emulator(script)]).plan(for: try stage.game())
        let (stream, continuation) = AsyncStream<LaunchOutcome>.makeStream()
        let session = try GameSession.start(plan, groupParent: parent.path) { outcome in
            continuation.yield(outcome)
            continuation.finish()
        }
        try await waitForFile(saved)
        session.stop()
        for await outcome in stream { #expect(outcome.kind == .stopped) }
        let inside = try directoryNames(parent.path).filter { $0.bytes.starts(with: Array("game-".utf8)) }
        #expect(parent.members() == [])
        #expect(inside == [])
    }
}

@Suite struct Surroundings {
    private let stage: Stage

    init() throws { stage = try Stage() }

    @Test("the game has no descriptors of ours, no input, its own process group, and default signals but for one")
    func clean() async throws {
        let record = stage.folder.path.appending("record")
        let leak = try Descriptor.open("/dev/null", flags: O_RDONLY)
        // One that is not close-on-exec, as libraries have them.
        let raw = dup(leak.rawValue)
        defer { close(raw) }
        // Read by the shell itself: while it starts a program, it blocks all signals for a moment.
        let script = """
            { while read -r line; do case $line in Sig[BI]*) echo "$line";; esac; done < /proc/$$/status
              ls /proc/$$/fd; readlink /proc/$$/fd/0; pwd
              cut -d' ' -f5 /proc/$$/stat; echo $$; } > '\(record)'
            """
        _ = try await stage.run(script)
        let lines = String(decoding: try readFile(record), as: UTF8.self).split(separator: "\n").map(String.init)
        // 10 and above are the shell's own: its script.
        let open = lines.prefix { $0 != "/dev/null" }.compactMap { Int($0) }.filter { $0 < 10 }
        #expect(open == [0, 1, 2])
        #expect(lines.contains("/dev/null"))
        #expect(lines.contains("SigBlk:\t0000000000000000"))
        // Signals 32 and 33 are the C library's own; it lets nobody touch them.
        let ignored = lines.first { $0.hasPrefix("SigIgn:") }.flatMap { UInt64($0.suffix(16), radix: 16) }
        #expect(ignored.map { $0 & 0x7FFF_FFFF } == 1 << UInt64(SIGPIPE - 1))
        #expect(lines.contains("\(stage.root.saves)/toy"))
        #expect(lines.suffix(2).first == lines.last)
    }

    @Test("a game goes on when nobody reads what it prints any more: its saves come after that")
    func deafMenu() async throws {
        let record = stage.folder.path.appending("record")
        let script = "exec 3>&1; sleep 0.2; echo a; echo b >&2; printf saved > '\(record)'"
        for isGame in [true, false] {
            try? removeFile(record)
            var pipe: Pipe? = try Pipe()
            let child = try ChildProcess.start(
                Spawn(
                    program: "/bin/sh", arguments: ["sh", "-c", BytePath(script)], environment: [],
                    outlivesReaders: isGame),
                streams: SpawnStreams(output: pipe?.writing ?? -1, error: pipe?.writing ?? -1))
            pipe = nil
            let end = child.wait(seconds: 20)
            #expect((end == .signalled(SIGPIPE)) != isGame)
            #expect(fileExists(record) == isGame)
        }
    }

    @Test("the environment has what the plan adds and lacks what it removes")
    func environment() async throws {
        let record = stage.folder.path.appending("record")
        let stub = try stage.emulator("env > '\(record)'")
        setenv("LD_PRELOAD", "", 1)
        setenv("NOTIFY_SOCKET", "/run/x", 1)
        let plan = try stage.planner([stub], display: DisplayFacts(server: .kms, hasGPU: true, sound: .none))
            .plan(for: try stage.game())
        _ = try await play(plan)
        let lines = String(decoding: try readFile(record), as: UTF8.self).split(separator: "\n")
        #expect(lines.contains("SDL_VIDEODRIVER=kmsdrm"))
        #expect(lines.contains("SDL_AUDIODRIVER=dummy"))
        #expect(!lines.contains { $0.hasPrefix("NOTIFY_SOCKET=") || $0.hasPrefix("LD_PRELOAD=") })
        #expect(lines.contains { $0.hasPrefix("PATH=") })
    }

    @Test("a game that prints without end fills neither disk nor memory, and its last words are kept")
    func flood() async throws {
        let plan = try stage.planner([
            try stage.emulator(
                "echo first words; head -c 30000000 /dev/zero | tr '\\0' 'x'; echo; echo last words; exit 1")
        ]).plan(for: try stage.game())
        let outcome = try await play(plan)
        #expect(outcome.logTail.last == "last words")
        #expect(outcome.logTail.allSatisfy { $0.count <= 301 })
        let log = try readFile(plan.log)
        #expect(log.count < 1 << 20)
        #expect(log.starts(with: Array("first words\n".utf8)))
        #expect(log.suffix(11).elementsEqual(Array("last words\n".utf8)))
    }

    @Test("the tail is the last 200 lines, without colours and control characters")
    func tail() async throws {
        let outcome = try await stage.run(
            "seq 1 500; printf '\\033[31mred\\033[0m\\tx\\007\\n'; printf 'caf\\351\\n'; exit 1")
        #expect(outcome.logTail.count == 200)
        #expect(outcome.logTail.suffix(2) == ["red x\u{2407}", "caf\u{FFFD}"])
        #expect(outcome.logTail.first == "303")
    }

    @Test("the log of the game before is kept beside the new one")
    func previousLog() async throws {
        let game = try stage.game()
        let plan = try stage.planner([try stage.emulator("echo run $(cat '\(stage.folder.path)/n'); exit 1")])
            .plan(for: game)
        for run in ["1", "2"] {
            try stage.folder.write("n", run)
            _ = try await play(plan)
        }
        #expect(try readFile(plan.log) == Array("run 2\n".utf8))
        #expect(try readFile(BytePath("\(plan.log).1")) == Array("run 1\n".utf8))
    }

    @Test("two hundred launches leave no descriptors and no zombies behind")
    func noLeaks() async throws {
        let plan = try stage.planner([try stage.emulator("(setsid true &); exit 0")]).plan(for: try stage.game())
        let before = try directoryNames("/proc/self/fd").count
        let started = Mutex<[Int32]>([])
        for _ in 0..<200 {
            _ = try await play(plan) { session in started.withLock { $0.append(session.processID) } }
        }
        // Other tests open descriptors meanwhile; a leak would be one a launch at least.
        #expect(try directoryNames("/proc/self/fd").count < before + 100)
        let processes = started.withLock { $0 }
        #expect(processes.count == 200)
        for process in processes { #expect(ProcessEntry(id: process)?.parent != getpid()) }
    }
}
