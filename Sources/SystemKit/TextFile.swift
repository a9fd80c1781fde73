internal import Glibc
internal import Synchronization

/// A text file that only grows while it is open, for traces.
public final class TextFile: Sendable {
    private let file: Descriptor
    private let path: BytePath

    /// Creates or empties a file.
    ///
    /// - Throws: `SystemError` of `open`.
    public init(creating path: BytePath) throws(SystemError) {
        file = try Descriptor.open(path, flags: O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
        self.path = path
    }

    /// Adds text; a trace that cannot be written must not stop what it traces.
    public func append(_ text: String) {
        try? file.writeAll(Array(text.utf8), subject: path)
    }
}
