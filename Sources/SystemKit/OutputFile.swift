internal import Glibc

/// A file that a program's output is written to as it comes. It never fails: output that cannot be kept is lost.
public final class OutputFile: Sendable {
    private let descriptor: Int32

    /// Begins a new file; the one of that name before is kept beside it as `NAME.1`.
    public init(path: BytePath) {
        let previous = BytePath(bytes: path.bytes + Array(".1".utf8))
        _ = path.withCString { from in previous.withCString { rename(from, $0) } }
        descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Adds bytes at the end.
    public func append(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while descriptor >= 0, !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest.removeFirst(count) } else if count == 0 || errno != EINTR { return }
        }
    }
}
