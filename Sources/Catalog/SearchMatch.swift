import SQLiteKit
import SystemKit

/// Which games have words as typed, or words that come close; whatever list they are in.
enum SearchMatch {
    // "Mega Man" is "Megaman" to many; shorter parts would be found everywhere.
    private static let shortestPart = 3
    private static let mostWords = 6

    /// The games that have a word beginning with each of the words.
    static func exact(_ words: [[UInt8]], system: String?, reader: GameReader) throws(SQLiteError) -> IDSet {
        let systemID = try number(of: system, reader)
        var found = IDSet()
        try match(words.map(beginning).joined(separator: " AND "), systemID, reader, into: &found)
        // What the index does not have yet is compared word by word.
        let rest = try reader.catalog.connection.prepare(
            "SELECT g.id, s.name, g.name, g.title FROM games g JOIN systems s ON s.id = g.system WHERE g.id > ?"
                + (systemID == nil ? "" : " AND g.system = ?"))
        rest.bind(1, try reader.catalog.meta("indexed"))
        if let systemID { rest.bind(2, systemID) }
        defer { rest.reset() }
        let buffer = ByteBuffer()
        while try rest.step() {
            buffer.empty()
            let name = rest.string(1) ?? ""
            let title = rest.string(3)
            rest.withBytes(2) { reader.words(system: name, name: $0, title: title, into: buffer) }
            let bytes = buffer.bytes
            if words.allSatisfy({ hasWord(bytes, beginning: $0) }) { found.insert(rest.int64(0)) }
        }
        return found
    }

    /// The games that have words like them: a letter wrong, missing, too many or two in the wrong order (two such
    /// slips in words of eight letters and more), and words written together or apart.
    static func close(
        _ words: [[UInt8]], system: String?, vocabulary: Vocabulary, reader: GameReader
    ) throws(SQLiteError) -> IDSet {
        var found = IDSet()
        guard words.count <= mostWords else { return found }
        let systemID = try number(of: system, reader)
        var loose: [String] = []
        var hasLoosened = false
        for word in words {
            let others = vocabulary.close(to: word)
            hasLoosened = hasLoosened || !others.isEmpty
            let choices = [beginning(word)] + others.map(whole)
            loose.append(others.isEmpty ? beginning(word) : "(\(choices.joined(separator: " OR ")))")
        }
        if hasLoosened { try match(loose.joined(separator: " AND "), systemID, reader, into: &found) }
        for index in words.indices {
            if index + 1 < words.count, words[index].count + words[index + 1].count <= 24 {
                let joined = words[index] + words[index + 1]
                if vocabulary.hasWord(beginning: joined) {
                    let expression = loose[..<index] + [beginning(joined)] + loose[(index + 2)...]
                    try match(expression.joined(separator: " AND "), systemID, reader, into: &found)
                }
            }
            for (left, right) in vocabulary.parts(of: words[index], shortest: shortestPart) {
                let expression = loose[..<index] + [whole(left), beginning(right)] + loose[(index + 1)...]
                try match(expression.joined(separator: " AND "), systemID, reader, into: &found)
            }
        }
        return found
    }

    private static func beginning(_ word: [UInt8]) -> String { "\(whole(word))*" }

    private static func whole(_ word: [UInt8]) -> String { "\"\(String(decoding: word, as: UTF8.self))\"" }

    private static func number(of system: String?, _ reader: GameReader) throws(SQLiteError) -> Int64? {
        guard let system else { return nil }
        return try reader.catalog.connection.integer("SELECT id FROM systems WHERE name = ?", [.text(system)]) ?? 0
    }

    private static func match(
        _ expression: String, _ system: Int64?, _ reader: GameReader, into found: inout IDSet
    ) throws(SQLiteError) {
        let token = system.map { "\"\(SearchIndex.token(system: $0))\" AND " } ?? ""
        let statement = try reader.catalog.connection.prepare("SELECT rowid FROM search WHERE search MATCH ?")
        statement.bind(1, token + expression)
        defer { statement.reset() }
        while try statement.step() { found.insert(statement.int64(0)) }
    }

    private static func hasWord(_ text: UnsafeBufferPointer<UInt8>, beginning prefix: [UInt8]) -> Bool {
        var start = 0
        while start + prefix.count <= text.count {
            var length = 0
            while length < prefix.count, text[start + length] == prefix[length] { length += 1 }
            if length == prefix.count { return true }
            while start < text.count, text[start] != 0x20 { start += 1 }
            start += 1
        }
        return false
    }
}
