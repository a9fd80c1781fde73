internal import Synchronization
public import SystemKit

/// Tells from another thread whether a thread that asks a disk gets answers.
final class Pulse: Sendable {
    /// A disk that spins up takes some seconds; what takes longer is told.
    static let patienceSeconds = 5.0

    private let beats = Atomic(0)
    private let resting = Atomic(true)
    private let thread = Atomic<Int32>(0)

    /// Another answer came.
    @inline(__always)
    func beat() { beats.wrappingAdd(1, ordering: .relaxed) }

    /// From now on no disk is asked: what takes time is something else.
    func rest() { resting.store(true, ordering: .relaxed) }

    /// From now on a disk is asked.
    func wake() {
        beat()
        thread.store(currentThreadID(), ordering: .relaxed)
        resting.store(false, ordering: .relaxed)
    }

    /// Whether its thread waits, and does not only get no processor.
    var isWaiting: Bool { isThreadWaiting(thread.load(ordering: .relaxed)) }

    var isResting: Bool { resting.load(ordering: .relaxed) }
    var count: Int { beats.load(ordering: .relaxed) }
}

/// Watches a pulse: used by one thread, which looks at it now and then.
struct PulseWatch {
    let pulse: Pulse
    private var seen = -1
    private var since = MonotonicInstant.now

    init(_ pulse: Pulse) { self.pulse = pulse }

    /// Whether the disk has kept its thread waiting for longer than any disk should.
    mutating func isStill(at now: MonotonicInstant) -> Bool {
        let count = pulse.count
        if count != seen || pulse.isResting {
            seen = count
            since = now
            return false
        }
        return now.seconds(since: since) >= Pulse.patienceSeconds && pulse.isWaiting
    }
}

/// The places of this process's sources that do not answer: whoever would be waited for asks here before the disk.
public enum UnansweringPlaces {
    private static let places = Mutex<[BytePath: Int]>([:])

    /// Whether a path lies in a source that does not answer.
    public static func contains(_ path: BytePath) -> Bool {
        places.withLock { places in
            !places.isEmpty && places.keys.contains { path == $0 || path.relative(to: $0) != nil }
        }
    }

    static func add(_ path: BytePath) { places.withLock { $0[path, default: 0] += 1 } }

    static func remove(_ path: BytePath) {
        places.withLock { places in
            let count = (places[path] ?? 0) - 1
            places[path] = count > 0 ? count : nil
        }
    }
}

/// The commits of this process's scans that changed games; what `meta.changes` counts beyond them is other processes'.
final class CommitCount: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int64 { Int64(count.load(ordering: .acquiring)) }
    func add() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
    func takeBack() { count.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
}
