internal import Glibc

/// An instant of the monotonic clock: it never jumps when the date is set, and a Pi without a clock chip has it too.
public struct MonotonicInstant: Sendable, Comparable, Hashable {
    /// Nanoseconds of `CLOCK_MONOTONIC`.
    public let nanoseconds: Int64

    /// An instant at the given reading, for tests and traces.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Now.
    public static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Seconds passed since an earlier instant.
    public func seconds(since earlier: MonotonicInstant) -> Double {
        Double(nanoseconds - earlier.nanoseconds) / 1e9
    }

    /// The instant that many seconds later.
    public func advanced(bySeconds seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: nanoseconds + Int64(seconds * 1e9))
    }

    /// Earlier before later.
    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

/// The wall clock in seconds since 1970, for showing to people only: it may jump.
public func wallClockSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The same in nanoseconds, bounded like the times of files, so that one can always be subtracted from the other.
public func wallClockNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return boundedNanoseconds(time)
}

/// A moment in nanoseconds since 1970, between 1824 and 2116: filesystems keep any 64-bit number of seconds, and what
/// was unpacked, repaired or made under a wrong clock has such numbers.
func boundedNanoseconds(_ time: timespec) -> Int64 {
    let limit = Int64.max / 2
    let seconds = min(max(Int64(time.tv_sec), -limit / 1_000_000_000), limit / 1_000_000_000 - 1)
    return seconds * 1_000_000_000 + Int64(time.tv_nsec)
}

/// CPU time used so far by this process, in seconds.
public func processCPUSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// CPU time used so far by the calling thread, in seconds.
public func threadCPUSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
