import SQLiteKit

/// The steps that made `user.sqlite` what it is, in order; a step that was published is never changed.
///
/// `PRAGMA user_version` is the number of steps taken.
enum UserSchema {
    struct Migration {
        let name: String
        let script: String
    }

    /// The tables without which a file is damaged, although SQLite finds nothing wrong.
    static let tables = ["games", "plays", "settings", "state", "systems"]

    static let migrations = [
        Migration(
            name: "games, systems, plays and settings",
            script: """
                CREATE TABLE migrations(number INTEGER PRIMARY KEY, name TEXT NOT NULL);
                -- identity tells a restored or foreign file from the one whose facts the catalog has copied.
                CREATE TABLE state(
                    one INTEGER PRIMARY KEY CHECK (one = 1), identity INTEGER NOT NULL, sequence INTEGER NOT NULL,
                    played INTEGER NOT NULL);
                INSERT INTO state VALUES (1, abs(random()), 0, 0);
                CREATE TABLE games(
                    system TEXT NOT NULL, path BLOB NOT NULL,
                    favourite INTEGER NOT NULL DEFAULT 0, hidden INTEGER NOT NULL DEFAULT 0,
                    title TEXT, emulator TEXT,
                    plays INTEGER NOT NULL DEFAULT 0, seconds REAL NOT NULL DEFAULT 0,
                    last_played REAL, last_order INTEGER NOT NULL DEFAULT 0,
                    sequence INTEGER NOT NULL,
                    PRIMARY KEY (system, path)) WITHOUT ROWID;
                CREATE INDEX games_by_sequence ON games(sequence);
                CREATE TABLE systems(name TEXT PRIMARY KEY, emulator TEXT) WITHOUT ROWID;
                CREATE TABLE settings(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
                CREATE TABLE plays(
                    id INTEGER PRIMARY KEY AUTOINCREMENT, system TEXT NOT NULL, path BLOB NOT NULL,
                    started REAL NOT NULL, seconds REAL NOT NULL DEFAULT 0, outcome TEXT);
                CREATE INDEX plays_by_game ON plays(system, path);
                """)
    ]

    /// Brings a database up to date; all steps in one transaction.
    static func migrate(_ connection: Connection, to target: Int? = nil) throws(SQLiteError) {
        let target = target ?? migrations.count
        guard try version(of: connection) < target else { return }
        try connection.transaction { () throws(SQLiteError) in
            // Another process may have been faster.
            let done = try version(of: connection)
            for number in done..<max(done, target) {
                try connection.execute(migrations[number].script)
                try connection.run(
                    "INSERT INTO migrations VALUES (?, ?)", [.integer(number + 1), .text(migrations[number].name)])
            }
            if done < target { try connection.execute("PRAGMA user_version = \(target)") }
        }
    }

    static func version(of connection: Connection) throws(SQLiteError) -> Int {
        Int(try connection.integer("PRAGMA user_version") ?? 0)
    }
}
