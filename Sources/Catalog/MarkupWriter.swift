/// Copies parts of a text that was meant to be XML, so that they are.
final class MarkupWriter {
    /// What had to be mended, each once.
    var flaws: [String] = []

    func flaw(_ reason: String) {
        if flaws.count < 8, !flaws.contains(reason) { flaws.append(reason) }
    }

    // MARK: - Text

    /// Copies text, and its meaning to `plain`.
    func text(_ bytes: Markup.Bytes, _ range: Range<Int>, to out: inout [UInt8], plain: inout [UInt8]) {
        var index = range.lowerBound
        while index < range.upperBound {
            // What needs no look, at once.
            var end = index
            while end < range.upperBound, !MarkupWriter.isSpecial(bytes[end]) { end += 1 }
            if end > index {
                out.append(contentsOf: bytes[index..<end])
                plain.append(contentsOf: bytes[index..<end])
                index = end
                continue
            }
            let byte = bytes[index]
            if byte == 0x26 {
                index = entity(bytes, index, range.upperBound, to: &out, plain: &plain)
            } else if byte == 0x0D {
                out.append(byte)
                // XML knows one line end only.
                plain.append(0x0A)
                index += 1
                if index < range.upperBound, bytes[index] == 0x0A {
                    out.append(0x0A)
                    index += 1
                }
            } else if byte == 0x3C {
                flaw("a '<' is not written as '&lt;'")
                append("&lt;", to: &out)
                plain.append(byte)
                index += 1
            } else if byte == 0x3E {
                // Three signs that text must not have in a row.
                if out.suffix(2).elementsEqual([0x5D, 0x5D]) {
                    flaw("a ']]>' stands alone")
                    append("&gt;", to: &out)
                } else {
                    out.append(byte)
                }
                plain.append(byte)
                index += 1
            } else if byte == 0xEF, !MarkupWriter.isNoncharacter(bytes, index) {
                out.append(byte)
                plain.append(byte)
                index += 1
            } else {
                flaw("a control character stands in it")
                index += byte == 0xEF ? 3 : 1
            }
        }
    }

