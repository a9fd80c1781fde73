/// A JSON value that knows the line it starts on.
///
/// FoundationEssentials' decoder tells no position of a fault and accepts trailing commas and doubled keys; a person
/// who edits a file by hand needs the line, and a key written twice is a mistake.
struct JSONNode: Sendable {
    enum Value: Sendable {
        case object([(key: String, line: Int, node: JSONNode)])
        case array([JSONNode])
        case string(String)
        case number(Double)
        case bool(Bool)
        case null
    }

    let line: Int
    let value: Value

    /// How messages call its type.
    var typeName: String {
        switch value {
        case .object: "an object"
        case .array: "a list"
        case .string: "a text"
        case .number: "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}

/// A fault in the text, at a line.
struct JSONFault: Error {
    let line: Int
    let reason: String
}

/// Reads one JSON document strictly (RFC 8259), keeping line numbers.
struct JSONReader {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var depth = 0

    /// Deeper nesting than any definition needs; keeps a hostile file from exhausting the stack.
    private static let deepest = 32

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func read(_ bytes: [UInt8]) throws(JSONFault) -> JSONNode {
        var reader = JSONReader(bytes)
        // Windows editors put a byte order mark in front.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
        reader.skipSpace()
        let node = try reader.value()
        reader.skipSpace()
        if reader.index < bytes.count { throw reader.fault("there is more text after the end of the document") }
        return node
    }

    private func fault(_ reason: String) -> JSONFault { JSONFault(line: line, reason: reason) }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = current {
            switch byte {
            case 0x0A: line += 1
            case 0x20, 0x09, 0x0D: break
            default: return
            }
            index += 1
        }
    }

    private mutating func value() throws(JSONFault) -> JSONNode {
        let start = line
        guard let byte = current else { throw fault("the file ends where a value should be") }
        switch byte {
        case UInt8(ascii: "{"): return JSONNode(line: start, value: try object())
        case UInt8(ascii: "["): return JSONNode(line: start, value: try array())
        case UInt8(ascii: "\""): return JSONNode(line: start, value: .string(try string()))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return JSONNode(line: start, value: .number(try number()))
        default:
            for (word, value) in JSONReader.words where bytes[index...].starts(with: word.utf8) {
                index += word.utf8.count
                return JSONNode(line: start, value: value)
            }
            throw fault("\(shown(byte)) is not the beginning of a value")
        }
    }

    private static let words: [(String, JSONNode.Value)] = [
        ("true", .bool(true)), ("false", .bool(false)), ("null", .null),
    ]

    private mutating func enter() throws(JSONFault) {
        depth += 1
        if depth > JSONReader.deepest { throw fault("it is nested too deeply") }
        index += 1
        skipSpace()
    }

    private mutating func object() throws(JSONFault) -> JSONNode.Value {
        try enter()
        defer { depth -= 1 }
        var members: [(key: String, line: Int, node: JSONNode)] = []
        if current == UInt8(ascii: "}") {
            index += 1
            return .object(members)
        }
        while true {
            guard current == UInt8(ascii: "\"") else { throw expected("a key in quotation marks") }
            let keyLine = line
            let key = try string()
            if members.contains(where: { $0.key == key }) {
                throw JSONFault(line: keyLine, reason: "\"\(key)\" is there twice")
            }
            skipSpace()
            guard current == UInt8(ascii: ":") else { throw expected("a colon after \"\(key)\"") }
            index += 1
            skipSpace()
            members.append((key, keyLine, try value()))
            if try !another(closing: UInt8(ascii: "}")) { return .object(members) }
        }
    }

    private mutating func array() throws(JSONFault) -> JSONNode.Value {
        try enter()
        defer { depth -= 1 }
        var elements: [JSONNode] = []
        if current == UInt8(ascii: "]") {
            index += 1
            return .array(elements)
        }
        while true {
            elements.append(try value())
            if try !another(closing: UInt8(ascii: "]")) { return .array(elements) }
        }
    }

    /// After an element: whether a comma announces one more, or the closing bracket stands there.
    private mutating func another(closing: UInt8) throws(JSONFault) -> Bool {
        let before = line
        skipSpace()
        if current == closing {
            index += 1
            return false
        }
        guard current == UInt8(ascii: ",") else {
            // The comma is missing at the end of the element, not at the next line's start.
            if current != nil { throw JSONFault(line: before, reason: "a comma is missing after this") }
            throw expected("a comma or the closing \(shown(closing))")
        }
        let comma = line
        index += 1
        skipSpace()
        if current == closing { throw JSONFault(line: comma, reason: "there is a comma after the last element") }
        return true
    }

    private func expected(_ what: String) -> JSONFault {
        guard let byte = current else { return fault("the file ends; \(what) should be here") }
        return fault("\(what) should be here, not \(shown(byte))")
    }

    private func shown(_ byte: UInt8) -> String {
        byte > 0x20 && byte < 0x7F ? "\"\(Character(Unicode.Scalar(byte)))\"" : "the byte \(byte)"
    }
}

extension JSONReader {
    private mutating func string() throws(JSONFault) -> String {
        index += 1
        var text: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw fault("a text is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"):
                index += 1
                try escape(into: &text)
            case 0..<0x20:
                throw fault("a text ends without its closing quotation mark")
            default:
                text.append(byte)
                index += 1
            }
        }
        throw fault("a text ends without its closing quotation mark")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
        guard let byte = current else { throw fault("the file ends inside a text") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code), bytes[index...].starts(with: [0x5C, 0x75]) {
                index += 2
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw fault("half a surrogate pair in a text") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw fault("half a surrogate pair in a text") }
            text.append(contentsOf: Array(String(Character(scalar)).utf8))
        default: throw fault("\\\(Character(Unicode.Scalar(byte))) is no escape of JSON; a backslash is \\\\")
        }
    }

    private mutating func hexadecimal() throws(JSONFault) -> UInt32 {
        guard index + 4 <= bytes.count, let text = String(validating: bytes[index..<index + 4], as: UTF8.self),
            text.utf8.count == 4, !text.hasPrefix("+"), !text.hasPrefix("-"), let code = UInt32(text, radix: 16)
        else { throw fault("\\u needs four hexadecimal digits") }
        index += 4
        return code
    }

    private mutating func number() throws(JSONFault) -> Double {
        let start = index
        while let byte = current, "+-.eE0123456789".utf8.contains(byte) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let leadingZero =
            digits.utf8.count > 1 && digits.hasPrefix("0") && !digits.hasPrefix("0.")
            && !digits.hasPrefix("0e") && !digits.hasPrefix("0E")
        guard let number = Double(text), number.isFinite, !leadingZero, digits.last?.isNumber == true else {
            throw fault("\(text) is not a number")
        }
        return number
    }
}
