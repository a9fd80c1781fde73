import SQLiteKit
import SystemKit

/// Why what the person does cannot be kept for now. The games can be seen and played all the same.
public struct StartTrouble: Sendable, Equatable {
    /// The kind of trouble.
    public enum Kind: String, Sendable {
        /// No room is left.
        case full
        /// There is room, but the filesystem takes no more files.
        case noMoreFiles
        /// The filesystem can only be read.
        case readOnly
        /// The folder belongs to somebody else.
        case permission
        /// A newer version of this program wrote the files.
        case newerVersion
        /// The device fails.
        case device
        /// Something else.
        case other
    }

    /// The kind of trouble.
    public let kind: Kind
    /// What is wrong, in one sentence.
    public let sentence: String
    /// What the person can do, in one sentence.
    public let advice: String

    /// Trouble with all its parts.
    public init(kind: Kind, sentence: String, advice: String) {
        self.kind = kind
        self.sentence = sentence
        self.advice = advice
    }

    /// The trouble behind an error that kept the databases of a folder from being opened.
    init(_ error: CatalogError, in folder: BytePath) {
        switch StartTrouble.kind(of: error, in: folder) {
        case .other:
            self.init(
                kind: .other, sentence: error.description,
                advice: "Start again; if this stays, look into the log.")
        case let kind: self.init(kind, folder)
        }
    }

    /// The trouble that a folder is in although its databases could be opened; `nil` where changes can be kept.
    static func ofSpace(in folder: BytePath) -> StartTrouble? {
        guard let space = try? DiskSpace.read(folder) else { return nil }
        if space.isReadOnly { return StartTrouble(.readOnly, folder) }
        if space.freeFiles == 0 { return StartTrouble(.noMoreFiles, folder) }
        return space.freeBytes < leastBytes ? StartTrouble(.full, folder) : nil
    }

    /// The trouble that files which belong to somebody else make; `nil` where all can be written.
    static func ofFiles(_ connections: [Connection], in folder: BytePath) -> StartTrouble? {
        let files = connections.flatMap { connection in
            ["", "-wal", "-shm"].map { connection.path.appendingSuffix($0) }.filter(fileExists)
        }
        let isRefused = connections.contains(where: \.isReadOnly) || files.contains { openingProblem($0) != nil }
        return isRefused ? StartTrouble(.permission, folder) : nil
    }

    /// Less than a change takes: the pages of it in the log, and the log's index.
    private static let leastBytes: Int64 = 64 << 10

    private init(_ kind: Kind, _ folder: BytePath) {
        let (sentence, advice) =
            switch kind {
            case .full:
                (
                    "No room is left on the device that holds \(folder).",
                    "Delete something from it, then start again."
                )
            case .noMoreFiles:
                (
                    "The device that holds \(folder) takes no more files.",
                    "Delete some files from it, small ones too, then start again."
                )
            case .readOnly:
                (
                    "The device that holds \(folder) can only be read.",
                    "Look whether its lock is closed or the card is worn out, then start again."
                )
            case .permission:
                (
                    "This user may not write to \(folder).",
                    "Give the folder, and all that is in it, to the user who runs the menu, then start again."
                )
            case .newerVersion:
                (
                    "Your favourites and settings were written by a newer version of this program.",
                    "Install that version again: everything is as it was."
                )
            case .device, .other:
                (
                    "The device that holds \(folder) does not answer as it should.",
                    "Copy what is dear to you from it soon: the card or disk may be worn out."
                )
            }
        self.init(kind: kind, sentence: sentence, advice: advice)
    }

    private static func kind(of error: CatalogError, in folder: BytePath) -> Kind {
        switch error {
        case .newerSchema: return .newerVersion
        case .file(let error) where error.isNoSpace: return fullness(of: folder)
        case .file(let error) where error.isReadOnly: return .readOnly
        case .file(let error) where error.isPermission: return .permission
        case .file(let error) where error.isDeviceFault: return .device
        case .database(_, let error) where error.isFull: return fullness(of: folder)
        case .database(_, let error) where error.isReadOnly || error.cannotOpen:
            return ofSpace(in: folder)?.kind ?? .permission
        case .database(_, let error) where error.isDeviceFault: return .device
        default: return .other
        }
    }

    private static func fullness(of folder: BytePath) -> Kind {
        (try? DiskSpace.read(folder))?.freeFiles == 0 ? .noMoreFiles : .full
    }
}
