internal import Glibc

/// Owns one file descriptor and closes it.
public struct Descriptor: ~Copyable, Sendable {
    /// The kernel's number.
    public let rawValue: Int32

    /// Takes ownership of an open descriptor.
    public init(owning rawValue: Int32) { self.rawValue = rawValue }

    deinit { close(rawValue) }

    /// Gives the number up without closing it; the caller owns it from now on.
    public consuming func release() -> Int32 {
        let value = rawValue
        discard self
        return value
    }
}

extension Descriptor {
    /// Opens a path, always close-on-exec.
    ///
    /// - Parameter flags: `O_RDONLY` and the like.
    /// - Throws: `SystemError` of `open`, called `create` where a new file was to be made.
    public static func open(_ path: BytePath, flags: Int32, mode: UInt32 = 0o644) throws(SystemError) -> Descriptor {
        while true {
            let value = path.withCString { Glibc.open($0, flags | O_CLOEXEC, mode) }
            if value >= 0 { return Descriptor(owning: value) }
            if errno != EINTR {
                // A new file that cannot be made is another fault than one that cannot be read.
                let isNew = flags & (O_CREAT | O_EXCL) == O_CREAT | O_EXCL
                throw SystemError(call: isNew ? "create" : "open", path: path, code: errno)
            }
        }
    }

    /// Writes all bytes.
    ///
    /// - Throws: `SystemError` of `write`; part of the bytes may have been written.
    public borrowing func writeAll(_ bytes: [UInt8], subject: BytePath) throws(SystemError) {
        var offset = 0
        while offset < bytes.count {
            let from = offset
            let value = rawValue
            let count = bytes.withUnsafeBytes { buffer -> Int in
                guard let base = buffer.baseAddress else { return 0 }
                return Glibc.write(value, base + from, buffer.count - from)
            }
            if count > 0 {
                offset += count
            } else if count == 0 || errno != EINTR {
                throw SystemError(call: "write", path: subject, code: count == 0 ? EIO : errno)
            }
        }
    }

    /// Flushes data and metadata to the device.
    ///
    /// - Throws: `SystemError` of `fsync`.
    public borrowing func synchronize(subject: BytePath) throws(SystemError) {
        let value = rawValue
        _ = try retrying("fsync", subject.displayString) { fsync(value) }
    }
}
