public import SystemKit

/// What cannot be done with what is known about pads, and why.
public enum ControllerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A file or folder cannot be read or written.
    case file(SystemError)
    /// The mapping has no control at all: as a profile it would only make the pad useless.
    case emptyMapping(name: String)
    /// A file is none of those that can be read.
    case notUnderstood(file: BytePath, reason: String)

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .file(let error): "\(error)."
        case .emptyMapping(let name): "No control of \(name) was assigned, so nothing was stored."
        case .notUnderstood(let file, let reason): "\(file) cannot be used: \(reason)."
        }
    }
}

/// What is wrong in a file about pads; only that part of it is done without.
public struct ProfileProblem: Sendable, Equatable, CustomStringConvertible {
    /// The file.
    public let file: BytePath
    /// The line, from 1, where the fault is at one.
    public let line: Int?
    /// What is wrong, without a full stop.
    public let reason: String

    /// A problem with all its parts.
    public init(file: BytePath, line: Int? = nil, reason: String) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// A sentence without a full stop.
    public var description: String { line.map { "\(file), line \($0): \(reason)" } ?? "\(file): \(reason)" }
}
