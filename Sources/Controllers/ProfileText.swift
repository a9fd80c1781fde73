internal import EvdevKit
internal import FoundationEssentials
import SystemKit

/// A profile as it stands in its file.
///
/// The words in it are read leniently: a function, control or family that is not known costs itself. A value of the
/// wrong type costs the profile, which is told.
private struct StoredProfile: Codable {
    struct Identity: Codable {
        var bus: String
        var vendor: String
        var product: String
        var version: String
    }

    struct Travel: Codable {
        var rest: String
        var minimum: Int32?
        var maximum: Int32?
    }

    var format: Int
    var name: String
    var identity: Identity
    var capabilities: String
    var unit: String?
    var family: String?
    var controls: [String: [String]]
    var travels: [String: Travel]?
}

extension PadProfile {
    private static let format = 1

    /// The file's content; the same for the same profile.
    var fileContents: [UInt8] {
        var controls: [String: [String]] = [:]
        for (function, list) in mapping.controls { controls[function.rawValue] = list.map(\.description) }
        var travels: [String: StoredProfile.Travel] = [:]
        for (code, travel) in mapping.travels {
            travels[String(code.rawValue)] = StoredProfile.Travel(
                rest: travel.rest.text, minimum: travel.minimum, maximum: travel.maximum)
        }
        let stored = StoredProfile(
            format: PadProfile.format, name: name,
            identity: .init(
                bus: hexadecimal(identity.bus), vendor: hexadecimal(identity.vendor),
                product: hexadecimal(identity.product), version: hexadecimal(identity.version)),
            capabilities: capabilityHash, unit: unit, family: family?.rawValue, controls: controls,
            travels: travels.isEmpty ? nil : travels)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Strings and whole numbers always have a text form.
        guard let data = try? encoder.encode(stored) else { return [] }
        return Array(data) + [0x0A]
    }

    /// Reads a file's content.
    ///
    /// - Parameter report: hears of each part that cannot be used.
    /// - Returns: `nil` where nothing of it can be used; the reason was reported.
    init?(fileContents: [UInt8], report: (String) -> Void) {
        let stored: StoredProfile
        do {
            stored = try JSONDecoder().decode(StoredProfile.self, from: Data(decodableJSON(fileContents)))
        } catch {
            report(PadProfile.reason(error))
            return nil
        }
        if stored.format > PadProfile.format {
            report("a newer version of this program wrote it; what it means by now is not known")
            return nil
        }
        let ids = [stored.identity.bus, stored.identity.vendor, stored.identity.product, stored.identity.version]
            .map { UInt16($0, radix: 16) }
        guard let bus = ids[0], let vendor = ids[1], let product = ids[2], let version = ids[3] else {
            report("its ids are no numbers of four hexadecimal digits")
            return nil
        }
        let mapping = PadProfile.mapping(of: stored, report: report)
        guard !mapping.isEmpty else {
            report("it assigns no control")
            return nil
        }
        let family = stored.family.flatMap(PadFamily.init(rawValue:))
        if let text = stored.family, family == nil { report("no family of pads is called \"\(text)\"") }
        self.init(
            name: stored.name, identity: PadIdentity(bus: bus, vendor: vendor, product: product, version: version),
            capabilityHash: stored.capabilities, unit: stored.unit, family: family, mapping: mapping)
    }

    private static func mapping(of stored: StoredProfile, report: (String) -> Void) -> PadMapping {
        var mapping = PadMapping()
        for (name, texts) in stored.controls.sorted(by: { $0.key < $1.key }) {
            guard let function = PadFunction(rawValue: name) else {
                report("no function is called \"\(name)\"")
                continue
            }
            for text in texts {
                guard let control = Control(text) else {
                    report("\"\(text)\" is no control")
                    continue
                }
                mapping.add(control, for: function)
            }
        }
        for (name, travel) in (stored.travels ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let number = UInt16(name), number <= AxisCode.last.rawValue,
                let rest = AxisTravel.Rest(text: travel.rest)
            else {
                report("what it says about axis \"\(name)\" is not understood")
                continue
            }
            let range = (travel.minimum ?? .min, travel.maximum ?? .max)
            guard range.0 < range.1 else {
                report("the range of axis \(number) is empty")
                continue
            }
            mapping.travels[AxisCode(rawValue: number)] = AxisTravel(
                rest: rest, minimum: travel.minimum, maximum: travel.maximum)
        }
        return mapping
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
        case DecodingError.typeMismatch(_, let context) where !context.codingPath.isEmpty,
            DecodingError.valueNotFound(_, let context) where !context.codingPath.isEmpty:
            "\"\(context.codingPath.map(\.stringValue).joined(separator: "."))\" is of the wrong type"
        default: "it is no JSON document, or a damaged one"
        }
    }
}

extension AxisTravel.Rest {
    fileprivate var text: String {
        switch self {
        case .middle: "middle"
        case .minimum: "minimum"
        case .maximum: "maximum"
        case .initial: "initial"
        case .value(let value): String(value)
        }
    }

    fileprivate init?(text: String) {
        switch text {
        case "middle": self = .middle
        case "minimum": self = .minimum
        case "maximum": self = .maximum
        case "initial": self = .initial
        default:
            guard let value = Int32(text) else { return nil }
            self = .value(value)
        }
    }
}
