internal import Catalog
internal import SystemKit

/// The file that the emulator gets: the game's own, or inside a folder that stands for a game the file of its name.
///
/// - Throws: when it, or a file that it names, is not there or cannot be read.
func playableFile(of game: Game) throws(LaunchError) -> BytePath {
    var path = game.path.absolute
    if UnansweringPlaces.contains(path) {
        throw .gameUnreadable(title: game.title, path: path, reason: "its disk or share does not answer")
    }
    if (try? fileStatus(path))?.kind == .directory {
        // A folder with a game's extension holds a file of the same name; without one the folder is the game.
        let inner = path.appending(path.name)
        if fileExists(inner) { path = inner }
    }
    do throws(SystemError) {
        try checkReadable(path)
    } catch {
        if error.isNotFound { throw .gameMissing(title: game.title, path: path) }
        throw .gameUnreadable(title: game.title, path: path, reason: error.reason)
    }
    let missing = missingMembers(of: path)
    if !missing.isEmpty { throw .membersMissing(title: game.title, members: missing) }
    return path
}

/// Whether each of a game's discs, and what it names, is there.
func checkDiscs(_ discs: [BytePath], of game: Game) throws(LaunchError) {
    guard discs.count > 1 else { return }
    var missing: [String] = []
    for disc in discs {
        do throws(SystemError) {
            try checkReadable(disc.absolute)
            missing += missingMembers(of: disc.absolute)
        } catch {
            guard error.isNotFound else {
                throw .gameUnreadable(title: game.title, path: disc, reason: error.reason)
            }
            missing.append(disc.name.displayString)
        }
    }
    if !missing.isEmpty { throw .membersMissing(title: game.title, members: missing) }
}
