import SystemKit

/// A country that a radio can follow the rules of.
public struct WiFiCountry: Sendable, Equatable {
    /// Two letters of ISO 3166-1.
    public let code: String
    /// Its name in English; the code where the machine has no list of names.
    public let name: String

    /// All that this machine's kernel has rules for, by name.
    public static func all(_ machine: Machine) -> [WiFiCountry] {
        let names = names(machine)
        let codes = withRules(machine) ?? known
        return codes.map { WiFiCountry(code: $0, name: names[$0] ?? $0) }
            .sorted { ($0.name, $0.code) < ($1.name, $1.code) }
    }

    /// The codes in the kernel's database of rules; `nil` where it is not there or no such database.
    private static func withRules(_ machine: Machine) -> [String]? {
        let places = ["lib/firmware/regulatory.db", "usr/lib/firmware/regulatory.db"]
        guard let bytes = places.lazy.compactMap({ try? readFile(machine.path($0), limit: 1 << 20) }).first,
            bytes.starts(with: "RGDB".utf8)
        else { return nil }
        var codes: [String] = []
        // Behind eight bytes of heading: two letters, and where the rules are; the last one has none.
        for start in stride(from: 8, to: bytes.count - 3, by: 4) {
            if bytes[start + 2] == 0, bytes[start + 3] == 0 { break }
            let letters = bytes[start..<start + 2]
            // `00` is the world's own set.
            guard letters.allSatisfy({ $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }) else { continue }
            codes.append(String(decoding: letters, as: UTF8.self))
        }
        return codes.isEmpty ? nil : codes
    }

    private static func names(_ machine: Machine) -> [String: String] {
        var names: [String: String] = [:]
        let list = (try? readFile(machine.path("usr/share/zoneinfo/iso3166.tab"), limit: 1 << 20)) ?? []
        for line in String(decoding: list, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "\t", maxSplits: 1)
            if parts.count == 2 { names[String(parts[0])] = String(parts[1]) }
        }
        return names
    }

    /// Those of ISO 3166-1, for machines without a database.
    private static let known: [String] = """
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
        CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO \
        FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE \
        JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO \
        MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW \
        PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM \
        TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
        """.split(separator: " ").map(String.init)
}
