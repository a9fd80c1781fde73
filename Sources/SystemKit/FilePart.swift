internal import CLinux
internal import Glibc

/// Reads a part of a regular file that may be larger than the memory, such as a log that nobody looked after.
///
/// - Parameters:
///   - offset: where the part begins; less than zero counts from the end.
///   - limit: the most bytes that are read.
/// - Returns: the bytes, and where in the file they begin.
/// - Throws: `SystemError` of `open` or `read`; what is no regular file fails with `ENODEV` or `EISDIR`.
public func readPart(
    of path: BytePath, from offset: Int64, limit: Int
) throws(SystemError) -> (bytes: [UInt8], offset: Int64) {
    let file = try Descriptor.open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
    var raw = stat()
    guard fstat(file.rawValue, &raw) == 0 else { throw SystemError(call: "stat", path: path, code: errno) }
    guard raw.st_mode & S_IFMT == S_IFREG else {
        throw SystemError(call: "read", path: path, code: raw.st_mode & S_IFMT == S_IFDIR ? EISDIR : ENODEV)
    }
    let size = Int64(raw.st_size)
    let start = offset < 0 ? max(0, size + offset) : offset
    var bytes = [UInt8](repeating: 0, count: Int(min(Int64(limit), max(0, size - start))))
    var count = 0
    while count < bytes.count {
        let value = file.rawValue
        let from = count
        let read = try retrying("read", path.displayString) {
            bytes.withUnsafeMutableBytes { buffer in
                pread(value, buffer.baseAddress.map { $0 + from }, buffer.count - from, off_t(start) + off_t(from))
            }
        }
        // It was cut meanwhile.
        if read == 0 { break }
        count += read
    }
    bytes.removeSubrange(count...)
    return (bytes, start)
}
