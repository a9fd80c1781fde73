import SystemKit

/// The text of a gamelist or a DAT file as UTF-8, whatever its file is encoded in: known from a byte order mark, from zeros, or from
/// the XML declaration.
///
/// UTF-16 is converted as it comes. Other bytes pass through; those of a record that are no UTF-8 are taken for
/// windows-1252 one by one, because they may also be a file's name in a list that is UTF-8 everywhere else.
struct GamelistText {
    private static let decisive = 512

    private enum Form {
        case bytes
        case utf16(isBig: Bool)
    }

    private var form: Form?
    private var start: [UInt8] = []
    private var half: UInt8?
    private var high: UInt16?
    /// Whether the file says that it is no UTF-8.
    private(set) var isOtherEncoding = false

    /// Takes bytes of the file and gives UTF-8 on.
    mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        guard form == nil else { return convert(bytes, body) }
        start.append(contentsOf: bytes)
        guard isEnd || start.count >= GamelistText.decisive else { return }
        let head = start
        start = []
        let skipped = decide(head)
        head.withUnsafeBufferPointer { convert(UnsafeBufferPointer(rebasing: $0[skipped...]), body) }
    }

    /// - Returns: how many bytes are no text.
    private mutating func decide(_ bytes: [UInt8]) -> Int {
        form = .bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return 3 }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            form = .utf16(isBig: bytes[0] == 0xFE)
            return 2
        }
        let beginning = bytes.prefix(64)
        let pairs = beginning.count / 2
        if pairs >= 2 {
            let evenZeros = (0..<pairs).count { beginning[$0 * 2] == 0 }
            let oddZeros = (0..<pairs).count { beginning[$0 * 2 + 1] == 0 }
            // All of both is a file of zeros, which a power cut leaves.
            if evenZeros + oddZeros < pairs * 2, max(evenZeros, oddZeros) * 2 >= pairs {
                form = .utf16(isBig: evenZeros > oddZeros)
                return 0
            }
        }
        let text = String(decoding: bytes.prefix(200), as: UTF8.self).lowercased()
        if let declaration = text.split(separator: "?>", maxSplits: 1).first, declaration.contains("<?xml"),
            let encoding = declaration.split(separator: "encoding", maxSplits: 1).dropFirst().first
        {
            isOtherEncoding = !encoding.contains("utf-8") && !encoding.contains("utf8")
        }
        return 0
    }

    private mutating func convert(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        guard case .utf16(let isBig) = form else { return body(bytes) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            guard let first = half else {
                half = byte
                continue
            }
            half = nil
            append(isBig ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first), to: &text)
        }
        text.withUnsafeBufferPointer(body)
    }

    private mutating func append(_ unit: UInt16, to text: inout [UInt8]) {
        if let first = high {
            high = nil
            if unit >= 0xDC00, unit <= 0xDFFF {
                let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
                return appendUTF8(value, to: &text)
            }
            appendUTF8(0xFFFD, to: &text)
        }
        if unit >= 0xD800, unit <= 0xDBFF {
            high = unit
        } else {
            appendUTF8(unit >= 0xDC00 && unit <= 0xDFFF ? 0xFFFD : UInt32(unit), to: &text)
        }
    }
}

func appendUTF8(_ value: UInt32, to text: inout [UInt8]) {
    UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}").map { text.append(contentsOf: $0) }
}

/// UTF-8 that people's files have mistakes in.
enum LenientUTF8 {
    /// How many bytes the character at a place takes; `nil` where they are no UTF-8.
    static func length(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int? {
        let first = bytes[at]
        if first < 0x80 { return 1 }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC2, first <= 0xF4, at + length <= bytes.count else { return nil }
        for index in 1..<length where bytes[at + index] & 0xC0 != 0x80 { return nil }
        // Overlong forms, surrogates, and what is beyond Unicode.
        switch (first, bytes[at + 1]) {
        case (0xE0, ..<0xA0), (0xED, 0xA0...), (0xF0, ..<0x90), (0xF4, 0x90...): return nil
        default: return length
        }
    }

    static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            if bytes[index] < 0x80 {
                index += 1
            } else {
                guard let length = length(bytes, index) else { return false }
                index += length
            }
        }
        return true
    }

    /// The text, with every byte that is no UTF-8 as the character that windows-1252 has for it.
    static func mended(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + 16)
        var index = 0
        while index < bytes.count {
            if let length = length(bytes, index) {
                text.append(contentsOf: bytes[index..<index + length])
                index += length
            } else {
                appendUTF8(windows1252(bytes[index]), to: &text)
                index += 1
            }
        }
        return text
    }

    /// The bytes in windows-1252; `nil` where a character has none there.
    static func asWindows1252(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if let index = high.firstIndex(of: scalar.value) {
                bytes.append(UInt8(0x80 + index))
            } else if scalar.value < 0x100 {
                bytes.append(UInt8(scalar.value))
            } else {
                return nil
            }
        }
        return bytes
    }

    /// The character that a byte is in windows-1252, as UTF-8.
    static func character(_ byte: UInt8) -> [UInt8] {
        var text: [UInt8] = []
        appendUTF8(windows1252(byte), to: &text)
        return text
    }

    private static func windows1252(_ byte: UInt8) -> UInt32 {
        byte >= 0x80 && byte < 0xA0 ? high[Int(byte - 0x80)] : UInt32(byte)
    }

    // 0x80 to 0x9F; the five that are free stand for the control characters there.
    private static let high: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
