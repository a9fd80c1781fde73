import SystemKit

/// Reads one record of a gamelist, and makes XML of what is not.
///
/// What is well-formed comes out with exactly the bytes it had.
final class GamelistRecordParser {
    private static let deepest = 32

    private var out: [UInt8] = []
    private var text: [UInt8] = []
    private var stack: [String] = []
    private var childStart = 0
    private var record = GamelistRecord()
    private let writer = MarkupWriter()
    // A record full of wrong end tags is not looked through for each of them.
    private var looksAhead = 0

    /// - Parameters:
    ///   - isCut: whether the file ends in it; the element that is unfinished is left out then.
    ///   - isOtherEncoding: whether the file says that it is no UTF-8.
    func parse(
        _ bytes: Markup.Bytes, number: Int, isCut: Bool = false, isOtherEncoding: Bool = false
    ) -> GamelistRecord {
        if LenientUTF8.isValid(bytes) { return read(bytes, number, isCut) }
        // A path may be the bytes of a name on disk, which nobody promised to be text.
        let path = read(bytes, number, isCut).path
        var mended = LenientUTF8.mended(bytes).withUnsafeBufferPointer { read($0, number, isCut) }
        mended.path = path
        if !isOtherEncoding { mended.flaws.insert("it is not in UTF-8", at: 0) }
        return mended
    }

    /// The elements of an XML fragment.
    func elements(of fragment: String) -> [GamelistElement] {
        Array("<game>\(fragment)</game>".utf8).withUnsafeBufferPointer { read($0, 0, false).elements }
    }

    private func read(_ bytes: Markup.Bytes, _ number: Int, _ isCut: Bool) -> GamelistRecord {
        record = GamelistRecord(number: number)
        writer.flaws = []
        looksAhead = 0
        out.removeAll(keepingCapacity: true)
        stack.removeAll(keepingCapacity: true)
        var index = 0
        var isOpen = false
        var isEnded = false
        while index < bytes.count, !isEnded, let (token, end) = Markup.next(in: bytes, at: index, isEnd: true) {
            if !isOpen {
                if case .start(let name, let isClosed) = token {
                    isOpen = true
                    isEnded = isClosed
                    record.isFolder = String(decoding: bytes[name], as: UTF8.self) == "folder"
                    record.attributes = attributes(bytes, name.upperBound, end, isClosed)
                }
            } else {
                isEnded = take(token, index..<end, bytes)
            }
            index = end
        }
        if !stack.isEmpty {
            flaw("an end tag is missing")
            if isCut { stack = [] } else { closeAll(downTo: 0) }
        } else if !isEnded {
            flaw("the end tag is missing")
        }
        record.flaws = writer.flaws
        return record
    }

    private func attributes(_ bytes: Markup.Bytes, _ start: Int, _ end: Int, _ isClosed: Bool) -> String {
        var result: [UInt8] = []
        writer.attributes(bytes, start..<max(start, end - (isClosed ? 2 : 1)), to: &result)
        while let last = result.last, Markup.isBlank(last) { result.removeLast() }
        return String(decoding: result, as: UTF8.self)
    }

    /// The attributes of a tag as XML, and whether nothing of them had to be mended.
    static func attributes(_ bytes: [UInt8]) -> (xml: String, isWhole: Bool) {
        let writer = MarkupWriter()
        var result: [UInt8] = []
        bytes.withUnsafeBufferPointer { writer.attributes($0, 0..<$0.count, to: &result) }
        while let last = result.last, Markup.isBlank(last) { result.removeLast() }
        return (String(decoding: result, as: UTF8.self), writer.flaws.isEmpty)
    }

    private func flaw(_ reason: String) { writer.flaw(reason) }

