import SystemKit

/// What the brackets of a file name say, byte by byte: a scan or a filter asks it of a hundred thousand names.
///
/// No-Intro and Redump write `(USA, Europe) (En,Fr) (Rev 1) (Disc 2)`, TOSEC `(1990)(Publisher)(US)(en-fr)[a]`,
/// GoodTools `(UE) (V1.1) (M5) [!]`. Countries are told from languages by their case: `(DE)` is Germany, `(De)` and
/// `(de)` are German.
struct TitleTags {
    /// Bits by the places in `TitleTagWords.regions`.
    private(set) var regions: UInt64 = 0
    private(set) var isVerified = false
    private(set) var isIrregular = false
    /// The revision as a number that orders: `Rev 1` before `Rev 2`, `1.1` before `1.10`, `Rev A` before `Rev B`.
    private(set) var revisionOrder: UInt64 = 0
    private(set) var disc: Int?
    private(set) var side: Int?
    /// Labels that are none of these; a game as it was first sold has the fewest.
    private(set) var others = 0
    /// Differs where names say something else in their brackets.
    private(set) var words: UInt64 = 0
    private(set) var tags: NameTags?
    private var isAlternate = false

    /// - Parameter collects: whether `tags` is filled, which allocates.
    init(collects: Bool = false) {
        if collects { tags = NameTags() }
    }

    /// Which part of a set it is: games with different parts are no versions of each other.
    var part: Int { (disc ?? 1) * 64 + (side ?? 1) }

    /// What makes an alternate dump of the same release the second choice.
    var remarks: Int { others + (isAlternate ? 1 : 0) }

    /// Reads the contents of one pair of brackets.
    mutating func read(_ label: UnsafeBufferPointer<UInt8>) {
        let word = TitleTags.trimmed(Slice(base: label, bounds: label.startIndex..<label.endIndex))
        guard !word.isEmpty else { return }
        words = words &* 31 &+ TitleTagWords.hash(word.lazy.map { $0 == 0x5F ? 0x20 : asciiLowercased($0) })
        if readMark(word) || readPlaces(word) || readNumbered(word) { return }
        if TitleTags.isIrregular(word) { markIrregular(word) } else { other(word) }
    }

    // MARK: - Places and languages

    /// A list in which every word is a region or a language.
    private mutating func readPlaces(_ word: Word) -> Bool {
        if let found = TitleTagWords.regions(word) {
            add(regions: found)
            return true
        }
        if let language = TitleTagWords.language(word) {
            add(language: language)
            return true
        }
        guard let separator = [0x2C, 0x2B, 0x2F, 0x2D].first(where: { word.contains($0) }) else { return false }
        let parts = word.split(separator: separator, omittingEmptySubsequences: false)
        let isList = parts.allSatisfy { part in
            let part = TitleTags.trimmed(part)
            return TitleTagWords.regions(part) != nil || TitleTagWords.language(part) != nil
        }
        guard isList else { return false }
        for part in parts {
            let part = TitleTags.trimmed(part)
            if let region = TitleTagWords.regions(part) {
                add(regions: region)
            } else if let language = TitleTagWords.language(part) {
                add(language: language)
            }
        }
        return true
    }

    private mutating func add(regions found: UInt64) {
        let fresh = found & ~regions
        regions |= found
        if fresh != 0 { tags?.regions += TitleTagWords.names(fresh) }
    }

    private mutating func add(language: String) {
        if tags?.languages.contains(language) == false { tags?.languages.append(language) }
    }

    // MARK: - Marks of GoodTools and TOSEC

    /// `!`, `a1`, `b`, `h2C`, `T+Eng1.0_Author`, `M5`, `cr PDX`, `tr en`.
    private mutating func readMark(_ word: Word) -> Bool {
        let first = word[word.startIndex]
        if first == 0x21 {
            guard word.count == 1 else { return false }
            isVerified = true
            tags?.isVerified = true
            return true
        }
        if first == 0x54, word.count > 2, [0x2B, 0x2D].contains(word[word.startIndex + 1]) {
            let letters = String(decoding: word.dropFirst(2).prefix(3), as: UTF8.self).lowercased()
            if let language = TitleTagWords.translated(letters) { add(language: language) }
            markIrregular(word)
            return true
        }
        if first == 0x4D, let count = TitleTags.number(word.dropFirst()), (2...99).contains(count) {
            // In so many languages, without saying which.
            return true
        }
        // One or two small letters, then a number, the end, or after a blank whose work it is.
        let letters = word.prefix { (0x61...0x7A).contains($0) }
        guard letters.count <= 2, !letters.isEmpty else { return false }
        let rest = word.dropFirst(letters.count)
        let isMark = rest.isEmpty || rest.first == 0x20 || (0x30...0x39).contains(rest.first ?? 0)
        guard isMark, rest.count <= 24 || rest.first == 0x20 else { return false }
        switch String(decoding: letters, as: UTF8.self) {
        case "a":
            isAlternate = true
            other(word)
        case "tr":
            if let language = TitleTagWords.language(TitleTags.trimmed(rest).prefix(2)) { add(language: language) }
            markIrregular(word)
        case "v" where (0x30...0x39).contains(rest.first ?? 0): return false
        case "b", "cr", "f", "h", "m", "o", "p", "t", "u", "v": markIrregular(word)
        default: return false
        }
        return true
    }

