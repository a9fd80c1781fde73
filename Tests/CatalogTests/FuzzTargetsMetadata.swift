import SystemKit

@testable import Catalog

// What must hold for the files in which others describe games: gamelists, collections, DAT files.

// MARK: - Gamelists

func gamelistComplaint(_ bytes: [UInt8]) -> String? {
    let contents = GamelistReader.read(bytes: bytes)
    var pieces = GamelistContents()
    let reader = GamelistReader { pieces.items.append($0) }
    inPieces(bytes) { piece in piece.withUnsafeBufferPointer { reader.feed($0) } }
    reader.finish()
    pieces.isSound = reader.isSound
    guard contents == pieces else {
        let other = zip(contents.items, pieces.items).first { $0 != $1 }
        return "the list in pieces is another one than the whole: \(String(describing: other))"
    }
    var size = 0
    for item in contents.items {
        switch item {
        case .end: break
        case .list(let xml), .doctype(let xml), .outside(let xml): size += xml.utf8.count
        case .record(let record):
            size += record.attributes.utf8.count + record.elements.reduce(0) { $0 + $1.xml.utf8.count }
        case .problem(_, let reason):
            guard reason.utf8.count < 1000 else { return "a problem is a page long" }
        }
    }
    // What has to be written as a reference grows, and so does an end tag that was missing.
    guard size <= 16 * bytes.count + 64 else { return "\(bytes.count) bytes became \(size)" }
    guard contents.items.count <= bytes.count + 4 else {
        return "\(bytes.count) bytes are \(contents.items.count) items"
    }
    for record in contents.records {
        if let complaint = recordComplaint(record) { return complaint }
    }
    return nil
}

/// What was mended is XML, and says the same when it is read again.
private func recordComplaint(_ record: GamelistRecord) -> String? {
    let tag = record.isFolder ? "folder" : "game"
    let inner = record.elements.map(\.xml).joined()
    // Where one begins in another, the reader takes the first for unfinished: nobody has such elements of his own.
    for name in ["game", "folder"] where begins(in: inner, name) { return nil }
    let text = "<gameList><\(tag)\(record.attributes)>\(inner)</\(tag)></gameList>"
    let again = GamelistReader.read(bytes: Array(text.utf8))
    guard again.isSound, let second = again.records.first, again.records.count == 1 else {
        return "what was mended is no list, \(again.problems): \(text)"
    }
    guard second.flaws.isEmpty else { return "what was mended has flaws, \(second.flaws): \(text)" }
    guard second.elements.map(withoutLineEnds) == record.elements.map(withoutLineEnds),
        second.attributes == record.attributes
    else {
        return "what was mended reads otherwise: \(text)"
    }
    return nil
}

/// Two line ends become one where what stood between them was left out.
private func withoutLineEnds(_ element: GamelistElement) -> GamelistElement {
    var element = element
    element.text.removeAll { $0.isNewline }
    return element
}

/// Whether a record, or a list, begins in it.
private func begins(in xml: String, _ name: String) -> Bool {
    let opening = Array("<\(name)".utf8)
    let bytes = Array(xml.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: opening) }
}

/// Gives bytes in pieces whose lengths follow from the bytes.
private func inPieces(_ bytes: [UInt8], _ body: ([UInt8]) -> Void) {
    var start = 0
    while start < bytes.count {
        let end = min(bytes.count, start + 1 + Int(bytes[start] % 7))
        body(Array(bytes[start..<end]))
        start = end
    }
}

// MARK: - Collections

func collectionComplaint(_ bytes: [UInt8]) -> String? {
    let list = CollectionFile(name: "fuzz", contents: bytes)
    let size = list.paths.reduce(0) { $0 + $1.bytes.count }
    guard size <= 3 * bytes.count else { return "\(bytes.count) bytes name \(size)" }
    guard list.paths.allSatisfy({ !$0.bytes.isEmpty }) else { return "a path is empty" }
    // A name may begin like a mark of another encoding; nobody writes such a list.
    let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
    if let first = list.paths.first, marks.contains(where: { first.bytes.starts(with: $0) }) { return nil }
    let written = list.contents(roms: "/roms")
    let again = CollectionFile(name: "fuzz", contents: written)
    let places = [again, list].map { $0.resolved(roms: "/roms", home: "/home").map(collapsed) }
    guard places[0] == places[1] else {
        return "what is written names other games: \(list.paths) became \(again.paths)"
    }
    return nil
}

/// The path with one slash where several stand together, which is the same file.
private func collapsed(_ path: BytePath) -> [[UInt8]] { path.bytes.split(separator: 0x2F).map { Array($0) } }

// MARK: - DAT files

func datComplaint(_ bytes: [UInt8]) -> String? {
    let events = DatReader.read(bytes: bytes)
    var pieces: [DatReader.Event] = []
    let reader = DatReader { pieces.append($0) }
    // The kind of file is judged by its beginning, as far as the first piece goes.
    Array(bytes.prefix(64)).withUnsafeBytes { reader.feed($0) }
    inPieces(Array(bytes.dropFirst(64))) { piece in piece.withUnsafeBytes { reader.feed($0) } }
    reader.finish()
    guard events == pieces else { return "the file in pieces is another one than the whole" }
    var size = 0
    for event in events {
        switch event {
        case .header(let header):
            size += [header.name, header.description, header.version].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        case .game(let game):
            size += game.name.utf8.count + (game.description?.utf8.count ?? 0)
            for rom in game.roms {
                size += rom.name.utf8.count
                if let sha1 = rom.sha1, sha1.count != 20 { return "a SHA-1 has \(sha1.count) bytes" }
                if let bytes = rom.size, bytes < 0 { return "a file has \(bytes) bytes" }
            }
        case .problem(_, let reason):
            guard reason.utf8.count < 1000 else { return "a problem is a page long" }
        }
    }
    guard size <= 8 * bytes.count + 64 else { return "\(bytes.count) bytes became \(size)" }
    guard events.count <= bytes.count + 4 else { return "\(bytes.count) bytes are \(events.count) events" }
    return nil
}

// MARK: - Saved filters

func filterComplaint(_ bytes: [UInt8]) -> String? {
    let filter = GameFilter(json: String(decoding: bytes, as: UTF8.self))
    let again = GameFilter(json: filter.json)
    // A number that is none is equal to nothing.
    guard filter.rating?.isNaN != true else { return "a rating is no number" }
    return again == filter ? nil : "\(filter) became \(again)"
}
