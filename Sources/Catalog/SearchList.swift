import SQLiteKit
import SystemKit

/// The games whose titles have words that begin as typed, in the order of the list that is searched.
///
/// A first letter matches half of everything: then the list is walked only as far as somebody looks. Few matches are
/// put in order at once.
final class SearchList {
    private static let few = 400
    private let connection: Connection
    private let matches: IDSet
    private let walk: IndexWalk?
    private var ordered: [Int64] = []
    private var hasBegun = false
    private var isComplete = false

    /// - Parameters:
    ///   - walk: the plain list that is searched; `nil` where `base` is the list.
    init(
        words: [[UInt8]], system: String?, walk: IndexWalk?, base: [Int64], reader: GameReader
    ) throws(SQLiteError) {
        connection = reader.catalog.connection
        self.walk = walk
        matches = try SearchList.match(words, system: system, reader: reader)
        if walk == nil {
            ordered = base.filter { matches.contains($0) }
            isComplete = true
        } else if matches.count <= SearchList.few, walk?.whole == nil {
            var keys: [IndexWalk.Key] = []
            for id in matches.all() {
                if let walk, let key = try walk.key(of: id) { keys.append(key) }
            }
            keys.sort { $0 < $1 }
            ordered = keys.map(\.id)
            isComplete = true
        }
    }

    func count() throws(SQLiteError) -> Int {
        if isComplete { return ordered.count }
        // All matches but those that lists do not show.
        let unseen = try connection.rows("SELECT id FROM games WHERE state <> 0") { $0.int64(0) }
        return matches.count - unseen.count { matches.contains($0) }
    }

    func ids(offset: Int, limit: Int) throws(SQLiteError) -> [Int64] {
        let end = limit > Int.max - offset ? Int.max : offset + limit
        while !isComplete, ordered.count < end { try proceed() }
        return Array(ordered.dropFirst(offset).prefix(limit))
    }

    func position(of id: Int64) throws(SQLiteError) -> Int? {
        guard matches.contains(id) else { return nil }
        while true {
            if let index = ordered.firstIndex(of: id) { return index }
            if isComplete { return nil }
            try proceed()
        }
    }

    private func proceed() throws(SQLiteError) {
        if !hasBegun, walk?.whole == nil {
            hasBegun = true
            let last = try walk?.next(after: nil, limit: 2000) { id in
                if matches.contains(id) { ordered.append(id) }
            }
            isComplete = last == nil
        } else {
            ordered = try walk?.order().lazy.map(Int64.init).filter { matches.contains($0) } ?? []
            isComplete = true
        }
    }

    // MARK: - Matching

    private static func match(
        _ words: [[UInt8]], system: String?, reader: GameReader
    ) throws(SQLiteError) -> IDSet {
        let connection = reader.catalog.connection
        let systemID = try system.map { name throws(SQLiteError) in
            try connection.integer("SELECT id FROM systems WHERE name = ?", [.text(name)]) ?? 0
        }
        var expression = words.map { "\"\(String(decoding: $0, as: UTF8.self))\"*" }
        if let systemID { expression.insert("\"\(SearchIndex.token(system: systemID))\"", at: 0) }
        var found = IDSet()
        let statement = try connection.prepare("SELECT rowid FROM search WHERE search MATCH ?")
        statement.bind(1, expression.joined(separator: " AND "))
        defer { statement.reset() }
        while try statement.step() { found.insert(statement.int64(0)) }
        // What the index does not have yet is compared word by word.
        let rest = try connection.prepare(
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

/// Numbers of games as bits.
struct IDSet {
    private var bits: [UInt64] = []
    private(set) var count = 0

    mutating func insert(_ id: Int64) {
        let word = Int(id >> 6)
        if word >= bits.count { bits.append(contentsOf: repeatElement(0, count: max(64, word + 1 - bits.count))) }
        let bit = UInt64(1) << UInt64(id & 63)
        if bits[word] & bit == 0 {
            bits[word] |= bit
            count += 1
        }
    }

    func contains(_ id: Int64) -> Bool {
        let word = Int(id >> 6)
        return word < bits.count && bits[word] & (1 << UInt64(id & 63)) != 0
    }

    /// All numbers, ascending.
    func all() -> [Int64] {
        var all: [Int64] = []
        all.reserveCapacity(count)
        for (index, word) in bits.enumerated() {
            var rest = word
            while rest != 0 {
                all.append(Int64(index) << 6 + Int64(rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return all
    }
}
