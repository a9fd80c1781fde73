import SystemKit
import Testing

/// The floors of docs/architecture.md. A target may import what stands on a floor below its own, and nothing else.
private let floors: [String: Int] = [
    "CLinux": 0, "CSQLite": 0, "CUdev": 0, "CEvdev": 0, "CSDL": 0, "CFontconfig": 0, "CXInput": 0,
    "CExpat": 0, "CArchive": 0, "CNettle": 0, "CZlib": 0,
    "SystemKit": 1, "SQLiteKit": 1, "EvdevKit": 1, "SDLKit": 1, "FontKit": 1, "XInputKit": 1, "XMLKit": 1,
    "ArchiveKit": 1, "DigestKit": 1,
    "Systems": 2, "Catalog": 2, "Controllers": 2, "Launching": 2, "Appliance": 2,
    "Interface": 3, "Stage": 3, "Menu": 3, "Commands": 3,
    "retro-menu": 4, "retro-admin": 4,
]

/// What may be imported from the own floor, by name.
private let neighbours: [String: Set<String>] = [
    // Every kit may use SystemKit: it is the ground that the others stand on.
    "SQLiteKit": ["SystemKit"], "EvdevKit": ["SystemKit"], "SDLKit": ["SystemKit"], "FontKit": ["SystemKit"],
    "XInputKit": ["SystemKit"], "ArchiveKit": ["SystemKit"],
    "Catalog": ["Systems"], "Launching": ["Systems", "Catalog", "Controllers"],
    "Stage": ["Interface"], "Menu": ["Interface"],
]

/// What a target on a high floor may not use although it stands below it.
private let forbidden: [String: @Sendable (String) -> Bool] = [
    "Interface": { _ in true },
    // The stage paints and knows no games; the menu knows games and paints nothing.
    "Stage": { !["Interface", "SDLKit", "FontKit", "SystemKit"].contains($0) },
    "Menu": { $0.hasSuffix("Kit") && $0 != "SystemKit" },
    "Commands": { $0.hasSuffix("Kit") && $0 != "SystemKit" },
]

private struct Import: CustomStringConvertible {
    let target: String
    let file: String
    let module: String
    var description: String { "\(target)/\(file) imports \(module)" }
}

private let sources = BytePath(#filePath).parent.parent.parent.appending("Sources")

private func imports() throws -> [Import] {
    var result: [Import] = []
    for target in try directoryNames(sources) {
        for file in try swiftFiles(sources.appending(target)) {
            let text = String(decoding: try readFile(file), as: UTF8.self)
            for module in importedModules(text) {
                result.append(Import(target: target.displayString, file: file.name.displayString, module: module))
            }
        }
    }
    return result
}

private func swiftFiles(_ folder: BytePath) throws -> [BytePath] {
    var files: [BytePath] = []
    for name in try directoryNames(folder) {
        let path = folder.appending(name)
        switch try fileStatus(path).kind {
        case .directory: files += try swiftFiles(path)
        case .regular where name.fileExtension == Array("swift".utf8): files.append(path)
        default: break
        }
    }
    return files
}

private func importedModules(_ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
        var words = line.split(separator: " ")[...]
        while let word = words.first,
            word.hasPrefix("@") || ["public", "package", "internal", "private"].contains(word)
        {
            words.removeFirst()
        }
        guard words.first == "import", var module = words.dropFirst().first else { return nil }
        // `import struct Module.Name` names a kind first.
        if ["struct", "class", "enum", "func", "var", "protocol", "typealias"].contains(module) {
            guard let named = words.dropFirst(2).first else { return nil }
            module = named.prefix { $0 != "." }
        }
        return String(module)
    }
}

@Suite("The floors of the house")
struct FloorsTests {
    @Test("the sources are found, every target has a floor, and imports are understood")
    func sanity() throws {
        let targets = Set(try directoryNames(sources).map(\.displayString))
        #expect(targets == Set(floors.keys))
        #expect(try imports().contains { $0.target == "SystemKit" && $0.module == "CLinux" })
        #expect(importedModules("public import struct SystemKit.BytePath\nimport Foo") == ["SystemKit", "Foo"])
    }

    @Test("no target imports upwards or across")
    func downwardsOnly() throws {
        let wrong = try imports().filter { found in
            guard let own = floors[found.target], let other = floors[found.module] else { return false }
            if neighbours[found.target]?.contains(found.module) == true { return false }
            return other >= own || forbidden[found.target]?(found.module) == true
        }
        #expect(wrong.isEmpty, "\(wrong)")
    }

    @Test("only kits import C modules and the C library")
    func kitsOnly() throws {
        let wrong = try imports().filter { found in
            let isC = floors[found.module] == 0 || found.module == "Glibc"
            return isC && floors[found.target] != 1
        }
        #expect(wrong.isEmpty, "\(wrong)")
    }

    @Test("nobody imports Foundation proper, which brings forty megabytes of Unicode tables")
    func essentialsOnly() throws {
        let wrong = try imports().filter { $0.module == "Foundation" || $0.module == "FoundationInternationalization" }
        #expect(wrong.isEmpty, "\(wrong)")
    }
}
