import SystemKit

@testable import Catalog
@testable import Systems

/// One parser of what others wrote, with what must hold for any bytes.
///
/// `scripts/fuzz` runs these below libFuzzer, which invents bytes; the tests of this folder replay the bytes that were
/// kept. A parser that traps ends either.
struct FuzzTarget: Sendable {
    let name: String
    /// - Returns: what does not hold for these bytes; `nil` where all does.
    let complaint: @Sendable ([UInt8]) -> String?

    static let all = [
        FuzzTarget(name: "cue") { sheetComplaint(.cue, $0) },
        FuzzTarget(name: "gdi") { sheetComplaint(.gdi, $0) },
        FuzzTarget(name: "ccd") { sheetComplaint(.ccd, $0) ?? sheetComplaint(.mds, $0) },
        FuzzTarget(name: "m3u") { sheetComplaint(.m3u, $0) },
        FuzzTarget(name: "systems", complaint: definitionComplaint),
        FuzzTarget(name: "titles", complaint: titleComplaint),
        FuzzTarget(name: "gamelist", complaint: gamelistComplaint),
        FuzzTarget(name: "collections", complaint: collectionComplaint),
        FuzzTarget(name: "dat", complaint: datComplaint),
        FuzzTarget(name: "filters", complaint: filterComplaint),
    ]

    static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

// MARK: - Sheets

private func sheetComplaint(_ kind: SheetKind, _ bytes: [UInt8]) -> String? {
    // The sheet's own name is hostile too.
    let stem = Array(bytes.prefix { $0 != 0x0A && $0 != 0x2F }.prefix(255))
    let members = SheetParser.members(of: kind, contents: bytes, stem: stem)
    guard members == SheetParser.members(of: kind, contents: bytes, stem: stem) else {
        return "two readings of the same sheet differ"
    }
    // Each encoding may make three bytes of one, and a name out of nothing is none.
    let total = members.reduce(0) { $0 + $1.count }
    guard total <= (bytes.count + 2 * stem.count + 16) * 9 else { return "\(bytes.count) bytes name \(total) bytes" }
    guard !members.contains([]) else { return "it names nothing as a file" }
    return rereadComplaint(kind, bytes)
}

/// A sheet that is made of the names of another one, names the same.
private func rereadComplaint(_ kind: SheetKind, _ bytes: [UInt8]) -> String? {
    for names in SheetParser.readings(of: kind, contents: bytes) {
        // What a quoted name cannot hold, or what would be taken for another encoding.
        let plain = names.filter { !$0.contains(0x22) && !$0.contains(0) }
        guard plain.allSatisfy({ String(validating: $0, as: UTF8.self) != nil }) else { continue }
        let text = plain.enumerated().map { number, name -> [UInt8] in
            let quoted = [0x22] + name + [0x22]
            switch kind {
            case .cue: return Array("FILE ".utf8) + quoted + Array(" BINARY\n".utf8)
            case .gdi: return Array("\(number + 1) 0 4 2352 ".utf8) + quoted + Array(" 0\n".utf8)
            default: return quoted + [0x0A]
            }
        }
        let again = SheetParser.readings(of: kind, contents: Array(text.joined()))
        guard again == [plain] else { return "\(plain) became \(again)" }
    }
    return nil
}

// MARK: - Systems

private func definitionComplaint(_ bytes: [UInt8]) -> String? {
    var merger = DefinitionMerger()
    let file: BytePath = "fuzz.json"
    let problems = merger.add(contents: bytes, file: file)
    guard problems.count <= 21 else { return "\(problems.count) problems are more than anybody reads" }
    guard problems.allSatisfy({ $0.reason.utf8.count <= 1000 }) else { return "a problem is a page long" }
    let systems = merger.definitions
    guard problems.isEmpty || systems.isEmpty else { return "a file with faults is in use" }
    guard systems.count <= bytes.count else { return "\(bytes.count) bytes make \(systems.count) systems" }
    // The same file again changes nothing, and over the ones that come with the program it harms none of them.
    let second = merger.add(contents: bytes, file: file)
    guard second.isEmpty == problems.isEmpty else { return "the same file is judged differently: \(second)" }
    guard merger.definitions.count == systems.count else { return "the same file added systems twice" }
    let registry = SystemRegistry(systems: systems)
    for system in registry.systems where registry.system(named: system.name)?.name != system.name {
        return "\(system.name) is not found by its name"
    }
    return nil
}

// MARK: - Titles

private func titleComplaint(_ bytes: [UInt8]) -> String? {
    let parts = TitleParts()
    // A name has no slash and no zero.
    let stem = bytes.prefix(255).filter { $0 != 0x2F && $0 != 0 }
    let (title, key, words) = stem.withUnsafeBufferPointer { buffer in read(buffer, parts) }
    guard (title.isEmpty) == stem.isEmpty || stem.allSatisfy({ $0 == 0x20 || $0 == 0x5F }) else {
        return "the name is \(stem.count) bytes long and the title is empty"
    }
    // A scalar that folds to several letters is the longest that a byte can become.
    guard key.count <= 8 * stem.count + 16, words.count <= 16 * stem.count + 16 else {
        return "\(stem.count) bytes make a key of \(key.count) and words of \(words.count)"
    }
    let again = stem.withUnsafeBufferPointer { buffer in read(buffer, TitleParts()) }
    guard again == (title, key, words) else { return "what was parsed before leaves traces" }
    return keyComplaint(key) ?? wordComplaint(words, parts)
}

private func read(_ stem: UnsafeBufferPointer<UInt8>, _ parts: TitleParts) -> (String, [UInt8], [UInt8]) {
    parts.parse(stem)
    let words = ByteBuffer()
    parts.words(into: words)
    let title = parts.title
    _ = parts.tags
    return (title, Array(parts.sortKey().bytes), Array(words.bytes))
}

/// A key reads as text that is folded already.
private func keyComplaint(_ key: [UInt8]) -> String? {
    // Names that are all signs are ordered by their bytes.
    guard let first = key.first, first > 0x02 else { return nil }
    var text = key.withUnsafeBufferPointer { sortTitle(of: $0) }
    guard !text.isEmpty else { return "the key \(key) reads as nothing" }
    let folded = ByteBuffer()
    text.withUTF8 { Folding().fold($0, into: folded, numbers: false) }
    // Two numbers that only an apostrophe parted are one in a reading, and remain two in the key.
    return folded.bytes.elementsEqual(text.utf8) ? nil : "the key \(key) reads \"\(text)\", which is not folded"
}

/// What a game is found by, is found when somebody types it.
private func wordComplaint(_ words: [UInt8], _ parts: TitleParts) -> String? {
    let indexed = words.split(separator: 0x20).map { Array($0) }
    let typed = parts.words(of: String(decoding: words, as: UTF8.self))
    return typed == indexed ? nil : "the words \(indexed) are \(typed) when they are typed"
}
