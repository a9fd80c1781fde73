import SQLiteKit
import SystemKit

extension CatalogError {
    /// Another program holds a lock: the same call may work a moment later.
    public var isBusy: Bool {
        if case .database(_, let error) = self { error.isBusy } else { false }
    }

    /// No room is left on the device.
    public var isFull: Bool {
        switch self {
        case .database(_, let error): error.isFull
        case .file(let error): error.isNoSpace
        case .notKept(let trouble): trouble.kind == .full || trouble.kind == .noMoreFiles
        default: false
        }
    }

    /// This user may not write, or not even read, the catalog's files.
    public var isPermission: Bool {
        switch self {
        case .database(_, let error): error.isReadOnly
        case .file(let error): error.isPermission
        case .notKept(let trouble): trouble.kind == .permission || trouble.kind == .readOnly
        default: false
        }
    }
}