    private mutating func markIrregular(_ word: Word) {
        isIrregular = true
        tags?.isIrregular = true
        other(word)
    }

    private mutating func other(_ word: Word) {
        others += 1
        tags?.others.append(String(decoding: word, as: UTF8.self))
    }

    // MARK: - Words with numbers

    private mutating func readNumbered(_ word: Word) -> Bool {
        let letters = word.prefix { (0x41...0x5A).contains($0 & 0xDF) }
        var rest = word.dropFirst(letters.count)
        let name = String(decoding: letters, as: UTF8.self).lowercased()
        guard name.utf8.count <= 9 else { return false }
        if let separator = rest.first, [0x20, 0x5F, 0x2E, 0x2D].contains(separator) { rest = rest.dropFirst() }
        switch name {
        case "rev", "revision", "v", "ver", "version": return readRevision(rest, isWord: name != "v")
        case "disc", "disk", "cd", "dvd", "tape", "cassette", "gd":
            guard let number = TitleTags.ordinal(rest.prefix { $0 != 0x20 && $0 != 0x5F }) else { return false }
            disc = number
            tags?.disc = number
            readSide(rest)
        case "side":
            guard let number = TitleTags.ordinal(rest.prefix { $0 != 0x20 && $0 != 0x5F }) else { return false }
            side = number
            if disc == nil { tags?.disc = number }
        default: return false
        }
        return true
    }

    /// "1 Side B" behind "Disk".
    private mutating func readSide(_ rest: Word) {
        let words = rest.split { $0 == 0x20 || $0 == 0x5F }
        guard let index = words.firstIndex(where: { $0.elementsEqual("Side".utf8) || $0.elementsEqual("side".utf8) }),
            index + 1 < words.endIndex
        else { return }
        side = TitleTags.ordinal(words[index + 1])
    }

    private mutating func readRevision(_ text: Word, isWord: Bool) -> Bool {
        let text = text.prefix { $0 != 0x20 && $0 != 0x5F }
        guard let first = text.first, text.count <= 12 else { return false }
        let isNumber = (0x30...0x39).contains(first)
        guard isNumber || (isWord && text.count == 1 && (0x41...0x5A).contains(first & 0xDF)) else { return false }
        var order: UInt64 = 0
        var parts = 0
        for part in text.split(separator: 0x2E).prefix(3) {
            let digits = part.prefix { (0x30...0x39).contains($0) }
            // "1.1b" comes behind "1.1".
            let letter = part.dropFirst(digits.count).first.map { UInt64($0 & 0x1F) } ?? 0
            order = order << 20 | UInt64(TitleTags.number(digits) ?? 0) << 5 | letter
            parts += 1
        }
        order <<= UInt64(20 * (3 - parts))
        // The first one is newer than none that is named: "v1.0" beside a file without a version says more.
        revisionOrder = max(revisionOrder, order + 1)
        tags?.revision = String(decoding: text, as: UTF8.self).uppercased()
        return true
    }

    // MARK: - Parts of words

    typealias Word = Slice<UnsafeBufferPointer<UInt8>>

    /// Without blanks at both ends.
    private static func trimmed(_ word: Word) -> Word {
        var word = word
        while let first = word.first, first == 0x20 || first == 0x5F { word = word.dropFirst() }
        while let last = word.last, last == 0x20 || last == 0x5F { word = word.dropLast() }
        return word
    }

    private static func number(_ digits: Word) -> Int? {
        guard !digits.isEmpty, digits.count <= 4 else { return nil }
        var number = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return number
    }

    /// A number, or a letter as one: `2`, `B`, `1of2`.
    private static func ordinal(_ word: Word) -> Int? {
        if word.count == 1, let letter = word.first, (0x41...0x5A).contains(letter & 0xDF) { return Int(letter & 0x1F) }
        let digits = word.prefix { (0x30...0x39).contains($0) }
        // Some sets begin with a disc 0.
        guard let number = number(digits), (0...99).contains(number) else { return nil }
        return number
    }

    /// Whether a label says that this is not the game as it was sold.
    private static func isIrregular(_ word: Word) -> Bool {
        let words = word.split { $0 == 0x20 || $0 == 0x5F || $0 == 0x2D || $0 == 0x2C }
        guard let first = words.first, let last = words.last else { return false }
        let isKnown = { (part: Word) in
            TitleTagWords.irregular.contains(String(decoding: part.map(asciiLowercased), as: UTF8.self))
        }
        // "Beta 2", "Possible Proto", "SMB1 Hack".
        return isKnown(first) || isKnown(last)
    }
}

extension TitleTags {
    /// The tags of labels without their brackets.
    static func nameTags(of labels: [String]) -> NameTags {
        var reader = TitleTags(collects: true)
        for var label in labels { label.withUTF8 { reader.read($0) } }
        return reader.tags ?? NameTags()
    }
}

extension NameTags {
    /// What the contents of brackets say, as `Game.tags` has them.
    public init(of tags: [String]) { self = TitleTags.nameTags(of: tags) }
}
