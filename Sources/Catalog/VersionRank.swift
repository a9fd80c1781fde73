import SQLiteKit
import SystemKit

/// How the person wants versions of a game to be treated.
struct VersionChoice: Equatable {
    /// Whether one row stands for all of them.
    var collapses = true
    /// The regions that are wanted first, as bits.
    var regions: [UInt64] = []

    static let usualRegions = "USA,World,Europe,Japan"

    init(collapses: Bool = true, regions: String = VersionChoice.usualRegions) {
        self.collapses = collapses
        self.regions = regions.split(separator: ",").compactMap { name in
            TitleTagWords.bits(named: name.trimmedBlanks)
        }
    }

    /// What the settings say.
    init(_ user: UserDatabase) throws(CatalogError) {
        let collapse = try user.setting("versions.collapse")
        let regions = try user.setting("versions.regions")
        self.init(collapses: collapse != "off", regions: regions ?? VersionChoice.usualRegions)
    }

    // Raised with every change of how versions are ranked: catalogs that were made before are compared anew.
    private static let ranking: UInt8 = 2

    /// Differs for other settings.
    var fingerprint: Int64 {
        var hash = TitleTagWords.hash([VersionChoice.ranking, collapses ? 1 : 0])
        for region in regions { hash = (hash ^ region) &* 0x100_0000_01B3 }
        return Int64(bitPattern: hash | 1)
    }
}

extension StringProtocol {
    var trimmedBlanks: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text = text.dropFirst() }
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return String(text)
    }
}

/// Where a game stands among the versions of the same title; the least one stands for all.
///
/// In this order: one that the person marked as a favourite, since that is a choice; the game as it was sold before
/// betas, hacks and bad dumps; the wanted regions; verified dumps; the newest revision; the fewest remarks, so that a
/// re-release or an alternate dump comes second; a set of discs, since one disc alone is a piece of it; the order of the
/// list. Names that say the same in their brackets are
/// no versions of each other: whoever keeps two such files sees two.
struct VersionRank: Comparable {
    private var order: (UInt8, UInt8, UInt8, UInt8, UInt64, UInt16)
    /// Games with different parts of a set are no versions of each other.
    let part: Int
    private let words: UInt64

    init(_ tags: TitleTags, isFavourite: Bool, discs: Int, choice: VersionChoice) {
        var region = choice.regions.firstIndex { $0 & tags.regions != 0 } ?? choice.regions.count
        // A name without a region may be from anywhere: before one that is certainly not wanted.
        if region == choice.regions.count, tags.regions != 0 { region += 1 }
        order = (
            isFavourite ? 0 : 1, tags.isIrregular ? 1 : 0, UInt8(min(region, 255)), tags.isVerified ? 0 : 1,
            UInt64.max - tags.revisionOrder, UInt16(min(tags.remarks, 255)) * 2 + (discs > 1 ? 0 : 1)
        )
        part = discs > 1 ? TitleTags().part : tags.part
        words = tags.words
    }

    static func == (left: VersionRank, right: VersionRank) -> Bool { left.order == right.order }

    static func < (left: VersionRank, right: VersionRank) -> Bool { left.order < right.order }

    /// Which of the games with one title are shown, in the order of the list.
    ///
    /// - Parameter places: only games at the same place, such as a folder, are versions of each other.
    static func shown(_ ranks: [VersionRank], places: [Int64]? = nil) -> [Bool] {
        var best: [Place: VersionRank] = [:]
        for (index, rank) in ranks.enumerated() {
            let place = Place(number: places?[index] ?? 0, part: rank.part)
            if let standing = best[place], standing <= rank { continue }
            best[place] = rank
        }
        return ranks.enumerated().map { index, rank in
            best[Place(number: places?[index] ?? 0, part: rank.part)]?.words == rank.words
        }
    }

    private struct Place: Hashable {
        var number: Int64
        var part: Int
    }
}

extension GameReader {
    func tags(system: String, name: UnsafeBufferPointer<UInt8>) -> TitleTags {
        var tags = TitleTags()
        parts.parse(stem(system: system, name: name))
        parts.eachTag { tags.read($0) }
        return tags
    }
}
