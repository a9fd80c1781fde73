public import SystemKit

/// What counts as a game, from those who know the systems.
public struct StickRules: Sendable {
    /// The system that a folder of this name belongs to: the name of its folder on this machine.
    public var system: @Sendable (_ folder: [UInt8]) -> String?
    /// Whether a file of this name in that folder may be a game.
    public var isGame: @Sendable (_ system: String, _ name: BytePath) -> Bool

    /// Rules with all their parts.
    public init(
        system: @escaping @Sendable (_ folder: [UInt8]) -> String?,
        isGame: @escaping @Sendable (_ system: String, _ name: BytePath) -> Bool
    ) {
        self.system = system
        self.isGame = isGame
    }

    /// Folders that may hold one folder a system, each as its way from the stick's top, in lower case.
    static let places: [[String]] = [
        ["roms"], ["retro", "roms"], ["retropie", "roms"], ["recalbox", "roms"], ["recalbox", "share", "roms"],
        ["batocera", "roms"], ["share", "roms"], ["share", "userdata", "roms"], [],
    ]

    /// Folders that other programs make.
    static func isJunkFolder(_ name: BytePath) -> Bool {
        let lower = name.bytes.map(asciiLowercased)
        return isPrivate(lower) || junkFolders.contains(lower) || lower.starts(with: Array("found.0".utf8))
    }

    /// Unfinished copies, and what other programs leave in every folder.
    static func isJunkFile(_ name: BytePath) -> Bool {
        let lower = name.bytes.map(asciiLowercased)
        return isPrivate(lower) || junkFiles.contains(lower) || name.fileExtension.map(junkExtensions.contains) ?? false
    }

    /// Files that belong to a sheet in the same folder and are no games of their own.
    static func isTrack(_ name: BytePath) -> Bool { name.fileExtension.map(tracks.contains) ?? false }

    static func isSheet(_ name: BytePath) -> Bool { name.fileExtension.map(sheets.contains) ?? false }

    private static func isPrivate(_ lower: [UInt8]) -> Bool {
        lower.first == UInt8(ascii: ".") || lower.starts(with: Array("~$".utf8))
    }

    private static func set(_ text: String) -> Set<[UInt8]> { Set(text.split(separator: " ").map { Array($0.utf8) }) }

    private static let junkFolders = set("@eadir __macosx $recycle.bin recycler lost+found #recycle @recycle")
        .union([Array("system volume information".utf8)])
    private static let junkFiles = set("thumbs.db ehthumbs.db desktop.ini autorun.inf")
    private static let junkExtensions = set("part partial filepart crdownload download tmp temp swp aria2 !qb !ut")
    private static let sheets = set("cue gdi ccd mds")
    private static let tracks = set("bin img raw sub mdf wav ape flac")
}
