internal import CArchive
internal import Glibc
import SystemKit

/// libarchive's reader, for the two formats and no filter around them.
final class LibraryReader {
    struct Entry {
        var name: [UInt8]
        var size: Int64
        var isFile: Bool
        var isEncrypted: Bool
    }

    private static let blockBytes = 64 << 10

    private let archive: OpaquePointer
    private let file: RawFile
    private let locale = CharacterLocale()

    init(_ file: RawFile, _ kind: ArchiveFile.Kind) throws(ArchiveError) {
        guard let made = archive_read_new() else { throw .damaged("out of memory") }
        archive = made
        self.file = file
        switch kind {
        case .zip: archive_read_support_format_zip_seekable(archive)
        case .sevenZip: archive_read_support_format_7zip(archive)
        }
        let number = file.descriptor.rawValue
        lseek(number, 0, SEEK_SET)
        let code = locale.run { archive_read_open_fd(archive, number, LibraryReader.blockBytes) }
        if code < ARCHIVE_WARN { throw failure() }
    }

    deinit { archive_read_free(archive) }

    /// The next entry; `nil` behind the last one.
    func next() throws(ArchiveError) -> Entry? {
        var entry: OpaquePointer?
        let code = locale.run { archive_read_next_header(archive, &entry) }
        if code == ARCHIVE_EOF { return nil }
        guard code >= ARCHIVE_WARN, let entry else { throw failure() }
        // A name that is no text in the locale has none here, only bytes.
        let name = locale.run {
            (archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry)).map { BytePath(cString: $0).bytes }
        }
        return Entry(
            name: name ?? [], size: max(0, archive_entry_size(entry)),
            // Zip entries of programs that keep no kinds have none.
            isFile: [S_IFREG, 0].contains(mode_t(archive_entry_filetype(entry))),
            isEncrypted: archive_entry_is_encrypted(entry) != 0)
    }

    /// Reads the data of the entry that `next` came to.
    func readData(
        of member: ArchiveMember, _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Bool
    ) throws(ArchiveError) {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: LibraryReader.blockBytes, alignment: 16)
        defer { chunk.deallocate() }
        var total: Int64 = 0
        while true {
            let count = archive_read_data(archive, chunk.baseAddress, chunk.count)
            if count == 0 { break }
            guard count > 0 else { throw failure() }
            total += Int64(count)
            if total > member.size { throw .damaged("it unpacks to more than its list says") }
            if try !body(UnsafeRawBufferPointer(rebasing: chunk[..<count])) { return }
        }
        if total < member.size { throw .cutOff }
    }

    /// What went wrong, by libarchive's sentence: its codes do not tell.
    private func failure() -> ArchiveError {
        let text = archive_error_string(archive).map { String(cString: $0) } ?? "unknown reason"
        let code = archive_errno(archive)
        if text.contains("ncrypt") || text.contains("assphrase") { return .needsPassword }
        if code == EIO || code == ENOENT || code == ESTALE || code == EISDIR {
            return .file(SystemError(call: "read", path: file.path, code: code))
        }
        if text.contains("runcated") { return .cutOff }
        return .damaged(text)
    }
}

/// Names are told in UTF-8 whatever the process's locale is: libarchive asks the calling thread's.
struct CharacterLocale {
    private let handle: locale_t?

    // Made once and never freed: threads may be using it at the end. Unsafe for the compiler only, which takes the handle
    // for a pointer to something that changes; a locale never does, and every thread may use it at once.
    nonisolated(unsafe) private static let shared: locale_t? = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

    init() { handle = CharacterLocale.shared }

    func run<Result>(_ body: () -> Result) -> Result {
        guard let handle else { return body() }
        let before = uselocale(handle)
        defer { uselocale(before) }
        return body()
    }
}
