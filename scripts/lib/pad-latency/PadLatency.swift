import Controllers
import EvdevKit
import Glibc
import Synchronization
import SystemKit

/// Measures how long an event of a pad takes from the kernel's time of it to the mailbox, and what that costs.
///
///     pad-latency SECONDS
///
/// Prints `ready PADS` when it listens, and after so many seconds one line of JSON. Somebody else has to press the
/// buttons, on a made-up pad of a real kernel for one. It asserts nothing.
@main
struct PadLatency {
    static func main() {
        guard CommandLine.arguments.count == 2, let seconds = Double(CommandLine.arguments[1]),
            (0.001...3600).contains(seconds)
        else {
            say("usage: pad-latency SECONDS")
            exit(64)
        }
        let tally = Tally()
        let wake: Wake
        do throws(SystemError) {
            wake = try Wake()
        } catch {
            say("\(error)")
            exit(71)
        }
        let mailbox = Mailbox<ControllerEvent> { wake.ring() }
        let monitor = PadMonitor(
            deliver: { event in
                mailbox.post(event)
                if case .raw(_, let raw) = event, raw.kind != .report { tally.add(raw.time) }
            }, log: Log(minimum: .warning))
        monitor.start()
        monitor.setListening(raw: true)
        let listening = Semaphore()
        monitor.whenObeyed { listening.signal() }
        listening.wait()
        say("ready \(monitor.pads.count)")
        // As the menu does it: a thread that sleeps until there is something in the mailbox.
        let end = MonotonicInstant.now.advanced(bySeconds: seconds)
        while true {
            let rest = end.seconds(since: .now)
            guard rest > 0 else { break }
            guard wake.wait(seconds: rest) else { continue }
            wake.silence()
            _ = mailbox.drain()
        }
        monitor.stop()
        say(tally.report)
    }
}

/// The delays of all events so far.
private final class Tally: Sendable {
    private struct State: Sendable {
        var delays: [Int64] = []
        var first: (time: MonotonicInstant, cpu: Double)?
        var last: (time: MonotonicInstant, cpu: Double)?
    }

    private let state = Mutex(State())

    /// To be called on the monitor's thread, whose CPU time it notes.
    func add(_ time: MonotonicInstant) {
        let now = MonotonicInstant.now
        let here = (time: now, cpu: threadCPUSeconds())
        state.withLock { state in
            state.delays.append(now.nanoseconds - time.nanoseconds)
            state.first = state.first ?? here
            state.last = here
        }
    }

    var report: String {
        state.withLock { state in
            guard let first = state.first, let last = state.last else { return "{\"events\": 0}" }
            let sorted = state.delays.sorted()
            func microseconds(_ part: Double) -> Int64 { sorted[Int(Double(sorted.count - 1) * part)] / 1000 }
            let seconds = last.time.seconds(since: first.time)
            let cpu = last.cpu - first.cpu
            let percent = seconds > 0 ? (1000 * 100 * cpu / seconds).rounded() / 1000 : 0
            return "{\"events\": \(sorted.count), \"seconds\": \((seconds * 1000).rounded() / 1000), "
                + "\"medianMicroseconds\": \(microseconds(0.5)), \"p99Microseconds\": \(microseconds(0.99)), "
                + "\"maximumMicroseconds\": \(microseconds(1)), \"cpuPercentOfThread\": \(percent)}"
        }
    }
}

/// A line for whoever started it, at once.
private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}
