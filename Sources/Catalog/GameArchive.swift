public import ArchiveKit
public import SystemKit
public import Systems

/// What an archive among the games holds. The folder decides the system; this only picks the file that is the game.
public struct GameArchive: Sendable, Equatable {
    /// The game; `nil` where none is in it, or where the whole archive is the game.
    public var member: ArchiveMember?
    /// All files that might be the game, in the order of their names.
    public var candidates: [ArchiveMember]
    /// What is wrong with it, to be said after its name: `holds no game`.
    public var problem: String?

    /// Looks into an archive; nothing is unpacked.
    ///
    /// - Returns: `nil` for what is no archive by its name, and where archives are the games: an arcade board's sets.
    /// - Throws: `ArchiveError.file` where the archive cannot be read at all just now.
    public static func look(
        _ path: BytePath, in system: SystemDefinition, bounds: ArchiveBounds = ArchiveBounds()
    ) throws(ArchiveError) -> GameArchive? {
        try look(path, SystemRules(system), bounds: bounds)
    }

    static func look(
        _ path: BytePath, _ rules: SystemRules, bounds: ArchiveBounds = ArchiveBounds()
    ) throws(ArchiveError) -> GameArchive? {
        guard ArchiveFile.hasArchiveName(path), !rules.isArcade else { return nil }
        do throws(ArchiveError) {
            let archive = try ArchiveFile(path, bounds: bounds)
            return GameArchive(archive, path, rules)
        } catch {
            if case .file = error { throw error }
            return GameArchive(member: nil, candidates: [], problem: error.predicate)
        }
    }

    init(member: ArchiveMember?, candidates: [ArchiveMember], problem: String?) {
        self.member = member
        self.candidates = candidates
        self.problem = problem
    }

    private init(_ archive: ArchiveFile, _ path: BytePath, _ rules: SystemRules) {
        let members = archive.members.filter { !GameArchive.isJunk($0) }
        var found = members.filter { GameArchive.isGame($0, rules) }
        // A sheet stands for the files beside it.
        let sheets = found.filter { $0.lastName.bytes.withUnsafeBufferPointer { NameRules.sheet($0) } != nil }
        if !sheets.isEmpty { found = sheets }
        found.sort { $0.name < $1.name }
        candidates = found
        let stem = path.stem.bytes.map(asciiLowercased)
        member = found.first { $0.lastName.stem.bytes.map(asciiLowercased) == stem } ?? found.first
        if rules.isWholeArchive {
            // Programs with their files, disks of one game: the emulator knows better.
            if found.count != 1 { member = nil }
            problem = members.isEmpty ? "holds nothing" : nil
        } else if found.isEmpty {
            member = members.filter { !GameArchive.isText($0) && !ArchiveFile.hasArchiveName($0.name) && $0.size > 0 }
                .max { ($0.size, $1.name) < ($1.size, $0.name) }
            let isNested = members.contains { ArchiveFile.hasArchiveName($0.name) }
            if member == nil { problem = isNested ? "holds only another archive" : "holds no game" }
        } else if found.count > 1, let member {
            problem = "holds \(found.count) games: \(member.lastName.displayString) is taken"
        }
        if let member {
            if member.isEncrypted {
                problem = "needs a password"
            } else if let trouble = archive.trouble(reading: member) {
                problem = trouble.predicate
            }
        }
    }

    private static func isJunk(_ member: ArchiveMember) -> Bool {
        let folders = member.name.bytes.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.dropLast()
        if folders.contains(where: { folder in
            folder.withUnsafeBufferPointer { NameRules.isJunkFolder($0) }
        }) {
            return true
        }
        return member.lastName.bytes.withUnsafeBufferPointer {
            $0.isEmpty || NameRules.isPrivate($0) || NameRules.isJunkFile($0)
        }
    }

    private static func isGame(_ member: ArchiveMember, _ rules: SystemRules) -> Bool {
        guard member.size > 0, !ArchiveFile.hasArchiveName(member.name) else { return false }
        return member.lastName.bytes.withUnsafeBufferPointer { rules.stemLength($0) != nil }
    }

    private static func isText(_ member: ArchiveMember) -> Bool {
        member.lastName.fileExtension.map { texts.contains($0) } ?? false
    }

    private static let texts = Set(
        "txt nfo diz md htm html pdf doc rtf jpg jpeg png gif bmp url xml ini cfg sfv md5 sha1 dat log exe"
            .split(separator: " ").map { Array($0.utf8) })
}

extension SystemRules {
    /// Whether an archive is more than a wrapping around one file.
    var isWholeArchive: Bool {
        switch definition.kind {
        case .computer, .engine: true
        case .console, .handheld, .arcade: false
        }
    }
}
