import SQLiteKit
import SystemKit

/// The games whose titles have words that begin as typed, in the order of the list that is searched; where hardly any
/// has, those that come close follow.
///
/// A first letter matches half of everything: then the list is walked only as far as somebody looks. Few matches are
/// put in order at once.
final class SearchList {
    private static let few = 400
    /// With so many games found as typed nobody needs what was perhaps meant.
    private static let enough = 3
    private let connection: Connection
    private let matches: IDSet
    private let walk: IndexWalk?
    private var ordered: [Int64] = []
    private var hasBegun = false
    private var isComplete = false
    // The place in `ordered` where what comes close begins.
    private var exact: Int?

    /// - Parameters:
    ///   - walk: the plain list that is searched; `nil` where `base` is the list.
    ///   - vocabulary: the words that are known, asked only where few games have what was typed.
    init(
        words: [[UInt8]], system: String?, walk: IndexWalk?, base: [UInt32], reader: GameReader,
        vocabulary: () throws(SQLiteError) -> Vocabulary
    ) throws(SQLiteError) {
        connection = reader.catalog.connection
        self.walk = walk
        matches = try SearchMatch.exact(words, system: system, reader: reader)
        if walk == nil || (matches.count <= SearchList.few && walk?.whole == nil) {
            ordered = try inOrder(matches, base)
            isComplete = true
        } else if matches.count <= SearchList.few {
            try proceed()
        }
        guard isComplete, ordered.count < SearchList.enough else { return }
        var close = try SearchMatch.close(words, system: system, vocabulary: try vocabulary(), reader: reader)
        for id in ordered { close.remove(id) }
        if close.count > 0 {
            exact = ordered.count
            ordered += try inOrder(close, base)
        }
    }

    private func inOrder(_ set: IDSet, _ base: [UInt32]) throws(SQLiteError) -> [Int64] {
        guard let walk else { return base.lazy.map(Int64.init).filter { set.contains($0) } }
        if set.count > SearchList.few || walk.whole != nil {
            return try walk.order().lazy.map(Int64.init).filter { set.contains($0) }
        }
        var keys: [IndexWalk.Key] = []
        for id in set.all() {
            if let key = try walk.key(of: id) { keys.append(key) }
        }
        keys.sort { $0 < $1 }
        return keys.map(\.id)
    }

    /// Whether all of it is in the order of the list.
    var isOneOrder: Bool { exact == nil || exact == 0 }

    func count() throws(SQLiteError) -> Int {
        if isComplete { return ordered.count }
        // All matches but those that lists do not show.
        let unseen = try connection.prepare("SELECT id FROM games WHERE state <> 0")
        defer { unseen.reset() }
        var count = matches.count
        while try unseen.step() {
            if matches.contains(unseen.int64(0)) { count -= 1 }
        }
        return count
    }

    func ids(offset: Int, limit: Int) throws(SQLiteError) -> [Int64] {
        let end = limit > Int.max - offset ? Int.max : offset + limit
        while !isComplete, ordered.count < end { try proceed() }
        return Array(ordered.dropFirst(offset).prefix(limit))
    }

    func position(of id: Int64) throws(SQLiteError) -> Int? {
        while true {
            if let index = ordered.firstIndex(of: id) { return index }
            if isComplete || !matches.contains(id) { return nil }
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

    mutating func remove(_ id: Int64) {
        guard contains(id) else { return }
        bits[Int(id >> 6)] &= ~(1 << UInt64(id & 63))
        count -= 1
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
