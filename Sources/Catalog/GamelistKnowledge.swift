import SystemKit
import Systems

/// What is known here of one path, as a gamelist says it.
struct GamelistKnowledge {
    let path: [UInt8]
    let isFolder: Bool
    /// By key; what is absent is not known, or a default.
    private(set) var values: [GamelistKey: String] = [:]
    private(set) var attributes = ""
    private(set) var extra = ""
    /// What to remember as written, where that is not remembered yet.
    private(set) var written: Written?

    /// - Parameter isFolder: whether the file's record is one; `nil` to ask the database.
    init(_ path: [UInt8], _ desk: GamelistDesk, isFolder: Bool?) throws(CatalogError) {
        self.path = path
        let system = desk.system.name
        let record = try desk.metadata.record(system: system, path: path)
        self.isFolder = isFolder ?? record?.isFolder ?? false
        attributes = record?.attributes ?? ""
        extra = record?.extra ?? ""
        for key in GamelistKey.allCases where !key.isPersonal { values[key] = record?[key] }
        guard !self.isFolder else {
            for key in GamelistKey.allCases where key.isPersonal { values[key] = record?[key] }
            return
        }
        for (key, value) in try desk.user.edits(system: system, path: path) {
            values[key] = key == .releasedate ? GamelistValues.releaseDate(value) ?? value : value
        }
        let facts = try desk.user.facts(system: system, path: path)
        if let title = facts?.title { values[.name] = title }
        if facts?.isFavourite ?? false { values[.favorite] = "true" }
        if facts?.isHidden ?? false { values[.hidden] = "true" }
        if let facts, facts.plays > 0 {
            values[.playcount] = String(facts.plays)
            values[.lastplayed] = facts.lastPlayed.flatMap { GamelistValues.text(ofMoment: $0) }
        }
        if let facts, facts.seconds >= 1, facts.seconds < 1e9 { values[.gametime] = String(Int(facts.seconds)) }
        remember(record)
    }

    var isEmpty: Bool { values.isEmpty && extra.isEmpty && attributes.isEmpty }

    private mutating func remember(_ record: MetadataDatabase.Record?) {
        let personal = GamelistKey.allCases.filter(\.isPersonal)
        // A default that a list spelled out is no news.
        if personal.allSatisfy({ agrees($0, record?[$0] ?? "") }) { return }
        written = Written(path: path, values: personal.map { values[$0] })
    }

    /// What a file says that the person did, by the personal keys in their order.
    struct Written {
        let path: [UInt8]
        let values: [String?]

        func record(_ stored: MetadataDatabase.Record?, system: String) -> MetadataDatabase.Record {
            var record = stored ?? MetadataDatabase.Record(system: system, path: path)
            for (key, value) in zip(GamelistKey.allCases.filter(\.isPersonal), values) { record[key] = value }
            return record
        }
    }

    /// Whether a text of the file means what is known here.
    func agrees(_ key: GamelistKey, _ text: String) -> Bool {
        let own = values[key]
        switch key {
        case .favorite, .hidden: return GamelistValues.flag(text) == GamelistValues.flag(own)
        case .playcount, .gametime: return GamelistValues.count(text) == GamelistValues.count(own)
        case .lastplayed:
            guard let moment = GamelistValues.moment(own) else { return GamelistValues.moment(text) == nil }
            return GamelistValues.moment(text).map { abs($0 - moment) < 1 } ?? false
        default: return own == nil || own == text
        }
    }
}

/// Makes the XML of records.
enum GamelistWriter {
    /// A record with its elements on lines of their own.
    static func text(_ lines: [String], _ record: GamelistRecord) -> String {
        let name = record.isFolder ? "folder" : "game"
        var text = "\t<\(name)\(record.attributes)>\n"
        for line in lines { text += "\t\t" + line + "\n" }
        return text + "\t</\(name)>\n"
    }

    /// The elements of a record that no file has yet.
    static func lines(_ known: GamelistKnowledge) -> [String] {
        var lines = [path(known)]
        for key in GamelistKey.allCases {
            if let value = known.values[key] { lines.append(element(key.element, value)) }
        }
        return lines + GamelistRecordParser().elements(of: known.extra).map(\.xml)
    }

    /// The elements of a file's record with what is known here over them: each in its place, what is new at the end.
    static func merged(_ record: GamelistRecord, _ known: GamelistKnowledge, isSamePath: Bool) -> [String] {
        var lines: [String] = []
        var names: Set<String> = []
        for element in record.elements {
            let isFirst = names.insert(element.name).inserted
            if element.name == "path", isFirst, !isSamePath {
                lines.append(path(known))
            } else if let key = GamelistKey(element: element.name), isFirst, !known.agrees(key, element.text) {
                // A default is not written.
                if let value = known.values[key] { lines.append(self.element(element.name, value, like: element.xml)) }
            } else {
                lines.append(element.xml)
            }
        }
        for key in GamelistKey.allCases where !names.contains(key.element) {
            if let value = known.values[key], !known.agrees(key, "") { lines.append(element(key.element, value)) }
        }
        for element in GamelistRecordParser().elements(of: known.extra) where !names.contains(element.name) {
            lines.append(element.xml)
        }
        return lines
    }

    private static func path(_ known: GamelistKnowledge) -> String {
        element("path", GamelistPaths.written(known.path))
    }

    /// - Parameter xml: an element whose attributes are kept.
    private static func element(_ name: String, _ value: String, like xml: String? = nil) -> String {
        var attributes = ""
        if let xml, let end = xml.firstIndex(of: ">") {
            let start = xml[..<end].dropFirst(name.count + 1)
            attributes = String(start.last == "/" ? start.dropLast() : start)
            // A bracket in an attribute's value would cut it.
            if attributes.filter({ $0 == "\"" }).count % 2 != 0 || attributes.filter({ $0 == "'" }).count % 2 != 0 {
                attributes = ""
            }
        }
        return "<\(name)\(attributes)>" + String(decoding: MarkupWriter.escaped(value.utf8), as: UTF8.self)
            + "</\(name)>"
    }
}
