import SystemKit
import Systems

extension CatalogStore {
    private static let longestEdit = 20_000

    /// What is known of a game beyond its file, the person's edits over it.
    ///
    /// - Throws: `CatalogError.noSuchGame`, or a failure of the databases.
    public func details(of id: Int64) throws(CatalogError) -> GameDetails {
        guard let game = try game(id: id) else { throw CatalogError.noSuchGame(id: id) }
        let path = game.relativePath.bytes
        // What others say is not worth an error.
        let record = (try? reader.metadata.database?.record(system: game.system, path: path)) ?? nil
        let edits = try user.edits(system: game.system, path: path)
        let value = { (key: GamelistKey) -> String? in edits[key] ?? record?[key] }
        var details = GameDetails()
        details.description = value(.desc)
        details.developer = value(.developer)
        details.publisher = value(.publisher)
        details.genres = GamelistValues.genres(value(.genre))
        details.players = value(.players)
        details.released = GamelistValues.released(value(.releasedate))
        details.rating = GamelistValues.rating(value(.rating))
        details.edited = GamelistKey.editable.filter { edits[$0] != nil }.map(\.element)
        if let record { details.pictures = try pictures(record, of: game) }
        if let facts = try user.facts(system: game.system, path: path), facts.title != nil {
            details.edited.insert(GamelistKey.name.element, at: 0)
        }
        identify(game, &details)
        return details
    }

    /// Adds what was found by looking into the file, as long as it is the same file.
    private func identify(_ game: Game, _ details: inout GameDetails) {
        guard let metadata = reader.metadata.database,
            let finding = try? metadata.finding(system: game.system, path: game.relativePath.bytes),
            finding.size == game.size, finding.modified == game.modifiedNanoseconds
        else { return }
        details.identifiedAs = finding.game
        details.crc = finding.crc.map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
        details.fileProblem = finding.reason.map { "The file \($0)." }
    }

    private func pictures(
        _ record: MetadataDatabase.Record, of game: Game
    ) throws(CatalogError) -> [Artwork.Kind: BytePath] {
        guard let system = registry.system(named: game.system) else { return [:] }
        let folders = try GamelistDesk.folders(of: system, root, catalog)
        var pictures: [Artwork.Kind: BytePath] = [:]
        // Where a list tells them apart, the small one is the box.
        let elements: [(Artwork.Kind, GamelistKey)] = [
            (.covers, .thumbnail), (.screenshots, .image), (.marquees, .marquee),
        ]
        for (kind, key) in elements {
            if let text = record[key] {
                pictures[kind] = Artwork.place(of: text, system: system, folders: folders, near: game.path)
            }
        }
        return pictures
    }

    /// Writes over what others say about a game; `nil` or an empty value brings that back.
    ///
    /// - Parameter key: one of `GamelistKey.editable` by its element's name.
    /// - Throws: `CatalogError.badEdit` for another key or a value that it cannot have.
    public func setEdit(_ key: String, _ value: String?, game id: Int64) throws(CatalogError) {
        guard GamelistKey.editable.contains(where: { $0.element == key }) else {
            throw CatalogError.badEdit(key: key, value: value ?? "")
        }
        let value = try value.flatMap { GamelistValues.trimmed($0).isEmpty ? nil : $0 }.map {
            text throws(CatalogError) in
            try CatalogStore.checkedEdit(key, text)
        }
        guard let known = GamelistKey(element: key) else { throw CatalogError.badEdit(key: key, value: value ?? "") }
        if known == .name { return try setTitle(value, game: id) }
        guard let game = try game(id: id) else { throw CatalogError.noSuchGame(id: id) }
        try user.setEdit(known, value, system: game.system, path: game.relativePath.bytes)
        copyFacts()
        onChange?(.game(id: id))
        if [.sortname, .genre, .players, .releasedate, .rating].contains(known) {
            onChange?(.games(systems: [game.system]))
        }
    }

    /// The value that `setEdit` would store.
    ///
    /// - Throws: `CatalogError.badEdit` as `setEdit`.
    public static func checkedEdit(_ name: String, _ text: String) throws(CatalogError) -> String {
        let bad = CatalogError.badEdit(key: name, value: text)
        guard let key = GamelistKey(element: name), GamelistKey.editable.contains(key) else { throw bad }
        let mayHaveLines = key == .desc
        let hasControl = text.unicodeScalars.contains { scalar in
            scalar.properties.generalCategory == .control && !(mayHaveLines && (scalar == "\n" || scalar == "\t"))
        }
        guard !hasControl, text.utf8.count <= longestEdit else { throw bad }
        switch key {
        case .rating:
            guard let number = Double(GamelistValues.trimmed(text)), (0...1).contains(number) else { throw bad }
            return GamelistValues.trimmed(text)
        case .releasedate:
            guard GamelistValues.isDate(text) else { throw bad }
            return GamelistValues.trimmed(text)
        case .players:
            guard GamelistValues.players(text) != nil else { throw bad }
            return GamelistValues.trimmed(text)
        default: return mayHaveLines ? text : GamelistValues.trimmed(text)
        }
    }
}
