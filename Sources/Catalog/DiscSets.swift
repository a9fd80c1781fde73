package import SystemKit

/// Which files of a folder are the discs of one game, told by their names alone: `Game (Disc 1).chd`,
/// `Game (Disc 2).chd`.
struct DiscSets {
    /// A disc in its set.
    struct Standing: Equatable {
        /// The index of the disc that stands for the set: the one with the lowest number.
        var leader: Int
        /// How many there are.
        var discs: Int
        var isLeader: Bool
    }

    private struct Disc {
        var index: Int
        var number: Int
    }

    private var sets: [[UInt8]: [Disc]] = [:]

    /// Notes a file.
    mutating func add(_ index: Int, _ name: UnsafeBufferPointer<UInt8>, stem: Int) {
        guard let disc = DiscName(name, stem: stem) else { return }
        sets[disc.key, default: []].append(Disc(index: index, number: disc.number))
    }

    /// The discs of sets of two and more, by their indexes.
    func standings() -> [Int: Standing] {
        var standings: [Int: Standing] = [:]
        for discs in sets.values where discs.count > 1 {
            // Two first discs are two versions of a game, and nobody knows which second disc is whose.
            guard Set(discs.map(\.number)).count == discs.count, let first = discs.min(by: { $0.number < $1.number })
            else { continue }
            for disc in discs {
                standings[disc.index] = Standing(
                    leader: first.index, discs: discs.count, isLeader: disc.index == first.index)
            }
        }
        return standings
    }
}

/// The name of one disc of several.
package struct DiscName {
    /// The same for all discs of a set: the name without the disc's tag, and the extension, folded.
    package let key: [UInt8]
    /// The name without the disc's tag and the extension, as it is written.
    package let title: [UInt8]
    /// Its place among the others.
    package let number: Int

    /// - Parameter stem: how long the name is without its extension.
    package init?(_ name: UnsafeBufferPointer<UInt8>, stem: Int) {
        var index = 1
        while index + 4 < stem {
            defer { index += 1 }
            let open = name[index]
            guard open == 0x28 || open == 0x5B, DiscName.mayBegin(asciiLowercased(name[index + 1])) else { continue }
            let close: UInt8 = open == 0x28 ? 0x29 : 0x5D
            guard let end = name[index..<stem].firstIndex(of: close),
                let number = DiscName.number(name[(index + 1)..<end])
            else { continue }
            var title = Array(name[0..<index])
            while title.last == 0x20 { title.removeLast() }
            title.append(contentsOf: name[(end + 1)..<stem])
            self.title = title
            key = (title + [0] + name[stem...]).map(asciiLowercased)
            self.number = number
            return
        }
        return nil
    }

    /// Whether a name has such a tag, whatever its extension.
    package init?(_ name: BytePath) {
        let stem = name.stem.bytes.count
        guard let made = name.bytes.withUnsafeBufferPointer({ DiscName($0, stem: stem) }) else { return nil }
        self = made
    }

    @inline(__always)
    private static func mayBegin(_ byte: UInt8) -> Bool {
        // disc, disk, dvd, cd, cassette, side, tape
        byte == 0x64 || byte == 0x63 || byte == 0x73 || byte == 0x74
    }

    private static let words = Set(["disc", "disk", "dvd", "cd", "cassette", "side", "tape"])
    private static let longestTag = 40

    /// `Disc 1`, `Disk A`, `CD2`, `Disc 1 of 3`, `Disk 1 of 2 Side B`.
    private static func number(_ tag: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard tag.count <= longestTag else { return nil }
        let text = String(decoding: tag.map(asciiLowercased), as: UTF8.self)
        var words = text.split(separator: " ")[...]
        var number = 0
        var parts = 0
        while let word = words.popFirst() {
            let letters = word.prefix { $0.isLetter }
            var value: Int?
            if DiscName.words.contains(String(word)), let next = words.popFirst() {
                value = DiscName.value(next)
            } else if letters.count < word.count, DiscName.words.contains(String(letters)) {
                value = DiscName.value(word.dropFirst(letters.count))
            }
            guard let value, parts < 3 else { return nil }
            parts += 1
            number = number * 1000 + value
            if words.first == "of" {
                words.removeFirst()
                guard let count = words.popFirst(), DiscName.value(count) != nil else { return nil }
            }
        }
        return parts > 0 ? number : nil
    }

    private static func value(_ word: Substring) -> Int? {
        if let number = Int(word), number >= 0, number < 1000 { return number }
        guard word.utf8.count == 1, let letter = word.utf8.first, letter >= 0x61, letter <= 0x7A else { return nil }
        return Int(letter) - 0x60
    }
}
