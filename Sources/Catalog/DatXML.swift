import XMLKit

/// Cuts an XML list into its records and reads each by itself.
final class DatXML {
    /// No machine of MAME has a twentieth of that.
    private static let longestRecord = 4 << 20
    /// Longer than any beginning of an element that is looked for.
    private static let longestName = 24

    private static let records = ["game", "machine", "software", "header"].map { Array($0.utf8) }
    private static let roots = ["mame", "softwarelist"].map { Array($0.utf8) }
    private static let names = records + roots
    private static let commentStart = Array("<!--".utf8)
    private static let commentEnd = Array("-->".utf8)

    private let body: (DatReader.Event) -> Void
    private var pending: [UInt8] = []
    private var scanned = 0
    /// Where the record begins that is not at its end yet, and the name of its element.
    private var open: (start: Int, name: [UInt8])?
    private var record = 0
    private var encoding: String?
    private var hasLookedAtDeclaration = false

    init(_ body: @escaping (DatReader.Event) -> Void) { self.body = body }

    func feed(_ bytes: UnsafeRawBufferPointer) {
        pending.append(contentsOf: bytes)
        scan(isEnd: false)
    }

    func finish() {
        scan(isEnd: true)
        if open != nil {
            report("The file ends in the middle of it")
        } else if record == 0 {
            body(.problem(record: 0, reason: "The file is no DAT file"))
        }
    }

    private func report(_ reason: String) { body(.problem(record: record, reason: reason)) }

    private func scan(isEnd: Bool) {
        // The buffer is taken out, so that reading it does not copy it.
        let bytes = pending
        pending = []
        var keepFrom = 0
        bytes.withUnsafeBytes { raw in
            let buffer = raw.bindMemory(to: UInt8.self)
            lookAtDeclaration(buffer)
            while scanned < buffer.count {
                guard buffer[scanned] == UInt8(ascii: "<") else {
                    scanned += 1
                    continue
                }
                if !isEnd, buffer.count - scanned < DatXML.longestName { break }
                guard step(buffer, isEnd: isEnd) else { break }
            }
            if let start = open?.start, buffer.count - start > DatXML.longestRecord {
                report("It is longer than \(DatXML.longestRecord >> 20) MiB")
                open = nil
                scanned = min(scanned + 1, buffer.count)
            }
            keepFrom = min(open?.start ?? scanned, scanned)
        }
        pending = Array(bytes[keepFrom...])
        scanned -= keepFrom
        open?.start -= keepFrom
    }

    /// Deals with what begins at `scanned`, and goes behind it.
    ///
    /// - Returns: `false` where its end is not there yet.
    private func step(_ buffer: UnsafeBufferPointer<UInt8>, isEnd: Bool) -> Bool {
        if buffer.has(DatXML.commentStart, at: scanned) {
            guard let end = buffer.find(DatXML.commentEnd, from: scanned) else {
                // A comment without an end is none.
                if isEnd || buffer.count - scanned > DatXML.longestRecord { scanned += 4 }
                return isEnd || buffer.count - scanned > DatXML.longestRecord
            }
            scanned = end
            return true
        }
        if let current = open, buffer.hasEnd(current.name, at: scanned) {
            guard let end = buffer.find([UInt8(ascii: ">")], from: scanned) else { return false }
            scanned = end
            read(buffer, current.start..<end)
            open = nil
            return true
        }
        guard let name = DatXML.names.first(where: { buffer.hasElement($0, at: scanned) }) else {
            scanned += 1
            return true
        }
        if DatXML.roots.contains(name) { return root(buffer) }
        if open != nil {
            // `<software>` has no records in it, and no other one has either.
            report("Its end is missing")
        }
        record += name == DatXML.records[3] ? 0 : 1
        guard let end = buffer.endOfTag(from: scanned) else {
            open = nil
            // The tag comes whole with the next bytes.
            if buffer.count - scanned <= DatXML.longestRecord, !isEnd {
                record -= name == DatXML.records[3] ? 0 : 1
                return false
            }
            scanned += 1
            return true
        }
        open = (scanned, name)
        if buffer[end - 2] == UInt8(ascii: "/") {
            read(buffer, scanned..<end)
            open = nil
        }
        scanned = end
        return true
    }

