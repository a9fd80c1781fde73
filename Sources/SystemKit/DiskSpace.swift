internal import Glibc

/// How full the filesystem of a path is.
public struct DiskSpace: Sendable, Equatable {
    /// Bytes of the filesystem.
    public let totalBytes: Int64
    /// Bytes that a normal person's program may still write.
    public let freeBytes: Int64
    /// Whether nothing can be written because it is mounted read-only.
    public let isReadOnly: Bool
    /// How many more files a normal person's program may make; `nil` where the filesystem does not count them.
    public let freeFiles: Int64?

    /// A reading with all its parts.
    public init(totalBytes: Int64, freeBytes: Int64, isReadOnly: Bool, freeFiles: Int64? = nil) {
        self.totalBytes = totalBytes
        self.freeBytes = freeBytes
        self.isReadOnly = isReadOnly
        self.freeFiles = freeFiles
    }

    /// Asks the kernel about the filesystem that a path lies on.
    ///
    /// - Throws: `SystemError` of `statvfs`.
    public static func read(_ path: BytePath) throws(SystemError) -> DiskSpace {
        var raw = statvfs()
        let result = path.withCString { statvfs($0, &raw) }
        guard result == 0 else { throw SystemError(call: "statvfs", path: path, code: errno) }
        let block = Int64(clamping: raw.f_frsize)
        return DiskSpace(
            totalBytes: Int64(clamping: raw.f_blocks).multipliedReportingOverflow(by: block).partialValue,
            freeBytes: Int64(clamping: raw.f_bavail).multipliedReportingOverflow(by: block).partialValue,
            isReadOnly: raw.f_flag & UInt(ST_RDONLY) != 0,
            freeFiles: raw.f_files == 0 ? nil : Int64(clamping: raw.f_favail))
    }
}
