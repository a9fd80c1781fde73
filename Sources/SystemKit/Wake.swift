internal import CLinux
internal import Glibc

/// An `eventfd` that any thread can ring and one thread waits for, alone or among other descriptors.
public final class Wake: Sendable {
    /// The descriptor to put into a poll set; readable while rung.
    public let rawDescriptor: Int32

    /// A bell that is silent at first.
    ///
    /// - Throws: `SystemError` of `eventfd`.
    public init() throws(SystemError) {
        let value = clinux_eventfd()
        guard value >= 0 else { throw SystemError(call: "eventfd", subject: "", code: errno) }
        rawDescriptor = value
    }

    deinit { close(rawDescriptor) }

    /// Rings; safe from any thread and from signal handlers.
    public func ring() {
        var one: UInt64 = 1
        _ = write(rawDescriptor, &one, 8)
    }

    /// Makes it silent again.
    public func silence() {
        var count: UInt64 = 0
        _ = read(rawDescriptor, &count, 8)
    }

    /// Sleeps until rung, and silences it.
    ///
    /// - Parameter seconds: the longest wait; `nil` waits for ever.
    /// - Returns: whether it was rung.
    @discardableResult
    public func wait(seconds: Double? = nil) -> Bool {
        let ready = waitReadable([rawDescriptor], seconds: seconds)
        if !ready.isEmpty { silence() }
        return !ready.isEmpty
    }
}

/// Sleeps until one of the descriptors is readable, hung up or broken.
///
/// - Parameter seconds: the longest wait; `nil` waits for ever. Restarted after signals with the time that is left.
/// - Returns: the descriptors that are ready, empty when the time is over.
public func waitReadable(_ descriptors: [Int32], seconds: Double? = nil) -> [Int32] {
    let deadline = seconds.map { MonotonicInstant.now.advanced(bySeconds: $0) }
    var set = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
        var milliseconds: Int32 = -1
        if let deadline {
            let left = deadline.seconds(since: .now)
            milliseconds = left <= 0 ? 0 : Int32(min(left * 1000, 86_400_000).rounded(.up))
        }
        let count = poll(&set, nfds_t(set.count), milliseconds)
        if count > 0 { return set.filter { $0.revents != 0 }.map(\.fd) }
        if count == 0 { return [] }
        if errno != EINTR { return [] }
    }
}
