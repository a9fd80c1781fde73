import ArchiveKit
import SQLiteKit
import SystemKit
import Systems

/// Looks into archives and takes checksums of files, so that DAT files can name them. Blocks; used on one thread.
///
/// What was found is kept, so a run that is killed goes on where it was. A file that changes meanwhile is left for
/// the next run, and one that cannot be read just now as well.
final class Identifier {
    private static let page = 500
    private static let rowsPerCommit = 64
    private static let secondsPerCommit = 1.0
    /// Each news of names makes lists be read again.
    private static let secondsPerNews = 10.0
    /// A file that was changed a moment ago may still be written.
    static let settledSeconds = 3.0

    private let registry: SystemRegistry
    private let catalog: CatalogDatabase
    private let metadata: MetadataDatabase
    private let matcher: DatMatcher
    private let gate: BackgroundGate
    private let onProgress: (IdentifyReport) -> Void
    /// Hears of the systems with new names, now and then and at the end.
    private let onNames: (Set<String>) -> Void
    /// Hears of each file before it is read, for tests.
    private let willRead: (BytePath) -> Void
    private var waiting: [MetadataDatabase.Finding] = []
    private var lastCommit = MonotonicInstant.now
    private var lostRoots: Set<BytePath> = []
    private(set) var report = IdentifyReport()
    /// The systems of which a game has another name now.
    private(set) var renamed: Set<String> = []
    private var untold: Set<String> = []
    private var lastTold = MonotonicInstant.now
    /// Whether files were left for later because they were changed a moment ago.
    private(set) var hasFresh = false

    private struct Candidate {
        var id: Int64
        var system: String
        var root: BytePath
        var folder: BytePath
        var relative: [UInt8]
        var size: Int64
        var modified: Int64
        var kind: Int

        var path: BytePath { folder.appending(BytePath(bytes: relative)) }
    }

    init(
        root: DataRoot, registry: SystemRegistry, gate: BackgroundGate,
        onProgress: @escaping (IdentifyReport) -> Void = { _ in }, onNames: @escaping (Set<String>) -> Void = { _ in },
        willRead: @escaping (BytePath) -> Void = { _ in }
    ) throws(CatalogError) {
        self.registry = registry
        self.gate = gate
        self.onProgress = onProgress
        self.onNames = onNames
        self.willRead = willRead
        catalog = try CatalogDatabase(in: root.state)
        metadata = try MetadataDatabase.open(in: root.state)
        metadata.connection.setBusyTimeout(seconds: 20)
        matcher = DatMatcher(metadata: metadata, rules: CatalogStore.rules(of: registry))
    }

    /// Goes through the games once.
    ///
    /// - Parameters:
    ///   - systems: only these; `nil` for all.
    ///   - all: whether checksums are taken also where no DAT file could name them.
    func run(systems: Set<String>? = nil, all: Bool = false) throws(CatalogError) {
        let named = try metadata.guarded { () throws(SQLiteError) in try metadata.systemsWithDATs() }
        var last: Int64 = 0
        while gate.pass(), catalog.isCurrent {
            let games = try self.games(after: last)
            guard let end = games.last else { break }
            last = end.id
            for game in games where systems?.contains(game.system) ?? true {
                guard let rules = matcher.rules[game.system], !lostRoots.contains(game.root) else { continue }
                let hasDAT = matcher.sources(of: game.system).contains { named.contains($0) }
                try look(at: game, rules, hasDAT: hasDAT, wantsSums: hasDAT || all)
                guard gate.pass() else { break }
            }
        }
        try commit()
        tell()
    }

    private func tell() {
        lastTold = .now
        guard !untold.isEmpty else { return }
        onNames(untold)
        untold = []
    }

