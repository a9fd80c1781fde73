import FoundationEssentials

/// A JSON document read by somebody else's parser: what we print must be JSON for everybody.
enum AnyJSON: Decodable, Equatable {
    case object([String: AnyJSON])
    case array([AnyJSON])
    case string(String)
    case integer(Int64)
    case number(Double)
    case bool(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([AnyJSON].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: AnyJSON].self))
        }
    }

    subscript(key: String) -> AnyJSON? { if case .object(let members) = self { members[key] } else { nil } }
    var array: [AnyJSON] { if case .array(let elements) = self { elements } else { [] } }
    var string: String? { if case .string(let string) = self { string } else { nil } }
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

    /// The document with every value replaced by its kind, and every array by what its elements are.
    var shape: String { shape(indent: "") }

    /// Members that may be null, depending on the machine or the moment.
    private static let optional = [
        "emulator": "string or null", "lastPlayed": "string or null", "year": "number or null",
        "exitStatus": "number or null", "signal": "number or null",
        "notice": "string or null",
    ]

    private func shape(indent: String) -> String {
        switch self {
        case .object(let members):
            let lines = members.keys.sorted().map { key in
                let shape = AnyJSON.optional[key] ?? members[key]?.shape(indent: indent + "  ") ?? ""
                return "\(indent)  \(key): \(shape)\n"
            }
            return "{\n" + lines.joined() + indent + "}"
        case .array(let elements):
            var shapes: [String] = []
            for element in elements {
                let shape = element.shape(indent: indent)
                if !shapes.contains(shape) { shapes.append(shape) }
            }
            return "[" + shapes.joined(separator: " | ") + "]"
        case .string: return "string"
        case .integer, .number: return "number"
        case .bool: return "bool"
        case .null: return "null"
        }
    }
}
