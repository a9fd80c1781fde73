internal import Glibc
internal import SystemKit

/// Descriptors that one thread waits for together.
public struct PollSet {
    /// How a descriptor came out of the wait.
    public enum Readiness: Sendable {
        /// There is something to read.
        case readable
        /// The other side is gone, or the descriptor is broken; there may still be something to read.
        case broken
    }

    private var entries: [pollfd] = []

    /// An empty set.
    public init() {}

    /// Takes all descriptors out.
    public mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds a descriptor to wait for.
    public mutating func add(_ descriptor: Int32) {
        entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }

    /// Sleeps until a descriptor is ready or broken, or the time is over.
    ///
    /// - Parameter seconds: the longest wait; `nil` waits for ever. A signal may end the wait early.
    public mutating func wait(seconds: Double?) {
        let milliseconds = seconds.map { Int32(min(max($0 * 1000, 0), 86_400_000).rounded(.up)) } ?? -1
        for index in entries.indices { entries[index].revents = 0 }
        _ = poll(&entries, nfds_t(entries.count), milliseconds)
    }

    /// What the last wait found out about a descriptor; `nil` when nothing happened there.
    public func readiness(of descriptor: Int32) -> Readiness? {
        guard let entry = entries.first(where: { $0.fd == descriptor }), entry.revents != 0 else { return nil }
        return Int32(entry.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0 ? .broken : .readable
    }
}
