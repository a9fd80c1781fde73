import FoundationEssentials
import SystemKit

/// A public key that may log in over the network.
public struct AuthorisedKey: Sendable, Equatable {
    /// Its kind, e.g. `ssh-ed25519`.
    public let type: String
    /// The key itself in base64: what tells it from others.
    public let blob: String
    /// What its owner calls it; may be empty.
    public let comment: String

    /// The last characters of the key, for telling keys without a comment apart.
    public var ending: String { String(blob.filter { $0 != "=" }.suffix(8)) }

    /// The line of `authorized_keys`.
    var line: String { comment.isEmpty ? "\(type) \(blob)" : "\(type) \(blob) \(comment)" }

    private static let types = [
        "ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
        "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
    ]

    /// A key as a person pastes it: the contents of a `.pub` file.
    ///
    /// - Throws: `ApplianceError.badValue` for anything else: a private key, options before the key, several lines.
    public init(_ text: String) throws(ApplianceError) {
        let line = trimmingSpaces(text)
        if line.contains("PRIVATE KEY") {
            throw .refused(
                "this is a private key, which must not leave its machine; the file that ends in .pub is meant")
        }
        guard !line.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }),
            line.utf8.count <= 8192
        else { throw AuthorisedKey.problem("one line without control characters") }
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true).map(String.init)
        guard words.count >= 2, AuthorisedKey.types.contains(words[0]) else {
            throw AuthorisedKey.problem("a line of a .pub file, which begins with the kind of key and has no options")
        }
        guard let data = Data(base64Encoded: words[1]), AuthorisedKey.names(Array(data), type: words[0]) else {
            throw AuthorisedKey.problem("a whole line of a .pub file: this one is damaged or cut short")
        }
        if words[0] == "ssh-rsa", data.count < 270 {
            throw .refused(
                "this RSA key has fewer than 2048 bits and could be broken; make a new one with 'ssh-keygen'")
        }
        type = words[0]
        blob = words[1]
        comment = words.count > 2 ? BytePath.displayString(of: Array(trimmingSpaces(words[2]).utf8)) : ""
    }

    private static func problem(_ expected: String) -> ApplianceError { .badValue(of: "the key", expected: expected) }

    /// Whether the key's parts, each with its length in front, are complete and begin with its own kind.
    private static func names(_ bytes: [UInt8], type: String) -> Bool {
        var rest = bytes[...]
        var parts: [ArraySlice<UInt8>] = []
        while rest.count >= 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard length <= rest.count else { return false }
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return rest.isEmpty && parts.count >= 2 && Array(parts[0]) == Array(type.utf8)
            && parts.dropFirst().allSatisfy { !$0.isEmpty }
    }

    /// The keys of a file. Lines that this program would not write, such as ones with options, are not among them.
    static func all(in bytes: [UInt8]) -> [AuthorisedKey] {
        bytes.split(separator: 0x0A).compactMap { try? AuthorisedKey(String(decoding: $0, as: UTF8.self)) }
    }
}
