internal import Glibc

/// Tells when anything is mounted or unmounted, which `FileWatch` does not see.
public final class MountWatch: Sendable {
    /// To be waited for with `waitForNews`, never read.
    public let rawDescriptor: Int32

    /// - Throws: `SystemError` of `open` where `/proc` is not there.
    public init() throws(SystemError) {
        rawDescriptor = try Descriptor.open("/proc/self/mountinfo", flags: O_RDONLY).release()
    }

    deinit { close(rawDescriptor) }
}

/// Sleeps until a descriptor is readable or the mounts changed.
///
/// - Parameters:
///   - mounts: a `MountWatch`; its news counts as taken when this returns.
///   - seconds: the longest wait; `nil` waits for ever.
/// - Returns: the descriptors with news, empty when the time is over.
public func waitForNews(_ descriptors: [Int32], mounts: MountWatch?, seconds: Double?) -> [Int32] {
    let deadline = seconds.map { MonotonicInstant.now.advanced(bySeconds: $0) }
    var set = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // The file is always readable; only the urgent bit tells of a change.
    if let mounts { set.append(pollfd(fd: mounts.rawDescriptor, events: Int16(POLLPRI), revents: 0)) }
    while true {
        var milliseconds: Int32 = -1
        if let deadline {
            milliseconds = Int32(max(0, min(deadline.seconds(since: .now) * 1000, 86_400_000)).rounded(.up))
        }
        let count = poll(&set, nfds_t(set.count), milliseconds)
        if count >= 0 || errno != EINTR { return set.filter { $0.revents != 0 }.map(\.fd) }
    }
}
