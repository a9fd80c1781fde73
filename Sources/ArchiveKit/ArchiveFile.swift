internal import CArchive
internal import Glibc
public import SystemKit

/// An archive of games: ZIP or 7-Zip, which RetroArch and people use. Nothing else is tried, whatever the contents say.
///
/// Its files are listed once, when it is opened. Everything is bounded, and nothing is written anywhere.
public struct ArchiveFile: Sendable {
    /// The two kinds.
    public enum Kind: Sendable, Equatable {
        /// A ZIP archive.
        case zip
        /// A 7-Zip archive.
        case sevenZip
    }

    /// Where it is.
    public let path: BytePath
    /// What it is.
    public let kind: Kind
    /// Bytes of the archive.
    public let size: Int64
    /// Its files.
    public let members: [ArchiveMember]
    private let bounds: ArchiveBounds

    /// Whether a name is that of an archive.
    public static func hasArchiveName(_ path: BytePath) -> Bool {
        path.fileExtension == Array("zip".utf8) || path.fileExtension == Array("7z".utf8)
    }

    /// Opens an archive and lists its files.
    ///
    /// - Throws: `ArchiveError` where it is none, is not whole, or goes over a bound.
    public init(_ path: BytePath, bounds: ArchiveBounds = ArchiveBounds()) throws(ArchiveError) {
        let file = try RawFile(path)
        let size = file.size
        if size == 0 { throw .empty }
        self.path = path
        self.size = size
        self.bounds = bounds
        let start = Fields(try file.read(0, 32), from: 0)
        if start.bytes(0, 6).elementsEqual([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) {
            kind = .sevenZip
            try ArchiveFile.checkSevenZip(start, size: size, bounds: bounds)
            members = try ArchiveFile.listThroughLibrary(file, bounds)
        } else {
            kind = .zip
            members = try ZipDirectory(size: size, bounds: bounds, source: file.read).members()
        }
    }

    /// Unpacks a file, piece by piece.
    ///
    /// - Parameter body: takes a piece, which is valid during the call only; `false` ends the reading.
    /// - Throws: `ArchiveError`, also where the file is not what the list says: longer, shorter or another one.
    public func read(
        _ member: ArchiveMember, _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Bool
    ) throws(ArchiveError) {
        if let trouble = trouble(reading: member) { throw trouble }
        let reader = try LibraryReader(try RawFile(path), kind)
        var position = 0
        while let entry = try reader.next() {
            defer { position += 1 }
            guard entry.name == member.name.bytes || (position == member.position && entry.size == member.size) else {
                if position > bounds.members { break }
                continue
            }
            return try reader.readData(of: member, body)
        }
        throw .noSuchMember(member.name)
    }

    /// Why a file would not be read, as far as the list tells.
    public func trouble(reading member: ArchiveMember) -> ArchiveError? {
        if member.isEncrypted { return .needsPassword }
        do throws(ArchiveError) {
            try bounds.check(member.sizeWithEarlier, archive: size)
            return nil
        } catch {
            return error
        }
    }

    /// The list of a 7-Zip archive stands at its end; one that is cut off is told from one that is damaged.
    private static func checkSevenZip(_ start: Fields, size: Int64, bounds: ArchiveBounds) throws(ArchiveError) {
        let (offset, length) = (start.int64(12), start.int64(20))
        guard size >= 32, offset >= 0, length >= 0 else { throw .damaged("its beginning makes no sense") }
        if length > bounds.directoryBytes { throw .tooMuch("has a list of \(length >> 20) MiB") }
        guard offset <= size - 32, length <= size - 32 - offset else { throw .cutOff }
    }

    private static func listThroughLibrary(
        _ file: RawFile, _ bounds: ArchiveBounds
    ) throws(ArchiveError) -> [ArchiveMember] {
        let reader = try LibraryReader(file, .sevenZip)
        var members: [ArchiveMember] = []
        var total: Int64 = 0
        var position = 0
        while let entry = try reader.next() {
            if position >= bounds.members { throw .tooMuch("lists more than \(bounds.members) files") }
            if entry.name.count > bounds.nameBytes { throw .tooMuch("has a name of \(entry.name.count) bytes") }
            let (sum, isOver) = total.addingReportingOverflow(entry.size)
            total = isOver ? .max : sum
            if entry.isFile, ArchiveMember.isInside(entry.name) {
                members.append(
                    ArchiveMember(
                        name: BytePath(bytes: entry.name), size: entry.size, crc: nil, isEncrypted: entry.isEncrypted,
                        position: position, sizeWithEarlier: total))
            }
            position += 1
        }
        return members
    }
}

/// A regular file, open for reading.
final class RawFile {
    let path: BytePath
    let descriptor: Descriptor
    let size: Int64

    init(_ path: BytePath) throws(ArchiveError) {
        self.path = path
        do {
            // A pipe would be waited for.
            descriptor = try Descriptor.open(path, flags: O_RDONLY | O_NONBLOCK)
        } catch {
            throw .file(error)
        }
        var raw = stat()
        guard fstat(descriptor.rawValue, &raw) == 0 else {
            throw .file(SystemError(call: "fstat", path: path, code: errno))
        }
        guard raw.st_mode & S_IFMT == S_IFREG else {
            throw .file(SystemError(call: "open", path: path, code: ENODEV))
        }
        size = Int64(raw.st_size)
    }

    /// So many bytes from an offset on; fewer only at the end.
    func read(_ offset: Int64, _ count: Int) throws(ArchiveError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let from = done
            let got = bytes.withUnsafeMutableBytes { buffer -> Int in
                guard let base = buffer.baseAddress else { return 0 }
                return pread(descriptor.rawValue, base + from, count - from, off_t(offset) + off_t(from))
            }
            if got < 0, errno == EINTR { continue }
            if got < 0 { throw .file(SystemError(call: "read", path: path, code: errno)) }
            if got == 0 { break }
            done += got
        }
        bytes.removeLast(count - done)
        return bytes
    }
}
