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

    /// A directory's number in the catalog, which is given when its look is written.
    final class Number {
        var value: Int64
        init(_ value: Int64 = 0) { self.value = value }
    }

    var row: Row?
    let number: Number
    let parent: Number?
    var folder: [UInt8]
    var relative: [UInt8]
    var depth: Int
    var isLink: Bool
    var above: [Identity]

    init(
        row: Row?, parent: Number? = nil, folder: [UInt8], relative: [UInt8], depth: Int, isLink: Bool,
        above: [Identity] = []
    ) {
        self.row = row
        number = Number(row?.id ?? 0)
        self.parent = parent
        self.folder = folder
        self.relative = relative
        self.depth = depth
        self.isLink = isLink
        self.above = above
    }

    func path(in roms: BytePath) -> BytePath {
        roms.appending(BytePath(bytes: folder)).appending(BytePath(bytes: relative))
    }

    /// The path of an entry below the system's folder.
    func relative(_ name: some Collection<UInt8>) -> [UInt8] {
        relative.isEmpty ? Array(name) : relative + [0x2F] + Array(name)
    }
}
