public import SQLiteKit
public import SystemKit

/// What the catalog cannot do, on what, and why.
public enum CatalogError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A call of SQLite failed.
    case database(file: BytePath, SQLiteError)
    /// A file or folder of the catalog's own cannot be used.
    case file(SystemError)
    /// The database was written by a newer version of this program; nothing was changed in it.
    case newerSchema(file: BytePath, found: Int, known: Int)
    /// Nothing can be kept for now; nothing that was kept before is lost.
    case notKept(StartTrouble)
    /// No game has this number.
    case noSuchGame(id: Int64)
    /// The game's file is there: only absent games can be forgotten.
    case notMissing(id: Int64)
    /// No system has this name.
    case noSuchSystem(name: String)
    /// No source has this number, or it is the data root's own.
    case noSuchSource(id: Int64)
    /// The folder is a source already, or one lies in the other.
    case overlappingSource(path: BytePath, other: BytePath)
    /// The folder is the kernel's own, such as `/proc`: nothing in it is a file that anybody put there.
    case kernelFolder(path: BytePath, kind: String)
    /// No collection has this number.
    case noSuchCollection(id: Int64)
    /// Another collection has this name.
    case collectionExists(name: String)
    /// A collection cannot be called so.
    case badCollectionName(String)
    /// The collection is a saved filter: games come into it by what they are.
    case collectionIsFilter(name: String)
    /// A game's metadata cannot have this value, or has nothing of that name.
    case badEdit(key: String, value: String)
    /// The store was closed.
    case closed

    /// A database that cannot be opened: SQLite does not say why, the kernel does.
    static func opening(_ path: BytePath, _ error: SQLiteError) -> CatalogError {
        guard error.cannotOpen, let reason = openingProblem(path) else { return .database(file: path, error) }
        return .file(reason)
    }

    /// Whether it says that this database is damaged.
    func isDamage(of path: BytePath) -> Bool {
        guard case .database(let file, let error) = self else { return false }
        return file == path && error.isDamage
    }

    /// What the device says that neither SQLite nor the kernel's number does; `nil` where it has room for all.
    private static func spaceSentence(_ path: String) -> String? {
        guard let trouble = StartTrouble.ofSpace(in: BytePath(path).parent), trouble.kind != .full else { return nil }
        return trouble.kind == .readOnly
            ? "\(path) cannot be written: its device can only be read."
            : "\(path) cannot be written: its device takes no more files. Delete some from it, small ones too."
    }

    private static func writingSentence(_ file: BytePath, _ error: SQLiteError) -> String {
        error.isFull
            ? "No room is left on the device that holds \(file); nothing of yours was lost."
            : "\(file) cannot be opened for writing: \(error.message)."
    }

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .database(let file, let error) where error.isFull || error.isReadOnly || error.cannotOpen:
            CatalogError.spaceSentence(file.displayString) ?? CatalogError.writingSentence(file, error)
        case .database(let file, let error) where error.isBusy:
            "\(file) is in use by another program: \(error.message)."
        case .database(let file, let error) where error.isDeviceFault:
            "The device that holds \(file) does not answer as it should: \(error.message) (\(error.extendedCode))."
        case .database(let file, let error): "\(file): \(error.message) (\(error.extendedCode))."
        case .file(let error) where error.isNoSpace:
            CatalogError.spaceSentence(error.subject)
                ?? "No room is left on the device that holds \(error.subject); nothing of yours was lost."
        case .file(let error) where error.isReadOnly:
            "\(error.subject) cannot be written: its device can only be read."
        case .file(let error): error.description
        case .newerSchema(let file, let found, let known):
            "\(file) was written by a newer version of this program (\(found), this one knows \(known)); "
                + "it was left as it is."
        case .notKept(let trouble): "This cannot be kept. \(trouble.sentence) \(trouble.advice)"
        case .noSuchGame(let id): "There is no game with the number \(id)."
        case .notMissing(let id): "The file of game \(id) is there; only games whose file is absent can be forgotten."
        case .noSuchSystem(let name): "There is no system named \(name)."
        case .noSuchSource(0): "The folder of the data root itself stays where it is, the first of all."
        case .noSuchSource(let id): "There is no source with the number \(id)."
        case .overlappingSource(let path, let other) where path == other: "\(path) is a source already."
        case .overlappingSource(let path, let other):
            "\(path) and the source \(other) lie in each other: their games would be there twice."
        case .kernelFolder(let path, let kind): "\(path) is the kernel's own (\(kind)): there are no games in it."
        case .noSuchCollection(let id): "There is no collection with the number \(id)."
        case .collectionExists(let name): "There is a collection named \(name) already."
        case .badCollectionName(let name):
            name.isEmpty
                ? "A collection needs a name."
                : "A collection's name must have no control characters and at most 100 others."
        case .collectionIsFilter(let name):
            "\(name) is a saved filter: its games are those that meet it, none can be put in or taken out."
        case .badEdit(let key, let value):
            "\"\(BytePath.displayString(of: value.prefix(60).utf8))\" is no value for "
                + "\(BytePath.displayString(of: key.prefix(30).utf8))."
        case .closed: "The catalog was closed."
        }
    }
}
