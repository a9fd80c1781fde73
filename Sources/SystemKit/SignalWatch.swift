internal import CLinux
internal import Glibc
internal import Synchronization

/// Turns requests to end (Ctrl-C, `kill`, a closed terminal) into a call, for as long as it lives.
///
/// The signals are caught by a handler that does nothing but ring a bell; a thread of its own makes the call, so the
/// call may do anything. Programs started meanwhile have the ordinary dispositions, because `exec` resets handlers.
public final class SignalWatch: Sendable {
    private let stopped = Wake.optional()

    /// Catches SIGINT, SIGTERM and SIGHUP; only one watch may live at a time.
    ///
    /// - Parameter onSignal: called with the signal's number, from another thread, once a signal.
    public init(onSignal: @escaping @Sendable (Int32) -> Void) {
        guard let bell = Wake.optional(), let stopped else { return }
        arrived.bell.store(bell.rawDescriptor, ordering: .sequentiallyConsistent)
        for number in SignalWatch.signals where !isIgnored(number) {
            signal(number) { number in
                arrived.number.store(number, ordering: .sequentiallyConsistent)
                var one: UInt64 = 1
                _ = write(arrived.bell.load(ordering: .sequentiallyConsistent), &one, 8)
            }
        }
        startThread(name: "signals") {
            while !waitReadable([bell.rawDescriptor, stopped.rawDescriptor]).contains(stopped.rawDescriptor) {
                bell.silence()
                onSignal(arrived.number.load(ordering: .sequentiallyConsistent))
            }
        }
    }

    deinit {
        for number in SignalWatch.signals where !isIgnored(number) { signal(number, SIG_DFL) }
        stopped?.ring()
    }

    private static let signals: [Int32] = [SIGINT, SIGTERM, SIGHUP]
}

extension Wake {
    fileprivate static func optional() -> Wake? { try? Wake() }
}

/// What the handler may touch: two numbers that need no lock.
private struct Arrived: ~Copyable, Sendable {
    let number = Atomic<Int32>(0)
    let bell = Atomic<Int32>(-1)
}

private let arrived = Arrived()

/// Whether a signal was switched off before, as `nohup` does with SIGHUP; such a wish is kept.
private func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // SIG_IGN is the number 1 in the place of a function, a cast that Swift cannot import.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
}

/// Ends the process as the signal would have: the shell then knows that it was interrupted.
public func endProcess(bySignal number: Int32) -> Never {
    signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    sigprocmask(SIG_UNBLOCK, &set, nil)
    kill(getpid(), number)
    exit(128 + number)
}
