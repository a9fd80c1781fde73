/// How a character takes part in laying out a line.
struct ScriptClass: Equatable {
    /// Which way it reads.
    enum Direction { case left, right, digit, neutral }
    /// ISO 15924; `nil` for characters that belong to every script.
    let script: String?
    /// Which way it reads.
    let direction: Direction

    init(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        if value < 0x250 {
            let isLetter = scalar.properties.isAlphabetic
            script = isLetter ? "Latn" : nil
            direction = isLetter ? .left : (0x30...0x39).contains(value) ? .digit : .neutral
            return
        }
        let found = ScriptClass.range(of: value)
        script = found
        switch found {
        case "Arab", "Hebr", "Syrc", "Thaa", "Nkoo", "Samr", "Mand", "Adlm", "Rohg":
            direction = scalar.properties.numericType == .decimal ? .digit : .right
        case nil: direction = scalar.properties.isAlphabetic ? .left : .neutral
        default: direction = .left
        }
    }

    private static func range(of value: UInt32) -> String? {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].last < value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].first <= value ? ranges[low].script : nil
    }

    // Blocks of the scripts that need to be told to the shaper, in order. What is missing is set as it comes.
    private static let ranges: [(first: UInt32, last: UInt32, script: String)] = [
        (0x250, 0x2AF, "Latn"), (0x370, 0x3FF, "Grek"), (0x400, 0x52F, "Cyrl"), (0x531, 0x58F, "Armn"),
        (0x590, 0x5FF, "Hebr"), (0x600, 0x6FF, "Arab"), (0x700, 0x74F, "Syrc"), (0x750, 0x77F, "Arab"),
        (0x780, 0x7BF, "Thaa"), (0x7C0, 0x7FF, "Nkoo"), (0x800, 0x83F, "Samr"), (0x840, 0x85F, "Mand"),
        (0x860, 0x86F, "Syrc"), (0x870, 0x8FF, "Arab"), (0x900, 0x963, "Deva"), (0x966, 0x97F, "Deva"),
        (0x980, 0x9FF, "Beng"), (0xA00, 0xA7F, "Guru"), (0xA80, 0xAFF, "Gujr"), (0xB00, 0xB7F, "Orya"),
        (0xB80, 0xBFF, "Taml"), (0xC00, 0xC7F, "Telu"), (0xC80, 0xCFF, "Knda"), (0xD00, 0xD7F, "Mlym"),
        (0xD80, 0xDFF, "Sinh"), (0xE00, 0xE7F, "Thai"), (0xE80, 0xEFF, "Laoo"), (0xF00, 0xFFF, "Tibt"),
        (0x1000, 0x109F, "Mymr"), (0x10A0, 0x10FF, "Geor"), (0x1100, 0x11FF, "Hang"), (0x1200, 0x139F, "Ethi"),
        (0x13A0, 0x13FF, "Cher"), (0x1780, 0x17FF, "Khmr"), (0x1800, 0x18AF, "Mong"), (0x1D00, 0x1DBF, "Latn"),
        (0x1E00, 0x1EFF, "Latn"), (0x1F00, 0x1FFF, "Grek"), (0x2C60, 0x2C7F, "Latn"), (0x2D00, 0x2D2F, "Geor"),
        (0x2DE0, 0x2DFF, "Cyrl"), (0x2E80, 0x2FDF, "Hani"), (0x3005, 0x3007, "Hani"), (0x3040, 0x309F, "Hira"),
        (0x30A0, 0x30FF, "Kana"), (0x3100, 0x312F, "Bopo"), (0x3130, 0x318F, "Hang"), (0x31F0, 0x31FF, "Kana"),
        (0x3400, 0x9FFF, "Hani"), (0xA640, 0xA69F, "Cyrl"), (0xA720, 0xA7FF, "Latn"), (0xAC00, 0xD7FF, "Hang"),
        (0xF900, 0xFAFF, "Hani"), (0xFB00, 0xFB06, "Latn"), (0xFB13, 0xFB17, "Armn"), (0xFB1D, 0xFB4F, "Hebr"),
        (0xFB50, 0xFDFF, "Arab"), (0xFE70, 0xFEFC, "Arab"), (0xFF21, 0xFF5A, "Latn"), (0xFF66, 0xFF9D, "Kana"),
        (0xFFA0, 0xFFDC, "Hang"), (0x10D00, 0x10D3F, "Rohg"), (0x1E900, 0x1E95F, "Adlm"), (0x1EE00, 0x1EEFF, "Arab"),
        (0x20000, 0x323AF, "Hani"),
    ]
}

/// Order on the screen of a line's pieces: a plain subset of the Unicode bidirectional algorithm.
///
/// Embeddings and overrides are not honoured: a name from a file shall not reorder the screen.
enum LineOrder {
    /// Levels as the algorithm defines them: even ones read to the right, odd ones to the left.
    static func levels(_ directions: [ScriptClass.Direction]) -> [Int] {
        guard directions.contains(.right) else { return [Int](repeating: 0, count: directions.count) }
        let first = directions.first { $0 == .left || $0 == .right }
        let base = first == .right ? 1 : 0
        let leftLevel = base == 1 ? 2 : 0
        // Numbers are written to the right everywhere, but belong to the text before them.
        var isRight: [Bool?] = []
        var strong = base == 1
        for direction in directions {
            switch direction {
            case .left: strong = false
            case .right: strong = true
            case .digit, .neutral: break
            }
            isRight.append(direction == .neutral ? nil : strong)
        }
        var levels: [Int] = []
        for (direction, isRight) in zip(directions, isRight) {
            levels.append(isRight == true ? (direction == .digit ? 2 : 1) : leftLevel)
        }
        var index = 0
        while index < levels.count {
            guard isRight[index] == nil else {
                index += 1
                continue
            }
            let end = isRight[index...].firstIndex { $0 != nil } ?? levels.count
            let before = index > 0 ? isRight[index - 1] : base == 1
            let after = end < levels.count ? isRight[end] : base == 1
            // Between two of the same kind a blank belongs to them, elsewhere to the line.
            let level = before == after ? (before == true ? 1 : leftLevel) : base
            for place in index..<end { levels[place] = level }
            index = end
        }
        return levels
    }

    /// The order in which pieces of these levels stand on the screen, from the left.
    static func visual(_ levels: [Int]) -> [Int] {
        var order = Array(levels.indices)
        guard let highest = levels.max(), highest > 0 else { return order }
        for level in stride(from: highest, through: 1, by: -1) {
            var start = 0
            while start < order.count {
                guard levels[order[start]] >= level else {
                    start += 1
                    continue
                }
                var end = start
                while end < order.count, levels[order[end]] >= level { end += 1 }
                order[start..<end].reverse()
                start = end
            }
        }
        return order
    }
}
