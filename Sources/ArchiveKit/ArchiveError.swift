public import SystemKit

/// Why an archive, or a member of it, cannot be read.
public enum ArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file cannot be opened or read.
    case file(SystemError)
    /// It holds nothing at all: a copy that never began.
    case empty
    /// It is no archive of a kind that is read here.
    case notAnArchive
    /// Its end is missing, or its list of members leads nowhere.
    case cutOff
    /// It was changed or damaged on its way; the text is libarchive's.
    case damaged(String)
    /// What it holds is encrypted.
    case needsPassword
    /// It goes over a bound that no archive of a game reaches.
    case tooMuch(String)
    /// It has no member of this name.
    case noSuchMember(BytePath)

    /// What is wrong with it, to be said after "the archive": `is cut off`.
    public var predicate: String {
        switch self {
        case .file(let error): "cannot be read: \(error.reason)"
        case .empty: "is empty"
        case .notAnArchive: "is no archive, whatever its name says"
        case .cutOff: "is cut off: copy it again"
        case .damaged: "is damaged: copy it again"
        case .needsPassword: "needs a password"
        case .tooMuch(let what): "\(what), which is more than is read"
        case .noSuchMember(let name): "holds no \(name.name)"
        }
    }

    /// A sentence for a person.
    public var description: String { "The archive \(predicate)." }
}
