/// One thing a person can set: its name, what it does, and which values it takes.
public struct SettingDefinition: Sendable, Equatable {
    /// The name under which the catalog keeps it, e.g. `menu.motion`.
    public let key: String
    /// Every value it can have, as it is stored.
    public let allowed: [String]
    /// The value that counts while a person has chosen none.
    public let defaultValue: String
    /// A sentence without a full stop.
    public let summary: String

    /// A setting with all its parts.
    public init(key: String, allowed: [String], defaultValue: String, summary: String) {
        self.key = key
        self.allowed = allowed
        self.defaultValue = defaultValue
        self.summary = summary
    }

    /// The stored form of a value that a person typed: upper case does not matter, and switches know the usual words.
    ///
    /// - Returns: `nil` for a value that this setting does not take.
    public func canonical(_ text: String) -> String? {
        let lower = text.lowercased()
        if allowed.contains(lower) { return lower }
        guard allowed == Settings.switchValues else { return nil }
        switch lower {
        case "yes", "true", "1": return "on"
        case "no", "false", "0": return "off"
        default: return nil
        }
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

    /// All of them, by name.
    public static let all = [clock, motion, swapAcceptBack]

    /// The setting of that name.
    public static func definition(of key: String) -> SettingDefinition? { all.first { $0.key == key } }
}
