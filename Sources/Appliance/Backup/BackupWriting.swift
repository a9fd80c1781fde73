import ArchiveKit
import DigestKit
import SQLiteKit
import SystemKit

/// Writes one backup into a new file.
final class BackupWriting {
    private let writer: TarWriter
    private let time: Int64
    private var files: [BackupManifest.File] = []
    private(set) var skipped: [String] = []

    /// Smaller files are read whole before they are written: they may be changed meanwhile.
    private static let wholeBytes: Int64 = 32 << 20
    private static let tries = 3

    init(_ path: BytePath, time: Double) throws(ApplianceError) {
        self.time = Int64(time)
        do throws(ArchiveError) { writer = try TarWriter(path) } catch { throw BackupWriting.writing(path, error) }
    }

    /// Writes everything and makes it durable.
    func write(
        _ header: BackupHeader, _ items: [BackupContents.Item], databases: [BytePath: BytePath], to path: BytePath
    ) throws(ApplianceError) {
        try archive(path) { () throws(ArchiveError) in
            try writer.add(BackupHeader.name, BackupJSON.encode(header), modifiedSeconds: time)
        }
        for item in items { try add(item, from: databases[item.name] ?? item.path, to: path) }
        let manifest = BackupJSON.encode(BackupManifest(files: files))
        try archive(path) { () throws(ArchiveError) in
            try writer.add(BackupManifest.name, manifest, modifiedSeconds: time)
            try writer.finish()
        }
    }

    private func add(_ item: BackupContents.Item, from source: BytePath, to path: BytePath) throws(ApplianceError) {
        let failure: ArchiveError?
        do throws(SystemError) {
            let status = try fileStatus(source)
            failure =
                status.size <= BackupWriting.wholeBytes
                ? pack(item.name, try steady(source), status) : try stream(item.name, source)
        } catch {
            // A save that went away meanwhile, that this user may not read, or that the card has lost, costs itself.
            guard error.isNotFound || error.isPermission || error.isNoFile || error.isDeviceFault else {
                throw .system(error)
            }
            skipped.append(error.description)
            return
        }
        if let failure { throw BackupWriting.writing(path, failure) }
    }

    /// A file's contents as they were at one moment, as far as its times tell.
    private func steady(_ path: BytePath) throws(SystemError) -> [UInt8] {
        for _ in 0..<BackupWriting.tries {
            let before = try fileStatus(path)
            let contents = try readRegularFile(path, limit: 1 << 30)
            let after = try fileStatus(path)
            if before.modifiedNanoseconds == after.modifiedNanoseconds, contents.count == Int(after.size) {
                return contents
            }
        }
        return try readRegularFile(path, limit: 1 << 30)
    }

    private func pack(_ name: BytePath, _ contents: [UInt8], _ status: FileStatus) -> ArchiveError? {
        do throws(ArchiveError) {
            try writer.add(name, contents, modifiedSeconds: status.modifiedNanoseconds / 1_000_000_000)
        } catch { return error }
        files.append(.init(name, size: Int64(contents.count), sha256: SHA256.of(contents)))
        return nil
    }

    private func stream(_ name: BytePath, _ source: BytePath) throws(SystemError) -> ArchiveError? {
        let input = try InputFile(source)
        var left = input.status.size
        var digest = SHA256()
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { chunk.deallocate() }
        do throws(ArchiveError) {
            try writer.begin(
                name, size: left, modifiedSeconds: input.status.modifiedNanoseconds / 1_000_000_000)
        } catch { return error }
        while left > 0 {
            let wanted = UnsafeMutableRawBufferPointer(rebasing: chunk[..<min(chunk.count, Int(left))])
            let count: Int
            do throws(SystemError) {
                count = try input.read(into: wanted)
            } catch {
                // Its beginning is in the archive already.
                return .damaged(error.description)
            }
            if count == 0 { return .damaged("\(source) became shorter while it was copied; try again") }
            let piece = UnsafeRawBufferPointer(rebasing: wanted[..<count])
            digest.update(piece)
            do throws(ArchiveError) { try writer.write(piece) } catch { return error }
            left -= Int64(count)
        }
        files.append(.init(name, size: input.status.size, sha256: digest.hexadecimal))
        return nil
    }

    private func archive(
        _ path: BytePath, _ body: () throws(ArchiveError) -> Void
    ) throws(ApplianceError) {
        do throws(ArchiveError) { try body() } catch { throw BackupWriting.writing(path, error) }
    }

    static func writing(_ path: BytePath, _ error: ArchiveError) -> ApplianceError {
        switch error {
        case .file(let error) where error.isNoSpace:
            .cannotCreate(
                "no room is left for the backup in \(path.parent); delete something there, or choose another place")
        case .file(let error) where error.isTooLarge:
            .cannotCreate("the filesystem of \(path.parent) takes no file as large as this backup")
        case .file(let error): .system(error)
        case .damaged(let reason): .failed("the backup", detail: reason)
        default: .failed("the backup", detail: error.description)
        }
    }
}
