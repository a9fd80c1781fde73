import SystemKit

/// A JSON document as a value. Rendering sorts keys by their bytes, so that the same facts give the same text.
enum JSONValue: Sendable, Equatable {
    case object([String: JSONValue])
    case array([JSONValue])
    case string(String)
    case integer(Int64)
    case number(Double)
    case bool(Bool)
    case null

    static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
    static func optional(_ number: Int64?) -> JSONValue { number.map(JSONValue.integer) ?? .null }
    static func optional(_ number: Double?) -> JSONValue { number.map(JSONValue.number) ?? .null }
    static func integer(_ number: Int) -> JSONValue { .integer(Int64(number)) }
    static func strings(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// Seconds with milliseconds: more digits would pretend to be exact.
    static func seconds(_ seconds: Double) -> JSONValue { .number((seconds * 1000).rounded() / 1000) }

    /// An element of an argument vector: text, or base64 where the bytes are no UTF-8.
    static func argument(_ argument: BytePath) -> JSONValue {
        argument.validUTF8.map(JSONValue.string) ?? .object(["bytes": .string(base64(argument.bytes))])
    }

    /// The members that stand for a path: `NAME`, and `NAMEBytes` in base64 where it is no UTF-8.
    static func path(_ path: BytePath, named name: String = "path") -> [String: JSONValue] {
        if let text = path.validUTF8 { return [name: .string(text)] }
        return [
            name: .string(String(decoding: path.bytes, as: UTF8.self)), name + "Bytes": .string(base64(path.bytes)),
        ]
    }

    /// The document with two blanks an indent and without a last line end.
    var text: String {
        var text = ""
        render(into: &text, indent: 0)
        return text
    }

    func render(into text: inout String, indent: Int) {
        switch self {
        case .object(let members):
            let keys = members.keys.sorted(by: JSONValue.isBefore)
            JSONValue.list(keys, brackets: ("{", "}"), into: &text, indent: indent) { key, text in
                JSONValue.quote(key, into: &text)
                text += ": "
                (members[key] ?? .null).render(into: &text, indent: indent + 1)
            }
        case .array(let elements):
            JSONValue.list(elements, brackets: ("[", "]"), into: &text, indent: indent) { element, text in
                element.render(into: &text, indent: indent + 1)
            }
        case .string(let string): JSONValue.quote(string, into: &text)
        case .integer(let number): text += String(number)
        case .number(let number): text += number.isFinite ? number.description : "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .null: text += "null"
        }
    }

    private static func list<Element>(
        _ elements: [Element], brackets: (String, String), into text: inout String, indent: Int,
        _ render: (Element, inout String) -> Void
    ) {
        text += brackets.0
        for (index, element) in elements.enumerated() {
            text += index == 0 ? "\n" : ",\n"
            text += String(repeating: "  ", count: indent + 1)
            render(element, &text)
        }
        if !elements.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
        text += brackets.1
    }

    /// The order of the bytes; that of Swift's strings is the same for ASCII, and much faster to find.
    private static func isBefore(_ one: String, _ other: String) -> Bool {
        let areASCII = one.utf8.allSatisfy { $0 < 0x80 } && other.utf8.allSatisfy { $0 < 0x80 }
        return areASCII ? one < other : one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    private static func quote(_ string: String, into text: inout String) {
        text += "\""
        if string.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) {
            text += string
            text += "\""
            return
        }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default:
                // Everything that steers a terminal is escaped, although JSON itself would allow some of it raw.
                if isTerminalControl(scalar) {
                    let digits = String(scalar.value, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        text += "\""
    }
}

/// Controls of the terminal, and the invisible marks that turn the direction of the text around them.
func isTerminalControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
}

/// RFC 4648 base64 with padding.
func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".unicodeScalars)
    var text = String.UnicodeScalarView()
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        bits <<= UInt32(8 * (3 - group.count))
        for position in 0..<4 {
            let index = Int(bits >> UInt32(18 - 6 * position) & 63)
            text.append(position <= group.count ? alphabet[index] : "=")
        }
    }
    return String(text)
}
