import ArchiveKit
import DigestKit
public import SystemKit

/// A backup that was read completely: everything in it is what was written.
public struct BackupFile: Sendable {
    /// Where it is.
    public let path: BytePath
    /// What stands first in it.
    public let header: BackupHeader
    /// Bytes of the archive.
    public let archiveBytes: Int64
    let files: [BackupManifest.File]
    /// What its databases say of themselves, whatever stands first in it: the version of their tables, by their names;
    /// less than zero for what is no database.
    let schemas: [String: Int]

    /// How many files it holds.
    public var count: Int { files.count }
    /// Bytes of them, unpacked.
    public var bytes: Int64 { files.reduce(0) { $0 + $1.size } }

    /// How much of a backup is read at most: anybody may have made it.
    private enum Bound {
        static let files = 300_000
        static let names = 64 << 20
        static let list = 128 << 20

        /// What the list of files may be long, where it names the files that are there and nothing else: a small archive
        /// could unpack to a list that takes all memory.
        static func list(files: Int, names: Int) -> Int {
            // A name may stand there twice, once with every byte as an escape of six.
            min(list, (64 << 10) + files * 512 + names * 8)
        }
        static let ratio: Int64 = 1000
        // Empty memory cards pack very well.
        static let ratioBytes: Int64 = 2 << 30
    }

    /// Reads only what stands first, for listing.
    ///
    /// - Throws: `ApplianceError.refused` where it is no backup, or of a newer format.
    public static func header(of path: BytePath) throws(ApplianceError) -> BackupHeader {
        do throws(ArchiveError) {
            return try header(TarReader(path))
        } catch { throw reading(path, error) }
    }

    /// Reads all of a backup and compares it with its checksums. Nothing is unpacked.
    ///
    /// - Throws: `ApplianceError.refused` with what is wrong.
    public static func verify(_ path: BytePath) throws(ApplianceError) -> BackupFile {
        do throws(ArchiveError) {
            return try read(path)
        } catch { throw reading(path, error) }
    }

    private static func header(_ reader: TarReader) throws(ArchiveError) -> BackupHeader {
        guard let first = try reader.next(), first.isFile, first.name == BackupHeader.name,
            let header = BackupJSON.decode(BackupHeader.self, try reader.contents(limit: 1 << 20))
        else { throw .damaged("it is no backup of this program") }
        guard header.format >= 1 else { throw .damaged("its first lines make no sense") }
        guard header.format <= BackupHeader.format else {
            throw .damaged(
                "a newer version of this program made it (format \(header.format), known is \(BackupHeader.format)); "
                    + "install that version first")
        }
        return header
    }

    private static func read(_ path: BytePath) throws(ArchiveError) -> BackupFile {
        let reader = try TarReader(path)
        let header = try header(reader)
        var found: [BytePath: (size: Int64, sha256: String)] = [:]
        var total: Int64 = 0
        var schemas: [String: Int] = [:]
        var names = 0
        while let entry = try reader.next() {
            if entry.name == BackupManifest.name {
                let list = try reader.contents(limit: Bound.list(files: found.count, names: names))
                guard entry.isFile, let manifest = BackupJSON.decode(BackupManifest.self, list) else {
                    throw .damaged("its list of files makes no sense")
                }
                try check(manifest, found)
                if try reader.next() != nil { throw .damaged("something stands behind its list of files") }
                return BackupFile(
                    path: path, header: header, archiveBytes: reader.size, files: manifest.files, schemas: schemas)
            }
            guard entry.isFile else { throw .damaged("\(entry.name) in it is no file, but a link or a device") }
            guard let name = BackupName(entry.name) else { throw .damaged("\(entry.name) in it leads elsewhere") }
            guard found[entry.name] == nil else { throw .damaged("\(entry.name) is in it twice") }
            names += entry.name.bytes.count
            if found.count >= Bound.files || names > Bound.names {
                throw .tooMuch("holds more than \(Bound.files) files")
            }
            var head: [UInt8] = []
            let (size, sha256) = try digest(reader) { (size, piece) throws(ArchiveError) in
                if name.isDatabase { head += piece.prefix(DatabaseHead.bytes - head.count) }
                let sum = total + size
                if sum > Bound.ratioBytes, sum / max(reader.size, 1) > Bound.ratio {
                    throw .tooMuch("unpacks to more than \(sum >> 30) GiB")
                }
            }
            total += size
            found[entry.name] = (size, sha256)
            if name.isDatabase { schemas[name.below.displayString] = DatabaseHead.version(head) ?? -1 }
        }
        // The list of files is written last.
        throw .cutOff
    }

    private static func digest(
        _ reader: TarReader, _ check: (Int64, UnsafeRawBufferPointer) throws(ArchiveError) -> Void
    ) throws(ArchiveError) -> (Int64, String) {
        var digest = SHA256()
        var size: Int64 = 0
        try reader.read { (piece) throws(ArchiveError) in
            digest.update(piece)
            size += Int64(piece.count)
            try check(size, piece)
        }
        return (size, digest.hexadecimal)
    }

    private static func check(
        _ manifest: BackupManifest, _ found: [BytePath: (size: Int64, sha256: String)]
    ) throws(ArchiveError) {
        guard Set(manifest.files.map(\.name)).count == manifest.files.count, manifest.files.count == found.count else {
            throw .damaged("it does not hold the files that its list names")
        }
        for file in manifest.files {
            guard let there = found[file.name] else { throw .damaged("\(file.name) is missing in it") }
            guard there.size == file.size, there.sha256 == file.sha256 else {
                throw .damaged("\(file.name) in it is not what was written")
            }
        }
    }

    static func reading(_ path: BytePath, _ error: ArchiveError) -> ApplianceError {
        switch error {
        case .file(let error): .system(error)
        case .empty: .refused("\(path) is empty: the copy never began")
        case .notAnArchive: .refused("\(path) is no backup")
        case .cutOff: .refused("\(path) is cut off: a part of it is missing; copy it again, or take another backup")
        case .damaged(let reason): .refused("\(path) cannot be used: \(reason)")
        case .needsPassword: .refused("\(path) needs a password, which no backup of ours does")
        case .tooMuch(let what): .refused("\(path) cannot be used: it \(what)")
        case .noSuchMember(let name): .refused("\(path) holds no \(name)")
        }
    }
}

/// The beginning of a file of SQLite, as its documentation of the format gives it.
private enum DatabaseHead {
    static let bytes = 100
    private static let versionOffset = 60

    /// What `PRAGMA user_version` would say; `nil` for what is no database.
    static func version(_ head: [UInt8]) -> Int? {
        guard head.count == bytes, head.starts(with: "SQLite format 3\0".utf8) else { return nil }
        return Int(head[versionOffset..<versionOffset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
}
