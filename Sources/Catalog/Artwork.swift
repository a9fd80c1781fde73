public import SystemKit
public import Systems

/// Finds the pictures that belong to a game: those that a gamelist names, our own, and those that RetroPie, ES-DE,
/// Batocera and RetroArch keep, by the name of the game's file.
///
/// Looks on the disk, so it belongs on a background thread; only for games that are in sight. What it has seen of
/// folders is remembered for a moment: one value should serve a screen for as long as it lives.
public struct Artwork: Sendable {
    /// What a picture shows.
    public enum Kind: String, Sendable, CaseIterable {
        /// The front of the box.
        case covers
        /// The game itself.
        case screenshots
        /// The name as an emblem.
        case marquees
    }

    /// A picture's file, and which one it is: another file in its place is another picture.
    public struct Picture: Sendable, Hashable {
        /// The file.
        public let path: BytePath
        /// Differs when the file was replaced or written.
        public let version: Int64

        /// A picture.
        public init(path: BytePath, version: Int64) {
            self.path = path
            self.version = version
        }
    }

    private let root: DataRoot
    private let registry: SystemRegistry?
    private let folders = ArtworkFolders()

    /// Pictures of the games below a root.
    ///
    /// - Parameter registry: needed for RetroArch's thumbnails, which lie under the full names of systems.
    public init(root: DataRoot, registry: SystemRegistry? = nil) {
        self.root = root
        self.registry = registry
    }

    /// The first picture of a game that exists, in the order of the kinds.
    ///
    /// - Parameter named: what the game's record names (`GameDetails.pictures`); these come before what is found by
    ///   name.
    public func picture(
        for game: Game, kinds: [Kind] = [.covers, .screenshots, .marquees], named: [Kind: BytePath] = [:]
    ) -> BytePath? {
        found(for: game, kinds: kinds, named: named)?.path
    }

    /// The same with which file it is now.
    public func found(
        for game: Game, kinds: [Kind] = [.covers, .screenshots, .marquees], named: [Kind: BytePath] = [:]
    ) -> Picture? {
        let places = ArtworkPlaces(game: game, root: root, registry: registry)
        for kind in kinds {
            if let path = named[kind] {
                if let picture = picture(at: path) { return picture }
                if let other = folders.file(path.name.bytes, in: path.parent), let picture = picture(at: other) {
                    return picture
                }
            }
            for candidate in places.candidates(kind, folders) {
                if let path = folders.picture(candidate.names, in: candidate.folder), let picture = picture(at: path) {
                    return picture
                }
            }
        }
        return nil
    }

    /// A picture's file may be named by anybody: a device or a pipe is none.
    private func picture(at path: BytePath) -> Picture? {
        guard let status = try? fileStatus(path), status.kind == .regular, status.size > 0 else { return nil }
        let version = status.changedNanoseconds ^ (status.size &* 31) ^ Int64(truncatingIfNeeded: status.inode << 32)
        return Picture(path: path, version: version ^ status.modifiedNanoseconds)
    }

    /// What a record's path means: below the system's folder, the home folder, or as it is.
    ///
    /// - Parameter game: the game's file, which tells which of the system's folders it is.
    static func place(
        of text: String, system: SystemDefinition, folders: [BytePath], near game: BytePath
    ) -> BytePath {
        var bytes = Array(text.utf8)
        if !bytes.contains(0x2F) { bytes = bytes.map { $0 == 0x5C ? 0x2F : $0 } }
        let path = BytePath(bytes: bytes)
        let own = folders.first { game.relative(to: $0) != nil } ?? folders.first ?? "/"
        if path.isAbsolute, fileExists(path) { return path }
        if bytes.starts(with: [0x7E, 0x2F]) {
            let there = (accountHome() ?? "/").appending(BytePath(bytes: bytes[2...].drop { $0 == 0x2F }))
            if fileExists(there) { return there }
        }
        let relative = GamelistPaths(system: system, folders: folders).relative(bytes)
        if relative.first == 0x7E { return own }
        return own.appending(BytePath(bytes: relative.starts(with: [0x2E, 0x2F]) ? Array(relative[2...]) : relative))
    }
}
