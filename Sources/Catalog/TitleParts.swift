import SystemKit

/// A file name taken apart: what a person reads, the tags in brackets, and the order among its like.
///
/// One instance serves many names in turn; nothing of it is kept between them.
final class TitleParts {
    private let folding = Folding()
    private let clean = ByteBuffer()
    private let labels = ByteBuffer()
    private let key = ByteBuffer()
    // The trailing article in `clean`: the comma's index and the article's bytes.
    private var comma = -1
    private var article = 0..<0

    /// Takes a name without its extension apart.
    func parse(_ stem: UnsafeBufferPointer<UInt8>) {
        clean.empty()
        labels.empty()
        comma = -1
        separate(stem)
        if clean.count == 0 {
            labels.empty()
            clean.append(stem)
        }
        findArticle()
    }

    /// The same for a title that a person gave: no tags are looked for.
    func parse(title: String) {
        clean.empty()
        labels.empty()
        comma = -1
        var title = title
        title.withUTF8 { clean.append($0) }
    }

    /// What a person reads.
    var title: String {
        guard comma >= 0 else {
            let text = BytePath.displayString(of: clean.bytes)
            return isVisible ? text : text.unicodeScalars.map { _ in "_" }.prefix(8).joined()
        }
        var bytes = Array(clean[article])
        if bytes.last != 0x27 { bytes.append(0x20) }
        bytes.append(contentsOf: clean[0..<comma])
        bytes.append(contentsOf: clean[article.upperBound..<clean.count])
        return BytePath.displayString(of: bytes)
    }

