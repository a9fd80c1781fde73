/// What `catalog.sqlite` looks like. It can be rebuilt from the disk, so a changed schema is not migrated: the file
/// is made anew.
enum CatalogSchema {
    /// `PRAGMA user_version`; raise it with every change here or in the making of sort keys and search words.
    static let version = 5

    /// The tables without which a file is damaged, although SQLite finds nothing wrong.
    static let tables = [
        "details", "directories", "games", "members", "meta", "outside", "problems", "roots", "search", "systems",
    ]

    /// Bits of `games.state`; 0 is a game that lists show.
    enum State {
        static let hidden: Int64 = 1
        static let missing: Int64 = 2
        static let member: Int64 = 4
        /// Another version of the same game stands for it.
        static let version: Int64 = 8
        /// A source before this one has the same path in the same system.
        static let shadowed: Int64 = 16
    }

    static let script = """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
        INSERT INTO meta VALUES ('next_game', 1), ('indexed', 0), ('changes', 0), ('user_identity', 0), ('user_sequence', 0),
            ('metadata_identity', 0), ('metadata_sequence', 0);
        -- source: `user.sqlite`'s number of the source; 0 for the data root's own. position: the order in which sources
        -- are asked for a game that several have. present: 1 when it could be read at the last look, 0 when it was not
        -- there, 2 when it does not answer.
        CREATE TABLE roots(
            id INTEGER PRIMARY KEY, path BLOB NOT NULL, device INTEGER NOT NULL DEFAULT 0,
            inode INTEGER NOT NULL DEFAULT 0, source INTEGER NOT NULL UNIQUE DEFAULT 0, position INTEGER NOT NULL DEFAULT 0,
            present INTEGER NOT NULL DEFAULT 1);
        -- games: how many have state 0, kept with every change so that a start does not count. flat: a `flatten.txt` asks for one list.
        -- versions: not 0 where the versions of games must be compared anew; counts how often that was asked.
        CREATE TABLE systems(
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, games INTEGER NOT NULL DEFAULT 0,
            rules INTEGER NOT NULL DEFAULT 0, flat INTEGER NOT NULL DEFAULT 0, versions INTEGER NOT NULL DEFAULT 0);
        -- folder: the system's folder as the disk spells it; relative: the path below it, empty for itself.
        -- linked: reached through a symbolic link. modified: the directory's time when it was last read completely; 0 when it must be read again.
        CREATE TABLE directories(
            id INTEGER PRIMARY KEY, root INTEGER NOT NULL, system INTEGER NOT NULL, parent INTEGER,
            folder BLOB NOT NULL, relative BLOB NOT NULL, device INTEGER NOT NULL DEFAULT 0,
            inode INTEGER NOT NULL DEFAULT 0, modified INTEGER NOT NULL DEFAULT 0, linked INTEGER NOT NULL DEFAULT 0,
            flat INTEGER NOT NULL DEFAULT 0,
            UNIQUE (root, folder, relative));
        CREATE INDEX directories_by_parent ON directories(parent);
        CREATE INDEX directories_by_place ON directories(system, relative);
        -- kind: 0 a file, 1 a sheet that names other files, 2 a directory with a game's name.
        -- title: the person's, else that of the metadata; without it the title follows from the name. facts: user.sqlite has a row.
        -- launch: what is started, relative to the entry, where the entry is a directory.
        CREATE TABLE games(
            id INTEGER PRIMARY KEY, directory INTEGER NOT NULL, system INTEGER NOT NULL, name BLOB NOT NULL,
            sort BLOB NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
            kind INTEGER NOT NULL DEFAULT 0, state INTEGER NOT NULL DEFAULT 0, facts INTEGER NOT NULL DEFAULT 0,
            favourite INTEGER NOT NULL DEFAULT 0, played INTEGER NOT NULL DEFAULT 0, discs INTEGER NOT NULL DEFAULT 1,
            hidden_by INTEGER, launch BLOB, title TEXT);
        CREATE UNIQUE INDEX games_by_place ON games(directory, name);
        CREATE INDEX games_by_title ON games(system, sort) WHERE state = 0;
        CREATE INDEX games_out_of_sight ON games(state, system, sort) WHERE state <> 0;
        -- One for all that the person touched: each index costs every insertion, also where it takes no part.
        CREATE INDEX games_with_facts ON games(played) WHERE facts = 1;
        CREATE INDEX games_special ON games(directory) WHERE kind <> 0;
        -- What sheets name: a folded file name in a directory. Names without a file stay, the file may come.
        CREATE TABLE members(
            sheet INTEGER NOT NULL, directory INTEGER NOT NULL, name BLOB NOT NULL, playlist INTEGER NOT NULL,
            PRIMARY KEY (sheet, directory, name)) WITHOUT ROWID;
        CREATE INDEX members_by_directory ON members(directory);
        -- The same for other folders than the sheet's own, which may come later: their paths folded, below the system's.
        CREATE TABLE outside(
            sheet INTEGER NOT NULL, root INTEGER NOT NULL, folder BLOB NOT NULL, relative BLOB NOT NULL,
            name BLOB NOT NULL, playlist INTEGER NOT NULL,
            PRIMARY KEY (sheet, root, folder, relative, name)) WITHOUT ROWID;
        CREATE INDEX outside_by_place ON outside(root, folder, relative);
        -- What filters ask of a game's metadata, the person's edits included; a game without any has no row.
        -- genre: names separated by line feeds. players: the most that play. rating: 0 to 1.
        CREATE TABLE details(
            game INTEGER PRIMARY KEY, genre TEXT, players INTEGER, year INTEGER, rating REAL);
        -- What the last scan of a source could not read.
        CREATE TABLE problems(root INTEGER NOT NULL, path BLOB NOT NULL, reason TEXT NOT NULL);
        CREATE VIRTUAL TABLE search USING fts5(words, content='', detail=none, columnsize=0, prefix='1 2 3');
        """

    /// The order of the list over all systems. Made after the first scan: while it fills, a hundred thousand
    /// insertions spread over the whole index would cost more than everything else together.
    static let orderOfAll = "CREATE INDEX IF NOT EXISTS games_of_all ON games(sort) WHERE state = 0"
}
