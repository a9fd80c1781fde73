/// What a DAT file says about itself.
public struct DatHeader: Sendable, Equatable {
    /// The set's name: `Nintendo - Nintendo Entertainment System`.
    public var name: String?
    /// A longer name.
    public var description: String?
    /// Which edition it is.
    public var version: String?

    /// A header; without arguments nothing is known.
    public init(name: String? = nil, description: String? = nil, version: String? = nil) {
        self.name = name
        self.description = description
        self.version = version
    }
}

/// A file of a game, as a DAT file knows it.
public struct DatRom: Sendable, Equatable {
    /// Its name in the set.
    public var name: String
    /// Bytes.
    public var size: Int64?
    /// CRC-32 of its contents.
    public var crc: UInt32?
    /// MD5 of its contents, 16 bytes.
    public var md5: [UInt8]?
    /// SHA-1 of its contents, 20 bytes; of a compressed disc what its header says.
    public var sha1: [UInt8]?
    /// `baddump`, `nodump`, `verified`, where it says so.
    public var status: String?

    /// A file of which only the name is known.
    public init(name: String = "") { self.name = name }
}

/// A game, as a DAT file knows it.
public struct DatGame: Sendable, Equatable {
    /// Its name in the set: what No-Intro calls it, or the short name of an arcade set.
    public var name: String
    /// The name for people, where it is another one.
    public var description: String?
    /// Its files.
    public var roms: [DatRom]

    /// A game with all its parts.
    public init(name: String = "", description: String? = nil, roms: [DatRom] = []) {
        self.name = name
        self.description = description
        self.roms = roms
    }

    /// What a person is told.
    public var title: String { description ?? name }

    /// Takes in what a DAT file says of one of its files, whatever dialect it is.
    static func rom(_ values: [String: String]) -> DatRom {
        var rom = DatRom(name: values["name"] ?? "")
        rom.size = values["size"].flatMap { number($0) }
        rom.crc = values["crc"].flatMap { bytes($0, 4) }?.reduce(0) { $0 << 8 | UInt32($1) }
        rom.md5 = values["md5"].flatMap { bytes($0, 16) }
        rom.sha1 = values["sha1"].flatMap { bytes($0, 20) }
        rom.status = (values["status"] ?? values["flags"]).flatMap { $0 == "good" ? nil : $0 }
        return rom
    }

    /// Software lists write some sizes in hexadecimal.
    private static func number(_ text: String) -> Int64? {
        let value = text.hasPrefix("0x") ? Int64(text.dropFirst(2), radix: 16) : Int64(text)
        return value.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// So many bytes in hexadecimal; old lists leave zeros at the front out of a CRC.
    private static func bytes(_ text: String, _ count: Int) -> [UInt8]? {
        var digits = text.utf8.map { $0 | 0x20 }
        if digits.starts(with: [0x30, 0x78]) { digits.removeFirst(2) }
        if count == 4, !digits.isEmpty, digits.count < 8 {
            digits = Array(repeating: 0x30, count: 8 - digits.count) + digits
        }
        guard digits.count == count * 2 else { return nil }
        var result: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case 0x30...0x39: value = digit - 0x30
            case 0x61...0x66: value = digit - 0x61 + 10
            default: return nil
            }
            if let first = high {
                result.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return result
    }
}
