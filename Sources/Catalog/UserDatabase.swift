import SQLiteKit
import SystemKit

/// `user.sqlite`: what the person did. Every change is committed durably before its call returns.
final class UserDatabase {
    let connection: Connection
    let path: BytePath
    /// Set where the file goes with this process: what a person does must not seem to be kept.
    var trouble: StartTrouble?

    /// The facts about one game.
    struct Facts: Equatable {
        var system = ""
        var path: [UInt8] = []
        var isFavourite = false
        var isHidden = false
        var title: String?
        var emulator: String?
        var plays = 0
        var seconds = 0.0
        var lastPlayed: Double?
        var lastOrder: Int64 = 0
        var sequence: Int64 = 0
    }

    /// Which file it is and how much has been written to it.
    struct State: Equatable {
        var identity: Int64
        var sequence: Int64
    }

    init(_ connection: Connection) {
        self.connection = connection
        path = connection.path
    }

    func state() throws(CatalogError) -> State {
        try guarded { () throws(SQLiteError) in
            try connection.first("SELECT identity, sequence FROM state") {
                State(identity: $0.int64(0), sequence: $0.int64(1))
            } ?? State(identity: 0, sequence: 0)
        }
    }

    // MARK: - Facts of games

    private static let columns =
        "system, path, favourite, hidden, title, emulator, plays, seconds, last_played, last_order, sequence"

    private static func facts(_ row: Statement) -> Facts {
        Facts(
            system: row.string(0) ?? "", path: row.bytes(1), isFavourite: row.int(2) != 0, isHidden: row.int(3) != 0,
            title: row.string(4), emulator: row.string(5), plays: row.int(6), seconds: row.double(7),
            lastPlayed: row.isNull(8) ? nil : row.double(8), lastOrder: row.int64(9), sequence: row.int64(10))
    }

    func facts(system: String, path: [UInt8]) throws(CatalogError) -> Facts? {
        try guarded { () throws(SQLiteError) in
            try connection.first(
                "SELECT \(UserDatabase.columns) FROM games WHERE system = ? AND path = ?",
                [.text(system), .blob(path)], UserDatabase.facts)
        }
    }

    /// Everything set or played after a sequence number, oldest first.
    func facts(since sequence: Int64, limit: Int = 500) throws(CatalogError) -> [Facts] {
        try guarded { () throws(SQLiteError) in
            try connection.rows(
                "SELECT \(UserDatabase.columns) FROM games WHERE sequence > ? ORDER BY sequence LIMIT ?",
                [.integer(sequence), .integer(limit)], UserDatabase.facts)
        }
    }

