import FoundationEssentials
import SystemKit

/// What the menu, which is an ordinary user, says to the helper, which is root: one line of JSON.
public struct DoorRequest: Sendable, Equatable, Codable {
    /// What is wanted.
    public let change: MachineChange

    /// A request.
    public init(_ change: MachineChange) { self.change = change }

    /// The request in a line from a stranger.
    ///
    /// - Returns: `nil` for anything that this program would not have written itself: unknown changes, members that no
    ///   change has or that stand there twice, values of another kind, `null`.
    static func decode(_ line: [UInt8]) -> DoorRequest? {
        guard line.count <= DoorLine.limit, isUnambiguous(json: line),
            let request = DoorLine.decode(DoorRequest.self, line), let said = DoorLine.decode(DoorValue.self, line),
            let meant = DoorLine.decode(DoorValue.self, DoorLine.encode(request).dropLast())
        else { return nil }
        // A decoder passes over members that it does not know; what says more than is meant is not understood.
        return said == meant ? request : nil
    }

    /// What is asked for in words for a log, e.g. `share.password`; values, which may be secret, are left out.
    var name: String {
        guard case .object(let members)? = DoorLine.decode(DoorValue.self, DoorLine.encode(self).dropLast()),
            case .object(let kind)? = members["change"], let kindName = kind.keys.first
        else { return "unknown" }
        // A case with one value without a name is an object of `_0`.
        guard case .object(let box)? = kind[kindName], case .object(let change)? = box["_0"],
            let changeName = change.keys.first
        else { return kindName }
        return "\(kindName).\(changeName)"
    }
}

/// What the helper says: lines of JSON, the last of them `.done` or `.failed`.
public enum DoorReply: Sendable, Equatable, Codable {
    /// A step begins: a sentence for people.
    case began(String)
    /// All was done and verified. Sentences that a person should know, e.g. that a restart is needed.
    case done([String])
    /// It was not done: a sentence, and the exit status that `retro-admin` would have had.
    case failed(String, status: Int32)
}

/// Lines of the door's protocol.
enum DoorLine {
    /// The longest line that is read, in bytes. A passphrase, a key and a network's name are all far shorter.
    static let limit = 16 << 10

    /// One line with its end.
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array((try? encoder.encode(value)) ?? Data()) + [0x0A]
    }

    /// - Returns: `nil` for what is no such message.
    static func decode<Value: Decodable>(_ type: Value.Type, _ line: some Sequence<UInt8>) -> Value? {
        try? JSONDecoder().decode(type, from: Data(decodableJSON(Array(line))))
    }
}

/// Any JSON value, for comparing documents.
private enum DoorValue: Decodable, Equatable {
    case object([String: DoorValue])
    case array([DoorValue])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([DoorValue].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: DoorValue].self))
        }
    }
}
