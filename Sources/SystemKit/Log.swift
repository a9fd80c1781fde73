internal import Glibc
internal import Synchronization

/// The appliance's own log: one line an entry, on stderr and in a file, with the date, a monotonic time and a level.
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

    private let descriptor: Int32
    private let file: Int32?
    private let turn = Mutex(())
    private let minimum: Int

    /// A log that writes to a descriptor it does not own (2 is stderr).
    public init(descriptor: Int32 = 2, minimum: Level = .info) {
        self.descriptor = descriptor
        file = nil
        self.minimum = Log.rank(minimum)
    }

    /// A log that writes to stderr and to the end of a file; the file of an earlier run that has grown large is kept
    /// beside it as `.1`.
    ///
    /// A file that cannot be written is done without: the log must not stop what it tells of.
    /// - Parameter limit: the size in bytes from which on an earlier file is put aside.
    public init(file path: BytePath, limit: Int64 = 1 << 20, minimum: Level = .info) {
        if let status = try? fileStatus(path), status.size > limit {
            try? renameFile(path, to: BytePath(bytes: path.bytes + Array(".1".utf8)))
        }
        descriptor = 2
        file = (try? Descriptor.open(path, flags: O_WRONLY | O_CREAT | O_APPEND))?.release()
        self.minimum = Log.rank(minimum)
    }

    deinit {
        if let file { close(file) }
    }

    /// Writes one line.
    public func write(_ level: Level, _ message: @autoclosure () -> String) {
        guard Log.rank(level) >= minimum else { return }
        let text = BytePath.displayString(of: Array(message().utf8))
        let time = MonotonicInstant.now.nanoseconds / 1_000_000
        let elapsed = "\(time / 1000).\(String(time % 1000 + 1000).dropFirst())"
        let line = Array(
            "\(utcText(secondsSince1970: wallClockSeconds())) \(elapsed) \(level.rawValue): \(text)\n".utf8)
        turn.withLock { _ in
            // A log that cannot be written must not stop the menu.
            for sink in [descriptor, file].compactMap({ $0 }) {
                _ = line.withUnsafeBytes { Glibc.write(sink, $0.baseAddress, $0.count) }
            }
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
