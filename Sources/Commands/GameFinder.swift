import Catalog
import SystemKit
import Systems

/// Finds the game that a person means by a number or a path.
struct GameFinder: Sendable {
    let library: Library
    let store: CatalogStore

    /// The game of a word; a path that lies in a system's folder and is not known yet is looked for first.
    func game(_ word: BytePath) async throws(CommandError) -> Game {
        let path = normalized(library.call.surroundings.directory.appending(word))
        if let text = word.validUTF8, let id = Int64(text) {
            if let game = try await catalog({ () async throws(CatalogError) in try await store.game(id: id) }) {
                return game
            }
            if !fileExists(path) { throw .noSuchGame(text) }
        }
        if let game = try await known(path) { return game }
        guard fileExists(path) else {
            throw word.bytes.contains(UInt8(ascii: "/"))
                ? .notAGame(path, reason: "there is no such file") : .noSuchGame(word.displayString)
        }
        guard let place = try place(of: path) else {
            throw .notAGame(path, reason: "it is not in a system's folder below \(library.root.roms.displayString)")
        }
        _ = try await catalog { () async throws(CatalogError) in try await store.scan(systems: [place.system.name]) }
        if let game = try await known(path) { return game }
        throw .notAGame(
            path,
            reason: "it is no game of \(place.system.fullName), whose games end in "
                + listText(place.system.extensions.map { ".\($0)" }, joint: "or") + ", or it belongs to another file")
    }

    private func known(_ path: BytePath) async throws(CommandError) -> Game? {
        if let game = try await catalog({ () async throws(CatalogError) in try await store.game(path: path) }) {
            return game
        }
        guard let place = try place(of: path) else { return nil }
        return try await catalog { () async throws(CatalogError) in try await store.game(path: place.path) }
    }

    /// The path as the catalog writes it, whatever links lead there, and the system of its folder.
    private func place(of path: BytePath) throws(CommandError) -> (path: BytePath, system: SystemDefinition)? {
        let roms = library.root.roms
        var relative = path.relative(to: roms)
        if relative == nil, let folder = try? resolvedPath(path.parent), let top = try? resolvedPath(roms) {
            relative = folder.appending(path.name).relative(to: top)
        }
        guard let relative, let folder = relative.bytes.split(separator: UInt8(ascii: "/")).first,
            let system = library.registry.system(forFolder: Array(folder)), folder.count < relative.bytes.count
        else { return nil }
        return (roms.appending(relative), system)
    }
}

/// An absolute path without `.`, `..` and doubled slashes. Links are not resolved.
func normalized(_ path: BytePath) -> BytePath {
    var parts: [ArraySlice<UInt8>] = []
    for part in path.bytes.split(separator: UInt8(ascii: "/")) {
        switch BytePath(bytes: part) {
        case ".": continue
        case "..": _ = parts.popLast()
        default: parts.append(part)
        }
    }
    return BytePath(bytes: [UInt8(ascii: "/")] + Array(parts.joined(separator: [UInt8(ascii: "/")])))
}
