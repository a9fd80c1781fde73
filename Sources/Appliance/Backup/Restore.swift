import ArchiveKit
import DigestKit
import SQLiteKit
public import SystemKit

/// A restore that is about to happen: the backup was read completely and fits. A value: nothing is written before `apply`.
public struct Restore: Sendable {
    let machine: Machine
    /// The backup.
    public let file: BackupFile
    /// Files that are not there now.
    public let added: Int
    /// Files that are there, and will be replaced.
    public let replaced: Int

    /// What a restore did.
    public struct Outcome: Sendable {
        /// How many files were written.
        public var restored = 0
        /// Where that was kept which was there before; `nil` where there was nothing.
        public var aside: BytePath?
        /// Files that could not be written, a sentence each.
        public var problems: [String] = []
        /// Whether an earlier one, that did not come to its end, was continued.
        public var continued = false
    }

    /// Says that a restore did not come to its end, and where it kept what was there.
    private static let marker: BytePath = "restore-unfinished"
    private static let keptAside = 3

    /// Reads the backup and looks whether it can be restored here.
    ///
    /// - Parameter newestSchemas: the newest version of each database's tables that this program knows.
    /// - Throws: `ApplianceError.refused` where the backup is damaged or newer than this program; `.busy` while the menu
    ///   runs.
    public init(_ path: BytePath, on machine: Machine, newestSchemas: [String: Int]) throws(ApplianceError) {
        self.machine = machine
        file = try BackupFile.verify(path)
        // What the databases themselves say counts, too: anybody may have written the first lines.
        let schemas = file.header.schemas.merging(file.schemas) { max($0, $1) }
        for (name, version) in schemas.sorted(by: { $0.key < $1.key }) {
            guard let known = newestSchemas[name], version > known else { continue }
            throw .refused(
                "\(path) cannot be used: a newer version of this program (\(file.header.version)) made it; "
                    + "install that version first")
        }
        if let holder = DataUse(machine: machine).holder() {
            throw .busy("\(holder) uses the data now: end the menu first, then restore")
        }
        let there = file.files.compactMap { BackupName($0.name) }.filter { fileExists($0.path(in: machine.data)) }
        replaced = there.count
        added = file.count - there.count
        let place = [machine.data.root, machine.data.root.parent].first(where: fileExists) ?? "/"
        // What is replaced is kept aside first, packed, and then written beside the old file.
        let space = try system { () throws(SystemError) in try DiskSpace.read(place) }
        if space.isReadOnly { throw .cannotCreate("\(machine.data.root) is on a filesystem that can only be read") }
        let largest = file.files.map(\.size).max() ?? 0
        guard space.freeBytes > file.bytes + largest else {
            throw .cannotCreate(
                "restoring needs \((file.bytes + largest) / 1_000_000 + 1) MB, and \(machine.data.root) has "
                    + "\(space.freeBytes / 1_000_000) MB free")
        }
    }

    /// Whether a restore did not come to its end here.
    public static func isUnfinished(on machine: Machine) -> Bool { fileExists(machine.data.state.appending(marker)) }

    /// Keeps aside what is there, and writes the backup's files, each whole and durable.
    ///
    /// - Throws: `ApplianceError`; interrupted anywhere, it can be done again.
    public func apply() throws(ApplianceError) -> Outcome {
        let state = machine.data.state
        try system { () throws(SystemError) in try createDirectories(state) }
        let turn = try Backup.turn(machine)
        // A menu that starts meanwhile waits for this before it opens the databases.
        let lock: LockFile
        do throws(SystemError) {
            lock = try LockFile(state.appending("open.lock"))
        } catch { throw .system(error) }
        if let holder = DataUse(machine: machine).holder() {
            throw .busy("\(holder) uses the data now: end the menu first, then restore")
        }
        var outcome = Outcome()
        let marker = state.appending(Restore.marker)
        let earlier = (try? readRegularFile(marker, limit: 8192)).map { Beginning($0) }
        // Somebody may have played since an earlier one was interrupted, so what is there is kept each time; and what was
        // there before that one is kept, too.
        let kept = try keepAside(sparing: earlier?.aside)
        outcome.continued = earlier?.backup == identity
        outcome.aside = outcome.continued ? earlier?.aside ?? kept : kept
        let beginning = Beginning(aside: outcome.aside, backup: identity)
        try system { () throws(SystemError) in try replaceFile(at: marker, with: beginning.bytes) }
        sweep(all: earlier != nil)
        var isWhole = false
        do throws(ArchiveError) {
            isWhole = try unpack(&outcome)
        } catch { throw BackupFile.reading(file.path, error) }
        if isWhole {
            try system { () throws(SystemError) in
                try removeFile(marker)
                try synchronizeDirectory(state)
            }
        }
        lock.release()
        _ = consume turn
        return outcome
    }

    /// Removes what a restore that was killed left beside the files.
    ///
    /// - Parameter all: whether one was; else only its note may have been half written.
    private func sweep(all: Bool) {
        let files = all ? file.files.compactMap { BackupName($0.name)?.path(in: machine.data) } : []
        let targets = Set(files + [machine.data.state.appending(Restore.marker)])
        for folder in Set(targets.map(\.parent)) {
            guard let status = try? fileStatus(folder, followLinks: false), status.kind == .directory else { continue }
            for name in (try? directoryNames(folder)) ?? [] {
                guard let whole = interruptedReplacement(name), targets.contains(folder.appending(whole)) else {
                    continue
                }
                try? removeFile(folder.appending(name))
            }
        }
    }

