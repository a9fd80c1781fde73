internal import EvdevKit

/// What a person decided about one kind of pad, or about one single pad.
public struct PadProfile: Sendable, Equatable {
    /// What the device calls itself, with its blanks; addresses in it were taken out.
    public let name: String
    /// Bus, vendor, product and version.
    public let identity: PadIdentity
    /// Tells devices apart that say the same about themselves but have other controls.
    public let capabilityHash: String
    /// The single pad that it is for: its unique id, else the port it hangs on. `nil` for all of the kind.
    public let unit: String?
    /// Which letters the buttons have, where the person said so.
    public var family: PadFamily?
    /// Which controls have which functions.
    public var mapping: PadMapping

    /// A profile with all its parts.
    public init(
        name: String, identity: PadIdentity, capabilityHash: String, unit: String?, family: PadFamily?,
        mapping: PadMapping
    ) {
        self.name = nameWithoutAddress(name)
        self.identity = identity
        self.capabilityHash = capabilityHash
        self.unit = unit
        self.family = family
        self.mapping = mapping
    }

    /// A profile for a device.
    ///
    /// - Parameter onlyThisUnit: whether it leaves other pads of the kind alone. A device without an id or port of its
    ///   own cannot be told apart: its profile is for the kind.
    public init(for facts: DeviceFacts, mapping: PadMapping, family: PadFamily?, onlyThisUnit: Bool) {
        self.init(
            name: facts.name, identity: facts.identity, capabilityHash: facts.capabilities.stableHash,
            unit: onlyThisUnit ? facts.profileUnit : nil, family: family, mapping: mapping)
    }

    var key: Key { Key(kind: kind, unit: unit) }
    var kind: Kind { Kind(identity: identity, name: name, capabilityHash: capabilityHash) }

    /// What two pads must have in common to share a profile.
    struct Kind: Hashable {
        let identity: PadIdentity
        let name: String
        let capabilityHash: String
    }

    /// What one profile is stored under.
    struct Key: Hashable {
        let kind: Kind
        let unit: String?
    }
}

extension DeviceFacts {
    /// What tells it from others of its kind, for profiles: its unique id, else its port; `nil` where it has neither.
    public var profileUnit: String? {
        if !unique.isEmpty { return unique.lowercased() }
        return physicalPath.isEmpty ? nil : physicalPath
    }

    var kind: PadProfile.Kind {
        PadProfile.Kind(
            identity: identity, name: nameWithoutAddress(name), capabilityHash: capabilities.stableHash)
    }
}

extension Capabilities {
    /// The same for equal codes and ranges, in every process and version; the axes' momentary values do not count.
    var stableHash: String {
        var text = "keys"
        for code in keys.sorted() { text += " \(code.rawValue)" }
        text += " axes"
        for (code, info) in axes.sorted(by: { $0.key < $1.key }) {
            text += " \(code.rawValue):\(info.minimum):\(info.maximum)"
        }
        return stableHashText(text)
    }
}

/// FNV-1a of 64 bits, as sixteen digits: short, and nobody has a reason to make two pads collide.
func stableHashText(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}

/// The name without what is another on each unit: Bluetooth drivers of some pads add the address, in parentheses or
/// bare. Blanks stay, because they tell cheap pads apart.
func nameWithoutAddress(_ name: String) -> String {
    let bytes = Array(name.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
        if isAddress(bytes[index...]) {
            index += 17
            if result.last == UInt8(ascii: "("), index < bytes.count, bytes[index] == UInt8(ascii: ")") {
                result.removeLast()
                index += 1
            }
            if result.last == UInt8(ascii: " ") { result.removeLast() }
        } else {
            result.append(bytes[index])
            index += 1
        }
    }
    return String(decoding: result, as: UTF8.self)
}

/// Whether the bytes begin with six pairs of digits with colons or dashes between them, and nothing that goes on.
private func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 17 else { return false }
    let start = bytes.startIndex
    let separator = bytes[start + 2]
    guard separator == UInt8(ascii: ":") || separator == UInt8(ascii: "-") else { return false }
    for offset in 0..<17 {
        let byte = bytes[start + offset]
        if offset % 3 == 2 ? byte != separator : !isHexadecimal(byte) { return false }
    }
    return bytes.count == 17 || !isHexadecimal(bytes[start + 17])
}

func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
    default: false
    }
}