    /// Whether a row with this title would show anything: a name of blanks only does not.
    private var isVisible: Bool {
        if clean.count > 0, clean.base[0] > 0x20, clean.base[0] < 0x7F { return true }
        return String(decoding: clean.bytes, as: UTF8.self).unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format: false
            default: true
            }
        }
    }

    /// The contents of the brackets, in order.
    var tags: [String] {
        labels.bytes.split(separator: 0).map { BytePath.displayString(of: $0) }
    }

    /// Lends the contents of the brackets one by one.
    func eachTag(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        var start = 0
        while start < labels.count {
            var end = start
            while end < labels.count, labels.base[end] != 0 { end += 1 }
            body(labels[start..<end])
            start = end + 1
        }
    }

    /// The bytes by which lists are ordered; valid until the next call.
    func sortKey() -> ByteBuffer {
        key.empty()
        if comma >= 0 {
            folding.fold(clean[0..<comma], into: key, numbers: true)
            if article.upperBound < clean.count {
                let end = key.count
                if end > 0 { key.append(0x20) }
                let start = key.count
                folding.fold(clean[article.upperBound..<clean.count], into: key, numbers: true)
                // Only signs came after the article.
                if key.count == start { key.shorten(to: end) }
            }
        } else {
            folding.fold(clean[leadingArticle..<clean.count], into: key, numbers: true)
        }
        if key.count == 0 {
            // Only signs, or bytes that are no text: before everything else, among themselves by their bytes.
            key.append(0x02)
            for byte in String(decoding: clean.bytes, as: UTF8.self).utf8 where byte > 0x02 { key.append(byte) }
        }
        guard labels.count > 0 else { return key }
        // Below every character of a title: "Zelda (USA)" comes before "Zelda II".
        key.append(0x01)
        for byte in labels.bytes { key.append(byte == 0 ? 0x20 : asciiLowercased(byte)) }
        return key
    }

    /// Appends the words that a search finds it by.
    func words(into out: ByteBuffer) {
        if comma >= 0 {
            folding.fold(clean[article], into: out, numbers: false, ideographs: true)
            out.append(0x20)
            folding.fold(clean[0..<comma], into: out, numbers: false, ideographs: true)
            out.append(0x20)
            folding.fold(clean[article.upperBound..<clean.count], into: out, numbers: false, ideographs: true)
        } else {
            folding.fold(clean.bytes, into: out, numbers: false, ideographs: true)
        }
    }

    /// The words of what a person types.
    func words(of text: String) -> [[UInt8]] {
        let out = ByteBuffer(capacity: 64)
        var text = text
        text.withUTF8 { folding.fold($0, into: out, numbers: false, ideographs: true) }
        return out.bytes.split(separator: 0x20).map { Array($0) }
    }

    // MARK: - Parts

    /// Copies the text outside of brackets to `clean` and the text inside to `labels`.
    private func separate(_ stem: UnsafeBufferPointer<UInt8>) {
        let underscored = !stem.contains(0x20)
        var index = 0
        while index < stem.count {
            let byte = stem[index]
            if byte == 0x28 || byte == 0x5B, let end = closing(stem, from: index) {
                if labels.count > 0 { labels.append(0) }
                labels.append(UnsafeBufferPointer(rebasing: stem[(index + 1)..<end]))
                index = end + 1
                continue
            }
            let isBlank = byte == 0x20 || (underscored && byte == 0x5F)
            if !isBlank {
                clean.append(byte)
            } else if clean.count > 0, clean.base[clean.count - 1] != 0x20 {
                clean.append(0x20)
            }
            index += 1
        }
        if clean.count > 0, clean.base[clean.count - 1] == 0x20 { clean.shorten(to: clean.count - 1) }
    }

    private func closing(_ stem: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        let open = stem[start]
        let close: UInt8 = open == 0x28 ? 0x29 : 0x5D
        var depth = 0
        for index in start..<stem.count {
            if stem[index] == open { depth += 1 }
            if stem[index] == close {
                depth -= 1
                if depth == 0 { return index > start + 1 ? index : nil }
            }
        }
        return nil
    }

    private func findArticle() {
        // "Legend of Zelda, The" and "Legend of Zelda, The - A Link to the Past".
        var index = 1
        while index + 2 < clean.count {
            if clean.base[index] == 0x2C, clean.base[index + 1] == 0x20 {
                let start = index + 2
                var end = start
                while end < clean.count, clean.base[end] != 0x20 { end += 1 }
                let ends = end == clean.count || (end + 1 < clean.count && clean.base[end + 1] == 0x2D)
                if ends, TitleParts.isArticle(clean[start..<end], among: TitleParts.trailing) {
                    comma = index
                    article = start..<end
                    return
                }
            }
            index += 1
        }
    }

    /// How many bytes an English article at the start takes with its blank.
    private var leadingArticle: Int {
        for length in 1...3 where clean.count > length + 1 && clean.base[length] == 0x20 {
            return TitleParts.isArticle(clean[0..<length], among: TitleParts.leading) ? length + 1 : 0
        }
        return 0
    }

    private static func isArticle(_ word: UnsafeBufferPointer<UInt8>, among articles: [StaticString]) -> Bool {
        articles.contains { article in
            guard article.utf8CodeUnitCount == word.count else { return false }
            let text = article.utf8Start
            return word.indices.allSatisfy { asciiLowercased(word[$0]) == text[$0] }
        }
    }

    private static let leading: [StaticString] = ["the", "a", "an"]
    // Trailing ones were moved there by whoever named the file, so other languages are safe: "Die Hard" is not moved.
    private static let trailing: [StaticString] = [
        "the", "a", "an", "le", "la", "les", "l'", "un", "une", "der", "die", "das", "ein", "eine", "el", "los", "las",
        "il", "lo", "gli", "i", "uno", "una", "de", "het", "een", "o", "os", "as", "den", "det",
    ]
}

/// The text of a sort key for people: numbers as they are, without what comes after the title.
func sortTitle(of key: UnsafeBufferPointer<UInt8>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(key.count)
    if key.first == 0x02 { return String(decoding: key.dropFirst().prefix { $0 != 0x01 }, as: UTF8.self) }
    var index = 0
    while index < key.count, key[index] != 0x01 {
        let byte = key[index]
        if byte > 0x30 && byte <= 0x3A {
            // A number's length, then the number.
            index += 1
            while index < key.count, key[index] >= 0x30, key[index] <= 0x39 {
                bytes.append(key[index])
                index += 1
            }
        } else {
            bytes.append(byte)
            index += 1
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
