import Synchronization

/// The signal that asked this process to end, for work that looks at it now and then.
final class EndRequest: Sendable {
    private let number = Mutex<Int32?>(nil)

    /// The signal; `nil` where nobody asked.
    var signal: Int32? { number.withLock { $0 } }

    func note(_ signal: Int32) { number.withLock { $0 = signal } }
}
