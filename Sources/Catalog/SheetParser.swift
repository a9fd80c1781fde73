import SystemKit

/// Finds the files that a sheet names. Never fails: what is not understood names nothing.
enum SheetParser {
    /// More than any real sheet: a renamed disc image is not read through.
    static let limitBytes = 1 << 20
    private static let limitMembers = 1000

    /// The paths a sheet names, relative to it, with slashes; several readings of one name where its encoding is
    /// unclear.
    ///
    /// - Parameter stem: the sheet's own name without its extension, for kinds that imply names.
    static func members(of kind: SheetKind, contents: [UInt8], stem: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        switch kind {
        case .ccd: found = ["img", "sub"].map { stem + Array(".\($0)".utf8) }
        case .mds: found = [stem + Array(".mdf".utf8)]
        case .cue: found = names(contents, cueName)
        case .gdi: found = names(contents, gdiName)
        case .m3u: found = names(contents, playlistName)
        }
        return Array(found.prefix(limitMembers))
    }

    private static func names(_ contents: [UInt8], _ name: (ArraySlice<UInt8>) -> [UInt8]?) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for text in decodedTexts(contents) {
            for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
                if let name = name(trimmed(line)), !name.isEmpty { found.append(normalized(name)) }
            }
        }
        return found
    }

    /// `FILE "Game (Track 1).bin" BINARY`, also without quotes.
    private static func cueName(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        guard line.count > 5, line.prefix(4).map(asciiLowercased) == Array("file".utf8),
            isBlank(line[line.startIndex + 4])
        else { return nil }
        let rest = trimmed(line.dropFirst(5))
        if rest.first == 0x22 { return quoted(rest) }
        // The last word is the type; names without quotes have no blanks, but be kind to those that do.
        guard let blank = rest.lastIndex(where: isBlank) else { return Array(rest) }
        return Array(trimmed(rest[..<blank]))
    }

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
        while name.starts(with: [0x2E, 0x2F]) { name.removeFirst(2) }
        return name
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while let first = line.first, isBlank(first) || first == 0 { line.removeFirst() }
        while let last = line.last, isBlank(last) || last == 0 || last == 0x1A { line.removeLast() }
        return line
    }
}
