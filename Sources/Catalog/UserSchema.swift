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
    // Those of the first version: a file of that version is sound without the later ones, which the migration makes.

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
                """),
        Migration(
            name: "sources, collections and edits",
            script: """
                -- identity: the filesystem's own name (`uuid:…`, `net:…`), empty for a plain folder; below: the path of
                -- the games on it; path: where that was when it was last seen.
                CREATE TABLE sources(
                    id INTEGER PRIMARY KEY AUTOINCREMENT, identity TEXT NOT NULL, below BLOB NOT NULL,
                    path BLOB NOT NULL, label TEXT NOT NULL, position INTEGER NOT NULL, UNIQUE (identity, below));
                -- filter: JSON of a saved filter; without it the collection is a list.
                CREATE TABLE collections(
                    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE COLLATE NOCASE, filter TEXT,
                    position INTEGER NOT NULL DEFAULT 0);
                CREATE TABLE collection_games(
                    collection INTEGER NOT NULL, system TEXT NOT NULL, path BLOB NOT NULL, position INTEGER NOT NULL,
                    PRIMARY KEY (collection, system, path)) WITHOUT ROWID;
                -- What the person wrote over a game's metadata, by the names of gamelist.xml.
                CREATE TABLE edits(
                    system TEXT NOT NULL, path BLOB NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
                    PRIMARY KEY (system, path, key)) WITHOUT ROWID;
                """),
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
