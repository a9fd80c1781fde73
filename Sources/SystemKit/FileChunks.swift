internal import CLinux
internal import Glibc

/// Reads a regular file piece by piece, so that its size does not matter.
///
/// - Parameters:
///   - chunkBytes: the size of a piece; only the last one is smaller.
///   - body: takes a piece, which is valid during the call only; `false` ends the reading.
/// - Returns: whether it was read to its end.
/// - Throws: `SystemError` of `open` or `read`; `ENODEV` for what is no regular file.
@discardableResult
public func readChunks(
    of path: BytePath, chunkBytes: Int = 256 << 10, _ body: (UnsafeRawBufferPointer) -> Bool
) throws(SystemError) -> Bool {
    let file = try Descriptor.open(path, flags: O_RDONLY | O_NONBLOCK)
    var raw = stat()
    guard fstat(file.rawValue, &raw) == 0 else { throw SystemError(call: "fstat", path: path, code: errno) }
    guard raw.st_mode & S_IFMT == S_IFREG else { throw SystemError(call: "read", path: path, code: ENODEV) }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: max(chunkBytes, 1), alignment: 16)
    defer { chunk.deallocate() }
    while true {
        var filled = 0
        while filled < chunk.count {
            let count = read(file.rawValue, chunk.baseAddress.map { $0 + filled }, chunk.count - filled)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw SystemError(call: "read", path: path, code: errno) }
            if count == 0 { break }
            filled += count
        }
        if filled > 0, !body(UnsafeRawBufferPointer(rebasing: chunk[..<filled])) { return false }
        if filled < chunk.count { return true }
    }
}
