import SQLiteKit

/// The steps that made `metadata.sqlite` what it is, in order; a step that was published is never changed.
///
/// The file holds what others say about the games (gamelists, DAT files) and what was found by reading them whole
/// (checksums): more than a backup a day should copy, and more than a rescan could bring back.
enum MetadataSchema {
    /// The tables without which a file is damaged, although SQLite finds nothing wrong.
    static let tables = ["state", "records", "hashes", "dats", "dat_roms"]

    static let migrations = [
        """
        CREATE TABLE state(
            one INTEGER PRIMARY KEY CHECK (one = 1), identity INTEGER NOT NULL, sequence INTEGER NOT NULL);
        INSERT INTO state VALUES (1, abs(random()), 0);
        -- One record of a gamelist. path: below the system's folder. isFolder: a <folder> record. Texts are as the
        -- list has them. extra: elements that are not ours, as XML, in their order.
        CREATE TABLE records(
            id INTEGER PRIMARY KEY, system TEXT NOT NULL, path BLOB NOT NULL, is_folder INTEGER NOT NULL DEFAULT 0,
            name TEXT, sort_name TEXT, description TEXT, developer TEXT, publisher TEXT, genre TEXT, players TEXT,
            released TEXT, rating TEXT, image TEXT, thumbnail TEXT, marquee TEXT, video TEXT, extra TEXT,
            sequence INTEGER NOT NULL, UNIQUE (system, path));
        CREATE INDEX records_by_sequence ON records(sequence);
        -- What a file's contents are: valid while size and modified are the file's. member: the file in an archive.
        -- crc and sha1: of the contents without the header of `header` bytes. reason: why it could not be read.
        CREATE TABLE hashes(
            system TEXT NOT NULL, path BLOB NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
            member BLOB, member_size INTEGER, header INTEGER NOT NULL DEFAULT 0, crc INTEGER, sha1 BLOB, reason TEXT,
            sequence INTEGER NOT NULL, PRIMARY KEY (system, path)) WITHOUT ROWID;
        CREATE TABLE dats(
            id INTEGER PRIMARY KEY AUTOINCREMENT, system TEXT NOT NULL, name TEXT NOT NULL, version TEXT,
            imported REAL NOT NULL, UNIQUE (system, name));
        CREATE TABLE dat_roms(
            dat INTEGER NOT NULL, size INTEGER, crc INTEGER, sha1 BLOB, game TEXT NOT NULL, description TEXT);
        CREATE INDEX dat_roms_by_crc ON dat_roms(crc);
        CREATE INDEX dat_roms_by_sha1 ON dat_roms(sha1);
        CREATE INDEX dat_roms_by_game ON dat_roms(dat, game);
        """
    ]
}
