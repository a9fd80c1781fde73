internal import CLinux
internal import Glibc

/// What a directory says about an entry without looking at the entry itself.
public enum EntryKind: Sendable, Equatable {
    /// A regular file.
    case regular
    /// A directory.
    case directory
    /// A symbolic link to whatever.
    case symbolicLink
    /// A device, socket or pipe.
    case other
    /// The filesystem does not tell; `status(of:)` does.
    case unknown
}

/// A directory held open, for listing it and for looking at its entries by name.
///
/// Names are lent as the kernel's bytes: listing a hundred thousand of them allocates nothing.
public struct DirectoryReader: ~Copyable {
    private let stream: OpaquePointer
    private let path: BytePath

    /// Opens a directory; links are followed.
    ///
    /// - Throws: `SystemError` of `open`.
    public init(_ path: BytePath) throws(SystemError) {
        let descriptor = try Descriptor.open(path, flags: O_RDONLY | O_DIRECTORY | O_NONBLOCK)
        let number = descriptor.release()
        guard let stream = fdopendir(number) else {
            let code = errno
            close(number)
            throw SystemError(call: "fdopendir", path: path, code: code)
        }
        self.path = path
        self.stream = stream
    }

    deinit { closedir(stream) }

    /// The directory's own status.
    ///
    /// - Throws: `SystemError` of `fstat`.
    public borrowing func status() throws(SystemError) -> FileStatus {
        var raw = stat()
        guard fstat(dirfd(stream), &raw) == 0 else { throw SystemError(call: "fstat", path: path, code: errno) }
        return FileStatus(raw)
    }

    /// Calls `body` with each entry but `.` and `..`; the name ends with a zero just behind the buffer.
    ///
    /// - Throws: `SystemError` of `readdir`, after `body` has seen part of the entries.
    public borrowing func forEach(_ body: (UnsafeBufferPointer<UInt8>, EntryKind) -> Void) throws(SystemError) {
        // Reading the tuple d_name through the struct would copy 256 bytes an entry.
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 19
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw SystemError(call: "readdir", path: path, code: errno) }
                return
            }
            let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: UInt8.self)
            if name[0] == 0x2E, name[1] == 0 || (name[1] == 0x2E && name[2] == 0) { continue }
            let length = strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            body(UnsafeBufferPointer(start: name, count: length), EntryKind(rawType: entry.pointee.d_type))
        }
    }

    /// Looks at an entry; links stand for their targets.
    ///
    /// - Parameter name: bytes that end with a zero.
    /// - Returns: the status, or the error number of `fstatat`.
    public borrowing func status(of name: UnsafePointer<UInt8>) -> Result<FileStatus, SystemError> {
        var raw = stat()
        let text = UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self)
        guard fstatat(dirfd(stream), text, &raw, 0) == 0 else {
            let code = errno
            return .failure(SystemError(call: "stat", path: path.appending(BytePath(cString: text)), code: code))
        }
        return .success(FileStatus(raw))
    }

    /// Whether some process has an entry open for writing.
    ///
    /// - Parameter name: bytes that end with a zero.
    public borrowing func writer(of name: UnsafePointer<UInt8>) -> FileWriter {
        let text = UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self)
        let file = openat(dirfd(stream), text, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return .unknown }
        defer { close(file) }
        return writerOfFile(file)
    }

    /// The kind of filesystem it lies on.
    public borrowing func filesystem() -> FilesystemKind {
        var raw = statfs()
        guard fstatfs(dirfd(stream), &raw) == 0 else { return .unknown }
        return FilesystemKind(magic: UInt64(truncatingIfNeeded: raw.f_type) & 0xFFFF_FFFF)
    }
}

extension EntryKind {
    fileprivate init(rawType: UInt8) {
        // The DT_ constants of <dirent.h>, which are not macros everywhere.
        switch rawType {
        case 8: self = .regular
        case 4: self = .directory
        case 10: self = .symbolicLink
        case 0: self = .unknown
        default: self = .other
        }
    }
}

/// What is known of a filesystem's habits.
public enum FilesystemKind: Sendable, Equatable {
    /// A directory's time changes with every entry that comes or goes, and is kept finely.
    case keepsDirectoryTimes
    /// FAT, network, FUSE and the like: a directory's time says nothing.
    case unreliable
    /// The kernel's own, such as `/proc` and `/sys`: no files, but endless folders and links.
    case kernel
    /// Not found out.
    case unknown

    package init(magic: UInt64) {
        switch magic {
        case 0x9FA0, 0x6265_6572, 0x1CD1, 0x27_E0EB, 0x6367_7270, 0x6462_6720, 0x7472_6163, 0x7363_6673, 0x6165_676C,
            0xCAFE_4A11, 0x6265_6570, 0x4249_4E4D, 0x1980_0202:
            self = .kernel
        case 0xEF53, 0x9123_683E, 0x5846_5342, 0x0102_1994: self = .keepsDirectoryTimes
        default: self = .unreliable
        }
    }
}
