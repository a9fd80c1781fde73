internal import CLinux
internal import Glibc

/// A regular file that is read from its beginning to its end, piece by piece.
public struct InputFile: ~Copyable {
    private let descriptor: Descriptor
    private let path: BytePath
    /// What the file was when it was opened.
    public let status: FileStatus

    /// Opens a file; what is no regular one fails with `ENODEV` or `EISDIR`, because a pipe would be waited for without
    /// end.
    ///
    /// - Throws: `SystemError` of `open` or `fstat`.
    public init(_ path: BytePath) throws(SystemError) {
        let opened = try Descriptor.open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
        status = try InputFile.status(of: opened.rawValue, path)
        descriptor = opened
        self.path = path
    }

    private static func status(of descriptor: Int32, _ path: BytePath) throws(SystemError) -> FileStatus {
        var raw = stat()
        guard fstat(descriptor, &raw) == 0 else { throw SystemError(call: "stat", path: path, code: errno) }
        let status = FileStatus(raw)
        switch status.kind {
        case .regular: return status
        case .directory: throw SystemError(call: "read", path: path, code: EISDIR)
        case .symbolicLink, .other: throw SystemError(call: "read", path: path, code: ENODEV)
        }
    }

    /// Reads the next bytes.
    ///
    /// - Returns: how many; 0 at the end.
    /// - Throws: `SystemError` of `read`.
    public borrowing func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        let value = descriptor.rawValue
        return try retrying("read", path.displayString) { Glibc.read(value, buffer.baseAddress, buffer.count) }
    }
}

/// A file that takes another one's place when it is complete, as `replaceFile` does it, for contents that come piece by
/// piece.
public final class ReplacementFile {
    private static let pieceBytes = 1 << 16

    private let target: BytePath
    private let temporary: BytePath
    private let descriptor: Descriptor
    private var buffer: [UInt8] = []
    private var isDone = false

    /// Begins a file beside the one that it is to replace.
    ///
    /// - Parameter permissions: mode of a new file; an existing file's mode is kept.
    /// - Throws: `SystemError` of `open`.
    public init(for target: BytePath, permissions: UInt32 = 0o644) throws(SystemError) {
        // The file that a link leads to is replaced, not the link.
        self.target = (try? resolvedPath(target)) ?? target
        let mode = (try? fileStatus(target))?.permissions ?? permissions
        let name = Array(".".utf8) + self.target.name.bytes + Array(".\(getpid())-\(nextSerial()).tmp".utf8)
        temporary = self.target.parent.appending(BytePath(bytes: name))
        descriptor = try Descriptor.open(temporary, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode)
        // A filesystem without modes refuses this; what it has is all that there can be.
        _ = fchmod(descriptor.rawValue, mode)
    }

    deinit { if !isDone { _ = temporary.withCString { unlink($0) } } }

    /// Adds bytes.
    ///
    /// - Throws: `SystemError` of `write`.
    public func append(_ bytes: some Sequence<UInt8>) throws(SystemError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= ReplacementFile.pieceBytes { try flush() }
    }

    private func flush() throws(SystemError) {
        try descriptor.writeAll(buffer, subject: temporary)
        buffer.removeAll(keepingCapacity: true)
    }

    /// The file as it is so far, for looking into it before it takes the other one's place.
    ///
    /// - Throws: `SystemError` of `write`.
    public func written() throws(SystemError) -> BytePath {
        try flush()
        return temporary
    }

    /// Makes what was written durable and gives it the target's name.
    ///
    /// - Parameter keeping: a name under which the file that is replaced stays.
    /// - Throws: `SystemError` of the first step that failed; the old file is unchanged, or has that name.
    public func commit(keeping aside: BytePath? = nil) throws(SystemError) {
        try flush()
        try descriptor.synchronize(subject: temporary)
        if let aside { try renameFile(target, to: aside) }
        try renameFile(temporary, to: target)
        isDone = true
        try synchronizeDirectory(target.parent)
    }
}

/// The name of the file that was to be replaced, where a name is that of a replacement which a kill or a power cut left
/// behind; `nil` for any other name.
public func interruptedReplacement(_ name: BytePath) -> BytePath? {
    let bytes = name.bytes
    guard bytes.first == UInt8(ascii: "."), bytes.suffix(4).elementsEqual(".tmp".utf8) else { return nil }
    let inner = bytes.dropFirst().dropLast(4)
    guard let dot = inner.lastIndex(of: UInt8(ascii: ".")), dot > inner.startIndex else { return nil }
    let numbers = inner[(dot + 1)...].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard numbers.count == 2, numbers.allSatisfy({ !$0.isEmpty && $0.allSatisfy(digits.contains) }) else { return nil }
    return BytePath(bytes: inner[..<dot])
}

/// The home folder of the account that this process runs as, from the account's own record.
public func accountHome() -> BytePath? {
    guard let entry = getpwuid(geteuid()), let home = entry.pointee.pw_dir else { return nil }
    let path = BytePath(cString: home)
    return path.isAbsolute ? path : nil
}
