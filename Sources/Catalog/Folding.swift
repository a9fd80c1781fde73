/// Makes text comparable: case and accents folded, punctuation as blanks, numbers so that their bytes sort as numbers.
///
/// ASCII goes byte by byte; other scalars are looked up in the standard library's Unicode tables once and kept.
final class Folding {
    private static let remembered = 0x2000
    // UTF-8 of the folded form, up to 7 bytes in the low ones, its length + 1 in the highest; 0: not looked up yet.
    private let memory: UnsafeMutablePointer<UInt64>

    init() {
        memory = .allocate(capacity: Folding.remembered)
        memory.initialize(repeating: 0, count: Folding.remembered)
    }

    deinit { memory.deallocate() }

    /// Appends the folded form.
    ///
    /// - Parameters:
    ///   - numbers: whether a digit follows its number's length, which makes `2` come before `10`.
    ///   - ideographs: whether each ideograph, kana and hangul syllable is a word of its own.
    func fold(_ text: UnsafeBufferPointer<UInt8>, into out: ByteBuffer, numbers: Bool, ideographs: Bool = false) {
        let start = out.count
        var blank = false
        var index = 0
        @inline(__always) func separate() {
            if blank && out.count > start { out.append(0x20) }
            blank = false
        }
        while index < text.count {
            let byte = text[index]
            switch byte {
            case 0x61...0x7A:
                separate()
                out.append(byte)
                index += 1
            case 0x41...0x5A:
                separate()
                out.append(byte | 0x20)
                index += 1
            case 0x30...0x39:
                separate()
                index = foldNumber(text, at: index, into: out, numbers: numbers)
            case 0x27, 0x60:
                // "Link's" is found as "links".
                index += 1
            case 0..<0x80:
                blank = true
                index += 1
            case 0xEF where Folding.digit(text, at: index) != nil:
                separate()
                index = foldNumber(text, at: index, into: out, numbers: numbers)
            default:
                let (scalar, length) = decode(text, at: index)
                let folded = look(scalar)
                let count = Int(folded >> 56) - 1
                if count == 1, (0x30...0x39).contains(folded & 0xFF) {
                    separate()
                    index = foldForeignNumber(text, at: index, into: out, numbers: numbers)
                    continue
                }
                index += length
                if count == 1 && folded & 0xFF == 0x20 {
                    blank = true
                } else if count > 0 {
                    let alone = ideographs && Folding.isWordAlone(scalar)
                    if alone { blank = true }
                    separate()
                    for shift in 0..<count { out.append(UInt8(truncatingIfNeeded: folded >> (UInt64(shift) * 8))) }
                    if alone { blank = true }
                }
            }
        }
    }

    private func foldNumber(
        _ text: UnsafeBufferPointer<UInt8>, at start: Int, into out: ByteBuffer, numbers: Bool
    ) -> Int {
        var end = start
        var significant = 0
        while let (digit, length) = Folding.digit(text, at: end) {
            if significant > 0 || digit != 0x30 { significant += 1 }
            end += length
        }
        // ':' comes after '9': all numbers of ten digits and more.
        if numbers { out.append(0x30 + UInt8(min(max(significant, 1), 10))) }
        var index = start
        var skips = numbers
        while index < end, let (digit, length) = Folding.digit(text, at: index) {
            index += length
            skips = skips && digit == 0x30 && index < end
            if !skips { out.append(digit) }
        }
        return end
    }

    /// The digit at an index as ASCII, and how many bytes it takes: Japanese names have full-width ones too.
    @inline(__always)
    private static func digit(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> (digit: UInt8, length: Int)? {
        guard index < text.count else { return nil }
        let byte = text[index]
        if byte >= 0x30 && byte <= 0x39 { return (byte, 1) }
        guard byte == 0xEF, index + 2 < text.count, text[index + 1] == 0xBC else { return nil }
        let last = text[index + 2]
        return last >= 0x90 && last <= 0x99 ? (last - 0x60, 3) : nil
    }

    /// Ideographs, kana, hangul syllables and their kin; letters with two cases are none of them, or the small ones
    /// would be searched otherwise than the large ones.
    @inline(__always)
    private static func isWordAlone(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x2E80: false
        case 0x2E80..<0xA4D0, 0xAC00..<0xD7B0, 0xF900..<0xFB00, 0xFF66..<0xFFE0, 0x1AFF0..<0x1B300, 0x20000..<0x40000:
            true
        default: false
        }
    }

    /// A number whose first digit is no ASCII one, such as a full-width or a raised one.
    private func foldForeignNumber(
        _ text: UnsafeBufferPointer<UInt8>, at start: Int, into out: ByteBuffer, numbers: Bool
    ) -> Int {
        var digits: [UInt8] = []
        var index = start
        while index < text.count, text[index] >= 0x80 {
            let (scalar, length) = decode(text, at: index)
            let folded = look(scalar)
            guard folded >> 56 == 2, (0x30...0x39).contains(folded & 0xFF) else { break }
            digits.append(UInt8(folded & 0xFF))
            index += length
        }
        digits.withUnsafeBufferPointer { _ = foldNumber($0, at: 0, into: out, numbers: numbers) }
        return index
    }

