import SQLiteKit
import SystemKit

/// What lists need of a game's metadata, the person's edits included.
struct GameFacets: Equatable {
    var title: EffectiveTitle
    var genres: [String] = []
    var players: Int?
    var year: Int?
    var rating: Double?

    /// Whether a game without a row in `details` says the same.
    var isPlain: Bool { genres.isEmpty && players == nil && year == nil && rating == nil }
}

/// What gamelists, DAT files and the person's edits say about games, asked one by one.
///
/// Reads with a connection of its own, opened when there is a file; a list of games must not fail because of what
/// others say about them, so whatever cannot be read says nothing.
final class MetadataLookup {
    private let folder: BytePath
    private let user: UserDatabase
    private let parts = TitleParts()
    private var opened: MetadataDatabase?
    private var inode: UInt64 = 0
    private var hasRecords = false
    private var hasHashes = false
    private var hasEdits = false
    private var isFresh = false

    init(folder: BytePath, user: UserDatabase) {
        self.folder = folder
        self.user = user
    }

    /// The database, where there is one.
    var database: MetadataDatabase? {
        let path = folder.appending("metadata.sqlite")
        guard let status = try? fileStatus(path), status.kind == .regular else { return nil }
        if let opened, status.inode == inode { return opened }
        opened = try? MetadataDatabase.open(in: folder)
        inode = opened == nil ? 0 : (try? fileStatus(path))?.inode ?? 0
        return opened
    }

    /// Whether nothing is known of any game.
    var isSilent: Bool { !(hasRecords || hasHashes || hasEdits) }

    /// Looks again for what there is to be asked at all.
    func refresh() {
        isFresh = true
        let database = database
        hasRecords = (try? database?.hasRecords()) ?? false
        hasHashes =
            (try? database?.guarded { () throws(SQLiteError) in
                try database?.connection.integer("SELECT 1 FROM hashes LIMIT 1") != nil
            }) ?? false
        hasEdits = (try? user.hasEdits()) ?? false
    }

    /// What is known of the game at a path below its system's folder.
    ///
    /// - Parameter person: the title that the person gave it.
    func facets(system: String, path: [UInt8], person: String?) -> GameFacets {
        if !isFresh { refresh() }
        var values: [GamelistKey: String] = [:]
        var dat: String?
        if hasRecords, let record = try? opened?.record(system: system, path: path) {
            for key in [GamelistKey.name, .sortname, .genre, .players, .releasedate, .rating] {
                values[key] = record[key]
            }
        }
        if hasHashes { dat = (try? opened?.identifiedName(system: system, path: path)) ?? nil }
        let edits = hasEdits ? (try? user.edits(system: system, path: path)) ?? [:] : [:]
        let title = EffectiveTitle(
            person: person, personSort: edits[.sortname], gamelist: (values[.name], values[.sortname]), dat: dat,
            parts: parts)
        for (key, value) in edits { values[key] = value }
        return GameFacets(
            title: title, genres: GamelistValues.genres(values[.genre]),
            players: GamelistValues.players(values[.players]), year: GamelistValues.year(values[.releasedate]),
            rating: GamelistValues.rating(values[.rating]))
    }
}