    /// Copies a CDATA section, as text where it has characters that XML forbids.
    func data(
        _ bytes: Markup.Bytes, _ range: Range<Int>, _ content: Range<Int>, to out: inout [UInt8], plain: inout [UInt8]
    ) {
        let isClean = isClean(bytes, content)
        if isClean { out.append(contentsOf: bytes[range]) }
        for index in content {
            let byte = bytes[index]
            // A vertical tab is a blank to people and forbidden in XML.
            guard isClean || byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D else { continue }
            let from = max(content.lowerBound, index - 2)
            let isForbidden = (from...index).contains { place in
                bytes[place] == 0xEF && MarkupWriter.isNoncharacter(bytes, place)
            }
            guard isClean || !isForbidden else { continue }
            // XML knows one line end only, here as in text.
            let isSecondHalf = byte == 0x0A && index > content.lowerBound && bytes[index - 1] == 0x0D
            if !isSecondHalf { plain.append(byte == 0x0D ? 0x0A : byte) }
            if !isClean { escape(byte, to: &out) }
        }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x26, 0x3C, 0x3E, 0xEF, 0x0D: true
        default: byte < 0x20 && byte != 0x09 && byte != 0x0A
        }
    }

    /// U+FFFE and U+FFFF.
    private static func isNoncharacter(_ bytes: Markup.Bytes, _ at: Int) -> Bool {
        at + 2 < bytes.count && bytes[at + 1] == 0xBF && bytes[at + 2] >= 0xBE
    }

    /// Whether all characters may stand in XML.
    func isClean(_ bytes: Markup.Bytes, _ range: Range<Int>) -> Bool {
        for index in range {
            let byte = bytes[index]
            if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { return false }
            if byte == 0xEF, MarkupWriter.isNoncharacter(bytes, index) { return false }
        }
        return true
    }

    /// Whether a comment may stand as it is.
    func isComment(_ bytes: Markup.Bytes, _ range: Range<Int>) -> Bool {
        guard range.count >= 7, isClean(bytes, range) else { return false }
        let content = (range.lowerBound + 4)..<(range.upperBound - 3)
        if content.upperBound > content.lowerBound, bytes[content.upperBound - 1] == 0x2D { return false }
        return !content.dropLast().contains { bytes[$0] == 0x2D && bytes[$0 + 1] == 0x2D }
    }

    /// Whether an instruction to some program may stand as it is; the XML declaration is none.
    func isInstruction(_ bytes: Markup.Bytes, _ range: Range<Int>) -> Bool {
        guard range.count >= 5, isClean(bytes, range) else { return false }
        let content = (range.lowerBound + 2)..<(range.upperBound - 2)
        let name = bytes[content].prefix { Markup.isName($0) }
        guard let first = name.first, Markup.isNameStart(first), !name.contains(0x3A),
            name.endIndex == content.upperBound || Markup.isBlank(bytes[name.endIndex])
        else { return false }
        let text = String(decoding: name, as: UTF8.self)
        return GamelistNames.isXML(text) && text.lowercased() != "xml"
    }

    // MARK: - Entities

    private static let longestEntity = 10

    /// Copies what an ampersand begins.
    ///
    /// - Returns: the place behind it.
    private func entity(
        _ bytes: Markup.Bytes, _ at: Int, _ limit: Int, to out: inout [UInt8], plain: inout [UInt8]
    ) -> Int {
        var end = at + 1
        while end < limit, end - at <= MarkupWriter.longestEntity, bytes[end] != 0x3B { end += 1 }
        if end < limit, bytes[end] == 0x3B {
            let name = String(decoding: bytes[(at + 1)..<end], as: UTF8.self)
            if let scalar = MarkupEntities.xml[name] ?? MarkupEntities.number(name) {
                guard let scalar else {
                    flaw("a character that XML does not know")
                    return end + 1
                }
                out.append(contentsOf: bytes[at...end])
                appendUTF8(scalar, to: &plain)
                return end + 1
            }
            if let scalar = MarkupEntities.html[name] {
                flaw("'&\(name);' is not known in XML")
                appendUTF8(scalar, to: &out)
                appendUTF8(scalar, to: &plain)
                return end + 1
            }
        }
        flaw("an '&' is not written as '&amp;'")
        append("&amp;", to: &out)
        plain.append(0x26)
        return at + 1
    }

    // MARK: - Attributes

    /// Copies the attributes of a tag with the blanks before and between them.
    func attributes(_ bytes: Markup.Bytes, _ range: Range<Int>, to out: inout [UInt8]) {
        var names: Set<String> = []
        var index = range.lowerBound
        while index < range.upperBound {
            let blank = index
            while index < range.upperBound, Markup.isBlank(bytes[index]) { index += 1 }
            if index == range.upperBound {
                if isClean(bytes, blank..<index) { out.append(contentsOf: bytes[blank..<index]) }
                return
            }
            let start = index
            while index < range.upperBound, Markup.isName(bytes[index]) { index += 1 }
            let name = String(decoding: bytes[start..<index], as: UTF8.self)
            var content: [UInt8] = []
            guard start < index, Markup.isNameStart(bytes[start]), GamelistNames.isXML(name),
                names.insert(name).inserted, let end = value(bytes, index, range.upperBound, to: &content)
            else {
                flaw("an attribute is none")
                // On to what may be the next one.
                while index < range.upperBound, !Markup.isBlank(bytes[index]) { index += 1 }
                continue
            }
            index = end
            if blank < start, isClean(bytes, blank..<start) {
                out.append(contentsOf: bytes[blank..<start])
            } else {
                out.append(0x20)
            }
            out.append(contentsOf: content)
        }
    }

    /// Copies `name="value"`, of which the name ends at `at`.
    ///
    /// - Returns: the place behind it; `nil` where there is no value in quotation marks.
    private func value(_ bytes: Markup.Bytes, _ at: Int, _ limit: Int, to out: inout [UInt8]) -> Int? {
        var start = at
        while start > 0, Markup.isName(bytes[start - 1]) { start -= 1 }
        var index = at
        while index < limit, Markup.isBlank(bytes[index]) { index += 1 }
        guard index < limit, bytes[index] == 0x3D else { return nil }
        index += 1
        while index < limit, Markup.isBlank(bytes[index]) { index += 1 }
        guard index < limit, bytes[index] == 0x22 || bytes[index] == 0x27 else { return nil }
        let quote = bytes[index]
        let content = index + 1
        guard let end = Markup.find(quote, in: bytes, from: content), end < limit,
            isClean(bytes, start..<end)
        else { return nil }
        out.append(contentsOf: bytes[start..<content])
        var plain: [UInt8] = []
        text(bytes, content..<end, to: &out, plain: &plain)
        out.append(quote)
        return end + 1
    }

    // MARK: - Writing

    private func append(_ text: StaticString, to out: inout [UInt8]) {
        out.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private func escape(_ byte: UInt8, to out: inout [UInt8]) {
        switch byte {
        case 0x26: append("&amp;", to: &out)
        case 0x3C: append("&lt;", to: &out)
        case 0x3E: append("&gt;", to: &out)
        default: out.append(byte)
        }
    }

    /// Text as it stands in an element.
    static func escaped(_ text: some Sequence<UInt8>) -> [UInt8] {
        let writer = MarkupWriter()
        var out: [UInt8] = []
        // A line end of an old Mac would come back as another one.
        for byte in text where byte >= 0x20 || byte == 0x09 || byte == 0x0A { writer.escape(byte, to: &out) }
        return out
    }
}
