public import SystemKit

/// A list of games that a person made in EmulationStation: `custom-NAME.cfg`, a path a line.
public struct CollectionFile: Sendable, Equatable {
    /// What the list is called, from the file's name.
    public var name: String
    /// The games' paths as they are written: absolute, or with `%ROMPATH%` or `~` at their start.
    public var paths: [BytePath]

    /// Longer lines are no paths.
    private static let longestPath = 4096
    private static let most = 1_000_000

    /// A list.
    public init(name: String, paths: [BytePath]) {
        self.name = name
        self.paths = paths
    }

    /// The list of a file's contents, in any of the encodings and line ends that editors leave behind.
    ///
    /// Bytes that are no UTF-8 stay as they are: they may be a file's name.
    public init(name: String, contents: [UInt8]) {
        self.name = name
        paths = []
        var text = contents[...]
        if contents.starts(with: [0xEF, 0xBB, 0xBF]) {
            text = text.dropFirst(3)
        } else if contents.starts(with: [0xFF, 0xFE]) || contents.starts(with: [0xFE, 0xFF]) {
            text = (decodedTexts(contents).first ?? [])[...]
        }
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) {
            // A blank may end a name on disk, but nobody could see it in this file.
            var line = line
            while let last = line.last, last == 0x20 || last == 0x09 { line.removeLast() }
            while let first = line.first, first == 0x20 || first == 0x09 { line.removeFirst() }
            guard !line.isEmpty, line.count <= CollectionFile.longestPath else { continue }
            if paths.count == CollectionFile.most { return }
            paths.append(BytePath(bytes: line))
        }
    }

    /// The list's name in a file's: `custom-Best of.cfg` is `Best of`; `nil` where it is no such file.
    public static func name(ofFile file: BytePath) -> String? {
        let text = file.name.displayString
        guard text.hasPrefix("custom-"), text.hasSuffix(".cfg") else { return nil }
        let name = String(text.dropFirst(7).dropLast(4))
        return name.isEmpty ? nil : name
    }

    /// The paths with what stands for a folder replaced, absolute; those that are relative lie in `roms`.
    public func resolved(roms: BytePath, home: BytePath) -> [BytePath] {
        paths.map { path in
            var bytes = path.bytes
            // Windows writes the other slash.
            if !bytes.contains(0x2F) { bytes = bytes.map { $0 == 0x5C ? 0x2F : $0 } }
            for (sign, folder) in [("%ROMPATH%", roms), ("~", home)] {
                let start = Array(sign.utf8)
                guard bytes.starts(with: start), bytes.count > start.count, bytes[start.count] == 0x2F else { continue }
                return folder.appending(BytePath(bytes: bytes[(start.count + 1)...].drop { $0 == 0x2F }))
            }
            if bytes.starts(with: [0x2E, 0x2F]) { bytes.removeFirst(2) }
            return roms.appending(BytePath(bytes: bytes))
        }
    }

    /// The file's contents: what lies in `roms` is written so that the list can be carried to another machine.
    public func contents(roms: BytePath) -> [UInt8] {
        var text: [UInt8] = []
        for path in paths {
            // A name with a line end would be two games.
            if path.bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) { continue }
            if let relative = path.relative(to: roms) {
                text += Array("%ROMPATH%/".utf8) + relative.bytes
            } else {
                text += path.bytes
            }
            text.append(0x0A)
        }
        return text
    }
}
