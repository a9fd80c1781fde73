internal import Glibc

/// Overwrites a file's content where it lies and removes it: what is left of the blocks that it had says nothing.
///
/// A card that moves blocks around by itself may still have copies; nothing can be done about those from here.
/// - Throws: `SystemError` of the first step that failed. A link in its place is not followed.
public func wipeFile(_ path: BytePath) throws(SystemError) {
    do {
        // Without O_TRUNC, so that the blocks stay the file's own.
        let file = try Descriptor.open(path, flags: O_WRONLY | O_NOFOLLOW)
        let size = try fileStatus(path, followLinks: false).size
        let block = [UInt8](repeating: 0x20, count: 4096)
        var left = Int(size)
        while left > 0 {
            try file.writeAll(Array(block.prefix(left)), subject: path)
            left -= min(left, block.count)
        }
        try file.synchronize(subject: path)
    }
    try removeFile(path)
    try synchronizeDirectory(path.parent)
}