    /// - Returns: whether the record ends.
    private func take(_ token: Markup.Token, _ range: Range<Int>, _ bytes: Markup.Bytes) -> Bool {
        switch token {
        case .text, .stray:
            if !stack.isEmpty {
                writer.text(bytes, range, to: &out, plain: &text)
            } else if bytes[range].contains(where: { !Markup.isBlank($0) }) {
                flaw("text stands outside of its elements")
            }
        case .comment:
            guard writer.isComment(bytes, range) else { return flawed("a comment is none") }
            if stack.isEmpty {
                let xml = String(decoding: bytes[range], as: UTF8.self)
                record.elements.append(GamelistElement(name: "", xml: xml, text: ""))
            } else {
                out.append(contentsOf: bytes[range])
            }
        case .data(let content):
            if !stack.isEmpty { writer.data(bytes, range, content, to: &out, plain: &text) }
        case .instruction:
            guard writer.isInstruction(bytes, range) else { return flawed("an instruction is none") }
            if !stack.isEmpty { out.append(contentsOf: bytes[range]) }
        case .declaration: flaw("a declaration stands in it")
        case .start(let name, let isClosed): open(name, isClosed, range, bytes)
        case .end(let name): return close(name, range, bytes)
        }
        return false
    }

    private func flawed(_ reason: String) -> Bool {
        flaw(reason)
        return false
    }

    private func open(_ nameRange: Range<Int>, _ isClosed: Bool, _ range: Range<Int>, _ bytes: Markup.Bytes) {
        let name = String(decoding: bytes[nameRange], as: UTF8.self)
        guard GamelistNames.isXML(name) else {
            flaw("a tag is none")
            if !stack.isEmpty { writer.text(bytes, range, to: &out, plain: &text) }
            return
        }
        if stack.count == 1, GamelistNames.isText(stack[0]), GamelistNames.isText(name) {
            // No text of ours has elements of ours in it.
            flaw("an end tag is missing")
            closeAll(downTo: 0)
        }
        guard stack.count < GamelistRecordParser.deepest else { return flaw("its elements are nested too deep") }
        if stack.isEmpty {
            childStart = out.count
            text.removeAll(keepingCapacity: true)
        }
        out.append(contentsOf: bytes[range.lowerBound..<nameRange.upperBound])
        let end = range.upperBound - (isClosed ? 2 : 1)
        writer.attributes(bytes, nameRange.upperBound..<max(nameRange.upperBound, end), to: &out)
        out.append(contentsOf: isClosed ? [0x2F, 0x3E] : [0x3E])
        if !isClosed { return stack.append(name) }
        if stack.isEmpty { finish(name) }
    }

    private func close(_ nameRange: Range<Int>, _ range: Range<Int>, _ bytes: Markup.Bytes) -> Bool {
        let name = String(decoding: bytes[nameRange], as: UTF8.self)
        if let index = stack.lastIndex(of: name) {
            if index < stack.count - 1 {
                flaw("an end tag is missing")
                closeAll(downTo: index + 1)
            }
            stack.removeLast()
            let rest = bytes[nameRange.upperBound..<range.upperBound]
            if rest.last == 0x3E, rest.dropLast().allSatisfy(Markup.isBlank), writer.isClean(bytes, range) {
                // As it was written, also with a blank.
                out.append(contentsOf: bytes[range])
            } else {
                flaw("a tag is not closed")
                out.append(contentsOf: Array("</\(name)>".utf8))
            }
            if stack.isEmpty { finish(name) }
            return false
        }
        if name == (record.isFolder ? "folder" : "game") { return true }
        // The other one's end, where nothing is open: the wrong tag for this one.
        if stack.isEmpty, GamelistNames.isRecord(name) {
            flaw("an end tag is wrong")
            return true
        }
        flaw("an end tag is wrong")
        if let top = stack.last, GamelistNames.isText(top), !hasEnd(of: top, bytes, from: range.upperBound) {
            closeAll(downTo: stack.count - 1)
        }
        return false
    }

