import SystemKit

/// The kernel's news of the folder with the databases.
final class StateWatch {
    enum News {
        /// A database was written to.
        case written
        /// The catalog's file is another one, or was put aside.
        case replaced
    }

    private let watch: FileWatch

    init(_ folder: BytePath) throws(SystemError) {
        watch = try FileWatch()
        _ = try watch.add(folder, [.modified, .created, .movedHere, .movedAway, .deleted])
    }

    var rawDescriptor: Int32 { watch.rawDescriptor }

    /// The most important of what happened since the last call.
    func news() -> News? {
        var found: News?
        for event in watch.events() {
            let name = event.name.validUTF8 ?? ""
            if event.kinds.contains(.overflow) || name.hasSuffix("-wal") && event.kinds.contains(.modified) {
                found = found ?? .written
            } else if name == "catalog.sqlite", !event.kinds.contains(.modified) {
                found = .replaced
            }
        }
        return found
    }
}
