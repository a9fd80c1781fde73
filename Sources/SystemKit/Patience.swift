internal import CLinux
internal import Synchronization

/// Asks something that may never answer, such as a share whose server is gone, for no longer than somebody wants to wait.
///
/// - Returns: `nil` when there was no answer in time; the thread that asked is left to itself then.
public func answer<Value: Sendable>(within seconds: Double, _ body: @escaping @Sendable () -> Value) -> Value? {
    guard let bell = try? Wake() else { return body() }
    let box = AnswerBox<Value>()
    let code = startThread(name: "asking") {
        let value = body()
        box.value.withLock { $0 = value }
        bell.ring()
    }
    guard code == 0 else { return nil }
    bell.wait(seconds: seconds)
    return box.value.withLock { $0 }
}

/// The kernel's number of the calling thread.
public func currentThreadID() -> Int32 { clinux_gettid() }

/// Whether a thread of this process waits for something, rather than being at work or waiting for a processor.
public func isThreadWaiting(_ id: Int32) -> Bool {
    guard let text = try? readFile(BytePath("/proc/self/task/\(id)/stat"), limit: 4096),
        let end = text.lastIndex(of: UInt8(ascii: ")")), end + 2 < text.count
    else { return false }
    return text[end + 2] != UInt8(ascii: "R")
}

private final class AnswerBox<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