    /// The scalar at an index and how many bytes it takes; U+FFFD and one byte where it is no UTF-8.
    private func decode(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> (UInt32, Int) {
        let first = UInt32(text[index])
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0
        guard length > 0, first < 0xF5, index + length <= text.count else { return (0xFFFD, 1) }
        var scalar = first & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
        for offset in 1..<length {
            let byte = UInt32(text[index + offset])
            guard byte & 0xC0 == 0x80 else { return (0xFFFD, 1) }
            scalar = scalar << 6 | (byte & 0x3F)
        }
        let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x1_0000
        guard scalar >= least, Unicode.Scalar(scalar) != nil else { return (0xFFFD, 1) }
        return (scalar, length)
    }

    private func look(_ scalar: UInt32) -> UInt64 {
        guard scalar < Folding.remembered else { return Folding.pack(Folding.folded(scalar)) }
        let known = memory[Int(scalar)]
        if known != 0 { return known }
        let made = Folding.pack(Folding.folded(scalar))
        memory[Int(scalar)] = made
        return made
    }

    private static func pack(_ text: String) -> UInt64 {
        var packed: UInt64 = 0
        var count: UInt64 = 0
        for byte in text.utf8.prefix(7) {
            packed |= UInt64(byte) << (count * 8)
            count += 1
        }
        return packed | (count + 1) << 56
    }
}

extension Folding {
    /// The folded form of a scalar outside ASCII; a blank for separators, nothing for accents that stand alone.
    static func folded(_ value: UInt32) -> String {
        guard let scalar = Unicode.Scalar(value) else { return "\u{FFFD}" }
        // Full-width forms are ASCII 0xFEE0 further on.
        if value >= 0xFF01 && value <= 0xFF5E { return foldedASCII(UInt8(value - 0xFEE0)) }
        if value >= 0xFB00 && value <= 0xFB06 { return ligatures[Int(value - 0xFB00)] }
        // Raised and lowered digits: "Alien" with a raised 3 is found by typing 3.
        switch value {
        case 0xB2, 0xB3: return String(value - 0xB0)
        case 0xB9: return "1"
        case 0x2070, 0x2074...0x2079: return String(value - 0x2070)
        case 0x2080...0x2089: return String(value - 0x2080)
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark:
            // The voicing marks of kana make another letter, they are no accents.
            return value == 0x3099 || value == 0x309A ? String(Character(scalar)) : ""
        case .format, .control: return ""
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .connectorPunctuation, .dashPunctuation,
            .openPunctuation, .closePunctuation, .initialPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
            .modifierSymbol, .otherSymbol, .privateUse, .unassigned:
            return " "
        case .finalPunctuation:
            // U+2019 is the apostrophe of typesetters.
            return value == 0x2019 ? "" : " "
        default: break
        }
        var text = ""
        for lower in scalar.properties.lowercaseMapping.unicodeScalars { text += base(of: lower) }
        return text
    }

    private static let ligatures = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"]

    private static func foldedASCII(_ byte: UInt8) -> String {
        switch byte {
        case 0x30...0x39, 0x61...0x7A: String(Character(Unicode.Scalar(byte)))
        case 0x41...0x5A: String(Character(Unicode.Scalar(byte | 0x20)))
        default: " "
        }
    }

    /// The letter without its accents, found through the name that Unicode gives it: `LATIN SMALL LETTER E WITH ACUTE`.
    private static func base(of scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0..<0x80: return String(Character(scalar))
        case 0xDF: return "ss"
        case 0xF0: return "d"
        case 0xFE: return "th"
        case 0x131: return "i"
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark: return ""
        default: break
        }
        guard scalar.value < 0x2000, let name = scalar.properties.name else { return String(Character(scalar)) }
        var words = name.split(separator: " ")
        if let with = words.firstIndex(of: "WITH") { words = Array(words[..<with]) }
        guard words.count == 4, words[1] == "SMALL" else { return String(Character(scalar)) }
        if words[0] == "LATIN", words[2] == "LETTER" || words[2] == "LIGATURE", words[3].utf8.count <= 2 {
            return words[3].lowercased()
        }
        let plain = words.joined(separator: " ")
        if plain == name { return String(Character(scalar)) }
        let block: ClosedRange<UInt32> = words[0] == "GREEK" ? 0x3B1...0x3C9 : 0x430...0x45F
        let found = block.lazy.compactMap(Unicode.Scalar.init).first { $0.properties.name == plain }
        return String(Character(found ?? scalar))
    }
}
