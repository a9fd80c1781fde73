internal import CLinux
internal import Glibc

/// The kernel's number of a block device's node as `major:minor`, e.g. `179:2`; `nil` where the path is no such node.
public func blockDeviceNumber(_ path: BytePath) -> String? {
    var raw = stat()
    guard path.withCString({ stat($0, &raw) }) == 0, raw.st_mode & S_IFMT == S_IFBLK else { return nil }
    let number = UInt64(raw.st_rdev)
    let major = (number >> 8 & 0xFFF) | (number >> 32 & ~0xFFF)
    let minor = (number & 0xFF) | (number >> 12 & ~0xFF)
    return "\(major):\(minor)"
}

/// Reads bytes of a block device, or of a file that holds the same, past what the kernel remembers of it: a filesystem
/// that is mounted from it writes beside that memory.
///
/// - Parameters:
///   - offset: in bytes, a multiple of 4096 for all devices to take it.
///   - count: in bytes, a multiple of 4096 likewise.
/// - Returns: fewer bytes where the device ends before.
/// - Throws: `SystemError` of `open` or `read`.
public func readDevice(_ path: BytePath, offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
    do throws(SystemError) {
        return try readDevice(path, offset, count, flags: O_RDONLY | clinux_direct_flag())
    } catch  where error.code == EINVAL || error.code == EOPNOTSUPP {
        // A filesystem in memory, where tests keep what stands for a disk, has no way past the kernel's memory.
        return try readDevice(path, offset, count, flags: O_RDONLY)
    }
}

private func readDevice(
    _ path: BytePath, _ offset: Int64, _ count: Int, flags: Int32
) throws(SystemError) -> [UInt8] {
    let file = try Descriptor.open(path, flags: flags)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 4096)
    defer { buffer.deallocate() }
    let value = file.rawValue
    var taken = 0
    while taken < count {
        let from = taken
        let got = try retrying("read", path.displayString) {
            pread(value, buffer.baseAddress.map { $0 + from }, count - from, off_t(offset) + off_t(from))
        }
        if got == 0 { break }
        taken += got
    }
    return Array(buffer[..<taken])
}

/// Makes sure that what was written to a device is on it.
///
/// - Throws: `SystemError` of `open` or `fsync`.
public func flushDevice(_ path: BytePath) throws(SystemError) {
    try Descriptor.open(path, flags: O_RDONLY).synchronize(subject: path)
}

/// The bytes that a mounted XFS filesystem spans; `nil` where the path is on no such filesystem. Only the kernel knows:
/// what is on the disk may be older.
public func xfsBytes(mountedAt path: BytePath) -> Int64? {
    guard let folder = try? Descriptor.open(path, flags: O_RDONLY | O_DIRECTORY) else { return nil }
    let bytes = clinux_xfs_bytes(folder.rawValue)
    return bytes < 0 ? nil : bytes
}

/// A lock of a whole disk that udev honours too: while it is held, nobody reads the disk's partitions anew behind our
/// back. Held until the last use of this value.
public final class DiskLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Parameter seconds: how long to go on trying: udev holds it for moments.
    /// - Throws: `SystemError` of `open` or `flock`; `EWOULDBLOCK` where another holds it all the time.
    public init(_ disk: BytePath, seconds: Double = 5) throws(SystemError) {
        let opened = try Descriptor.open(disk, flags: O_RDONLY)
        let value = opened.rawValue
        let began = MonotonicInstant.now
        while flock(value, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            guard code == EWOULDBLOCK || code == EINTR, MonotonicInstant.now.seconds(since: began) < seconds else {
                throw SystemError(call: "flock", path: disk, code: code)
            }
            sleepThread(seconds: 0.1)
        }
        descriptor = opened.release()
    }

    deinit { close(descriptor) }
}
