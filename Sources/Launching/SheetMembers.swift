internal import Catalog
internal import SystemKit

/// Files that a sheet or playlist names and that are not there, as they are written in it.
///
/// A sheet in a sheet (a `.cue` in a `.m3u`) is looked into as well. What cannot be read as a sheet names nothing:
/// the emulator may know better.
func missingMembers(of path: BytePath) -> [String] {
    var search = MemberSearch()
    return search.missing(of: path)
}

/// Looks for the files that sheets name. What it does is bounded, because anybody may have written the sheets.
private struct MemberSearch {
    private static let mostSheets = 64
    private static let mostFolders = 16
    private static let longestName = 80

    private var visited: Set<BytePath> = []
    /// The names in a folder by their folded names.
    private var folders: [BytePath: [[UInt8]: BytePath]] = [:]

    mutating func missing(of path: BytePath) -> [String] {
        guard let kind = SheetKind(path), visited.count < Self.mostSheets, visited.insert(path).inserted,
            let contents = try? readRegularFile(path, limit: SheetParser.limitBytes)
        else { return [] }
        // Nobody wrote the encoding down: the reading that fits best to what is there is the right one.
        var best: (absent: [[UInt8]], found: [BytePath])?
        for names in SheetParser.readings(of: kind, contents: contents) {
            var absent: [[UInt8]] = []
            var found: [BytePath] = []
            for name in names {
                if let file = resolve(name, in: path.parent) { found.append(file) } else { absent.append(name) }
            }
            if absent.count < best?.absent.count ?? .max { best = (absent, found) }
            if absent.isEmpty { break }
        }
        guard let best else { return [] }
        return best.absent.map(shown) + best.found.flatMap { missing(of: $0) }
    }

    private func shown(_ name: [UInt8]) -> String {
        let text = BytePath.displayString(of: name)
        return text.count > Self.longestName ? "\(text.prefix(Self.longestName))…" : text
    }

    /// The file that a sheet means: as written, else with backslashes as separators, else the last part of a path
    /// from another machine, each also without regard to the case of letters.
    private mutating func resolve(_ member: [UInt8], in folder: BytePath) -> BytePath? {
        let slashes = member.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
        var candidates = [BytePath(bytes: member)]
        if slashes != member { candidates.append(BytePath(bytes: slashes)) }
        if slashes.contains(UInt8(ascii: "/")) { candidates.append(BytePath(bytes: slashes).name) }
        for candidate in candidates where !candidate.bytes.isEmpty {
            let path = folder.appending(candidate)
            if fileExists(path) { return path }
            if let name = names(in: path.parent)[path.name.bytes.map(asciiLowercased)] {
                return path.parent.appending(name)
            }
        }
        return nil
    }

    private mutating func names(in folder: BytePath) -> [[UInt8]: BytePath] {
        if let known = folders[folder] { return known }
        guard folders.count < Self.mostFolders else { return [:] }
        let names = (try? directoryNames(folder)) ?? []
        let byFoldedName = Dictionary(names.map { ($0.bytes.map(asciiLowercased), $0) }) { first, _ in first }
        folders[folder] = byFoldedName
        return byFoldedName
    }
}

extension SheetKind {
    /// The kind of sheet that names its files in its text; others only imply them by their own name.
    fileprivate init?(_ path: BytePath) {
        switch path.fileExtension.map({ String(decoding: $0, as: UTF8.self) }) {
        case "cue": self = .cue
        case "gdi": self = .gdi
        case "m3u": self = .m3u
        default: return nil
        }
    }
}
