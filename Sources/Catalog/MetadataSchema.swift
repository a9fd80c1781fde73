import SQLiteKit

/// The steps that made `metadata.sqlite` what it is, in order; a step that was published is never changed.
///
/// The file holds what others say about the games (gamelists, DAT files) and what was found by reading them whole
/// (checksums): more than a backup a day should copy, and more than a rescan could bring back.
enum MetadataSchema {
    /// The tables without which a file is damaged, although SQLite finds nothing wrong.
    static let tables = ["state", "records", "lists", "hashes", "dats", "dat_roms"]

    static let migrations = [
        """
        CREATE TABLE state(
            one INTEGER PRIMARY KEY CHECK (one = 1), identity INTEGER NOT NULL, sequence INTEGER NOT NULL);
        INSERT INTO state VALUES (1, abs(random()), 0);
        -- One record of a gamelist. path: below the system's folder; is_folder: a <folder> record. Texts are as the
        -- list has them; favorite to game_time are what the last import said, so that the next one tells what is new
        -- there from what the person did here. attributes: of the element, and extra: the elements in it that are not
        -- ours, both as XML.
        CREATE TABLE records(
            id INTEGER PRIMARY KEY, system TEXT NOT NULL, path BLOB NOT NULL, is_folder INTEGER NOT NULL DEFAULT 0,
            name TEXT, sort_name TEXT, description TEXT, developer TEXT, publisher TEXT, genre TEXT, players TEXT,
            released TEXT, rating TEXT, image TEXT, thumbnail TEXT, marquee TEXT, video TEXT, favorite TEXT,
            hidden TEXT, play_count TEXT, last_played TEXT, game_time TEXT, attributes TEXT, extra TEXT,
            sequence INTEGER NOT NULL, UNIQUE (system, path));
        CREATE INDEX records_by_sequence ON records(sequence);
        -- The file of a system that was read or written last, and what stood in it outside of records.
        CREATE TABLE lists(
            system TEXT PRIMARY KEY, path BLOB NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
            inode INTEGER NOT NULL, before TEXT, inside TEXT) WITHOUT ROWID;
        -- What a file's contents are: valid while size and modified are the file's. member: the file in an archive.
        -- crc and sha1: of the contents without the header of `header` bytes. reason: what is wrong with it, as a
        -- predicate. game: its full name in a DAT file.
        CREATE TABLE hashes(
            system TEXT NOT NULL, path BLOB NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
            member BLOB, member_size INTEGER, header INTEGER NOT NULL DEFAULT 0, crc INTEGER, sha1 BLOB, reason TEXT,
            game TEXT, sequence INTEGER NOT NULL, PRIMARY KEY (system, path)) WITHOUT ROWID;
        CREATE INDEX hashes_by_sequence ON hashes(sequence);
        -- games: how many it has. dat_roms.dat is none of these while an import is under way.
        CREATE TABLE dats(
            id INTEGER PRIMARY KEY AUTOINCREMENT, system TEXT NOT NULL, name TEXT NOT NULL, version TEXT,
            games INTEGER NOT NULL, imported REAL NOT NULL, UNIQUE (system, name));
        CREATE TABLE dat_roms(
            dat INTEGER NOT NULL, size INTEGER, crc INTEGER, sha1 BLOB, game TEXT NOT NULL, description TEXT);
        CREATE INDEX dat_roms_by_crc ON dat_roms(crc);
        CREATE INDEX dat_roms_by_sha1 ON dat_roms(sha1);
        CREATE INDEX dat_roms_by_game ON dat_roms(dat, game);
        """
    ]

    /// Brings a database up to date; all steps in one transaction.
    static func migrate(_ connection: Connection, to target: Int? = nil) throws(SQLiteError) {
        let target = target ?? migrations.count
        guard try version(of: connection) < target else { return }
        try connection.transaction { () throws(SQLiteError) in
            // Another process may have been faster.
            let done = try version(of: connection)
            for number in done..<max(done, target) { try connection.execute(migrations[number]) }
            if done < target { try connection.execute("PRAGMA user_version = \(target)") }
        }
    }

    static func version(of connection: Connection) throws(SQLiteError) -> Int {
        Int(try connection.integer("PRAGMA user_version") ?? 0)
    }
}
