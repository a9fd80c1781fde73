public import SystemKit
public import Systems

/// Finds the pictures that belong to a game, by the name of its file.
///
/// Looks on the disk, so it belongs on a background thread; only for games that are in sight.
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

    private let media: BytePath
    // Windows and old cameras write capitals.
    private static let extensions = ["png", "jpg", "jpeg", "webp", "PNG", "JPG", "JPEG", "WEBP"]

    /// Pictures below `root.media`.
    public init(root: DataRoot) { media = root.media }

    /// The first picture of a game that exists, in the order of the kinds.
    public func picture(for game: Game, kinds: [Kind] = [.covers, .screenshots, .marquees]) -> BytePath? {
        let stem = game.path.stem.bytes
        // The libretro collections replace what some filesystems forbid by an underscore.
        let replaced = stem.map { Artwork.forbidden.contains($0) ? UInt8(ascii: "_") : $0 }
        let names = stem == replaced ? [stem] : [stem, replaced]
        for kind in kinds {
            let folder = media.appending(game.system).appending(kind.rawValue)
            guard fileExists(folder) else { continue }
            for name in names {
                for suffix in Artwork.extensions {
                    let path = folder.appending(BytePath(bytes: name + Array(".\(suffix)".utf8)))
                    if fileExists(path) { return path }
                }
            }
            if let path = equivalent(to: stem, in: folder) { return path }
        }
        return nil
    }

    /// A picture whose name is the same text in other bytes: macOS writes an accent as a character of its own, everybody
    /// else writes the accented letter. Swift's `==` of strings is that comparison.
    private func equivalent(to stem: [UInt8], in folder: BytePath) -> BytePath? {
        guard stem.contains(where: { $0 >= 0x80 }), let text = BytePath(bytes: stem).validUTF8,
            let names = try? directoryNames(folder)
        else { return nil }
        let suffixes = Set(Artwork.extensions.map { Array($0.utf8) })
        let found = names.filter { name in
            name.bytes.contains { $0 >= 0x80 } && name.fileExtension.map { suffixes.contains($0) } ?? false
                && name.stem.validUTF8 == text
        }
        return found.min().map { folder.appending($0) }
    }

    private static let forbidden = Set("&*/:`<>?\\|\"".utf8)
}
