internal import CLinux
internal import Glibc
internal import Synchronization

/// Runs an actor's jobs, one after another, on one thread of its own.
///
/// For actors whose work blocks (SQLite, directory reading): the cooperative pool has as few threads as cores,
/// and a blocked one stops everybody.
public final class ThreadExecutor: SerialExecutor {
    private struct State: Sendable {
        var jobs: [UnownedJob] = []
        var stopping = false
    }

    private let state = Mutex(State())
    private let available: Semaphore

    /// Starts the thread, named for `top -H` and logs (15 bytes are kept).
    ///
    /// - Throws: `SystemError` of `pthread_create`.
    public init(name: String) throws(SystemError) {
        available = Semaphore()
        let code = startThread(name: name) { [weak self, available] in
            while true {
                available.wait()
                guard let self else { return }
                let (jobs, stop) = self.state.withLock { state in
                    let jobs = state.jobs
                    state.jobs.removeAll(keepingCapacity: true)
                    return (jobs, state.stopping)
                }
                for job in jobs { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
                if stop { return }
            }
        }
        guard code == 0 else { throw SystemError(call: "pthread_create", subject: name, code: code) }
    }

    deinit { available.signal() }

    /// Queues a job; called by the runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        state.withLock { $0.jobs.append(unowned) }
        available.signal()
    }

    /// This executor, for an actor's `unownedExecutor`.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// A counting semaphore of the C library.
package final class Semaphore: @unchecked Sendable {
    // sem_t is made to be used from many threads; the pointer itself never changes.
    private let pointer: UnsafeMutablePointer<sem_t>

    package init() {
        pointer = .allocate(capacity: 1)
        sem_init(pointer, 0, 0)
    }

    deinit {
        sem_destroy(pointer)
        pointer.deallocate()
    }

    package func signal() { sem_post(pointer) }

    package func wait() {
        while sem_wait(pointer) != 0 && errno == EINTR {}
    }
}

private final class ThreadBody {
    let name: String
    let run: @Sendable () -> Void
    init(name: String, run: @escaping @Sendable () -> Void) {
        self.name = name
        self.run = run
    }
}

/// Starts a detached thread.
///
/// - Returns: 0, or the error number of `pthread_create`.
@discardableResult
public func startThread(name: String, _ run: @escaping @Sendable () -> Void) -> Int32 {
    let body = Unmanaged.passRetained(ThreadBody(name: name, run: run))
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            let body = Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
            clinux_name_thread(body.name)
            body.run()
            return nil
        }, body.toOpaque())
    if code == 0 { pthread_detach(thread) } else { body.release() }
    return code
}

/// Lowers the calling thread below everything a person waits for; best effort.
public func lowerThreadToIdlePriority() { clinux_idle_priority() }
