import FoundationEssentials
import SystemKit

/// What stands first in a backup: enough to know whether it can be read at all.
public struct BackupHeader: Sendable, Equatable, Codable {
    /// The newest format that is known here.
    public static let format = 1
    static let name: BytePath = "retro-backup.json"

    /// How the archive is laid out.
    public var format: Int
    /// Which version of this program made it.
    public var version: String
    /// The machine's name.
    public var host: String
    /// What the machine was.
    public var model: String
    /// When it was made, RFC 3339 in UTC, by that machine's clock.
    public var time: String
    /// Whether pictures taken while playing are in it.
    public var screenshots: Bool
    /// The version of the tables of each database in it.
    public var schemas: [String: Int]
}

/// What stands last in a backup: each file with its checksum. A backup without it was cut off.
struct BackupManifest: Sendable, Equatable, Codable {
    static let name: BytePath = "manifest.json"

    struct File: Sendable, Equatable, Codable {
        /// The name as text, for people.
        var path: String
        /// The name's bytes where it is no UTF-8.
        var pathBytes: Data?
        var size: Int64
        var sha256: String

        init(_ name: BytePath, size: Int64, sha256: String) {
            path = name.displayString
            if name.validUTF8 != name.displayString { pathBytes = Data(name.bytes) }
            self.size = size
            self.sha256 = sha256
        }

        var name: BytePath { pathBytes.map { BytePath(bytes: $0) } ?? BytePath(path) }
    }

    var files: [File]
}

enum BackupJSON {
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return Array((try? encoder.encode(value)) ?? Data()) + [0x0A]
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
        try? JSONDecoder().decode(type, from: Data(decodableJSON(bytes)))
    }
}
