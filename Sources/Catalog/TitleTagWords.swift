import SystemKit

/// The words that brackets of file names are made of, by convention.
enum TitleTagWords {
    /// In full English words; a region's number is its place here. Not more than 64: sets of them are bits.
    static let regions: [String] = [
        "Japan", "USA", "Europe", "World", "Asia", "Australia", "Austria", "Belgium", "Brazil", "Canada", "China",
        "Croatia", "Czechia", "Denmark", "Finland", "France", "Germany", "Greece", "Hong Kong", "Hungary", "India",
        "Ireland", "Israel", "Italy", "Korea", "Latin America", "Mexico", "Netherlands", "New Zealand", "Norway",
        "Poland", "Portugal", "Russia", "Scandinavia", "Singapore", "Slovakia", "South Africa", "Spain", "Sweden",
        "Switzerland", "Taiwan", "Turkey", "Ukraine", "United Arab Emirates", "United Kingdom", "Argentina", "Bulgaria",
        "Chile", "Colombia", "Estonia", "Iceland", "Indonesia", "Iran", "Lithuania", "Latvia", "Luxembourg", "Malaysia",
        "Peru", "Philippines", "Romania", "Serbia", "Slovenia", "Thailand", "Vietnam",
    ]

    // Other spellings, in lower case.
    private static let regionNames: [(String, String)] = [
        ("united states", "USA"), ("u.s.a.", "USA"), ("america", "USA"), ("north america", "USA"),
        ("uk", "United Kingdom"),
        ("great britain", "United Kingdom"), ("england", "United Kingdom"), ("holland", "Netherlands"),
        ("the netherlands", "Netherlands"), ("czech republic", "Czechia"), ("south korea", "Korea"),
        ("uae", "United Arab Emirates"),
        ("swiss", "Switzerland"), ("international", "World"), ("pal", "Europe"),
    ]

    // GoodTools' letters, and TOSEC's codes of ISO 3166; told by their case from languages.
    private static let regionCodes: [(String, [String])] = [
        ("U", ["USA"]), ("E", ["Europe"]), ("J", ["Japan"]), ("W", ["World"]), ("A", ["Australia"]), ("B", ["Brazil"]),
        ("C", ["China"]), ("K", ["Korea"]), ("F", ["France"]), ("G", ["Germany"]), ("S", ["Spain"]), ("I", ["Italy"]),
        ("D", ["Netherlands"]), ("H", ["Netherlands"]), ("R", ["Russia"]),
        ("UE", ["USA", "Europe"]), ("EU", ["Europe"]), ("JU", ["Japan", "USA"]), ("UJ", ["Japan", "USA"]),
        ("JE", ["Japan", "Europe"]), ("EJ", ["Japan", "Europe"]), ("JUE", ["Japan", "USA", "Europe"]),
        ("UJE", ["Japan", "USA", "Europe"]), ("JEU", ["Japan", "USA", "Europe"]), ("BK", ["Brazil", "Korea"]),
        ("JB", ["Japan", "Brazil"]), ("UB", ["USA", "Brazil"]),
        ("NL", ["Netherlands"]), ("Sw", ["Sweden"]), ("Ch", ["China"]), ("Gr", ["Greece"]), ("Fn", ["Finland"]),
        ("HK", ["Hong Kong"]), ("UK", ["United Kingdom"]), ("FC", ["Canada"]),
        ("US", ["USA"]), ("JP", ["Japan"]), ("GB", ["United Kingdom"]), ("DE", ["Germany"]), ("FR", ["France"]),
        ("ES", ["Spain"]), ("IT", ["Italy"]), ("SE", ["Sweden"]), ("NO", ["Norway"]), ("DK", ["Denmark"]),
        ("FI", ["Finland"]), ("AU", ["Australia"]), ("BR", ["Brazil"]), ("CA", ["Canada"]), ("CN", ["China"]),
        ("KR", ["Korea"]), ("TW", ["Taiwan"]), ("RU", ["Russia"]), ("PL", ["Poland"]), ("PT", ["Portugal"]),
        ("GR", ["Greece"]), ("HU", ["Hungary"]), ("CZ", ["Czechia"]), ("AT", ["Austria"]), ("BE", ["Belgium"]),
        ("CH", ["Switzerland"]), ("AR", ["Argentina"]), ("MX", ["Mexico"]), ("IE", ["Ireland"]), ("IL", ["Israel"]),
        ("IN", ["India"]), ("NZ", ["New Zealand"]), ("ZA", ["South Africa"]), ("TR", ["Turkey"]), ("SG", ["Singapore"]),
        ("UA", ["Ukraine"]), ("SK", ["Slovakia"]), ("HR", ["Croatia"]), ("BG", ["Bulgaria"]), ("AS", ["Asia"]),
        ("AE", ["United Arab Emirates"]), ("CL", ["Chile"]), ("EE", ["Estonia"]), ("IS", ["Iceland"]),
        ("LT", ["Lithuania"]), ("LV", ["Latvia"]), ("LU", ["Luxembourg"]), ("MY", ["Malaysia"]), ("PE", ["Peru"]),
        ("PH", ["Philippines"]), ("RO", ["Romania"]), ("YU", ["Serbia"]), ("RS", ["Serbia"]), ("SI", ["Slovenia"]),
        ("TH", ["Thailand"]), ("VN", ["Vietnam"]), ("ID", ["Indonesia"]), ("IR", ["Iran"]), ("CO", ["Colombia"]),
    ]