    private func games(after id: Int64) throws(CatalogError) -> [Candidate] {
        let absent = CatalogSchema.State.missing | CatalogSchema.State.member | CatalogSchema.State.shadowed
        return try catalog.guarded { () throws(SQLiteError) in
            try catalog.connection.rows(
                """
                SELECT g.id, s.name, r.path, d.folder, d.relative, g.name, g.size, g.modified, g.kind
                FROM games g JOIN directories d ON d.id = g.directory JOIN systems s ON s.id = g.system
                JOIN roots r ON r.id = d.root WHERE g.id > ? AND g.state & \(absent) = 0 ORDER BY g.id
                LIMIT \(Identifier.page)
                """, [.integer(id)]
            ) { row in
                let root = BytePath(bytes: row.bytes(2))
                let relative = BytePath(bytes: row.bytes(4)).appending(BytePath(bytes: row.bytes(5)))
                return Candidate(
                    id: row.int64(0), system: row.string(1) ?? "", root: root,
                    folder: root.appending(BytePath(bytes: row.bytes(3))), relative: relative.bytes,
                    size: row.int64(6), modified: row.int64(7), kind: row.int(8))
            }
        }
    }

    private func look(at game: Candidate, _ rules: SystemRules, hasDAT: Bool, wantsSums: Bool) throws(CatalogError) {
        let isArchive = ArchiveFile.hasArchiveName(game.path) && !rules.isArcade
        // A folder has no contents of its own, and of sheets only one kind tells which track is the first.
        let isSheet = game.kind == 1 && game.path.fileExtension != Array("cue".utf8)
        guard wantsSums || isArchive, game.kind != 2, !isSheet else { return }
        let old = try metadata.guarded { () throws(SQLiteError) in
            try metadata.finding(system: game.system, path: game.relative)
        }
        if let old, old.size == game.size, old.modified == game.modified {
            let isDone = rules.isArcade || !wantsSums || old.crc != nil || old.sha1 != nil || old.reason != nil
            if isDone { return }
        }
        report.looked += 1
        var finding = MetadataDatabase.Finding(
            system: game.system, path: game.relative, size: game.size, modified: game.modified)
        if !rules.isArcade {
            guard isSettled(game) else { return skip() }
            willRead(game.path)
            let isRead =
                isArchive
                ? lookInside(game, rules, wantsSums, &finding) : wantsSums ? read(game, &finding) : false
            // A file that changed meanwhile was not what its checksum says.
            guard isRead, isSettled(game) else { return skip(game) }
        }
        if hasDAT {
            let known = finding
            finding.game = try metadata.guarded { () throws(SQLiteError) in try matcher.name(of: known) }
        }
        if finding.crc != nil || finding.sha1 != nil { report.read += 1 }
        if finding.reason != nil { report.problems += 1 }
        if finding.game != nil { report.identified += 1 }
        if finding.game != old?.game {
            renamed.insert(game.system)
            untold.insert(game.system)
        }
        waiting.append(finding)
        let isDue = MonotonicInstant.now.seconds(since: lastCommit) > Identifier.secondsPerCommit
        if waiting.count >= Identifier.rowsPerCommit || isDue { try commit() }
        onProgress(report)
    }

    private func commit() throws(CatalogError) {
        lastCommit = MonotonicInstant.now
        guard !waiting.isEmpty else { return }
        try metadata.write { () throws(SQLiteError) in
            for finding in waiting { try metadata.store(finding) }
        }
        waiting = []
        if MonotonicInstant.now.seconds(since: lastTold) > Identifier.secondsPerNews { tell() }
    }

    private func skip(_ game: Candidate? = nil) {
        report.skipped += 1
        // A drive that was pulled out costs one look, not one for each of its games.
        if let game, !fileExists(game.root) { lostRoots.insert(game.root) }
    }

    private func isSettled(_ game: Candidate) -> Bool {
        guard let status = try? fileStatus(game.path), status.kind == .regular, status.size == game.size,
            status.modifiedNanoseconds == game.modified
        else { return false }
        let age = Double(wallClockNanoseconds() - status.modifiedNanoseconds) / 1e9
        // A time in the future is that of a wrong clock.
        let isSettled = age < 0 || age > Identifier.settledSeconds
        if !isSettled { hasFresh = true }
        return isSettled
    }

    // MARK: - Reading