    /// Tells one backup from another, wherever it lies.
    private var identity: [UInt8] { Array("\(file.header.host) \(file.header.time) \(file.archiveBytes)".utf8) }

    /// What is noted while a restore is under way.
    private struct Beginning {
        /// Where that is which was there before.
        let aside: BytePath?
        /// Which backup is restored.
        let backup: [UInt8]

        init(aside: BytePath?, backup: [UInt8]) {
            self.aside = aside
            self.backup = backup
        }

        init(_ bytes: [UInt8]) {
            let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
            let path = BytePath(bytes: parts[0])
            aside = fileExists(path) ? path : nil
            backup = parts.count > 1 ? parts[1] : []
        }

        var bytes: [UInt8] { (aside?.bytes ?? []) + [0] + backup }
    }

    private func keepAside(sparing earlier: BytePath?) throws(ApplianceError) -> BytePath? {
        let isAnythingThere = !BackupContents(of: machine.data, withScreenshots: false).items.isEmpty
        guard isAnythingThere else { return nil }
        let folder = Backup.usualFolder(machine.data)
        try system { () throws(SystemError) in try createDirectories(folder, permissions: 0o700) }
        let backup = try Backup(
            on: machine, place: .path(folder), withScreenshots: file.header.screenshots, kept: Restore.keptAside,
            // The backup that is read may be one of those that were kept aside.
            time: wallClockSeconds(), isAside: true, sparing: [file.path] + [earlier].compactMap { $0 })
        return try backup.createInTurn().file.path
    }

    /// - Returns: whether all that can be restored was restored; else it can be tried again.
    private func unpack(_ outcome: inout Outcome) throws(ArchiveError) -> Bool {
        let wanted = Dictionary(file.files.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let reader = try TarReader(file.path)
        var isWhole = true
        var seen = 0
        while let entry = try reader.next() {
            guard let listed = wanted[entry.name], entry.isFile, let name = BackupName(entry.name) else { continue }
            seen += 1
            if name.isDatabase, file.schemas[name.below.displayString] ?? 0 < 0 {
                outcome.problems.append("\(listed.name) in the backup is no database; it was left out")
                continue
            }
            var failure: ArchiveError?
            do throws(SystemError) {
                if let damage = try restore(name, listed, reader, &failure) {
                    outcome.problems.append(damage)
                    continue
                }
            } catch {
                outcome.problems.append(error.description)
                isWhole = false
                continue
            }
            if let failure { throw failure }
            outcome.restored += 1
        }
        guard seen == wanted.count else { throw .damaged("it changed while it was restored") }
        return isWhole
    }

    /// Writes one file, or leaves it as it was.
    ///
    /// - Parameter failure: hears what is wrong with the archive.
    /// - Returns: why the file in the backup is of no use.
    private func restore(
        _ name: BackupName, _ listed: BackupManifest.File, _ reader: TarReader, _ failure: inout ArchiveError?
    ) throws(SystemError) -> String? {
        let folder = name.folder(in: machine.data)
        let target = name.path(in: machine.data)
        try createDirectories(folder)
        try makeFolders(below: folder, to: target.parent)
        if let status = try? fileStatus(target, followLinks: false) {
            // A folder of that name is not thrown away, and no link is written through.
            guard status.kind == .regular else { throw SystemError(call: "restore", path: target, code: 17) }
        }
        let replacement = try ReplacementFile(for: target)
        var digest = SHA256()
        var writing: SystemError?
        do throws(ArchiveError) {
            try reader.read { (piece) throws(ArchiveError) in
                digest.update(piece)
                guard writing == nil else { return }
                do throws(SystemError) { try replacement.append(piece) } catch { writing = error }
            }
        } catch {
            failure = error
            return nil
        }
        if let writing { throw writing }
        guard digest.hexadecimal == listed.sha256 else {
            failure = .damaged("\(listed.name) in it changed while it was restored")
            return nil
        }
        if name.isDatabase {
            // A damaged one is better than none, but not better than the one that is here.
            if fileExists(target), Restore.isDamaged(try replacement.written()) {
                return "\(listed.name) in the backup is damaged; the one that is here stays"
            }
            // A log that belongs to the old file would be laid over the new one.
            for suffix in ["-wal", "-shm"] { try removeFile(BytePath(bytes: target.bytes + Array(suffix.utf8))) }
        }
        try replacement.commit()
        return nil
    }

    private static func isDamaged(_ path: BytePath) -> Bool {
        defer {
            for suffix in ["-wal", "-shm"] { try? removeFile(BytePath(bytes: path.bytes + Array(suffix.utf8))) }
        }
        guard let connection = try? Connection(path, access: .readOnly) else { return true }
        return (try? connection.quickCheck(limit: 1))?.isEmpty != true
    }

    /// Makes the folders of a file. A link among them may lead anywhere, so nothing is written through one.
    private func makeFolders(below top: BytePath, to folder: BytePath) throws(SystemError) {
        guard let relative = folder.relative(to: top) else { return }
        var path = top
        for part in relative.bytes.split(separator: 0x2F) {
            path = path.appending(BytePath(bytes: part))
            let status: FileStatus?
            do throws(SystemError) {
                status = try fileStatus(path, followLinks: false)
            } catch {
                guard error.isNotFound else { throw error }
                status = nil
            }
            switch status?.kind {
            case nil: try createDirectories(path)
            case .directory?: break
            default: throw SystemError(call: "restore", path: path, code: 20)
            }
        }
    }
}