    private static let languageCodes = [
        "en", "ja", "fr", "de", "es", "it", "nl", "pt", "sv", "no", "da", "fi", "zh", "ko", "pl", "ru", "cs", "hu",
        "el",
        "tr", "ar", "he", "ca", "hr", "sk", "sl", "sr", "bg", "ro", "uk", "et", "lv", "lt", "is", "th", "vi", "id",
        "gd",
        "ga", "eu", "gl", "la", "af", "fa", "hi",
    ]

    // The three letters behind GoodTools' "T+", where they are not the start of the code.
    private static let translations = [
        "eng": "en", "jap": "ja", "jpn": "ja", "fre": "fr", "fra": "fr", "ger": "de", "deu": "de", "spa": "es",
        "ita": "it",
        "dut": "nl", "por": "pt", "bra": "pt", "swe": "sv", "nor": "no", "dan": "da", "fin": "fi", "chi": "zh",
        "kor": "ko",
        "pol": "pl", "rus": "ru", "cze": "cs", "hun": "hu", "gre": "el", "tur": "tr", "ara": "ar", "heb": "he",
        "cat": "ca",
    ]

    /// First words of what was never sold as the game: the rest of the label does not matter.
    static let irregular: Set<String> = [
        "beta", "proto", "prototype", "demo", "sample", "alpha", "preview", "kiosk", "pirate", "bootleg", "hack",
        "promo",
        "trainer", "debug", "wip", "taikenban", "trial", "preproduction", "pre-release", "prerelease", "bad",
    ]

    // MARK: - Looking up

    private static let numbers = Dictionary(
        regions.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })

    private static func bits(_ names: [String]) -> UInt64 {
        names.reduce(0) { bits, name in bits | (numbers[name].map { 1 << UInt64($0) } ?? 0) }
    }

    private static let byName: [UInt64: UInt64] = {
        var table: [UInt64: UInt64] = [:]
        for name in regions { table[hash(name.utf8.map(asciiLowercased))] = bits([name]) }
        for (spelling, name) in regionNames { table[hash(Array(spelling.utf8))] = bits([name]) }
        return table
    }()

    private static let byCode = Dictionary(
        regionCodes.map { (hash(Array($0.0.utf8)), bits($0.1)) }, uniquingKeysWith: { first, _ in first })

    private static let byLanguage: [UInt64: String] = {
        var table: [UInt64: String] = [:]
        for code in languageCodes {
            table[hash(Array(code.utf8))] = code
            table[hash(Array((code.prefix(1).uppercased() + code.dropFirst()).utf8))] = code
        }
        return table
    }()

    /// FNV-1a.
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    /// The regions of a word, as bits.
    static func regions(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64? {
        if word.count <= 3, let found = byCode[hash(word)] { return found }
        if word.count < 2 || word.count > 24 { return nil }
        return byName[hash(word.lazy.map { $0 == 0x5F ? 0x20 : asciiLowercased($0) })]
    }

    /// The language of a word such as `En`, `en` or `En-US`.
    static func language(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        if word.count == 2 { return byLanguage[hash(word)] }
        // "En-US" and "Zh-Hans" are one language each; "fr-de" is two.
        guard word.count > 3, word.count <= 8, word[word.startIndex + 2] == 0x2D,
            (0x41...0x5A).contains(word[word.startIndex + 3])
        else { return nil }
        return byLanguage[hash(word.prefix(2))]
    }

    /// The language of a translation's three letters.
    static func translated(_ letters: String) -> String? { translations[letters] }

    /// The bit of a region's name as `NameTags.regions` and the settings have it, without regard to case.
    static func bits(named name: String) -> UInt64? {
        let bytes = name.utf8.map(asciiLowercased)
        if let found = byName[hash(bytes)] { return found }
        return byCode[hash(Array(name.utf8))]
    }

    static func names(_ bits: UInt64) -> [String] {
        regions.indices.filter { bits & (1 << UInt64($0)) != 0 }.map { regions[$0] }
    }
}
