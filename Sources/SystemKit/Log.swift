internal import Glibc
internal import Synchronization

/// The appliance's own log: one line an entry, on stderr or in a file, with a monotonic time and a level.
///
/// Text from outside is made safe for terminals; secrets are never passed in.
public final class Log: Sendable {
    /// How much an entry matters.
    public enum Level: String, Sendable {
        /// For finding faults.
        case debug
        /// What happened.
        case info
        /// Something a person may want to mend.
        case warning
        /// Something did not work.
        case error
    }

    private let sink: Mutex<Int32>
    private let minimum: Int

    /// A log that writes to a descriptor it does not own (2 is stderr).
    public init(descriptor: Int32 = 2, minimum: Level = .info) {
        sink = Mutex(descriptor)
        self.minimum = Log.rank(minimum)
    }

    /// Writes one line.
    public func write(_ level: Level, _ message: @autoclosure () -> String) {
        guard Log.rank(level) >= minimum else { return }
        let text = BytePath.displayString(of: Array(message().utf8))
        let time = MonotonicInstant.now.nanoseconds / 1_000_000
        let line = Array("\(time / 1000).\(String(time % 1000 + 1000).dropFirst()) \(level.rawValue): \(text)\n".utf8)
        sink.withLock { descriptor in
            // A log that cannot be written must not stop the menu.
            _ = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        }
    }

    private static func rank(_ level: Level) -> Int {
        switch level {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}

/// Writes text to stdout or stderr as it is.
public func writeText(_ text: String, to descriptor: Int32 = 1) {
    let bytes = Array(text.utf8)
    var offset = 0
    while offset < bytes.count {
        let from = offset
        let count = bytes.withUnsafeBytes { buffer -> Int in
            guard let base = buffer.baseAddress else { return 0 }
            return Glibc.write(descriptor, base + from, buffer.count - from)
        }
        if count <= 0 {
            if count < 0 && errno == EINTR { continue }
            return
        }
        offset += count
    }
}
