import SystemKit

/// Where the machine thinks that it is.
public struct PlaceFacts: Sendable, Equatable {
    /// E.g. `de_DE.UTF-8`; `nil` where nothing is set.
    public let locale: String?
    /// E.g. `Europe/Berlin`; `nil` where the clock is set by a file without a name.
    public let timeZone: String?
    /// E.g. `de`; `nil` where nothing is set.
    public let keyboardLayout: String?
    /// E.g. `nodeadkeys`.
    public let keyboardVariant: String?

    /// Reads everything now, without root.
    public static func read(_ machine: Machine) -> PlaceFacts {
        let keyboard = AssignmentFile(machine, "etc/default/keyboard")
        let locale = AssignmentFile.localeFiles(machine).lazy.compactMap { $0["LANG"] }.first
        return PlaceFacts(
            locale: locale, timeZone: timeZone(machine), keyboardLayout: keyboard["XKBLAYOUT"],
            keyboardVariant: keyboard["XKBVARIANT"])
    }

    private static func timeZone(_ machine: Machine) -> String? {
        if let target = (try? linkTarget(machine.path("etc/localtime")))?.validUTF8,
            let range = target.firstRange(of: "zoneinfo/")
        {
            return String(target[range.upperBound...])
        }
        return machine.files.text("etc/timezone")
    }
}

/// What languages, time zones and keyboards there are to choose from.
public struct PlaceChoices: Sendable, Equatable {
    /// One thing to choose.
    public struct Choice: Sendable, Equatable {
        /// What is set, e.g. `de_DE.UTF-8`.
        public let name: String
        /// What people read, e.g. `German (Germany)`.
        public let title: String

        /// A choice.
        public init(_ name: String, title: String) {
            self.name = name
            self.title = title
        }
    }

    /// Languages with their countries, in UTF-8 only: what other encodings write, no other program reads.
    public static func locales(_ machine: Machine) -> [Choice] {
        var found: [Choice] = [Choice("C.UTF-8", title: "English, plain")]
        for line in machine.files.lines("usr/share/i18n/SUPPORTED") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 2, words[1] == "UTF-8", isLocaleName(words[0]) else { continue }
            if found.contains(where: { $0.name == words[0] }) { continue }
            found.append(Choice(words[0], title: title(machine, words[0])))
        }
        return found
    }

    static func isLocaleName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count < 40
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "@"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// The locale's source says in English what it is.
    private static func title(_ machine: Machine, _ name: String) -> String {
        let file = name.split(separator: ".").first.map(String.init) ?? name
        let suffix = name.split(separator: "@").dropFirst().first.map { "@" + $0 } ?? ""
        var language: String?
        var territory: String?
        let source = file.hasSuffix(suffix) ? file : file + suffix
        guard let bytes = try? readRegularFile(machine.path("usr/share/i18n/locales/" + source), limit: 4 << 20) else {
            return name
        }
        for line in bytes.split(separator: 0x0A).prefix(80) {
            let text = String(decoding: line, as: UTF8.self)
            let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
            guard parts.count == 3, !parts[1].isEmpty, !parts[1].contains("<U") else { continue }
            if text.hasPrefix("language ") { language = String(parts[1]) }
            if text.hasPrefix("territory ") { territory = String(parts[1]) }
        }
        guard let language else { return name }
        let note = suffix.isEmpty ? "" : ", " + suffix.dropFirst()
        return territory.map { "\(language) (\($0)\(note))" } ?? language
    }

    /// Time zones by their places, e.g. `Europe/Berlin`, and `UTC`.
    public static func timeZones(_ machine: Machine) -> [String] {
        var names: Set<String> = ["UTC"]
        for table in ["tzdata.zi", "zone.tab", "zone1970.tab"] {
            for line in machine.files.lines("usr/share/zoneinfo/" + table) {
                if table == "tzdata.zi" {
                    // Zones and links: those that are no place are for old programs only.
                    let words = line.split(separator: " ")
                    let name = words.first == "Z" ? words.dropFirst().first : words.first == "L" ? words.last : nil
                    if let name, isPlace(name) { names.insert(String(name)) }
                } else if !line.hasPrefix("#") {
                    let columns = line.split(separator: "\t")
                    if columns.count > 2, isPlace(columns[2]) { names.insert(String(columns[2])) }
                }
            }
        }
        return names.filter { isTimeZone(machine, $0) }.sorted()
    }

    private static func isPlace(_ name: Substring) -> Bool {
        let regions = [
            "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific",
        ]
        return regions.contains { name.hasPrefix($0 + "/") }
    }

    /// Whether the system has rules for a zone of that name.
    static func isTimeZone(_ machine: Machine, _ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        // These count leap seconds, or are copies and parts for old programs: with the first, all times are wrong.
        let isForPrograms = ["right", "posix", "posixrules", "localtime", "leapseconds"].contains(String(parts[0]))
        let isName =
            !isForPrograms && name.utf8.count < 64
            && parts.allSatisfy { part in
                !part.isEmpty && part != "." && part != ".."
                    && part.utf8.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
                            UInt8(ascii: "-"):
                            true
                        default: false
                        }
                    }
            }
        guard isName, let bytes = try? readRegularFile(machine.path("usr/share/zoneinfo/" + name), limit: 1 << 20)
        else {
            return false
        }
        return bytes.starts(with: "TZif".utf8)
    }

    /// A keyboard's layout with its variants.
    public struct Keyboard: Sendable, Equatable {
        /// E.g. `de`.
        public let layout: String
        /// E.g. `German`.
        public let title: String
        /// Kinds of it, e.g. `nodeadkeys`.
        public let variants: [Choice]
    }

    /// Keyboards that the system knows; empty where `xkb-data` is not installed.
    public static func keyboards(_ machine: Machine) -> [Keyboard] {
        var layouts: [Choice] = []
        var variants: [String: [Choice]] = [:]
        var section = ""
        for line in machine.files.lines("usr/share/X11/xkb/rules/evdev.lst") {
            if line.hasPrefix("!") {
                section = trimmingSpaces(line.dropFirst())
                continue
            }
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { continue }
            let name = String(words[0])
            let rest = trimmingSpaces(words[1])
            if section == "layout", name != "custom" {
                layouts.append(Choice(name, title: rest))
            } else if section == "variant", let colon = rest.firstIndex(of: ":") {
                let choice = Choice(name, title: trimmingSpaces(rest[rest.index(after: colon)...]))
                variants[String(rest[..<colon]), default: []].append(choice)
            }
        }
        return layouts.map { Keyboard(layout: $0.name, title: $0.title, variants: variants[$0.name] ?? []) }
    }
}

