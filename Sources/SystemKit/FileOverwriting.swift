internal import Glibc

/// Overwrites the start of a file where it lies, in the blocks that it has: for what must not be left on the disk once the
/// file has been replaced, and for files of the kernel, which cannot be replaced.
///
/// A card that moves blocks around by itself may still have copies; nothing can be done about those from here.
/// - Throws: `SystemError` of `open`, `write` or `fsync`. A link in its place is not followed.
public func overwriteFile(_ path: BytePath, with bytes: [UInt8]) throws(SystemError) {
    // Without O_TRUNC, so that the blocks stay the file's own.
    let file = try Descriptor.open(path, flags: O_WRONLY | O_NOFOLLOW)
    try file.writeAll(bytes, subject: path)
    do throws(SystemError) { try file.synchronize(subject: path) } catch {
        // Files of the kernel are on no disk.
        if error.code != EINVAL { throw error }
    }
}
