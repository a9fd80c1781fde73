public import SystemKit

/// A file in an archive. Folders, links and names that lead out of the archive are no members.
public struct ArchiveMember: Sendable, Equatable {
    /// Its name as the archive has it, in whatever encoding that is.
    public let name: BytePath
    /// How many bytes it unpacks to, as the archive says.
    public let size: Int64
    /// The checksum of what it unpacks to, where the archive's list has it.
    public let crc: UInt32?
    /// Whether a password is needed to read it.
    public let isEncrypted: Bool
    /// Where it stands among all entries, in the order of their data.
    let position: Int
    /// The bytes of all entries up to and with it: what has to be unpacked to reach its end, in an archive that is packed as one piece.
    let sizeWithEarlier: Int64

    /// The part of the name after the last separator of either kind.
    public var lastName: BytePath {
        let bytes = name.bytes
        let separator = bytes.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        return BytePath(bytes: bytes[(separator.map { $0 + 1 } ?? 0)...])
    }

    /// Whether a name means a place in the archive: not an absolute one, and not one above it.
    static func isInside(_ name: [UInt8]) -> Bool {
        if name.isEmpty || name[0] == UInt8(ascii: "/") || name[0] == UInt8(ascii: "\\") { return false }
        let parts = name.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        return !parts.contains { $0.elementsEqual([UInt8(ascii: "."), UInt8(ascii: ".")]) }
    }
}

/// How much of an archive is read at most. Anybody may have made it.
public struct ArchiveBounds: Sendable, Equatable {
    /// Entries that are looked at.
    public var members: Int
    /// Bytes of a name.
    public var nameBytes: Int
    /// Bytes of the list of members.
    public var directoryBytes: Int64
    /// Bytes that are unpacked for one member, with what has to be unpacked before it.
    public var bytes: Int64
    /// How many times the archive's own size may be unpacked, from `ratioBytes` on.
    public var ratio: Int64
    /// Up to so many bytes the ratio is not asked: an empty memory card packs very well.
    public var ratioBytes: Int64

    /// Bounds that a DVD with two layers and a set of an arcade board stay within.
    public init(
        members: Int = 20_000, nameBytes: Int = 4096, directoryBytes: Int64 = 16 << 20, bytes: Int64 = 10 << 30,
        ratio: Int64 = 250, ratioBytes: Int64 = 64 << 20
    ) {
        self.members = members
        self.nameBytes = nameBytes
        self.directoryBytes = directoryBytes
        self.bytes = bytes
        self.ratio = ratio
        self.ratioBytes = ratioBytes
    }

    /// Refuses what unpacks to more than these bounds.
    func check(_ size: Int64, archive: Int64) throws(ArchiveError) {
        let isSuspicious = size > ratioBytes && size / max(archive, 1) > ratio
        if size > bytes || isSuspicious { throw .tooMuch("unpacks to \(max(size >> 20, 1)) MiB") }
    }
}
