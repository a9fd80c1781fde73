import SQLiteKit
import SystemKit

// What the person changes is committed to the person's database, flushed to the device, before a call returns.
// The catalog's copies follow; when it is locked for longer than a moment, they follow later (FactsCopy).
extension CatalogStore {
    /// Marks a game, or takes the mark away.
    public func setFavourite(_ on: Bool, game id: Int64) throws(CatalogError) {
        try change(id, "favourite = ?", [.flag(on)], movesInLists: true)
    }

    /// Puts a game out of sight, or back.
    public func setHidden(_ on: Bool, game id: Int64) throws(CatalogError) {
        try change(id, "hidden = ?", [.flag(on)], movesInLists: true)
    }

    /// Gives a game a title; `nil` or an empty one brings back that of its file name.
    public func setTitle(_ title: String?, game id: Int64) throws(CatalogError) {
        let title = title.flatMap { $0.isEmpty ? nil : $0 }
        try change(id, "title = ?", [.optional(title)], movesInLists: true)
    }

    /// Chooses an emulator for one game; `nil` follows the system's choice.
    public func setEmulator(_ emulator: String?, game id: Int64) throws(CatalogError) {
        try change(id, "emulator = ?", [.optional(emulator)], movesInLists: false)
    }

    /// Chooses an emulator for a system; `nil` takes the first that is installed.
    public func setEmulator(_ emulator: String?, system: String) throws(CatalogError) {
        try ready()
        try user.setEmulator(emulator, system: system)
        onChange?(.games(systems: [system]))
    }

    /// The emulator that the person chose for a system.
    public func emulator(system: String) throws(CatalogError) -> String? {
        try ready()
        return try user.emulator(system: system)
    }

    /// Forgets a game whose file is absent, with everything the person did to it.
    ///
    /// - Throws: `CatalogError.notMissing` where the file is there.
    public func forget(game id: Int64) throws(CatalogError) {
        let game = try existing(id)
        guard game.isMissing else { throw CatalogError.notMissing(id: id) }
        try user.forget(system: game.system, path: game.relativePath.bytes)
        try withCatalog { store throws(CatalogError) in
            let index = SearchIndex(catalog: store.catalog, reader: store.reader)
            try store.catalog.guarded { () throws(SQLiteError) in
                try store.catalog.connection.transaction { () throws(SQLiteError) in
                    try index.remove(id)
                    try store.catalog.connection.run("DELETE FROM games WHERE id = ?", [.integer(id)])
                    try store.catalog.connection.run("DELETE FROM details WHERE game = ?", [.integer(id)])
                }
            }
        }
        copyFacts()
        onChange?(.games(systems: [game.system]))
    }

    // MARK: - Playing

    /// Records that a game starts: counted, and the last one played.
    ///
    /// - Returns: the number of this play, for `updatePlay` and `endPlay`.
    public func beginPlay(game id: Int64) throws(CatalogError) -> Int64 {
        let game = try existing(id)
        let play = try user.beginPlay(system: game.system, path: game.relativePath.bytes)
        copyFacts()
        onChange?(.game(id: id))
        return play
    }

    /// Sets how long a play has lasted so far, by the monotonic clock.
    public func updatePlay(_ id: Int64, seconds: Double) throws(CatalogError) {
        try ready()
        try user.updatePlay(id, seconds: seconds, outcome: nil)
    }

    /// Records the end of a play.
    ///
    /// - Parameter outcome: a word for how it ended, e.g. `finished`.
    public func endPlay(_ id: Int64, seconds: Double, outcome: String) throws(CatalogError) {
        try ready()
        try user.updatePlay(id, seconds: seconds, outcome: outcome)
        for game in copyFacts() { onChange?(.game(id: game)) }
    }

    /// Takes a play back that never was one: the emulator did not start, or closed before anybody could play.
    ///
    /// A game that does not run must not stand first among the last played.
    public func cancelPlay(_ id: Int64) throws(CatalogError) {
        try ready()
        try user.cancelPlay(id)
        for game in copyFacts() { onChange?(.game(id: game)) }
    }

    // MARK: - Settings

    /// A setting's value; `nil` where it was never set.
    public func setting(_ key: String) throws(CatalogError) -> String? {
        try ready()
        return try user.setting(key)
    }

    /// Sets a setting; `nil` takes it away.
    public func setSetting(_ key: String, _ value: String?) throws(CatalogError) {
        try ready()
        try user.setSetting(key, value)
    }

    /// All settings that were set.
    public func settings() throws(CatalogError) -> [String: String] {
        try ready()
        return try user.settings()
    }

    // MARK: - Parts

    private func existing(_ id: Int64) throws(CatalogError) -> Game {
        guard let game = try game(id: id) else { throw CatalogError.noSuchGame(id: id) }
        return game
    }

    private func change(
        _ id: Int64, _ assignments: String, _ values: [Value], movesInLists: Bool
    ) throws(CatalogError) {
        let game = try existing(id)
        try user.change(system: game.system, path: game.relativePath.bytes, set: assignments, values)
        copyFacts()
        onChange?(.game(id: id))
        if movesInLists { onChange?(.games(systems: [game.system])) }
    }

    /// Brings the catalog's copies up to date; what fails now is done at the next look.
    @discardableResult
    func copyFacts() -> [Int64] {
        let games = try? withCatalog { store throws(CatalogError) in
            try FactsCopy(catalog: store.catalog, user: store.user, reader: store.reader).run()
        }
        return games ?? []
    }
}
