internal import CArchive
internal import Glibc
public import SystemKit

/// Reads a tar archive, packed with Zstandard or gzip or not at all, from its beginning to its end. Anybody may have made
/// it: nothing is unpacked by itself, and nothing is believed.
public final class TarReader {
    /// What the archive says about something in it.
    public struct Entry: Sendable, Equatable {
        /// Its name, as it stands there.
        public let name: BytePath
        /// Whether it is a file with contents of its own: no folder, no link of any kind, no device.
        public let isFile: Bool
        /// Bytes of a file.
        public let size: Int64
        /// When it was changed, in seconds since 1970.
        public let modifiedSeconds: Int64
        /// Permission bits (0777).
        public let permissions: UInt32
    }

    private let file: RawFile
    private let archive: OpaquePointer
    private let locale = CharacterLocale()

    /// Bytes of the archive itself.
    public var size: Int64 { file.size }

    /// Opens an archive.
    ///
    /// - Throws: `ArchiveError`; what is no archive may be told by the first `next` only.
    public init(_ path: BytePath) throws(ArchiveError) {
        file = try RawFile(path)
        if file.size == 0 { throw .empty }
        guard let made = archive_read_new() else { throw .damaged("out of memory") }
        archive = made
        archive_read_support_format_tar(archive)
        archive_read_support_filter_zstd(archive)
        archive_read_support_filter_gzip(archive)
        let number = file.descriptor.rawValue
        let code = locale.run { archive_read_open_fd(archive, number, 64 << 10) }
        if code < ARCHIVE_WARN { throw failure() }
    }

    deinit { archive_read_free(archive) }

    /// The next entry; `nil` behind the last one.
    public func next() throws(ArchiveError) -> Entry? {
        var entry: OpaquePointer?
        let code = locale.run { archive_read_next_header(archive, &entry) }
        if code == ARCHIVE_EOF { return nil }
        guard code >= ARCHIVE_WARN, let entry else { throw failure() }
        let name = locale.run {
            (archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry)).map { BytePath(cString: $0) }
        }
        let isLink = archive_entry_hardlink(entry) != nil || archive_entry_symlink(entry) != nil
        return Entry(
            name: name ?? "", isFile: !isLink && mode_t(archive_entry_filetype(entry)) == S_IFREG,
            size: max(0, archive_entry_size(entry)), modifiedSeconds: Int64(archive_entry_mtime(entry)),
            permissions: UInt32(archive_entry_perm(entry)) & 0o777)
    }

    /// Reads the contents of the entry that `next` came to, piece by piece.
    ///
    /// - Parameter body: takes a piece, which is valid during the call only.
    public func read(_ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void) throws(ArchiveError) {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { chunk.deallocate() }
        while true {
            let count = archive_read_data(archive, chunk.baseAddress, chunk.count)
            if count == 0 { return }
            guard count > 0 else { throw failure() }
            try body(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        }
    }

    /// Reads the contents of the entry that `next` came to, where they are not longer than `limit` bytes.
    public func contents(limit: Int) throws(ArchiveError) -> [UInt8] {
        var contents: [UInt8] = []
        try read { (piece) throws(ArchiveError) in
            if contents.count + piece.count > limit { throw .tooMuch("has a list of more than \(limit >> 10) KiB") }
            contents.append(contentsOf: piece)
        }
        return contents
    }

    private func failure() -> ArchiveError {
        let text = archive_error_string(archive).map { String(cString: $0) } ?? "unknown reason"
        let code = archive_errno(archive)
        if code == EIO || code == ESTALE { return .file(SystemError(call: "read", path: file.path, code: code)) }
        if text.contains("runcated") { return .cutOff }
        if text.contains("nrecognized archive format") { return .notAnArchive }
        return .damaged(text)
    }
}
