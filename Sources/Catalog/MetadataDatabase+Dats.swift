import SQLiteKit
import SystemKit

extension MetadataDatabase {
    /// Takes a DAT file in, in place of an older one of the same name.
    ///
    /// What is read is written in parts, so that others can write meanwhile; it counts, all at once, with the last one.
    /// - Parameter setsOnly: whether games are known by their sets' names only, as those of arcade boards.
    func importDAT(
        _ file: BytePath, system: String, setsOnly: Bool, progress: (Int64) -> Void
    ) throws(CatalogError) -> DATReport {
        let staging = DatStaging(database: self, setsOnly: setsOnly)
        try staging.begin()
        let reader = DatReader { staging.take($0) }
        var position: Int64 = 0
        do {
            try readChunks(of: file) { bytes in
                reader.feed(bytes)
                position += Int64(bytes.count)
                progress(position)
                return staging.failure == nil
            }
        } catch {
            try? staging.discard()
            throw CatalogError.file(error)
        }
        reader.finish()
        if let failure = staging.failure {
            try? staging.discard()
            throw failure
        }
        var report = staging.report
        report.system = system
        report.name = staging.header.name ?? staging.header.description ?? file.stem.displayString
        report.version = staging.header.version
        guard report.games > 0 else {
            try staging.discard()
            return report
        }
        try staging.commit(report)
        return report
    }

    func dats() throws(CatalogError) -> [DATFile] {
        try guarded { () throws(SQLiteError) in
            try connection.rows("SELECT id, system, name, version, games, imported FROM dats ORDER BY system, name") {
                DATFile(
                    id: $0.int64(0), system: $0.string(1) ?? "", name: $0.string(2) ?? "", version: $0.string(3),
                    games: $0.int(4), imported: $0.double(5))
            }
        }
    }

    /// - Returns: the system it was about; `nil` where there is none with this number.
    func removeDAT(_ id: Int64) throws(CatalogError) -> String? {
        try write { () throws(SQLiteError) in
            let system = try connection.text("SELECT system FROM dats WHERE id = ?", [.integer(id)])
            try connection.run("DELETE FROM dats WHERE id = ?", [.integer(id)])
            try connection.run("DELETE FROM dat_roms WHERE dat = ?", [.integer(id)])
            return system
        }
    }

    // MARK: - Matching

    /// The systems that have DAT files.
    func systemsWithDATs() throws(SQLiteError) -> Set<String> {
        Set(try connection.rows("SELECT DISTINCT system FROM dats") { $0.string(0) ?? "" })
    }

    /// The full name of the game that has a file with these contents.
    func gameName(systems: [String], size: Int64, crc: UInt32?, sha1: [UInt8]?) throws(SQLiteError) -> String? {
        for system in systems {
            if let sha1 {
                let name = try connection.text(
                    """
                    SELECT ifnull(r.description, r.game) FROM dat_roms r JOIN dats d ON d.id = r.dat
                    WHERE r.sha1 = ? AND d.system = ? ORDER BY d.id DESC LIMIT 1
                    """, [.blob(sha1), .text(system)])
                if let name { return name }
            }
            if let crc {
                let name = try connection.text(
                    """
                    SELECT ifnull(r.description, r.game) FROM dat_roms r JOIN dats d ON d.id = r.dat
                    WHERE r.crc = ? AND d.system = ? AND (r.size IS NULL OR r.size = ?) ORDER BY d.id DESC LIMIT 1
                    """, [.integer(Int64(crc)), .text(system), .integer(size)])
                if let name { return name }
            }
        }
        return nil
    }

    /// The full name of an arcade set.
    func gameName(systems: [String], set: String) throws(SQLiteError) -> String? {
        for system in systems {
            let name = try connection.text(
                """
                SELECT ifnull(r.description, r.game) FROM dats d JOIN dat_roms r ON r.dat = d.id AND r.game = ?
                WHERE d.system = ? ORDER BY d.id DESC LIMIT 1
                """, [.text(set), .text(system)])
            if let name { return name }
        }
        return nil
    }
}

/// Rows of a DAT file on their way in.
private final class DatStaging {
    private static let gamesPerTransaction = 2000
    private static let mostProblems = 20

    private let database: MetadataDatabase
    private let setsOnly: Bool
    private var id: Int64 = 0
    private var waiting: [DatGame] = []
    private(set) var header = DatHeader()
    private(set) var report = DATReport()
    private(set) var failure: CatalogError?

    init(database: MetadataDatabase, setsOnly: Bool) {
        self.database = database
        self.setsOnly = setsOnly
    }

    func begin() throws(CatalogError) {
        let connection = database.connection
        id = try database.write { () throws(SQLiteError) in
            // What an import left that was killed.
            try connection.run("DELETE FROM dat_roms WHERE dat NOT IN (SELECT id FROM dats)")
            let last = try connection.integer("SELECT max(seq) FROM sqlite_sequence WHERE name = 'dats'") ?? 0
            return last + 1
        }
    }

    func take(_ event: DatReader.Event) {
        guard failure == nil else { return }
        switch event {
        case .header(let more):
            header.name = header.name ?? more.name
            header.description = header.description ?? more.description
            header.version = header.version ?? more.version
        case .problem(let record, let reason):
            report.problemCount += 1
            if report.problems.count < DatStaging.mostProblems { report.problems.append((record, reason)) }
        case .game(let game):
            report.games += 1
            report.roms += game.roms.count
            waiting.append(game)
            if waiting.count >= DatStaging.gamesPerTransaction { flush() }
        }
    }

    private func flush() {
        do throws(CatalogError) {
            let games = waiting
            waiting.removeAll(keepingCapacity: true)
            try database.write { () throws(SQLiteError) in
                let statement = try database.connection.prepare("INSERT INTO dat_roms VALUES (?, ?, ?, ?, ?, ?)")
                for game in games { try insert(game, statement) }
            }
        } catch {
            failure = error
        }
    }

    private func insert(_ game: DatGame, _ statement: Statement) throws(SQLiteError) {
        // A set's name is enough for a board; its chips are not looked at.
        let known = setsOnly ? [] : game.roms.filter { $0.crc != nil || $0.sha1 != nil }
        let description = game.description == game.name ? nil : game.description
        for rom in known.isEmpty ? [DatRom()] : known {
            statement.bind([
                .integer(id), .optional(rom.size), .optional(rom.crc.map { Int64($0) }),
                rom.sha1.map { .blob($0) } ?? .null, .text(game.name), .optional(description),
            ])
            try statement.run()
        }
    }

    func commit(_ report: DATReport) throws(CatalogError) {
        flush()
        if let failure { throw failure }
        let connection = database.connection
        try database.write { () throws(SQLiteError) in
            let old: [Value] = [.text(report.system), .text(report.name)]
            try connection.run(
                "DELETE FROM dat_roms WHERE dat IN (SELECT id FROM dats WHERE system = ? AND name = ?)", old)
            try connection.run("DELETE FROM dats WHERE system = ? AND name = ?", old)
            try connection.run(
                "INSERT INTO dats(id, system, name, version, games, imported) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    .integer(id), .text(report.system), .text(report.name), .optional(report.version),
                    .integer(report.games), .real(wallClockSeconds()),
                ])
        }
        self.report.id = id
    }

    func discard() throws(CatalogError) {
        waiting = []
        try database.write { () throws(SQLiteError) in
            try database.connection.run("DELETE FROM dat_roms WHERE dat = ?", [.integer(id)])
        }
    }
}
