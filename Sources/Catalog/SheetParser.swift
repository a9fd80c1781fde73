import SystemKit

/// Finds the files that a sheet names. Never fails: what is not understood names nothing.
package enum SheetParser {
    /// More than any real sheet: a renamed disc image is not read through.
    package static let limitBytes = 1 << 20
    private static let limitMembers = 1000

    /// The paths a sheet names, relative to it, with slashes; several readings of one name where its encoding is
    /// unclear.
    ///
    /// - Parameter stem: the sheet's own name without its extension, for kinds that imply names.
    static func members(of kind: SheetKind, contents: [UInt8], stem: [UInt8]) -> [[UInt8]] {
        switch kind {
        case .ccd: ["img", "sub"].map { stem + Array(".\($0)".utf8) }
        case .mds: [stem + Array(".mdf".utf8)]
        case .cue, .gdi, .m3u:
            readings(of: kind, contents: contents).flatMap { $0.map(normalized).filter { !$0.isEmpty } }
        }
    }

    /// The names as they are written in a sheet: a list for each encoding that the text may be in.
    package static func readings(of kind: SheetKind, contents: [UInt8]) -> [[[UInt8]]] {
        switch kind {
        case .ccd, .mds: []
        case .cue: decodedTexts(contents).map { names($0, cueName) }
        case .gdi: decodedTexts(contents).map { names($0, gdiName) }
        case .m3u: decodedTexts(contents).map { names($0, playlistName) }
        }
    }

    private static func names(_ text: [UInt8], _ name: (ArraySlice<UInt8>) -> [UInt8]?) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var seen: Set<[UInt8]> = []
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            // No path is longer than the kernel's limit.
            guard let name = name(trimmed(line)), !name.isEmpty, name.count < longestPath, seen.insert(name).inserted
            else { continue }
            found.append(name)
            if found.count == limitMembers { break }
        }
        return found
    }

    private static let longestPath = 4096

    /// `FILE "Game (Track 1).bin" BINARY`, also without quotes.
    private static func cueName(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        guard line.count > 5, line.prefix(4).map(asciiLowercased) == Array("file".utf8),
            isBlank(line[line.startIndex + 4])
        else { return nil }
        let rest = trimmed(line.dropFirst(5))
        if rest.first == 0x22 { return quoted(rest) }
        // The last word is the type; names without quotes have no blanks, but be kind to those that do.
        guard let blank = rest.lastIndex(where: isBlank), fileTypes.contains(rest[(blank + 1)...].map(asciiLowercased))
        else { return Array(rest) }
        return Array(trimmed(rest[..<blank]))
    }

    private static let fileTypes = Set(
        ["binary", "motorola", "wave", "mp3", "aiff", "flac", "ogg"].map { Array($0.utf8) })

    /// `1 0 4 2352 track01.bin 0`, the name perhaps in quotes.
    private static func gdiName(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        if let quote = line.firstIndex(of: 0x22) { return quoted(line[quote...]) }
        let words = line.split(whereSeparator: isBlank)
        guard words.count >= 6 else { return nil }
        // A name with blanks lies between the first four numbers and the last one.
        return Array(words[4..<(words.count - 1)].joined(separator: [0x20]))
    }

    /// A path a line; `#` comments. Old front ends add `|name` for a label.
    private static func playlistName(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        guard let first = line.first, first != 0x23 else { return nil }
        if first == 0x22 { return quoted(line) }
        return Array(trimmed(line[..<(line.firstIndex(of: 0x7C) ?? line.endIndex)]))
    }

    private static func quoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let inner = text.dropFirst()
        return Array(inner[..<(inner.firstIndex(of: 0x22) ?? inner.endIndex)])
    }

    /// Slashes instead of backslashes, no `./`, and only the name of a Windows path with a drive.
    private static func normalized(_ name: [UInt8]) -> [UInt8] {
        var name = name.map { $0 == 0x5C ? 0x2F : $0 }
        if name.count > 2, name[1] == 0x3A {
            name = Array(name[((name.lastIndex(of: 0x2F) ?? 1) + 1)...])
        }
        var rest = name[...]
        while rest.starts(with: [0x2E, 0x2F]) { rest = rest.dropFirst(2) }
        return Array(rest)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while let first = line.first, isBlank(first) || first == 0 { line.removeFirst() }
        while let last = line.last, isBlank(last) || last == 0 || last == 0x1A { line.removeLast() }
        return line
    }
}
