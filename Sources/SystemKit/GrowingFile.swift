internal import CLinux
internal import Glibc

/// A file under a name of its own that is filled piece by piece, may be gone on with after an interruption, and gets its
/// final name when it is complete.
public struct GrowingFile: ~Copyable {
    private let descriptor: Descriptor
    /// Its name while it grows.
    public let path: BytePath
    /// Bytes that it had when it was opened.
    public let size: Int64

    /// Opens the file, which is made where it is missing; a link in its place is not followed.
    ///
    /// - Throws: `SystemError` of `open`; `ENODEV` where something else has the name.
    public init(_ path: BytePath) throws(SystemError) {
        let opened = try Descriptor.open(
            path, flags: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode: 0o600)
        var raw = stat()
        guard fstat(opened.rawValue, &raw) == 0 else { throw SystemError(call: "stat", path: path, code: errno) }
        guard raw.st_mode & S_IFMT == S_IFREG else { throw SystemError(call: "open", path: path, code: ENODEV) }
        size = Int64(raw.st_size)
        descriptor = opened
        self.path = path
    }

    /// Fills a buffer from a place in the file.
    ///
    /// - Returns: how many bytes; fewer than asked for only at the file's end.
    /// - Throws: `SystemError` of `read`.
    public borrowing func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        try readFully(descriptor.rawValue, path, into: buffer, at: offset)
    }

    /// Takes away what is behind a place.
    ///
    /// - Throws: `SystemError` of `ftruncate`.
    public borrowing func cut(to bytes: Int64) throws(SystemError) {
        let value = descriptor.rawValue
        _ = try retrying("ftruncate", path.displayString) { ftruncate(value, off_t(bytes)) }
    }

    /// Writes all bytes of a buffer at a place.
    ///
    /// - Throws: `SystemError` of `write`; part of them may have been written.
    public borrowing func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
        let value = descriptor.rawValue
        var written = 0
        while written < buffer.count {
            let start = written
            let count = try retrying("write", path.displayString) {
                pwrite(value, buffer.baseAddress.map { $0 + start }, buffer.count - start, off_t(offset) + off_t(start))
            }
            guard count > 0 else { throw SystemError(call: "write", path: path, code: EIO) }
            written += count
        }
    }

    /// Makes what was written durable.
    ///
    /// - Throws: `SystemError` of `fdatasync`.
    public borrowing func flush() throws(SystemError) {
        let value = descriptor.rawValue
        _ = try retrying("fdatasync", path.displayString) { fdatasync(value) }
    }

    /// Makes the file durable with its mode and time and gives it its name, unless something has that name.
    ///
    /// The name itself is durable after `synchronizeDirectory`.
    /// - Throws: `SystemError` of the call that failed; `EEXIST` where the name is taken.
    public borrowing func finish(
        as target: BytePath, permissions: UInt32, modifiedNanoseconds: Int64
    ) throws(SystemError) {
        let value = descriptor.rawValue
        // Filesystems without modes or with coarse times refuse this; what they have is all that there can be.
        _ = fchmod(value, permissions)
        let seconds = modifiedNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let borrow = seconds.remainder < 0
        let time = timespec(
            tv_sec: time_t(seconds.quotient - (borrow ? 1 : 0)),
            tv_nsec: Int(seconds.remainder + (borrow ? 1_000_000_000 : 0)))
        var times = [time, time]
        _ = futimens(value, &times)
        try descriptor.synchronize(subject: path)
        let result = path.withCString { from in target.withCString { clinux_rename_new(from, $0) } }
        guard result == 0 else { throw SystemError(call: "rename", path: target, code: errno) }
    }
}

extension SystemError {
    /// Something has that name already (`EEXIST`).
    public var isTaken: Bool { code == EEXIST }

    /// Whether it says that a disk is not there any more; `EIO` may also be one bad place on it.
    public var isDiskGone: Bool {
        [ENODEV, ENXIO, ENOTCONN, ENOMEDIUM, ESHUTDOWN, ESTALE].contains(code)
    }

    /// Whether it is about one file's name, size or place, and the next file may well do.
    public var isAboutOneFile: Bool {
        [EFBIG, ENAMETOOLONG, EINVAL, EILSEQ, EISDIR, ENOTDIR, EACCES, EPERM, ELOOP, EEXIST, ENODEV, ETXTBSY, ENOENT]
            .contains(code)
    }
}

extension SystemError {
    /// Something that is no folder has a folder's name.
    public static func notAFolder(_ path: BytePath) -> SystemError {
        SystemError(call: "mkdir", path: path, code: ENOTDIR)
    }
}
