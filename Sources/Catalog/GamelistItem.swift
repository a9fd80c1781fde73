/// A part of a gamelist, in the order of the file.
enum GamelistItem: Equatable {
    /// `<gameList>` begins, with its attributes and the blanks before them, as XML.
    case list(String)
    /// `<gameList>` ends.
    case end
    /// `<!DOCTYPE …>` without declarations of its own.
    case doctype(String)
    /// An element, a comment or an instruction that is no record, as XML.
    case outside(String)
    /// A `<game>` or a `<folder>`.
    case record(GamelistRecord)
    /// Something that could not be read: the number of the record it began with, from 1; 0 for the file as a whole.
    case problem(record: Int, reason: String)
}

/// A record of a gamelist, mended where its XML was not.
struct GamelistRecord: Equatable {
    /// Which one it is in its file, from 1.
    var number = 0
    var isFolder = false
    /// The attributes of the element with the blank before them, as XML.
    var attributes = ""
    var elements: [GamelistElement] = []
    /// The path as the file has it, also where it is no UTF-8.
    var path: [UInt8] = []
    /// What had to be mended, as sentences' beginnings.
    var flaws: [String] = []

    /// The text of the first element of this name that has any.
    func text(_ name: String) -> String? {
        elements.first { $0.name == name && !$0.text.isEmpty }?.text
    }
}

/// An element of a record.
struct GamelistElement: Equatable {
    /// Empty for a comment.
    var name: String
    /// The whole element, as XML.
    var xml: String
    /// What stands in it, without blanks around it.
    var text: String
}

/// What a whole gamelist says.
struct GamelistContents: Equatable {
    var items: [GamelistItem] = []
    /// Whether it is a list from its beginning to its end, without anything that had to be left out or mended.
    var isSound = false

    var records: [GamelistRecord] {
        items.compactMap { if case .record(let record) = $0 { record } else { nil } }
    }
    var problems: [(record: Int, reason: String)] {
        items.compactMap { if case .problem(let record, let reason) = $0 { (record, reason) } else { nil } }
    }
}