/// A file of lines `NAME=VALUE` as shells read them. Lines that are not changed stay as they are.
struct AssignmentFile {
    let path: BytePath
    private var lines: [String]

    init(_ machine: Machine, _ relative: String) {
        path = machine.path(relative)
        lines = machine.files.lines(relative)
    }

    /// Where the language is kept: newer systems have `locale.conf`, and a link to it at the old place.
    static func localeFiles(_ machine: Machine) -> [AssignmentFile] {
        let old = machine.path("etc/default/locale")
        let isLink = (try? fileStatus(old, followLinks: false))?.kind == .symbolicLink
        let hasNew = fileExists(machine.path("etc/locale.conf"))
        return (hasNew || isLink ? [AssignmentFile(machine, "etc/locale.conf")] : [])
            + (isLink ? [] : [AssignmentFile(machine, "etc/default/locale")])
    }

    subscript(name: String) -> String? {
        guard let line = lines.last(where: { $0.hasPrefix(name + "=") }) else { return nil }
        let value = trimmingSpaces(line.dropFirst(name.utf8.count + 1)).filter { $0 != "\"" && $0 != "'" }
        return value.isEmpty ? nil : value
    }

    /// Sets names, and takes those out that are `nil`.
    mutating func set(_ values: KeyValuePairs<String, String?>) {
        for (name, value) in values {
            let place = lines.firstIndex { $0.hasPrefix(name + "=") } ?? lines.endIndex
            lines.removeAll { $0.hasPrefix(name + "=") }
            if let value { lines.insert("\(name)=\(value)", at: min(place, lines.endIndex)) }
        }
    }

    func write() throws(SystemError) {
        try createDirectories(path.parent)
        try replaceFile(at: path, with: Array(lines.map { $0 + "\n" }.joined().utf8))
    }
}
