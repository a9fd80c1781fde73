internal import Synchronization

/// Values on their way from any thread to the one that drains them.
///
/// `post` never blocks for longer than an append; `wake` is called after the first value of a batch, so that the
/// receiver can sleep until there is something to do.
public final class Mailbox<Message: Sendable>: Sendable {
    private let queue = Mutex<[Message]>([])
    private let wake: @Sendable () -> Void

    /// A mailbox whose receiver is woken by `wake`, which must be callable from any thread.
    public init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Adds a value.
    public func post(_ message: Message) {
        let wasEmpty = queue.withLock { queue in
            queue.append(message)
            return queue.count == 1
        }
        if wasEmpty { wake() }
    }

    /// Takes everything that has arrived, oldest first.
    public func drain() -> [Message] {
        queue.withLock { queue in
            let messages = queue
            queue.removeAll(keepingCapacity: true)
            return messages
        }
    }
}

private let serial = Atomic<UInt64>(0)

/// A number that is unique within this process, for temporary names.
package func nextSerial() -> UInt64 {
    serial.add(1, ordering: .relaxed).newValue
}
