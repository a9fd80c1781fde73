import SQLiteKit
public import SystemKit
import Systems

// The person's own lists, and filters that they saved.
extension CatalogStore {
    /// All collections in the order they were made.
    public func collections() throws(CatalogError) -> [GameCollection] {
        try ready()
        return try user.collections()
    }

    /// Makes a collection: a list to put games in, or with a filter the games that meet it.
    ///
    /// - Throws: `CatalogError.collectionExists` or `.badCollectionName`.
    @discardableResult
    public func createCollection(name: String, filter: GameFilter? = nil) throws(CatalogError) -> GameCollection {
        try ready()
        let made = try user.createCollection(name: name, filter: filter)
        onChange?(.collections)
        return made
    }

    /// Gives a collection another name.
    public func renameCollection(_ id: Int64, to name: String) throws(CatalogError) {
        try ready()
        try user.renameCollection(id, to: name)
        onChange?(.collections)
    }

    /// Changes what a saved filter asks. With `nil` the collection is a list again, with the games it had as one.
    public func setFilter(_ filter: GameFilter?, collection id: Int64) throws(CatalogError) {
        try ready()
        try user.setFilter(filter, collection: id)
        onChange?(.collections)
    }

    /// Deletes a collection; the games stay.
    public func deleteCollection(_ id: Int64) throws(CatalogError) {
        try ready()
        try user.deleteCollection(id)
        onChange?(.collections)
    }

    /// Puts a game into a list, or takes it out.
    ///
    /// - Throws: `CatalogError.collectionIsFilter` where the collection has no games of its own.
    public func setMember(_ on: Bool, game id: Int64, collection: Int64) throws(CatalogError) {
        guard let game = try game(id: id) else { throw CatalogError.noSuchGame(id: id) }
        try user.setMember(on, system: game.system, path: game.relativePath.bytes, collection: collection)
        onChange?(.collections)
    }

    /// The lists that a game is in.
    public func collections(of game: Int64) throws(CatalogError) -> Set<Int64> {
        guard let game = try self.game(id: game) else { return [] }
        return try user.collections(system: game.system, path: game.relativePath.bytes)
    }

    /// Makes a list of paths as another program has them, or adds them to the list of that name.
    ///
    /// A path that is not known here is recognised by what follows the folder of a system in it, whatever stands
    /// before. A file that is absent goes into the list too, and shows when it comes.
    /// - Returns: how many games were added, and the paths behind which no game is known.
    @discardableResult
    public func importCollection(
        name: String, paths: [BytePath]
    ) throws(CatalogError) -> (added: Int, unknown: [BytePath]) {
        try ready()
        var members: [(system: String, path: [UInt8])] = []
        var absent: [(system: String, path: [UInt8])] = []
        var unknown: [BytePath] = []
        for path in paths {
            if let game = try game(path: path) {
                members.append((game.system, game.relativePath.bytes))
                continue
            }
            let places = places(in: path)
            var found: (system: String, path: [UInt8])?
            for place in places where found == nil {
                let ids = try withCatalog { store throws(CatalogError) in
                    try store.catalog.guarded { () throws(SQLiteError) in
                        try store.reader.ids(system: place.system, path: place.path)
                    }
                }
                if !ids.isEmpty { found = place }
            }
            if let found {
                members.append(found)
            } else {
                unknown.append(path)
                if let place = places.first { absent.append(place) }
            }
        }
        let same = try user.collections().first { $0.name.asciiFolded == name.trimmedBlanks.asciiFolded }
        if let same, same.filter != nil { throw CatalogError.collectionIsFilter(name: same.name) }
        let collection: GameCollection
        if let same { collection = same } else { collection = try user.createCollection(name: name, filter: nil) }
        let added = try user.addMembers(members, collection: collection.id)
        _ = try user.addMembers(absent, collection: collection.id)
        onChange?(.collections)
        return (added: added, unknown: unknown)
    }

    /// What a path of another machine may mean here, the most likely first: each folder in it that has a system's
    /// name may be that system's.
    private nonisolated func places(in path: BytePath) -> [(system: String, path: [UInt8])] {
        let parts = path.bytes.split(separator: 0x2F)
        var places: [(system: String, path: [UInt8])] = []
        for (index, part) in parts.enumerated().dropLast() {
            guard let system = registry.system(forFolder: Array(part)) else { continue }
            places.append((system.name, Array(parts[(index + 1)...].joined(separator: [0x2F]))))
        }
        return places
    }

    /// The genres of all games, each once, in order.
    public func genres() throws(CatalogError) -> [String] {
        try withCatalog { store throws(CatalogError) in
            let texts = try store.catalog.guarded { () throws(SQLiteError) in
                try store.catalog.connection.rows("SELECT DISTINCT genre FROM details WHERE genre IS NOT NULL") {
                    $0.string(0) ?? ""
                }
            }
            var names: [[UInt8]: String] = [:]
            for text in texts {
                for genre in text.split(separator: "\n") {
                    let key = foldedName(String(genre))
                    if !key.isEmpty, names[key].map({ String(genre) < $0 }) ?? true { names[key] = String(genre) }
                }
            }
            return names.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        }
    }

    /// The regions that names of games tell, of one system or of all, in order.
    public func regions(system: String? = nil) throws(CatalogError) -> [String] {
        try withCatalog { store throws(CatalogError) in
            TitleTagWords.names(try store.lists.regions(system: system)).sorted()
        }
    }
}

extension String {
    /// Capital letters of ASCII as small ones, as the database compares names.
    fileprivate var asciiFolded: [UInt8] { utf8.map(asciiLowercased) }
}
