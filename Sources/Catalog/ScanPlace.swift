import SystemKit

/// A directory on its way through a scan.
struct ScanPlace {
    /// A directory's identity on its device; tells loops of links.
    struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64

        init(_ status: FileStatus) {
            device = status.device
            inode = status.inode
        }

        init(device: UInt64, inode: UInt64) {
            self.device = device
            self.inode = inode
        }
    }

    /// What the catalog knows of a directory.
    struct Row {
        var id: Int64
        var relative: [UInt8]
        var identity: Identity
        var modified: Int64
        var isLink: Bool
        var folder: [UInt8] = []
    }

    var row: Row?
    var parent: Int64?
    var folder: [UInt8]
    var relative: [UInt8]
    var depth: Int
    var isLink: Bool
    var above: [Identity] = []

    func path(in roms: BytePath) -> BytePath {
        roms.appending(BytePath(bytes: folder)).appending(BytePath(bytes: relative))
    }

    /// The path of an entry below the system's folder.
    func relative(_ name: some Collection<UInt8>) -> [UInt8] {
        relative.isEmpty ? Array(name) : relative + [0x2F] + Array(name)
    }
}
