import SQLiteKit

/// Positions in the list of a system's games, or of all, along its index.
final class IndexWalk {
    /// A row's place in the order.
    struct Key: Equatable {
        var sort: [UInt8]
        var id: Int64

        static func < (left: Key, right: Key) -> Bool {
            if left.sort == right.sort { return left.id < right.id }
            return left.sort.lexicographicallyPrecedes(right.sort)
        }
    }

    private static let spacing = 512
    private let connection: Connection
    private let system: Int64?
    private let condition: String
    // The keys of rows 0, 512, 1024, ... as far as somebody asked.
    private var anchors: [Key] = []
    private var isComplete = false
    private(set) var whole: [UInt32]?

    init(_ connection: Connection, system: Int64?) {
        self.connection = connection
        self.system = system
        condition = system == nil ? "state = 0" : "state = 0 AND system = ?"
    }

    private var values: [Value] { system.map { [.integer($0)] } ?? [] }

    private static func key(_ row: Statement) -> Key { Key(sort: row.bytes(0), id: row.int64(1)) }

    /// The first row at or behind a key, so many rows further on.
    private func row(from key: Key, skipping count: Int) throws(SQLiteError) -> Key? {
        try connection.first(
            "SELECT sort, id FROM games WHERE \(condition) AND (sort, id) >= (?, ?) ORDER BY sort, id LIMIT 1 OFFSET ?",
            values + [.blob(key.sort), .integer(key.id), .integer(count)], IndexWalk.key)
    }

    /// Remembers keys until `isEnough`, or the end.
    private func extend(until isEnough: () -> Bool) throws(SQLiteError) {
        while !isComplete, !isEnough() {
            let next: Key?
            if let last = anchors.last {
                next = try row(from: last, skipping: IndexWalk.spacing)
            } else {
                next = try row(from: Key(sort: [], id: 0), skipping: 0)
            }
            if let next { anchors.append(next) } else { isComplete = true }
        }
    }

    func ids(offset: Int, limit: Int) throws(SQLiteError) -> [Int64] {
        let index = offset / IndexWalk.spacing
        try extend { anchors.count > index }
        guard anchors.indices.contains(index) else { return [] }
        let anchor = anchors[index]
        return try connection.rows(
            "SELECT id FROM games WHERE \(condition) AND (sort, id) >= (?, ?) ORDER BY sort, id LIMIT ? OFFSET ?",
            values + [
                .blob(anchor.sort), .integer(anchor.id), .integer(limit), .integer(offset % IndexWalk.spacing),
            ]
        ) { $0.int64(0) }
    }

    /// Calls `body` with the games behind a key, in order.
    ///
    /// - Returns: the key of the last one; `nil` at the end of the list.
    func next(after key: Key?, limit: Int, _ body: (Int64) -> Void) throws(SQLiteError) -> Key? {
        let key = key ?? Key(sort: [], id: 0)
        let statement = try connection.prepare(
            "SELECT sort, id FROM games WHERE \(condition) AND (sort, id) > (?, ?) ORDER BY sort, id LIMIT ?")
        statement.bind(values + [.blob(key.sort), .integer(key.id), .integer(limit)])
        defer { statement.reset() }
        var count = 0
        var last: Key?
        while try statement.step() {
            body(statement.int64(1))
            count += 1
            // Only the last key is needed; copying each would cost more than the walk.
            if count == limit { last = IndexWalk.key(statement) }
        }
        return last
    }

    /// All games of the list in order, read once and kept for as long as nothing changes: what a search for letters
    /// that come late in the list needs at every keystroke.
    func order() throws(SQLiteError) -> [UInt32] {
        if let whole { return whole }
        let statement = try connection.prepare("SELECT id FROM games WHERE \(condition) ORDER BY sort, id")
        statement.bind(values)
        defer { statement.reset() }
        var ids: [UInt32] = []
        while try statement.step() { ids.append(UInt32(truncatingIfNeeded: statement.int64(0))) }
        whole = ids
        return ids
    }

    func key(of id: Int64) throws(SQLiteError) -> Key? {
        try connection.first(
            "SELECT sort, id FROM games WHERE \(condition) AND id = ?", values + [.integer(id)], IndexWalk.key)
    }

    func position(of id: Int64) throws(SQLiteError) -> Int? {
        guard let key = try key(of: id) else { return nil }
        return try position(of: key)
    }

    /// How many rows come before a key.
    func position(of key: Key) throws(SQLiteError) -> Int {
        try extend { anchors.last.map { key < $0 } ?? false }
        var low = 0
        var high = anchors.count
        while low < high {
            let middle = (low + high) / 2
            if key < anchors[middle] { high = middle } else { low = middle + 1 }
        }
        guard low > 0 else { return 0 }
        let anchor = anchors[low - 1]
        let between = try connection.integer(
            "SELECT count(*) FROM games WHERE \(condition) AND (sort, id) >= (?, ?) AND (sort, id) < (?, ?)",
            values + [.blob(anchor.sort), .integer(anchor.id), .blob(key.sort), .integer(key.id)])
        return (low - 1) * IndexWalk.spacing + Int(between ?? 0)
    }

    /// The letters that titles begin with and where each begins: one step of the index a letter.
    func letters() throws(SQLiteError) -> [(letter: String, offset: Int)] {
        var letters: [(letter: String, offset: Int)] = []
        var bound = Key(sort: [], id: 0)
        while let first = try row(from: bound, skipping: 0) {
            let letter = Letter(key: first.sort)
            letters.append((letter.text, try position(of: first)))
            guard let end = letter.end, first.sort.lexicographicallyPrecedes(end) else { break }
            bound = Key(sort: end, id: 0)
        }
        return letters
    }
}

/// What a sort key is filed under when a person jumps through a list.
struct Letter: Equatable {
    /// `#` for everything before the letters.
    let text: String
    /// The first key behind this letter; `nil` at the end of all.
    let end: [UInt8]?

    init(key: [UInt8]) {
        let title = key.prefix { $0 != 0x01 }
        guard let scalar = String(decoding: title.prefix(4), as: UTF8.self).unicodeScalars.first,
            scalar.value >= 0x61
        else {
            text = "#"
            end = [0x61]
            return
        }
        var first = scalar.value
        var last = scalar.value
        switch scalar.value {
        case 0x3400...0x9FFF:
            // A letter for each ideograph would be a list of its own.
            (first, last) = (0x6F22, 0x9FFF)
        case 0xAC00...0xD7A3:
            // Hangul is filed by the first consonant of the syllable.
            first = scalar.value - (scalar.value - 0xAC00) % 588
            last = first + 587
        default: break
        }
        text = Unicode.Scalar(first)?.properties.titlecaseMapping ?? "#"
        end = Unicode.Scalar(last == 0xD7FF ? 0xE000 : last + 1).map { Array(String(Character($0)).utf8) }
    }
}
