internal import Synchronization
package import SystemKit
internal import Systems

/// A game that runs, from its start until the last of its processes has ended.
///
/// A thread of its own sleeps until something happens: output, an end, or the wish to stop.
public final class GameSession: Sendable {
    /// The number of the game's first process.
    public let processID: Int32

    private let request: StopRequest

    private init(processID: Int32, request: StopRequest) {
        self.processID = processID
        self.request = request
    }

    /// Writes what the plan wants written and starts the program.
    ///
    /// - Parameter onEnd: called exactly once, from the session's thread, when nothing of the game runs any more.
    /// - Throws: `LaunchError` when the program did not come to run; `onEnd` is not called then.
    public static func start(
        _ plan: LaunchPlan, onEnd: @escaping @Sendable (LaunchOutcome) -> Void
    ) throws(LaunchError) -> GameSession {
        try start(plan, groupParent: nil, onEnd: onEnd)
    }

    /// The same below a given cgroup, for tests.
    package static func start(
        _ plan: LaunchPlan, groupParent: BytePath?, onEnd: @escaping @Sendable (LaunchOutcome) -> Void
    ) throws(LaunchError) -> GameSession {
        try prepare(plan)
        let request: StopRequest
        let output: Pipe
        do throws(SystemError) {
            request = try StopRequest()
            output = try Pipe()
        } catch {
            throw .cannotStart(emulator: plan.emulator.definition.title, reason: error.reason)
        }
        let mark = BytePath("\(marker)=\(currentProcessID)-\(MonotonicInstant.now.nanoseconds)")
        let terminal = ControllingTerminal()
        let group = ControlGroup(parent: groupParent)
        Subreaper.retain()
        let child: ChildProcess
        let began = MonotonicInstant.now
        do throws(SystemError) {
            let null = try Descriptor.nothing()
            child = try ChildProcess.start(
                spawn(for: plan, marker: mark, separation: terminal == nil ? .session : .group),
                streams: SpawnStreams(input: null.rawValue, output: output.writing, error: output.writing),
                terminal: terminal?.rawDescriptor ?? -1, cgroup: group?.rawDescriptor ?? -1)
        } catch {
            Subreaper.release()
            terminal?.takeBack()
            if plan.unpacking != nil { plan.emptyScratch() }
            throw .cannotStart(emulator: plan.emulator.definition.title, reason: reason(of: error, plan: plan))
        }
        output.closeWriting()
        let supervisor = Supervisor(
            child: child, request: request, output: output, terminal: terminal, began: began,
            title: plan.emulator.definition.title)
        startThread(name: "game") {
            let outcome = supervisor.run(
                processes: GameProcesses(leader: child.id, marker: mark, group: group),
                recorder: OutputRecorder(path: plan.log))
            Subreaper.release()
            // What RetroArch unpacked it takes away by itself, except when it is killed.
            if plan.unpacking != nil { plan.emptyScratch() }
            onEnd(outcome)
        }
        return GameSession(processID: child.id, request: request)
    }

    /// The variable in a game's environment that tells whose it is: the supervising process and the time of its start.
    static let marker = "RETRO_GAME"

    /// Ends the game: asks everything of it to end (SIGTERM), gives it four seconds to write its saves, then kills.
    ///
    /// Returns at once; `onEnd` follows. Safe from any thread and more than once.
    public func stop() { request.make() }

    private static func prepare(_ plan: LaunchPlan) throws(LaunchError) {
        var current = plan.directory
        do throws(SystemError) {
            for folder in plan.folders + [plan.directory, plan.log.parent] {
                current = folder
                try createDirectories(folder)
            }
            // RetroArch deletes what it unpacked at a clean end only, and a disc image is large.
            plan.emptyScratch()
            for file in plan.files {
                current = file.path
                try createDirectories(file.path.parent)
                // A flush to a slow card costs more than all the rest of a launch; the same bytes need none.
                if (try? readRegularFile(file.path)) == file.contents { continue }
                try replaceFile(at: file.path, with: file.contents)
            }
        } catch {
            throw .cannotPrepare(path: current, reason: error.reason)
        }
        try plan.unpacking?.run()
    }

    /// The game's words go through a pipe to this process. Should it be killed, the next one ends the game in order, and
    /// until then a line of a log must not be what ends it: its saves would be lost.
    ///
    /// Without a terminal to lend, a game gets a session of its own: one that opened ours would be halted by it.
    private static func spawn(
        for plan: LaunchPlan, marker: BytePath, separation: Spawn.Separation
    ) -> Spawn {
        let replaced = Set(plan.removedEnvironment).union(plan.environment.keys).map { Array("\($0)=".utf8) }
        var environment = Spawn.currentEnvironment.filter { entry in
            !replaced.contains { entry.bytes.starts(with: $0) }
        }
        environment += plan.environment.sorted { $0.key < $1.key }.map { BytePath("\($0.key)=\($0.value)") }
        environment.append(marker)
        return Spawn(
            program: plan.emulator.program, arguments: plan.arguments, environment: environment,
            directory: plan.directory, separation: separation, outlivesReaders: true)
    }

    /// The kernel's reason, where it would mislead in the words of the person's problem.
    private static func reason(of error: SystemError, plan: LaunchPlan) -> String {
        let program = plan.emulator.program
        if error.isNoProgram { return "\(program) is no program for this machine" }
        if error.isTooManyArguments { return "its arguments are too long" }
        guard error.call == "execve" else { return error.reason }
        if error.isPermission { return "\(program) may not be run; check its permissions" }
        if error.isNotFound {
            return fileExists(program)
                ? "\(program.name) needs an interpreter that is not installed" : "\(program) is not there"
        }
        return error.reason
    }
}

/// The wish to stop, which any thread may have.
final class StopRequest: Sendable {
    private let isMade = Atomic<Bool>(false)
    let wake: Wake

    init() throws(SystemError) { wake = try Wake() }

    var isPending: Bool { isMade.load(ordering: .acquiring) }

    func make() {
        isMade.store(true, ordering: .releasing)
        wake.ring()
    }
}

/// Counts the sessions that need orphans to come to this process.
private enum Subreaper {
    private static let count = Mutex(0)

    static func retain() {
        count.withLock { count in
            count += 1
            if count == 1 { setChildSubreaper(true) }
        }
    }

    static func release() {
        count.withLock { count in
            count -= 1
            if count == 0 { setChildSubreaper(false) }
        }
    }
}
