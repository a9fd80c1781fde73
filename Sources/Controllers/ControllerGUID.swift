internal import EvdevKit

/// What SDL calls a kind of joystick by: sixteen bytes made of bus, a sum over the name, vendor, product and version.
///
/// The text form, 32 hexadecimal digits, is in `gamecontrollerdb.txt` and in EmulationStation's `es_input.cfg`.
public struct ControllerGUID: Sendable, Hashable, CustomStringConvertible, LosslessStringConvertible {
    private var bytes: [UInt8]

    /// Reads the text form; `nil` for anything else.
    public init?(_ description: String) {
        let digits = Array(description.utf8)
        guard digits.count == 32 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 32, by: 2) {
            guard isHexadecimal(digits[index]), isHexadecimal(digits[index + 1]),
                let byte = UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    /// The one that SDL 2.26 gives a device under Linux, without the sum over the name, as mappings are written.
    public init(for facts: DeviceFacts) {
        let ids = facts.identity
        bytes = [UInt8](repeating: 0, count: 16)
        self[0] = ids.bus
        if ids.vendor != 0, ids.product != 0 {
            self[2] = ids.vendor
            self[4] = ids.product
            self[6] = ControllerGUID.version(of: facts)
        } else {
            // Eleven characters of the name, and a zero behind.
            for (index, byte) in ControllerGUID.name(of: facts).utf8.prefix(11).enumerated() {
                bytes[4 + index] = byte
            }
        }
    }

    /// The text form.
    public var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Whether it says more than a bus: SDL's own entries for unknown devices do not.
    var isEmpty: Bool { bytes.dropFirst(2).allSatisfy { $0 == 0 } }

    /// The sum over the name; 0 in a mapping for all names.
    var nameSum: UInt16 {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The same kind in any version; `nil` where there is no vendor, because then that place holds letters.
    var withoutVersion: ControllerGUID? {
        // Between vendor and product are zeros; a name has letters there.
        guard self[2] != 0, self[3] == 0, self[4] != 0, self[5] == 0 else { return nil }
        var result = self
        result[6] = 0
        return result
    }

    /// Linux's drivers for Sony's and Nintendo's pads set this bit of the version to say that they number the buttons
    /// by the convention and not as the pad itself does: a line of the other kind would exchange nearly all of them.
    var hasOwnDriver: Bool { withoutVersion != nil && self[6] & 0x8000 != 0 }

    private subscript(word: Int) -> UInt16 {
        get { UInt16(bytes[word * 2]) | UInt16(bytes[word * 2 + 1]) << 8 }
        set {
            bytes[word * 2] = UInt8(truncatingIfNeeded: newValue)
            bytes[word * 2 + 1] = UInt8(truncatingIfNeeded: newValue >> 8)
        }
    }

    /// SDL changes the version of pads whose firmware changes it, too.
    private static func version(of facts: DeviceFacts) -> UInt16 {
        let ids = facts.identity
        switch (ids.vendor, ids.product) {
        // The first firmware of Microsoft's Elite Series 2 sends everything twice.
        case (0x045E, 0x0B05) where ids.version == 0x0903 && facts.capabilities.keys.contains(.triggerHappy):
            return 0x0902
        // Atari's say the firmware's number.
        case (0x3250, 0x1001), (0x3250, 0x1002): return 0
        default: return ids.version
        }
    }

    /// The name as SDL cleans it, as far as it does so by rule; for many pads it has a name of its own in a list.
    static func name(of facts: DeviceFacts) -> String {
        var name = facts.name.split(separator: " ").joined(separator: " ")
        for (prefix, replacement) in replacements where name.lowercased().hasPrefix(prefix.lowercased()) {
            name = replacement + name.dropFirst(prefix.count)
            break
        }
        // A maker who is named twice is named once.
        let words = name.split(separator: " ")
        for count in stride(from: words.count / 2, to: 0, by: -1)
        where words[..<count].map({ $0.lowercased() }) == words[count..<(2 * count)].map({ $0.lowercased() }) {
            return words[count...].joined(separator: " ")
        }
        return name
    }

    private static let replacements = [
        ("ASTRO Gaming", "ASTRO"), ("Bensussen Deutsch & Associates,Inc.(BDA)", "BDA"), ("NVIDIA Corporation ", ""),
        ("Performance Designed Products", "PDP"), ("HORI CO.,LTD.", "HORI"), ("HORI CO.,LTD", "HORI"),
        ("Mad Catz Inc.", "Mad Catz"), ("QANBA USA, LLC", "Qanba"), ("QANBA USA,LLC", "Qanba"), ("Unknown ", ""),
    ]

    /// CRC-16 with the polynomial 0x8005 reflected, which SDL uses for names.
    static func sum(over name: String) -> UInt16 {
        var sum: UInt16 = 0
        for byte in name.utf8 {
            sum ^= UInt16(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
        }
        return sum
    }
}
