import SystemKit
import Systems

/// A source as a scan sees it: what it is, and where it is now.
struct ScanTarget: Sendable, Equatable {
    /// `GameSource.id`.
    var source: Int64
    /// Where its folders of systems are now, or were when it was last there.
    var path: BytePath
    var position: Int
    /// Whether the filesystem is mounted; a source that is not is not looked for.
    var isThere = true
    /// Whether its filesystem was recognised by a name of its own: the same folder is then the same folder, also where
    /// its numbers are others.
    var isIdentified = false

    init(source: Int64, path: BytePath, position: Int, isThere: Bool = true, isIdentified: Bool = false) {
        self.source = source
        self.path = path
        self.position = position
        self.isThere = isThere
        self.isIdentified = isIdentified
    }

    /// The data root's own games.
    init(_ root: DataRoot) { self.init(source: 0, path: root.roms, position: 0) }
}

/// `roots.present`.
enum SourcePresence: Int64 {
    case absent = 0
    case present = 1
    /// It is mounted, and does not answer.
    case silent = 2
}
