internal import SystemKit

/// Files that a sheet or playlist names and that are not there, as they are written in it.
///
/// A sheet in a sheet (a `.cue` in a `.m3u`) is looked into as well. What cannot be read as a sheet names nothing:
/// the emulator may know better.
func missingMembers(of path: BytePath) -> [String] {
    var visited: Set<BytePath> = []
    return missingMembers(of: path, visited: &visited)
}

private func missingMembers(of path: BytePath, visited: inout Set<BytePath>) -> [String] {
    guard let kind = SheetKind(path), visited.insert(path).inserted, visited.count <= 64 else { return [] }
    guard let contents = try? readFile(path, limit: 1 << 20) else { return [] }
    var missing: [String] = []
    for member in kind.members(in: sheetLines(contents)) {
        if let found = resolve(member, in: path.parent) {
            missing += missingMembers(of: found, visited: &visited)
        } else {
            missing.append(BytePath.displayString(of: member))
        }
    }
    return missing
}

private enum SheetKind {
    case cue
    case gdi
    case playlist

    init?(_ path: BytePath) {
        switch path.fileExtension.map({ String(decoding: $0, as: UTF8.self) }) {
        case "cue": self = .cue
        case "gdi": self = .gdi
        case "m3u", "m3u8": self = .playlist
        default: return nil
        }
    }

    func members(in lines: [[UInt8]]) -> [[UInt8]] {
        switch self {
        case .cue: lines.compactMap(SheetKind.cueMember)
        case .gdi: lines.dropFirst().compactMap(SheetKind.gdiMember)
        case .playlist: lines.compactMap(SheetKind.playlistMember)
        }
    }

    /// `FILE "name" BINARY`, where the quotes may be absent when the name has no blanks.
    private static func cueMember(_ line: [UInt8]) -> [UInt8]? {
        guard line.count > 5, line[0..<5].map(asciiLowercased) == Array("file ".utf8) else { return nil }
        return firstWord(line[5...])
    }

    /// `3 45000 4 2352 "track 03.bin" 0`: the fifth word.
    private static func gdiMember(_ line: [UInt8]) -> [UInt8]? {
        var rest = line[...]
        for _ in 0..<4 {
            rest = trimmed(rest)
            guard let end = rest.firstIndex(where: isBlank) else { return nil }
            rest = rest[end...]
        }
        return firstWord(rest)
    }

    private static func playlistMember(_ line: [UInt8]) -> [UInt8]? {
        guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
        // `Game.cue#LABEL` and `Game.chd|label` are written by some frontends; the plain name goes first.
        return line
    }

    private static func firstWord(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        let line = trimmed(line)
        guard let first = line.first else { return nil }
        if first == UInt8(ascii: "\"") {
            let name = line.dropFirst()
            return Array(name[..<(name.firstIndex(of: UInt8(ascii: "\"")) ?? name.endIndex)])
        }
        return Array(line.prefix { !isBlank($0) })
    }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

private func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line.drop(while: isBlank)
    while let last = line.last, isBlank(last) { line.removeLast() }
    return line
}

/// Lines of a text from any system: LF, CRLF or CR, with or without a byte order mark, also UTF-16 with one.
private func sheetLines(_ contents: [UInt8]) -> [[UInt8]] {
    var bytes = contents
    if contents.starts(with: [0xFF, 0xFE]) || contents.starts(with: [0xFE, 0xFF]) {
        let isLittle = contents[0] == 0xFF
        let units = stride(from: 2, to: contents.count - 1, by: 2).map { index -> UInt16 in
            let first = UInt16(contents[index])
            let second = UInt16(contents[index + 1])
            return isLittle ? first | second << 8 : first << 8 | second
        }
        bytes = Array(String(decoding: units, as: UTF16.self).utf8)
    } else if contents.starts(with: [0xEF, 0xBB, 0xBF]) {
        bytes.removeFirst(3)
    }
    return bytes.split { $0 == 0x0A || $0 == 0x0D }.map { Array(trimmed($0)) }.filter { !$0.isEmpty }
}

/// The file that a sheet means: as written, else with backslashes as separators, else the last part of a path from
/// another machine, each also without regard to the case of letters.
private func resolve(_ member: [UInt8], in folder: BytePath) -> BytePath? {
    let slashes = member.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
    var candidates = [BytePath(bytes: member), BytePath(bytes: slashes)]
    if slashes.contains(UInt8(ascii: "/")) { candidates.append(BytePath(bytes: slashes).name) }
    for candidate in candidates where !candidate.bytes.isEmpty {
        let path = folder.appending(candidate)
        if fileExists(path) { return path }
        let wanted = path.name.bytes.map(asciiLowercased)
        let names = (try? directoryNames(path.parent)) ?? []
        if let name = names.first(where: { $0.bytes.map(asciiLowercased) == wanted }) {
            return path.parent.appending(name)
        }
    }
    return nil
}
