import SystemKit
import Systems

/// What paths in a system's gamelist mean: places below the system's folder.
struct GamelistPaths {
    /// Every folder of the system's games, absolute.
    let folders: [BytePath]
    private let names: Set<[UInt8]>

    init(system: SystemDefinition, folders: [BytePath]) {
        self.folders = folders
        names = Set(([system.name] + system.aliases).map { $0.utf8.map(asciiLowercased) })
    }

    /// The path below the system's folder; one that lies elsewhere is given back as it is.
    func relative(_ path: [UInt8]) -> [UInt8] {
        guard path.contains(0x2F) || !path.contains(0x5C) else { return slashed(path) }
        if path.first == 0x2F || path.first == 0x7E || isDrive(path) { return below(path) ?? path }
        return normal(path) ?? path
    }

    /// A path with the separators of Windows; with those of Linux too, it is a name that has the sign in it.
    private func slashed(_ path: [UInt8]) -> [UInt8] { relative(path.map { $0 == 0x5C ? 0x2F : $0 }) }

    private func isDrive(_ path: [UInt8]) -> Bool {
        path.count > 2 && path[1] == 0x3A && path[2] == 0x2F && Markup.isNameStart(path[0])
    }

    /// An absolute path as one below the system's folder: of this machine, or of another one with a folder `roms`.
    private func below(_ path: [UInt8]) -> [UInt8]? {
        for folder in folders {
            if let rest = BytePath(bytes: path).relative(to: folder) { return normal(rest.bytes) }
        }
        let parts = path.split(separator: 0x2F, omittingEmptySubsequences: true).map { Array($0) }
        guard parts.count > 2 else { return nil }
        for index in 0..<(parts.count - 2)
        where parts[index].map(asciiLowercased) == Array("roms".utf8)
            && names.contains(parts[index + 1].map(asciiLowercased))
        {
            return normal(Array(parts[(index + 2)...].joined(separator: [0x2F])))
        }
        return nil
    }

    /// Without `.`, `..` and doubled slashes; `nil` where it leads out, or nowhere.
    private func normal(_ path: [UInt8]) -> [UInt8]? {
        var parts: [ArraySlice<UInt8>] = []
        for part in path.split(separator: 0x2F) {
            if part.elementsEqual([0x2E]) { continue }
            if part.elementsEqual([0x2E, 0x2E]) {
                guard parts.popLast() != nil else { return nil }
            } else {
                parts.append(part)
            }
        }
        return parts.isEmpty ? nil : Array(parts.joined(separator: [0x2F]))
    }

    /// How a list has a path.
    static func written(_ relative: [UInt8]) -> String {
        let isElsewhere = relative.first == 0x2F || relative.first == 0x7E
        let text = relative.withUnsafeBufferPointer { bytes in
            // A name that is no text is written as what its bytes are in windows-1252, and understood again.
            LenientUTF8.isValid(bytes)
                ? String(decoding: bytes, as: UTF8.self)
                : String(decoding: relative.flatMap { LenientUTF8.character($0) }, as: UTF8.self)
        }
        return isElsewhere ? text : "./" + text
    }
}
