public import Systems

/// Finds the system that a DAT file is about by what it calls itself.
public struct DatSystems: Sendable {
    /// What was found.
    public enum Guess: Sendable, Equatable {
        /// This system and no other.
        case system(String)
        /// Several might be meant.
        case several([String])
        /// None.
        case none
    }

    private let byKey: [[UInt8]: Set<String>]

    /// Knows the systems of a registry by all their names.
    public init(_ registry: SystemRegistry) {
        var byKey: [[UInt8]: Set<String>] = [:]
        for system in registry.systems {
            // Nintendo's consoles had other names in other countries.
            let others = DatSystems.otherNames[system.name] ?? []
            for name in [system.name, system.fullName, "\(system.maker) \(system.fullName)"] + system.aliases + others {
                byKey[DatSystems.key(name), default: []].insert(system.name)
            }
        }
        self.byKey = byKey
    }

    /// The system of a header.
    public func guess(_ header: DatHeader) -> Guess {
        for name in [header.name, header.description].compactMap({ $0 }) {
            let found = systems(named: name)
            if found.count == 1, let system = found.first { return .system(system) }
            if found.count > 1 { return .several(found.sorted()) }
        }
        return .none
    }

    /// `Sega - Mega Drive - Genesis (20240101)`: the whole, without its maker, then each name in it.
    private func systems(named name: String) -> Set<String> {
        let parts = DatSystems.plain(name).split(separator: "-", omittingEmptySubsequences: true)
            .filter { !DatSystems.words.contains(DatSystems.key($0)) }
        guard !parts.isEmpty else { return [] }
        // What stands in the name with a stroke of its own, `SG-1000`, comes together again in the key.
        for start in parts.indices {
            if let found = byKey[DatSystems.key(parts[start...].joined())] { return found }
        }
        var found: Set<String> = []
        for start in parts.indices.dropFirst() {
            for end in start..<parts.count {
                for piece in parts[start...end].joined(separator: "-").split(separator: "&") {
                    found.formUnion(byKey[DatSystems.key(piece)] ?? [])
                }
            }
        }
        return found
    }

    /// Without what stands in parentheses.
    private static func plain(_ name: String) -> String {
        var depth = 0
        var result = ""
        for character in name {
            switch character {
            case "(", "[": depth += 1
            case ")", "]": depth = max(0, depth - 1)
            default: if depth == 0 { result.append(character) }
            }
        }
        return result
    }

    /// Letters and digits only, folded.
    private static func key(_ name: some StringProtocol) -> [UInt8] {
        name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
            .reduce(into: []) { $0 += Array(String($1).utf8) }
    }

    private static let words = Set(["datfile", "arcadegames", "bios images", "games"].map { key($0) })

    private static let otherNames = [
        "snes": ["Super Nintendo Entertainment System", "Super Famicom"],
        "nes": ["Family Computer"], "fds": ["Family Computer Disk System"],
        "megadrive": ["Mega Drive - Genesis"], "mastersystem": ["Master System - Mark III"],
        "pcengine": ["PC Engine - TurboGrafx-16", "PC Engine"],
        "pcenginecd": ["PC Engine CD & TurboGrafx CD", "TurboGrafx CD"],
        "supergrafx": ["PC Engine SuperGrafx"], "segacd": ["Mega CD & Sega CD"], "sega32x": ["32X"],
        "sg-1000": ["SG-1000 - SC-3000"], "neogeo": ["Neo Geo MVS"], "ngp": ["NeoGeo Pocket"],
        "ngpc": ["NeoGeo Pocket Color"], "gc": ["Nintendo GameCube"], "atarilynx": ["Lynx"],
        "atarijaguar": ["Jaguar"], "atari800": ["8-bit Family", "Atari 8bit Family"],
        "fbneo": ["FBNeo", "FinalBurn Neo"],
        "intellivision": ["Mattel Intellivision"], "wonderswan": ["Bandai WonderSwan"],
    ]
}