    /// Whether an element's own end tag comes before another element of ours begins.
    private func hasEnd(of name: String, _ bytes: Markup.Bytes, from start: Int) -> Bool {
        looksAhead += 1
        guard looksAhead <= 16 else { return true }
        var index = start
        while index < bytes.count, let (token, end) = Markup.next(in: bytes, at: index, isEnd: true) {
            switch token {
            case .end(let range) where String(decoding: bytes[range], as: UTF8.self) == name: return true
            case .start(let range, _) where GamelistNames.isText(String(decoding: bytes[range], as: UTF8.self)):
                return false
            default: index = end
            }
        }
        return false
    }

    private func closeAll(downTo depth: Int) {
        while stack.count > depth {
            let name = stack.removeLast()
            out.append(contentsOf: Array("</\(name)>".utf8))
            if stack.isEmpty { finish(name) }
        }
    }

    /// Adds the element that ends to the record.
    private func finish(_ name: String) {
        if name == "path", record.path.isEmpty { record.path = trimmed(path: text) }
        var plain = text[...]
        while let last = plain.last, Markup.isBlank(last) { plain.removeLast() }
        plain = plain.drop(while: Markup.isBlank)
        record.elements.append(
            GamelistElement(
                name: name, xml: String(decoding: out[childStart...], as: UTF8.self),
                text: String(decoding: plain, as: UTF8.self)))
        out.removeLast(out.count - childStart)
    }

    /// A name may begin or end with a blank; a line end was put there by whoever laid the file out.
    private func trimmed(path: [UInt8]) -> [UInt8] {
        var path = path[...]
        let isLaidOut: (UInt8) -> Bool = { $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        if path.first.map(isLaidOut) ?? false { path = path.drop(while: Markup.isBlank) }
        if path.last.map(isLaidOut) ?? false {
            while let last = path.last, Markup.isBlank(last) { path.removeLast() }
        }
        return Array(path)
    }
}

/// What elements mean by their names.
enum GamelistNames {
    /// Whether a name that `Markup` found is one for XML too, of the characters that every reader knows.
    static func isXML(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0..<0x80, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0xFF, 0x391...0x3A1, 0x3A3...0x3CE, 0x410...0x44F,
                0x3041...0x3094, 0x30A1...0x30FA, 0x4E00...0x9FA5, 0xAC00...0xD7A3:
                true
            default: false
            }
        }
    }

    /// Whether it is `<!DOCTYPE name>`, with or without an address and nothing more.
    static func isDoctype(_ text: String) -> Bool {
        guard text.hasPrefix("<!DOCTYPE"), text.hasSuffix(">"), text.utf8.count <= 4096 else { return false }
        var parts: [String] = []
        var rest = text.dropFirst(9).dropLast()[...]
        while let first = rest.first {
            // Between all parts stands a blank.
            guard first.isASCII, first.isWhitespace else { return false }
            rest = rest.drop { $0.isASCII && $0.isWhitespace }
            guard let start = rest.first else { break }
            let end: Substring.Index?
            if start == "\"" || start == "'" {
                end = rest.dropFirst().firstIndex(of: start).map { rest.index(after: $0) }
            } else {
                end = rest.firstIndex { $0.isWhitespace } ?? rest.endIndex
            }
            guard let end else { return false }
            parts.append(String(rest[..<end]))
            rest = rest[end...]
        }
        let isQuoted = { (part: String) in part.first == "\"" || part.first == "'" }
        guard let name = parts.first?.utf8, let first = name.first, Markup.isNameStart(first),
            name.allSatisfy({ Markup.isName($0) && $0 < 0x80 })
        else { return false }
        switch (parts.count, parts.dropFirst().first) {
        case (1, _): return true
        case (3, "SYSTEM"): return isQuoted(parts[2])
        case (4, "PUBLIC"):
            let identifier = parts[2].dropFirst().dropLast()
            return isQuoted(parts[2]) && isQuoted(parts[3])
                && identifier.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || " -'()+,./:=?;!*#@$_%".contains($0))
                }
        default: return false
        }
    }

    static func isRecord(_ name: String) -> Bool { name == "game" || name == "folder" }

    /// Whether nothing but text stands in it.
    static func isText(_ name: String) -> Bool { name == "path" || GamelistKey(element: name) != nil }
}
