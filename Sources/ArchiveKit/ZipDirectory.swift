import SystemKit

/// Reads the list at the end of a ZIP archive.
///
/// libarchive can list one too, but keeps the checksums to itself and turns the names' bytes into the locale's
/// characters. With them a game of a hundred megabytes is identified by reading some hundred bytes of its archive;
/// everything else of ZIP is left to libarchive.
struct ZipDirectory {
    /// Gives so many bytes from an offset on; fewer only at the end.
    typealias Source = (_ offset: Int64, _ count: Int) throws(ArchiveError) -> [UInt8]

    private static let endLength: Int64 = 22
    private static let longestComment: Int64 = 0xFFFF

    private let size: Int64
    private let bounds: ArchiveBounds
    private let source: Source

    init(size: Int64, bounds: ArchiveBounds, source: @escaping Source) {
        self.size = size
        self.bounds = bounds
        self.source = source
    }

    private struct End {
        var entries: Int64
        var bytes: Int64
        var offset: Int64
        /// Where the record itself begins: the list ends there at the latest.
        var place: Int64
    }

    /// The files that the list names, in the order of their data.
    func members() throws(ArchiveError) -> [ArchiveMember] {
        let end = try findEnd()
        guard end.entries >= 0, end.bytes >= 0, end.bytes <= end.place else { throw .cutOff }
        if end.entries > bounds.members { throw .tooMuch("lists \(end.entries) files") }
        if end.bytes > bounds.directoryBytes { throw .tooMuch("has a list of \(end.bytes >> 20) MiB") }
        // Something may stand before the archive, which moves everything: the list ends where its end is told.
        let list = try source(end.place - end.bytes, Int(end.bytes))
        if end.entries > 0, !list.starts(with: signature(1, 2)) {
            guard end.offset >= 0, end.offset <= size - end.bytes else { throw .cutOff }
            return try entries(of: try source(end.offset, Int(end.bytes)), count: end.entries)
        }
        return try entries(of: list, count: end.entries)
    }

    private func findEnd() throws(ArchiveError) -> End {
        let length = min(size, ZipDirectory.endLength + ZipDirectory.longestComment)
        let start = size - length
        let tail = try source(start, Int(length))
        var index = tail.count - Int(ZipDirectory.endLength)
        while index >= 0 {
            let fields = Fields(tail, from: index)
            if fields.bytes(0, 4).elementsEqual(signature(5, 6)), fields.uint16(20) <= tail.count - index - 22 {
                let end = End(
                    entries: Int64(fields.uint16(10)), bytes: Int64(fields.uint32(12)),
                    offset: Int64(fields.uint32(16)), place: start + Int64(index))
                let isLarge = end.entries == 0xFFFF || end.bytes == 0xFFFF_FFFF || end.offset == 0xFFFF_FFFF
                return isLarge ? try largeEnd(before: end) ?? end : end
            }
            index -= 1
        }
        let isZip = try source(0, 4).elementsEqual(signature(3, 4))
        throw isZip ? .cutOff : .notAnArchive
    }

    /// The record of an archive over the old bounds of 4 GiB and 65,535 files.
    private func largeEnd(before end: End) throws(ArchiveError) -> End? {
        guard end.place >= 20 else { return nil }
        let locator = Fields(try source(end.place - 20, 20), from: 0)
        guard locator.bytes(0, 4).elementsEqual(signature(6, 7)) else { return nil }
        let place = locator.int64(8)
        guard place >= 0, place <= size - 56 else { throw .cutOff }
        let record = Fields(try source(place, 56), from: 0)
        guard record.bytes(0, 4).elementsEqual(signature(6, 6)) else { throw .cutOff }
        return End(entries: record.int64(32), bytes: record.int64(40), offset: record.int64(48), place: place)
    }

