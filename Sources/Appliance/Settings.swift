/// One thing a person can set: its name, what it does, and which values it takes.
public struct SettingDefinition: Sendable, Equatable {
    /// The name under which the catalog keeps it, e.g. `menu.motion`.
    public let key: String
    /// Every value it can have, as it is stored; of a list every word that may stand in it.
    public let allowed: [String]
    /// Whether its value is a list of words with commas between, the first the most important.
    public let isList: Bool
    /// The value that counts while a person has chosen none.
    public let defaultValue: String
    /// A sentence without a full stop.
    public let summary: String

    /// A setting with all its parts.
    public init(key: String, allowed: [String], isList: Bool = false, defaultValue: String, summary: String) {
        self.key = key
        self.allowed = allowed
        self.isList = isList
        self.defaultValue = defaultValue
        self.summary = summary
    }

    /// The stored form of a value that a person typed: upper case does not matter, and switches know the usual words.
    ///
    /// - Returns: `nil` for a value that this setting does not take.
    public func canonical(_ text: String) -> String? {
        if isList { return canonicalList(text) }
        let lower = text.lowercased()
        if allowed.contains(lower) { return lower }
        guard allowed == Settings.switchValues else { return nil }
        switch lower {
        case "yes", "true", "1": return "on"
        case "no", "false", "0": return "off"
        default: return nil
        }
    }

    private func canonicalList(_ text: String) -> String? {
        var words: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let typed = part.split(separator: " ").joined(separator: " ").lowercased()
            guard let word = allowed.first(where: { $0.lowercased() == typed }), !words.contains(word) else {
                return nil
            }
            words.append(word)
        }
        return words.joined(separator: ",")
    }

    /// The value that counts: the stored one where it is valid, else the default.
    ///
    /// A value that a newer version stored, or that was damaged, must not stop the menu.
    public func effective(_ stored: String?) -> String {
        guard let stored, let value = canonical(stored) else { return defaultValue }
        return value
    }
}

/// The settings that exist. Both faces, the menu and the command line, take them from here.
public enum Settings {
    static let switchValues = ["on", "off"]

    /// Whether things move when the screen changes.
    public static let motion = SettingDefinition(
        key: "menu.motion", allowed: switchValues, defaultValue: "on",
        summary: "Whether the menu moves smoothly from one screen to the next")

    /// Which of the two lower right face buttons accepts.
    public static let swapAcceptBack = SettingDefinition(
        key: "menu.swapAcceptBack", allowed: switchValues, defaultValue: "off",
        summary: "Accept with the right face button and go back with the lower one")

    /// How the clock in the corner shows the hours.
    public static let clock = SettingDefinition(
        key: "menu.clock", allowed: ["24", "12"], defaultValue: "24",
        summary: "Show the time of day with 24 or with 12 hours")

    /// Whether folders of games are shown as folders.
    public static let folders = SettingDefinition(
        key: "folders", allowed: switchValues, defaultValue: "off",
        summary: "Show folders of games as folders, not one list of all that is in them")

    /// Whether one row stands for all versions of a game.
    public static let collapsesVersions = SettingDefinition(
        key: "versions.collapse", allowed: switchValues, defaultValue: "on",
        summary: "Show one version of a game, with the others behind a button")

    /// Which version of a game is shown.
    public static let regions = SettingDefinition(
        key: "versions.regions",
        allowed: [
            "USA", "World", "Europe", "Japan", "Argentina", "Asia", "Australia", "Austria", "Belgium", "Brazil",
            "Bulgaria",
            "Canada", "Chile", "China", "Colombia", "Croatia", "Czechia", "Denmark", "Estonia", "Finland", "France",
            "Germany", "Greece", "Hong Kong", "Hungary", "Iceland", "India", "Indonesia", "Iran", "Ireland", "Israel",
            "Italy", "Korea", "Latin America", "Latvia", "Lithuania", "Luxembourg", "Malaysia", "Mexico", "Netherlands",
            "New Zealand", "Norway", "Peru", "Philippines", "Poland", "Portugal", "Romania", "Russia", "Scandinavia",
            "Serbia", "Singapore", "Slovakia", "Slovenia", "South Africa", "Spain", "Sweden", "Switzerland", "Taiwan",
            "Thailand", "Turkey", "Ukraine", "United Arab Emirates", "United Kingdom", "Vietnam",
        ],
        isList: true, defaultValue: "USA,World,Europe,Japan",
        summary: "Regions in the order in which a version of a game is chosen")

    /// When the screen goes dark because nobody touches anything.
    public static let screenOff = SettingDefinition(
        key: "power.screenOff", allowed: ["off", "5", "10", "15", "30", "60"], defaultValue: "off",
        summary: "Minutes without a button until the screen goes dark")

    /// When the machine is switched off because nobody touches anything.
    public static let powerOff = SettingDefinition(
        key: "power.powerOff", allowed: ["off", "15", "30", "60", "120", "240"], defaultValue: "off",
        summary: "Minutes without a button until the machine switches off")

    /// All of them, by name.
    public static let all = [folders, clock, motion, swapAcceptBack, collapsesVersions, regions, screenOff, powerOff]

    /// The setting of that name.
    public static func definition(of key: String) -> SettingDefinition? { all.first { $0.key == key } }
}
