/// What the brackets of a file name say, as No-Intro, Redump, TOSEC and GoodTools write them.
public struct NameTags: Sendable, Equatable {
    /// Where it was sold, in full English words: `USA`, `Europe`, `Japan`, `World`.
    public var regions: [String]
    /// ISO 639-1 codes in lower case: `en`, `fr`.
    public var languages: [String]
    /// `1`, `A`, `1.1`; from `(Rev 1)`, `(v1.1)`.
    public var revision: String?
    /// Which disc, tape or side it is, from 1; `(Disc 2)`, `(Disk B)`, `(Side A)`, `(CD3)`.
    public var disc: Int?
    /// Not the game as it was sold: a beta, prototype, demo, hack, pirate copy, bad dump, translation.
    public var isIrregular: Bool
    /// Verified to be the original: GoodTools' `[!]`.
    public var isVerified: Bool
    /// What is none of these, in order and as written.
    public var others: [String]

    /// Tags; without arguments none.
    public init(
        regions: [String] = [], languages: [String] = [], revision: String? = nil, disc: Int? = nil,
        isIrregular: Bool = false, isVerified: Bool = false, others: [String] = []
    ) {
        self.regions = regions
        self.languages = languages
        self.revision = revision
        self.disc = disc
        self.isIrregular = isIrregular
        self.isVerified = isVerified
        self.others = others
    }
}
