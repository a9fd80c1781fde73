import SQLiteKit

/// All words of the search index in byte order: what a mistyped word could have been.
final class Vocabulary {
    /// Up to which game the index was filled when the words were read.
    let indexed: Int64
    private var bytes: [UInt8] = []
    private var starts: [UInt32] = [0]

    static let mostCandidates = 24
    private static let longest = 32

    init(_ connection: Connection, indexed: Int64) throws(SQLiteError) {
        self.indexed = indexed
        try connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab('main', 'search', 'row')")
        let statement = try connection.prepare("SELECT term FROM temp.vocabulary")
        defer { statement.reset() }
        while try statement.step() {
            statement.withBytes(0) { word in
                // Numbers and single characters are not mistyped words; systems have words of their own (U+E000).
                guard word.count >= 2, word.count <= Vocabulary.longest, word[0] >= 0x61, word[0] != 0xEE else {
                    return
                }
                bytes.append(contentsOf: word)
                starts.append(UInt32(bytes.count))
            }
        }
    }

    var count: Int { starts.count - 1 }

    private func word(_ index: Int) -> ArraySlice<UInt8> { bytes[Int(starts[index])..<Int(starts[index + 1])] }

    /// The first word at or behind some bytes.
    private func place(of prefix: some Collection<UInt8>) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if word(middle).lexicographicallyPrecedes(prefix) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func hasWord(beginning prefix: some Collection<UInt8>) -> Bool {
        let place = place(of: prefix)
        return place < count && word(place).starts(with: prefix)
    }

    private func has(_ text: some Collection<UInt8>) -> Bool {
        let place = place(of: text)
        return place < count && word(place).elementsEqual(text)
    }

    /// Two words that a word was made of, the second one as far as it was typed.
    func parts(of word: [UInt8], shortest: Int) -> [([UInt8], [UInt8])] {
        guard word.count >= 2 * shortest, word.count <= Vocabulary.longest else { return [] }
        var parts: [([UInt8], [UInt8])] = []
        for length in shortest...(word.count - shortest) {
            // Not within a character.
            guard word[length] & 0xC0 != 0x80, has(word[..<length]), hasWord(beginning: word[length...]) else {
                continue
            }
            parts.append((Array(word[..<length]), Array(word[length...])))
        }
        return parts
    }

    // MARK: - Slips

    /// How many slips are forgiven in a word of so many characters.
    static func slips(forgivenIn length: Int) -> Int { length < 4 ? 0 : length < 8 ? 1 : 2 }

    /// The words that begin almost as a word does, the closest first; without those that begin exactly so.
    func close(to typed: [UInt8]) -> [[UInt8]] {
        let pattern = String(decoding: typed, as: UTF8.self).unicodeScalars.map(\.value)
        let most = Vocabulary.slips(forgivenIn: pattern.count)
        guard most > 0, pattern.count <= Vocabulary.longest else { return [] }
        var slips = SlipCounter(pattern, most: most)
        var found: [(slips: Int, index: Int)] = []
        bytes.withUnsafeBufferPointer { bytes in
            for index in 0..<count {
                let range = Int(starts[index])..<Int(starts[index + 1])
                let distance = slips.count(UnsafeBufferPointer(rebasing: bytes[range]))
                if distance > 0, distance <= most { found.append((distance, index)) }
            }
        }
        found.sort { $0.slips == $1.slips ? $0.index < $1.index : $0.slips < $1.slips }
        return found.prefix(Vocabulary.mostCandidates).map { Array(word($0.index)) }
    }
}

/// Counts the slips (Damerau and Levenshtein's) between a pattern and the best beginning of each of many words.
///
/// Words come in order, so that neighbours begin alike: what was computed for the common beginning is used again, and
/// words that begin with something hopeless are passed over.
struct SlipCounter {
    private let pattern: [UInt32]
    private let most: Int
    private let width: Int
    // Row `depth` belongs to the first `depth` characters of the word.
    private var rows: [UInt8]
    private var best: [UInt8]
    private var characters: [UInt32]
    private var depth = 0
    private var hopeless = Int.max

    private static let longest = 40

    init(_ pattern: [UInt32], most: Int) {
        self.pattern = pattern
        self.most = most
        width = pattern.count + 1
        rows = Array(repeating: 0, count: width * (SlipCounter.longest + 1))
        best = Array(repeating: UInt8.max, count: SlipCounter.longest + 1)
        characters = Array(repeating: 0, count: SlipCounter.longest)
        for index in 0..<width { rows[index] = UInt8(index) }
        best[0] = UInt8(pattern.count)
    }

    /// The slips of a word in UTF-8; more than `most` where it is hopeless.
    mutating func count(_ word: UnsafeBufferPointer<UInt8>) -> Int {
        var position = 0
        var index = 0
        var shared = true
        while index < word.count, position < SlipCounter.longest {
            var scalar = UInt32(word[index])
            var length = 1
            if scalar >= 0x80 {
                length = scalar >= 0xF0 ? 4 : scalar >= 0xE0 ? 3 : 2
                scalar &= length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07
                for next in (index + 1)..<min(index + length, word.count) {
                    scalar = scalar << 6 | UInt32(word[next] & 0x3F)
                }
            }
            index += length
            if shared, position < depth, characters[position] == scalar {
                position += 1
                if position >= hopeless { return Int(UInt8.max) }
                continue
            }
            if shared {
                shared = false
                depth = position
                hopeless = Int.max
            }
            characters[position] = scalar
            position += 1
            depth = position
            if compute(position) > most, best[position] > UInt8(most) {
                hopeless = position
                return Int(UInt8.max)
            }
        }
        depth = max(depth, position)
        return Int(best[position])
    }

    /// Fills a row.
    ///
    /// - Returns: its least number: no longer beginning has fewer slips.
    private mutating func compute(_ depth: Int) -> Int {
        let row = depth * width
        let above = row - width
        let scalar = characters[depth - 1]
        rows[row] = UInt8(depth)
        var least = depth
        for column in 1..<width {
            let letter = pattern[column - 1]
            var value = Int(rows[above + column - 1]) + (letter == scalar ? 0 : 1)
            value = min(value, Int(rows[above + column]) + 1, Int(rows[row + column - 1]) + 1)
            if depth > 1, column > 1, letter == characters[depth - 2], pattern[column - 2] == scalar {
                value = min(value, Int(rows[above - width + column - 2]) + 1)
            }
            rows[row + column] = UInt8(value)
            least = min(least, value)
        }
        best[depth] = min(best[depth - 1], rows[row + width - 1])
        return least
    }
}
