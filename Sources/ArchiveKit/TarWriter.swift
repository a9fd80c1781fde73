internal import CArchive
internal import Glibc
public import SystemKit

/// Writes a tar archive, compressed with Zstandard, whose names are bytes. Every tar program of today reads it.
public final class TarWriter {
    private let path: BytePath
    private let descriptor: Descriptor
    private let archive: OpaquePointer
    private let locale = CharacterLocale()
    private var isOpen = true

    /// Begins a new file; one that is there is not touched.
    ///
    /// - Throws: `ArchiveError.file` where it cannot be made.
    public init(_ path: BytePath, permissions: UInt32 = 0o600) throws(ArchiveError) {
        self.path = path
        do {
            descriptor = try Descriptor.open(path, flags: O_RDWR | O_CREAT | O_EXCL, mode: permissions)
        } catch { throw .file(error) }
        guard let made = archive_write_new() else { throw .damaged("out of memory") }
        archive = made
        archive_write_set_format_pax_restricted(archive)
        // A name that is no UTF-8 is written as its bytes.
        archive_write_set_options(archive, "hdrcharset=BINARY")
        archive_write_add_filter_zstd(archive)
        let number = descriptor.rawValue
        let code = locale.run { archive_write_open_fd(archive, number) }
        if code < ARCHIVE_WARN { throw failure() }
    }

    deinit {
        // What nobody finished is not brought to an end: the file is its maker's to remove.
        if isOpen { archive_write_fail(archive) }
        archive_write_free(archive)
    }

    /// Begins a file in the archive; exactly `size` bytes must follow.
    public func begin(
        _ name: BytePath, size: Int64, modifiedSeconds: Int64, permissions: UInt32 = 0o644
    ) throws(ArchiveError) {
        guard let entry = archive_entry_new() else { throw .damaged("out of memory") }
        defer { archive_entry_free(entry) }
        name.withCString { archive_entry_set_pathname(entry, $0) }
        archive_entry_set_filetype(entry, UInt32(0o100000))
        archive_entry_set_perm(entry, mode_t(permissions & 0o777))
        archive_entry_set_size(entry, size)
        archive_entry_set_mtime(entry, time_t(modifiedSeconds), 0)
        let code = locale.run { archive_write_header(archive, entry) }
        if code < ARCHIVE_WARN { throw failure() }
    }

    /// Adds bytes to the file that was begun last.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        guard bytes.count > 0 else { return }
        let count = archive_write_data(archive, bytes.baseAddress, bytes.count)
        guard count == bytes.count else {
            throw count < 0 ? failure() : .damaged("more was written than was announced")
        }
    }

    /// Adds a whole file.
    public func add(_ name: BytePath, _ contents: [UInt8], modifiedSeconds: Int64) throws(ArchiveError) {
        try begin(name, size: Int64(contents.count), modifiedSeconds: modifiedSeconds)
        // A typed rethrow cannot pass through withUnsafeBytes on every compiler we support.
        var failure: ArchiveError?
        contents.withUnsafeBytes { bytes in
            do throws(ArchiveError) { try write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Writes the end and makes all of it durable. What is read from the file after this comes from the device.
    public func finish() throws(ArchiveError) {
        let code = archive_write_close(archive)
        if code < ARCHIVE_WARN { throw failure() }
        isOpen = false
        do {
            try descriptor.synchronize(subject: path)
        } catch { throw .file(error) }
        _ = posix_fadvise(descriptor.rawValue, 0, 0, POSIX_FADV_DONTNEED)
    }

    private func failure() -> ArchiveError {
        let code = archive_errno(archive)
        if code > 0 { return .file(SystemError(call: "write", path: path, code: code)) }
        return .damaged(archive_error_string(archive).map { String(cString: $0) } ?? "unknown reason")
    }
}