    /// All facts of a system by path, for a scan that inserts games of it.
    func facts(system: String) throws(CatalogError) -> [[UInt8]: Facts] {
        let all = try guarded { () throws(SQLiteError) in
            try connection.rows(
                "SELECT \(UserDatabase.columns) FROM games WHERE system = ?", [.text(system)], UserDatabase.facts)
        }
        return Dictionary(all.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Changes columns of a game's row, which is made where it is missing.
    func change(
        system: String, path: [UInt8], set assignments: String, _ values: [Value]
    ) throws(CatalogError) {
        try write { () throws(SQLiteError) in
            try touch(system: system, path: path)
            try connection.run(
                "UPDATE games SET \(assignments) WHERE system = ? AND path = ?", values + [.text(system), .blob(path)])
        }
    }

    func forget(system: String, path: [UInt8]) throws(CatalogError) {
        try write { () throws(SQLiteError) in
            try connection.run("UPDATE state SET sequence = sequence + 1")
            try connection.run("DELETE FROM games WHERE system = ? AND path = ?", [.text(system), .blob(path)])
            try connection.run("DELETE FROM plays WHERE system = ? AND path = ?", [.text(system), .blob(path)])
        }
    }

    func touch(system: String, path: [UInt8]) throws(SQLiteError) {
        try connection.run("UPDATE state SET sequence = sequence + 1")
        try connection.run(
            """
            INSERT INTO games(system, path, sequence) VALUES (?, ?, (SELECT sequence FROM state))
            ON CONFLICT DO UPDATE SET sequence = excluded.sequence
            """, [.text(system), .blob(path)])
    }

    // MARK: - Plays

    func beginPlay(system: String, path: [UInt8]) throws(CatalogError) -> Int64 {
        try write(evenForNow: true) { () throws(SQLiteError) in
            try touch(system: system, path: path)
            // The clock may be wrong or jump; the counter orders.
            try connection.run("UPDATE state SET played = played + 1")
            let now = wallClockSeconds()
            try connection.run(
                """
                UPDATE games SET plays = plays + 1, last_played = ?, last_order = (SELECT played FROM state)
                WHERE system = ? AND path = ?
                """, [.real(now), .text(system), .blob(path)])
            try connection.run(
                "INSERT INTO plays(system, path, started) VALUES (?, ?, ?)", [.text(system), .blob(path), .real(now)])
            return connection.lastInsertedRow
        }
    }

    /// Sets how long a play has lasted so far; the game's sum follows by the difference.
    func updatePlay(_ id: Int64, seconds: Double, outcome: String?) throws(CatalogError) {
        try write(evenForNow: true) { () throws(SQLiteError) in
            let play = try connection.first("SELECT system, path, seconds FROM plays WHERE id = ?", [.integer(id)]) {
                ($0.string(0) ?? "", $0.bytes(1), $0.double(2))
            }
            guard let (system, path, before) = play else { return }
            try connection.run(
                "UPDATE plays SET seconds = ?, outcome = coalesce(?, outcome) WHERE id = ?",
                [.real(seconds), .optional(outcome), .integer(id)])
            try touch(system: system, path: path)
            try connection.run(
                "UPDATE games SET seconds = max(0, seconds + ?) WHERE system = ? AND path = ?",
                [.real(seconds - before), .text(system), .blob(path)])
        }
    }

    // MARK: - Systems and settings

    func emulator(system: String) throws(CatalogError) -> String? {
        try guarded { () throws(SQLiteError) in
            try connection.text("SELECT emulator FROM systems WHERE name = ?", [.text(system)])
        }
    }

    func setEmulator(_ emulator: String?, system: String) throws(CatalogError) {
        try write { () throws(SQLiteError) in
            try connection.run(
                "INSERT INTO systems VALUES (?, ?) ON CONFLICT DO UPDATE SET emulator = excluded.emulator",
                [.text(system), .optional(emulator)])
        }
    }

    func setting(_ key: String) throws(CatalogError) -> String? {
        try guarded { () throws(SQLiteError) in
            try connection.text("SELECT value FROM settings WHERE key = ?", [.text(key)])
        }
    }

    func settings() throws(CatalogError) -> [String: String] {
        let pairs = try guarded { () throws(SQLiteError) in
            try connection.rows("SELECT key, value FROM settings") { ($0.string(0) ?? "", $0.string(1) ?? "") }
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    func setSetting(_ key: String, _ value: String?) throws(CatalogError) {
        try write { () throws(SQLiteError) in
            if let value {
                try connection.run(
                    "INSERT INTO settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                    [.text(key), .text(value)])
            } else {
                try connection.run("DELETE FROM settings WHERE key = ?", [.text(key)])
            }
        }
    }

    // MARK: - Errors

    /// Commits a change.
    ///
    /// - Parameter evenForNow: whether it happens also where it lasts only as long as the process: a game must start.
    /// - Throws: `CatalogError.notKept` where it would not last.
    func write<Result>(
        evenForNow: Bool = false, _ body: () throws(SQLiteError) -> Result
    ) throws(CatalogError) -> Result {
        if let trouble, !evenForNow { throw CatalogError.notKept(trouble) }
        return try guarded { () throws(SQLiteError) in try connection.transaction(body) }
    }

    func guarded<Result>(_ body: () throws(SQLiteError) -> Result) throws(CatalogError) -> Result {
        do {
            return try body()
        } catch {
            throw CatalogError.database(file: path, error)
        }
    }
}
