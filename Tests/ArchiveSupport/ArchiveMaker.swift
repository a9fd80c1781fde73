internal import CArchive
internal import Glibc

/// Makes archives for tests as other programs make them, through libarchive.
public struct ArchiveMaker {
    /// What one member of an archive is.
    public enum Content: Sendable {
        /// A file with these bytes.
        case bytes([UInt8])
        /// A file of so many zeros, which are not kept in memory.
        case zeros(Int)
        /// A folder.
        case folder
        /// A symbolic link.
        case link(to: String)
    }

    /// Kinds of archives.
    public enum Format: Sendable {
        /// A ZIP archive, compressed or only stored.
        case zip(stored: Bool = false, password: String? = nil)
        /// A 7-Zip archive.
        case sevenZip
        /// Neither.
        case tar
    }

    /// Writes an archive.
    ///
    /// - Returns: whether libarchive could write all of it.
    @discardableResult
    public static func make(_ path: String, _ format: Format = .zip(), _ members: [(String, Content)]) -> Bool {
        // Names are given in UTF-8, whatever the process's locale is.
        guard let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else { return false }
        let before = uselocale(locale)
        defer {
            uselocale(before)
            freelocale(locale)
        }
        guard let archive = archive_write_new() else { return false }
        defer { archive_write_free(archive) }
        switch format {
        case .zip(let stored, let password):
            archive_write_set_format_zip(archive)
            if stored { archive_write_zip_set_compression_store(archive) }
            if let password {
                archive_write_set_options(archive, "zip:encryption=aes256")
                archive_write_set_passphrase(archive, password)
            }
        case .sevenZip: archive_write_set_format_7zip(archive)
        case .tar: archive_write_set_format_ustar(archive)
        }
        guard archive_write_open_filename(archive, path) == ARCHIVE_OK else { return false }
        for (name, content) in members where !add(name, content, to: archive) { return false }
        return archive_write_close(archive) == ARCHIVE_OK
    }

    private static func add(_ name: String, _ content: Content, to archive: OpaquePointer) -> Bool {
        guard let entry = archive_entry_new() else { return false }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname(entry, name)
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_filetype(entry, UInt32(0o100000))
        switch content {
        case .bytes(let bytes): archive_entry_set_size(entry, Int64(bytes.count))
        case .zeros(let count): archive_entry_set_size(entry, Int64(count))
        case .folder: archive_entry_set_filetype(entry, UInt32(0o040000))
        case .link(let target):
            archive_entry_set_filetype(entry, UInt32(0o120000))
            archive_entry_set_symlink(entry, target)
        }
        guard archive_write_header(archive, entry) == ARCHIVE_OK else { return false }
        switch content {
        case .bytes(let bytes): return archive_write_data(archive, bytes, bytes.count) == bytes.count
        case .zeros(var left):
            let chunk = [UInt8](repeating: 0, count: 1 << 20)
            while left > 0 {
                let count = min(left, chunk.count)
                guard archive_write_data(archive, chunk, count) == count else { return false }
                left -= count
            }
            return true
        case .folder, .link: return true
        }
    }
}
