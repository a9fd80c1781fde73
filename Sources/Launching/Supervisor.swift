internal import SystemKit

/// Waits for a game to end, collects its output, and ends it on request.
final class Supervisor: Sendable {
    /// How long saves may take to be written after a polite request.
    static let patience = 4.0
    /// How long killing is repeated; a process in an uninterruptible state may outlive it.
    private static let lastPatience = 1.5

    private let child: ChildProcess
    private let request: StopRequest
    private let output: Pipe
    private let terminal: ControllingTerminal?
    private let began: MonotonicInstant
    private let title: String

    init(
        child: ChildProcess, request: StopRequest, output: Pipe, terminal: ControllingTerminal?,
        began: MonotonicInstant, title: String
    ) {
        self.child = child
        self.request = request
        self.output = output
        self.terminal = terminal
        self.began = began
        self.title = title
    }

    func run(processes: GameProcesses, recorder: OutputRecorder) -> LaunchOutcome {
        var processes = processes
        var end: ProcessEnd?
        var hasEnded = false
        var stopping: MonotonicInstant?
        var kept: [Int32: ProcessHandle] = [:]
        while true {
            var descriptors = [request.wake.rawDescriptor]
            if output.isOpen { descriptors.append(output.reading) }
            if !hasEnded { descriptors.append(child.pidDescriptor) }
            descriptors += kept.values.map(\.pidDescriptor)
            let ready = waitReadable(descriptors, seconds: timeout(since: stopping))
            if ready.contains(output.reading) { output.drain { recorder.record($0) } }
            request.wake.silence()
            if !hasEnded, ready.contains(child.pidDescriptor) {
                end = child.reap()
                hasEnded = true
            }
            if request.isPending, stopping == nil {
                stopping = .now
                // Exactly one request each: RetroArch takes a second one as an order to leave without saving.
                for entry in processes.living() {
                    let process = ProcessHandle(entry.id)
                    process?.signal(ProcessSignal.terminate)
                    // One that is stopped would not hear it, and could not save.
                    process?.signal(ProcessSignal.resume)
                }
            }
            if let stopping, timeLeft(since: stopping) <= 0 {
                processes.killGroup()
                for entry in processes.living() { ProcessHandle(entry.id)?.signal(ProcessSignal.kill) }
                if timeLeft(since: stopping) < -Self.lastPatience { break }
            }
            guard hasEnded else { continue }
            // Looking at all processes costs something: not for every line that one of them prints.
            let isKilling = stopping.map { timeLeft(since: $0) <= 0 } ?? false
            guard kept.isEmpty || isKilling || kept.values.contains(where: { ready.contains($0.pidDescriptor) })
            else { continue }
            let living = processes.living()
            if living.isEmpty { break }
            kept = kept.filter { entry in living.contains { $0.id == entry.key } }
            for entry in living where kept[entry.id] == nil { kept[entry.id] = ProcessHandle(entry.id) }
        }
        let seconds = MonotonicInstant.now.seconds(since: began)
        output.drain { recorder.record($0) }
        processes.sweep()
        terminal?.takeBack()
        return LaunchOutcome.judge(
            end: end, wasStopped: stopping != nil, seconds: seconds, emulator: title, logTail: recorder.finish())
    }

    private func timeLeft(since stopping: MonotonicInstant) -> Double {
        Self.patience - MonotonicInstant.now.seconds(since: stopping)
    }

    private func timeout(since stopping: MonotonicInstant?) -> Double? {
        guard let stopping else { return nil }
        let left = timeLeft(since: stopping)
        // While killing, look again soon: something may have forked in between.
        return left > 0 ? left : 0.05
    }
}