    /// - Returns: whether what was found may be kept.
    private func lookInside(
        _ game: Candidate, _ rules: SystemRules, _ wantsSums: Bool, _ finding: inout MetadataDatabase.Finding
    ) -> Bool {
        do throws(ArchiveError) {
            guard let archive = try GameArchive.look(game.path, rules) else { return false }
            finding.reason = archive.problem
            guard let member = archive.member else { return true }
            finding.member = member.name.bytes
            finding.memberSize = member.size
            if wantsSums { return try read(member, in: game, &finding) }
            return true
        } catch {
            if case .file = error { return false }
            finding.reason = error.predicate
            return true
        }
    }

    private func read(
        _ member: ArchiveMember, in game: Candidate, _ finding: inout MetadataDatabase.Finding
    ) throws(ArchiveError) -> Bool {
        finding.crc = member.crc
        // The list's checksum is of the whole: enough where a set knows no other, or knows this one.
        if member.crc != nil, !RomDigest.hasOthers(system: game.system) || isKnown(finding) { return true }
        let archive = try ArchiveFile(game.path)
        if archive.trouble(reading: member) != nil { return true }
        var digest = RomDigest(system: game.system, size: member.size)
        var mayGoOn = true
        try archive.read(member) { bytes in
            digest.update(bytes)
            mayGoOn = gate.pass()
            return mayGoOn
        }
        if mayGoOn { choose(digest.finish(), &finding) }
        return mayGoOn
    }

    private func read(_ game: Candidate, _ finding: inout MetadataDatabase.Finding) -> Bool {
        let path = game.kind == 1 ? track(of: game.path) : game.path
        guard let path, let size = try? fileStatus(path).size else { return false }
        if path.fileExtension == Array("chd".utf8) {
            let head = head(of: path)
            finding.sha1 = RomDigest.sha1(ofDisc: head)
            if finding.sha1 == nil { finding.reason = "is no compressed disc, or an old kind of one" }
            return !head.isEmpty
        }
        var digest = RomDigest(system: game.system, size: size)
        let isWhole = try? readChunks(of: path) { bytes in
            digest.update(bytes)
            return gate.pass()
        }
        guard isWhole == true else { return false }
        choose(digest.finish(), &finding)
        if path != game.path {
            // The checksums are of the first track, whose size is not the sheet's.
            finding.member = path.name.bytes
            finding.memberSize = size
        }
        return true
    }

    private func head(of path: BytePath) -> [UInt8] {
        var head: [UInt8] = []
        _ = try? readChunks(of: path, chunkBytes: 4096) { bytes in
            head = Array(bytes.prefix(RomDigest.headBytes))
            return false
        }
        return head
    }

    /// The file of a sheet that tells the disc: its first track.
    private func track(of sheet: BytePath) -> BytePath? {
        guard sheet.fileExtension == Array("cue".utf8),
            let contents = try? readRegularFile(sheet, limit: SheetParser.limitBytes)
        else { return nil }
        let names = (try? directoryNames(sheet.parent)) ?? []
        for reading in SheetParser.readings(of: .cue, contents: contents) {
            guard let first = reading.first else { continue }
            let folded = BytePath(bytes: first).name.bytes.map(asciiLowercased)
            if let name = names.first(where: { $0.bytes.map(asciiLowercased) == folded }) {
                return sheet.parent.appending(name)
            }
        }
        return nil
    }

    /// Keeps the way to look at the contents that a DAT file knows; without one that of the whole.
    private func choose(_ results: [RomDigest.Result], _ finding: inout MetadataDatabase.Finding) {
        for result in results {
            finding.header = result.header
            finding.crc = result.crc
            finding.sha1 = result.sha1
            if isKnown(finding) { return }
        }
        guard let whole = results.first else { return }
        (finding.header, finding.crc, finding.sha1) = (whole.header, whole.crc, whole.sha1)
    }

    private func isKnown(_ finding: MetadataDatabase.Finding) -> Bool {
        (try? matcher.name(of: finding)) != nil
    }
}
