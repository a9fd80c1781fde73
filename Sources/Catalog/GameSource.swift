public import SystemKit

/// A folder of `roms/<system>` folders: the data root's own, a disk's or a share's.
public struct GameSource: Sendable, Equatable, Identifiable {
    /// Its number; 0 for the data root's own, which is always the first.
    public let id: Int64
    /// Which filesystem it is on, wherever that is mounted: `uuid:1A2B-3C4D`, `net://nas/games`; empty for a plain folder.
    public var identity: String
    /// The folder now, or where it was when it was last there.
    public var path: BytePath
    /// What a person calls it: the disk's label, the share's name.
    public var label: String
    /// Whether it can be read now.
    public var isPresent: Bool

    /// A source.
    public init(id: Int64, identity: String = "", path: BytePath, label: String, isPresent: Bool = true) {
        self.id = id
        self.identity = identity
        self.path = path
        self.label = label
        self.isPresent = isPresent
    }
}
