internal import Synchronization

/// Runs tasks on a few threads of its own.
///
/// The default executor of Linux wakes the processor every second for as long as the process lives, to look after its
/// pool. A menu that shows nothing new must not do that. It also has as few threads as cores, so that two looks at a
/// share that does not answer would stop everybody.
public final class TaskThreads: TaskExecutor {
    private let queue: Queue

    /// Starts the threads.
    ///
    /// - Throws: `SystemError` of `pthread_create`, when not even one could be started.
    public init(name: String, count: Int) throws(SystemError) {
        let queue = Queue()
        self.queue = queue
        for index in 0..<max(1, count) {
            let code = startThread(name: name) { queue.serve() }
            if code != 0 && index == 0 { throw SystemError(call: "pthread_create", subject: name, code: code) }
            queue.threads.withLock { $0 += code == 0 ? 1 : 0 }
        }
    }

    deinit { queue.close() }

    /// Starts a task on the threads.
    ///
    /// Swift 6.0 does not own the executor that a task prefers: the task itself holds on to it here until it is over.
    @discardableResult
    public func start<Success: Sendable>(
        _ body: @escaping @Sendable () async -> Success
    ) -> Task<Success, Never> {
        Task(executorPreference: self) {
            let result = await body()
            withExtendedLifetime(self) {}
            return result
        }
    }

    /// Queues a job; called by the runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        queue.add(UnownedJob(job), of: self)
    }

    /// This executor, for the runtime.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }
}

extension TaskThreads {
    /// What the threads share; it outlives the executor until the last of them has left.
    private final class Queue: Sendable {
        private struct Entry: Sendable {
            let job: UnownedJob
            // Owned: the job may be the one that lets the last other owner go.
            let executor: TaskThreads
        }

        let threads = Mutex(0)
        private let entries = Mutex<[Entry]>([])
        private let available = Semaphore()

        func add(_ job: UnownedJob, of executor: TaskThreads) {
            entries.withLock { $0.append(Entry(job: job, executor: executor)) }
            available.signal()
        }

        func serve() {
            while true {
                available.wait()
                // Nothing queued means that the executor is gone; the others shall hear it too.
                guard let entry = entries.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
                entry.job.runSynchronously(on: entry.executor.asUnownedTaskExecutor())
                withExtendedLifetime(entry) {}
            }
        }

        func close() {
            for _ in 0..<threads.withLock({ $0 }) { available.signal() }
        }
    }
}