    /// The list's own element says what it is in its attributes.
    private func root(_ buffer: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let end = buffer.endOfTag(from: scanned) else {
            if buffer.count - scanned <= DatXML.longestRecord { return false }
            scanned += 1
            return true
        }
        var tag = Array(buffer[scanned..<end])
        if tag[tag.count - 2] != UInt8(ascii: "/") { tag.insert(UInt8(ascii: "/"), at: tag.count - 1) }
        scanned = end
        let encoding = encoding
        tag.withUnsafeBytes { bytes in
            _ = readXMLFragment(bytes, encoding: encoding) { piece in
                guard case .start(let name, let values) = piece else { return }
                switch name {
                case "mame":
                    self.body(.header(DatHeader(name: "MAME", description: nil, version: values["build"])))
                case "softwarelist":
                    self.body(.header(DatHeader(name: values["name"], description: values["description"])))
                default: break
                }
            }
        }
        return true
    }

    private func read(_ buffer: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        var builder = RecordBuilder()
        let fault = readXMLFragment(
            UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[range])), encoding: encoding
        ) {
            builder.take($0)
        }
        if let fault { return report("line \(fault.line) of it: \(fault.reason)") }
        if builder.isHeader {
            body(.header(builder.header))
        } else if builder.game.name.isEmpty {
            report("It has no name")
        } else {
            body(.game(builder.game))
        }
    }

    /// `<?xml version="1.0" encoding="ISO-8859-1"?>` counts for every record.
    private func lookAtDeclaration(_ buffer: UnsafeBufferPointer<UInt8>) {
        guard !hasLookedAtDeclaration else { return }
        hasLookedAtDeclaration = true
        guard buffer.has(Array("<?xml".utf8), at: 0), let end = buffer.find(Array("?>".utf8), from: 0) else { return }
        let text = String(decoding: buffer[0..<end], as: UTF8.self)
        guard let place = text.range(of: "encoding=") else { return }
        let value = text[place...].split(whereSeparator: { $0 == "\"" || $0 == "'" }).first.map(String.init)
        // What expat does not know is close enough to Latin-1.
        switch value?.uppercased() {
        case nil, "UTF-8", "UTF8", "US-ASCII", "UTF-16", "UTF-16LE", "UTF-16BE": encoding = nil
        default: encoding = "ISO-8859-1"
        }
    }
}

/// Puts the pieces of one record together.
private struct RecordBuilder {
    var isHeader = false
    var header = DatHeader()
    var game = DatGame()
    private var path: [String] = []
    private var text = ""

    mutating func take(_ piece: XMLPiece) {
        switch piece {
        case .start(let name, let values):
            text = ""
            if path.isEmpty {
                isHeader = name == "header"
                game.name = values["name"] ?? ""
            } else if name == "rom" || name == "disk", !isHeader {
                game.roms.append(DatGame.rom(values))
            }
            path.append(name)
        case .text(let more): if path.count == 2 { text += more }
        case .end(let name):
            path.removeLast()
            guard path.count == 1 else { return }
            let value = text.trimmed
            guard !value.isEmpty else { return }
            switch (isHeader, name) {
            case (true, "name"): header.name = value
            case (true, "description"): header.description = value
            case (true, "version"): header.version = value
            case (false, "description"): game.description = value
            default: break
            }
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0.isNewline || $0 == "\t" }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
            return ""
        }
        return String(self[first...last])
    }

    /// Where the text behind this one begins.
    fileprivate func range(of part: String) -> PartialRangeFrom<Index>.Bound? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(part) { return self.index(index, offsetBy: part.count) }
            index = self.index(after: index)
        }
        return nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func has(_ bytes: [UInt8], at index: Int) -> Bool {
        guard index + bytes.count <= count else { return false }
        for offset in bytes.indices where self[index + offset] != bytes[offset] { return false }
        return true
    }

    /// Whether an element of this name begins there; `<softwarelist` is no `<software`.
    fileprivate func hasElement(_ name: [UInt8], at index: Int) -> Bool {
        let next = index + 1 + name.count
        guard has(name, at: index + 1), next < count else { return false }
        return self[next] <= 0x20 || self[next] == UInt8(ascii: ">") || self[next] == UInt8(ascii: "/")
    }

    fileprivate func hasEnd(_ name: [UInt8], at index: Int) -> Bool {
        index + 1 < count && self[index + 1] == UInt8(ascii: "/") && hasElement(name, at: index + 1)
    }

    /// The place behind the next occurrence.
    fileprivate func find(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + bytes.count <= count {
            if self[index] == bytes[0], has(bytes, at: index) { return index + bytes.count }
            index += 1
        }
        return nil
    }

    /// The place behind a tag that begins at `start`; `>` may stand in the value of an attribute.
    fileprivate func endOfTag(from start: Int) -> Int? {
        var quote: UInt8?
        var index = start
        while index < count {
            let byte = self[index]
            if let mark = quote {
                if byte == mark { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            }
            index += 1
        }
        return nil
    }
}
