public import SystemKit

/// Why a definition file, or a part of it, is not used.
public struct SystemProblem: Sendable, Equatable, CustomStringConvertible {
    /// The file; of the built-in ones only the name.
    public let file: BytePath
    /// The line, counted from 1, where it can be told.
    public let line: Int?
    /// A sentence without a full stop.
    public let reason: String

    /// A problem in a file.
    public init(file: BytePath, line: Int? = nil, reason: String) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// `FILE:LINE: reason`.
    public var description: String {
        let text = BytePath.displayString(of: Array(reason.utf8))
        guard let line else { return "\(file.displayString): \(text)" }
        return "\(file.displayString):\(line): \(text)"
    }
}