    private func entries(of list: [UInt8], count: Int64) throws(ArchiveError) -> [ArchiveMember] {
        var found: [Entry] = []
        var index = 0
        for _ in 0..<count {
            guard index + 46 <= list.count else { throw .cutOff }
            let fields = Fields(list, from: index)
            guard fields.bytes(0, 4).elementsEqual(signature(1, 2)) else { throw .cutOff }
            let (nameLength, extraLength) = (Int(fields.uint16(28)), Int(fields.uint16(30)))
            let length = 46 + nameLength + extraLength + Int(fields.uint16(32))
            guard index + length <= list.count else { throw .cutOff }
            if nameLength > bounds.nameBytes { throw .tooMuch("has a name of \(nameLength) bytes") }
            found.append(Entry(fields, nameLength: nameLength, extraLength: extraLength))
            index += length
        }
        // The order in which libarchive comes to them.
        found.sort { $0.offset < $1.offset }
        return found.enumerated().compactMap { position, entry in entry.member(at: position) }
    }

    private func signature(_ third: UInt8, _ fourth: UInt8) -> [UInt8] { [0x50, 0x4B, third, fourth] }
}

/// An entry of the list.
private struct Entry {
    let name: [UInt8]
    var size: Int64
    var offset: Int64
    let crc: UInt32
    let isEncrypted: Bool
    let isFile: Bool

    init(_ fields: Fields, nameLength: Int, extraLength: Int) {
        name = Array(fields.bytes(46, nameLength))
        size = Int64(fields.uint32(24))
        offset = Int64(fields.uint32(42))
        crc = fields.uint32(16)
        isEncrypted = fields.uint16(8) & 1 != 0
        // Unix keeps what a file is in the upper half; zero says nothing.
        let kind = fields.uint32(38) >> 28
        isFile = name.last != UInt8(ascii: "/") && name.last != UInt8(ascii: "\\") && (kind == 0 || kind == 8)
        readLarge(fields, at: 46 + nameLength, length: extraLength, hasPacked: fields.uint32(20) == 0xFFFF_FFFF)
    }

    /// The sizes of an entry over 4 GiB stand in a field of their own, each only where it is needed.
    private mutating func readLarge(_ fields: Fields, at start: Int, length: Int, hasPacked: Bool) {
        var index = start
        while index + 4 <= start + length {
            let (kind, count) = (fields.uint16(index), Int(fields.uint16(index + 2)))
            index += 4
            guard index + count <= start + length else { return }
            if kind == 1 {
                var place = index
                let end = index + count
                if size == 0xFFFF_FFFF, place + 8 <= end {
                    size = max(0, fields.int64(place))
                    place += 8
                }
                if hasPacked { place += 8 }
                if offset == 0xFFFF_FFFF, place + 8 <= end { offset = fields.int64(place) }
                return
            }
            index += count
        }
    }

    func member(at position: Int) -> ArchiveMember? {
        guard isFile, ArchiveMember.isInside(name) else { return nil }
        // Each file of a ZIP archive is packed by itself.
        return ArchiveMember(
            name: BytePath(bytes: name), size: size, crc: crc, isEncrypted: isEncrypted, position: position,
            sizeWithEarlier: size)
    }
}

/// Numbers in little-endian order; what lies behind the end is zero.
struct Fields {
    private let data: [UInt8]
    private let start: Int

    init(_ data: [UInt8], from start: Int) {
        self.data = data
        self.start = start
    }

    func bytes(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> {
        let from = min(start + offset, data.count)
        return data[from..<min(from + count, data.count)]
    }

    func uint16(_ offset: Int) -> UInt16 { UInt16(truncatingIfNeeded: number(offset, 2)) }
    func uint32(_ offset: Int) -> UInt32 { UInt32(truncatingIfNeeded: number(offset, 4)) }
    func int64(_ offset: Int) -> Int64 { Int64(bitPattern: number(offset, 8)) }

    private func number(_ offset: Int, _ count: Int) -> UInt64 {
        var value: UInt64 = 0
        for byte in bytes(offset, count).reversed() { value = value << 8 | UInt64(byte) }
        return value
    }
}
