import SQLiteKit
import SystemKit
import Systems

extension MetadataDatabase {
    /// What was found by looking into a file. Valid while the file has this size and time.
    struct Finding: Equatable {
        var system: String
        /// Below the system's folder.
        var path: [UInt8]
        var size: Int64
        var modified: Int64
        /// The file in an archive, with its size.
        var member: [UInt8]?
        var memberSize: Int64?
        /// Bytes in front that are not in the checksums.
        var header = 0
        var crc: UInt32?
        var sha1: [UInt8]?
        /// What is wrong with it, as a predicate.
        var reason: String?
        /// Its full name in a DAT file.
        var game: String?

        /// Bytes that the checksums are of.
        var contentSize: Int64 { (memberSize ?? size) - Int64(header) }
    }

    private static let columns = """
        system, path, size, modified, member, member_size, header, crc, sha1, reason, game
        """

    private static func finding(_ row: Statement) -> Finding {
        Finding(
            system: row.string(0) ?? "", path: row.bytes(1), size: row.int64(2), modified: row.int64(3),
            member: row.isNull(4) ? nil : row.bytes(4), memberSize: row.isNull(5) ? nil : row.int64(5),
            header: row.int(6), crc: row.isNull(7) ? nil : UInt32(truncatingIfNeeded: row.int64(7)),
            sha1: row.isNull(8) ? nil : row.bytes(8), reason: row.string(9), game: row.string(10))
    }

    func finding(system: String, path: [UInt8]) throws(SQLiteError) -> Finding? {
        try connection.first(
            "SELECT \(MetadataDatabase.columns) FROM hashes WHERE system = ? AND path = ?",
            [.text(system), .blob(path)], MetadataDatabase.finding)
    }

    /// Writes a finding; inside a transaction of the caller.
    func store(_ finding: Finding) throws(SQLiteError) {
        try connection.run(
            "INSERT OR REPLACE INTO hashes(\(MetadataDatabase.columns), sequence) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            [
                .text(finding.system), .blob(finding.path), .integer(finding.size), .integer(finding.modified),
                finding.member.map { .blob($0) } ?? .null, .optional(finding.memberSize), .integer(finding.header),
                .optional(finding.crc.map { Int64($0) }), finding.sha1.map { .blob($0) } ?? .null,
                .optional(finding.reason), .optional(finding.game), .integer(try nextSequence()),
            ])
    }

    /// Names of files by their DAT files, in the order in which they came; `nil` where a file lost its name.
    func names(
        since sequence: Int64, limit: Int = 500
    ) throws(SQLiteError) -> [(system: String, path: [UInt8], game: String?, sequence: Int64)] {
        try connection.rows(
            "SELECT system, path, game, sequence FROM hashes WHERE sequence > ? ORDER BY sequence LIMIT ?",
            [.integer(sequence), .integer(limit)]
        ) { ($0.string(0) ?? "", $0.bytes(1), $0.string(2), $0.int64(3)) }
    }

    /// The full name of a file's contents in a DAT file.
    func identifiedName(system: String, path: [UInt8]) throws(SQLiteError) -> String? {
        try connection.text(
            "SELECT game FROM hashes WHERE system = ? AND path = ?", [.text(system), .blob(path)])
    }

    /// Asks the DAT files anew about everything that was found in some systems.
    ///
    /// - Parameter matcher: what the DAT files say now.
    /// - Returns: how many have another name now.
    func matchAgain(systems: [String], _ matcher: DatMatcher) throws(CatalogError) -> Int {
        var changed = 0
        for system in systems {
            var last: [UInt8] = []
            while true {
                let page = try write { () throws(SQLiteError) in
                    let page = try connection.rows(
                        """
                        SELECT \(MetadataDatabase.columns) FROM hashes WHERE system = ? AND path > ?
                        ORDER BY path LIMIT 500
                        """, [.text(system), .blob(last)], MetadataDatabase.finding)
                    for var finding in page {
                        let game = try matcher.name(of: finding)
                        guard game != finding.game else { continue }
                        finding.game = game
                        try store(finding)
                        changed += 1
                    }
                    return page
                }
                guard let end = page.last else { break }
                last = end.path
            }
        }
        return changed
    }
}

/// Asks the DAT files of a system.
struct DatMatcher {
    let metadata: MetadataDatabase
    let rules: [String: SystemRules]

    /// The systems whose DAT files count for a system: a board's set has the same name in all that run boards.
    func sources(of system: String) -> [String] {
        guard rules[system]?.isArcade == true else { return [system] }
        return [system]
            + rules.values.filter { $0.isArcade && $0.definition.name != system }.map(\.definition.name).sorted()
    }

    func name(of finding: MetadataDatabase.Finding) throws(SQLiteError) -> String? {
        let sources = sources(of: finding.system)
        if rules[finding.system]?.isArcade == true {
            let set = BytePath(bytes: finding.path).stem
            return try metadata.gameName(systems: sources, set: String(decoding: set.bytes, as: UTF8.self))
        }
        guard finding.crc != nil || finding.sha1 != nil else { return nil }
        return try metadata.gameName(
            systems: sources, size: finding.contentSize, crc: finding.crc, sha1: finding.sha1)
    }
}
