import FoundationEssentials

/// What the menu, which is an ordinary user, says to the helper, which is root: one line of JSON.
public struct DoorRequest: Sendable, Equatable, Codable {
    /// What is wanted.
    public let change: MachineChange

    /// A request.
    public init(_ change: MachineChange) { self.change = change }
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
        try? JSONDecoder().decode(type, from: Data(line))
    }
}
