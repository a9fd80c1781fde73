internal import CLinux
internal import Glibc

/// A folder that a stranger filled, such as one of a USB stick, held open.
///
/// Whatever is reached through it lies below the folder that was opened first, on the same filesystem: links are not
/// followed, and nothing but regular files and folders is opened.
public struct StrangerFolder: ~Copyable {
    private let descriptor: Descriptor
    private let path: BytePath
    /// What the folder is.
    public let status: FileStatus

    /// Something in a folder.
    public struct Entry: Sendable {
        /// Its name, which is one component of a path.
        public let name: BytePath
        /// What it is; a link is a link.
        public let status: FileStatus
    }

    /// Opens the first folder by its path, in which links count.
    ///
    /// - Throws: `SystemError` of `open`.
    public init(_ path: BytePath) throws(SystemError) {
        let opened = try Descriptor.open(path, flags: O_RDONLY | O_DIRECTORY | O_NONBLOCK)
        status = try StrangerFolder.status(of: opened.rawValue, path)
        descriptor = opened
        self.path = path
    }

    private init(_ opened: consuming Descriptor, _ path: BytePath, _ status: FileStatus) {
        descriptor = opened
        self.path = path
        self.status = status
    }

    private static func status(of descriptor: Int32, _ path: BytePath) throws(SystemError) -> FileStatus {
        var raw = stat()
        guard fstat(descriptor, &raw) == 0 else { throw SystemError(call: "stat", path: path, code: errno) }
        return FileStatus(raw)
    }

    private borrowing func open(_ name: BytePath, _ flags: Int32) throws(SystemError) -> Descriptor {
        let whole = path.appending(name)
        guard StrangerFolder.isComponent(name) else { throw SystemError(call: "open", path: whole, code: EINVAL) }
        let container = descriptor.rawValue
        let value = try retrying("open", whole.displayString) {
            name.withCString { name in
                openat(container, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags)
            }
        }
        return Descriptor(owning: value)
    }

    /// A damaged filesystem may tell names that lead elsewhere.
    private static func isComponent(_ name: BytePath) -> Bool {
        !name.bytes.isEmpty && name != "." && name != ".." && !name.bytes.contains(UInt8(ascii: "/"))
    }

    /// Opens a folder in this one.
    ///
    /// - Throws: `SystemError` of `open`; `EXDEV` where another filesystem is mounted there.
    public borrowing func folder(_ name: BytePath) throws(SystemError) -> StrangerFolder {
        let whole = path.appending(name)
        let opened = try open(name, O_DIRECTORY)
        let inner = try StrangerFolder.status(of: opened.rawValue, whole)
        guard inner.device == status.device else { throw SystemError(call: "open", path: whole, code: EXDEV) }
        return StrangerFolder(opened, whole, inner)
    }

    /// Opens a regular file by its path from this folder.
    ///
    /// - Throws: `SystemError` of `open`; `ENODEV` for what is no regular file.
    public borrowing func file(_ relative: BytePath) throws(SystemError) -> StrangerFile {
        let components = relative.bytes.split(separator: UInt8(ascii: "/")).map { BytePath(bytes: $0) }
        guard let name = components.first else { throw SystemError(call: "open", path: path, code: EISDIR) }
        if components.count > 1 {
            let rest = BytePath(bytes: components.dropFirst().map(\.bytes).joined(separator: [UInt8(ascii: "/")]))
            return try folder(name).file(rest)
        }
        let whole = path.appending(name)
        let opened = try open(name, 0)
        let inner = try StrangerFolder.status(of: opened.rawValue, whole)
        guard inner.kind == .regular else { throw SystemError(call: "open", path: whole, code: ENODEV) }
        return StrangerFile(opened, whole, inner)
    }

    /// What is in the folder, in the order of the names' bytes.
    ///
    /// - Parameters:
    ///   - limit: how many entries are looked at.
    ///   - failed: hears of an entry that cannot be looked at.
    /// - Returns: the entries, and whether there are more.
    /// - Throws: `SystemError` of `open` or `readdir`.
    public borrowing func entries(
        limit: Int, failed: (SystemError) -> Void = { _ in }
    ) throws(SystemError) -> (entries: [Entry], isCut: Bool) {
        let container = descriptor.rawValue
        let number = openat(container, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(call: "open", path: path, code: errno) }
        guard let stream = fdopendir(number) else {
            let code = errno
            close(number)
            throw SystemError(call: "fdopendir", path: path, code: code)
        }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw SystemError(call: "readdir", path: path, code: errno) }
                break
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { BytePath(cString: $0) }
            }
            guard StrangerFolder.isComponent(name) else { continue }
            if entries.count >= limit { return (entries, true) }
            var raw = stat()
            guard name.withCString({ fstatat(container, $0, &raw, AT_SYMLINK_NOFOLLOW) }) == 0 else {
                failed(SystemError(call: "stat", path: path.appending(name), code: errno))
                continue
            }
            entries.append(Entry(name: name, status: FileStatus(raw)))
        }
        return (entries.sorted { $0.name < $1.name }, false)
    }
}

/// A regular file that a stranger put somewhere, open for reading.
public struct StrangerFile: ~Copyable {
    private let descriptor: Descriptor
    private let path: BytePath
    /// What it was when it was opened.
    public let status: FileStatus

    fileprivate init(_ opened: consuming Descriptor, _ path: BytePath, _ status: FileStatus) {
        descriptor = opened
        self.path = path
        self.status = status
    }

    /// What it is now.
    ///
    /// - Throws: `SystemError` of `fstat`.
    public borrowing func statusNow() throws(SystemError) -> FileStatus {
        var raw = stat()
        guard fstat(descriptor.rawValue, &raw) == 0 else { throw SystemError(call: "stat", path: path, code: errno) }
        return FileStatus(raw)
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
}

func readFully(
    _ descriptor: Int32, _ path: BytePath, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
) throws(SystemError) -> Int {
    var filled = 0
    while filled < buffer.count {
        let start = filled
        let count = try retrying("read", path.displayString) {
            pread(descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start, off_t(offset) + off_t(start))
        }
        if count == 0 { break }
        filled += count
    }
    return filled
}
